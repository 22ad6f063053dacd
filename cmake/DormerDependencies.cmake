# SPDX-License-Identifier: Apache-2.0
# Everything comes from Debian's packages; scripts/setup installs them. A missing one is an error that names its package.
macro(dormer_require name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} was not found: install ${package} (scripts/setup does)")
  endif()
endmacro()

dormer_require(fmt libfmt-dev)
dormer_require(nlohmann_json nlohmann-json3-dev)
dormer_require(CLI11 libcli11-dev)
dormer_require(SQLiteCpp libsqlitecpp-dev)
dormer_require(Threads libc6-dev)
# What fat binaries and cubins are made of. Debian's packages of these have pkg-config files only.
dormer_require(PkgConfig pkg-config)
pkg_check_modules(fatbin_formats QUIET IMPORTED_TARGET liblz4 libzstd libelf)
if(NOT fatbin_formats_FOUND)
  message(FATAL_ERROR "LZ4, zstd or libelf was not found: install liblz4-dev, libzstd-dev and libelf-dev (scripts/setup does)")
endif()
if(DORMER_BUILD_GUI)
  dormer_require(Qt6 qt6-base-dev COMPONENTS Widgets PrintSupport Concurrent Test)
  dormer_require(Qt6Svg qt6-svg-dev)
  dormer_require(QCustomPlotQt6 libqcustomplot-dev)
endif()
if(DORMER_BUILD_TESTS)
  dormer_require(Catch2 catch2)
endif()
if(DORMER_WITH_CUDA)
  if(NOT DORMER_NVCC)
    message(FATAL_ERROR "DORMER_WITH_CUDA is on but nvcc was not found: install the CUDA Toolkit 12.6 or newer, "
                        "or use the preset 'viewer'")
  endif()
  set(CMAKE_CUDA_COMPILER "${DORMER_NVCC}")
  # PTX of 7.5 (the oldest CUDA 13 supports) runs everywhere through the driver, and Hopper gets native code.
  set(CMAKE_CUDA_ARCHITECTURES "75-virtual;80-real;90" CACHE STRING "CUDA architectures")
  # A program must share the runtime with the process for the emulator and the collector to step in.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  # Of the host's side only: kernels are optimised whatever this says. The workloads' host code waits for the GPU, and
  # compiling it for speed and for the debugger took half as long again.
  set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O1 -DNDEBUG" CACHE STRING "Flags of nvcc for RelWithDebInfo")
  enable_language(CUDA)
  # Debian 12's CMake 3.25.1 does not know yet that nvcc speaks C++20.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit 12.6 REQUIRED)
endif()
