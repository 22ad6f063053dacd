# SPDX-License-Identifier: Apache-2.0
option(DORMER_BUILD_GUI "Build the Qt desktop app" ON)
option(DORMER_BUILD_TESTS "Build the tests" ON)
option(DORMER_WERROR "Treat warnings as errors" OFF)
option(DORMER_BUILD_FUZZERS "Build the fuzz targets (needs clang; scripts/fuzz does it all)" OFF)
set(DORMER_SANITIZE "" CACHE STRING "Build with these sanitizers: address,undefined or thread")
option(DORMER_TIDY "Run clang-tidy on each source that is compiled (preset tidy)" OFF)

# Without nvcc the viewer is what can be built; asking for CUDA by hand makes its absence an error.
find_program(DORMER_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
if(DORMER_NVCC)
  set(dormer_cuda_default ON)
else()
  set(dormer_cuda_default OFF)
endif()
option(DORMER_WITH_CUDA "Build kernels and collectors (needs the CUDA Toolkit 12.6 or newer)" ${dormer_cuda_default})

add_feature_info(gui DORMER_BUILD_GUI "Qt desktop app dormer-gui")
add_feature_info(cuda DORMER_WITH_CUDA "workload kernels and the CUPTI collector")
add_feature_info(tests DORMER_BUILD_TESTS "unit, ui and e2e tests")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
# Shared libraries are found beside the programs, so that a copied bin/ folder runs elsewhere.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

find_program(DORMER_CCACHE ccache)
if(DORMER_CCACHE)
  # Paths relative to the checkout, so that clones and build folders share what they compiled.
  set(dormer_ccache "${CMAKE_COMMAND}" -E env CCACHE_NOHASHDIR=1 "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" "${DORMER_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${dormer_ccache}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${dormer_ccache}")
endif()
