# SPDX-License-Identifier: Apache-2.0
# cmake --install: programs, what they start and load, samples, the public header, manual pages and what desktops read.
# Nothing is installed that was not built. No path of this machine stays in it: libraries are found from $ORIGIN.
install(TARGETS dormer RUNTIME)
install(TARGETS dormer-probe RUNTIME DESTINATION "${DORMER_PARTS_FOLDER}")
install(DIRECTORY samples/ DESTINATION "${CMAKE_INSTALL_DATADIR}/dormer/samples" FILES_MATCHING PATTERN "*.dormer")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")

# Manual pages and completion are what the command line says of itself.
set(dormer_texts "${CMAKE_BINARY_DIR}/texts")
set(dormer_commands list run profile show merge import compare check report pattern ceilings metrics doctor completion)
set(dormer_text_steps COMMAND "$<TARGET_FILE:dormer>" manual > "${dormer_texts}/dormer.1")
set(dormer_pages "${dormer_texts}/dormer.1")
foreach(command IN LISTS dormer_commands)
  list(APPEND dormer_text_steps COMMAND "$<TARGET_FILE:dormer>" manual ${command} > "${dormer_texts}/dormer-${command}.1")
  list(APPEND dormer_pages "${dormer_texts}/dormer-${command}.1")
endforeach()
set(dormer_completions)
foreach(shell IN ITEMS bash zsh fish)
  list(APPEND dormer_text_steps COMMAND "$<TARGET_FILE:dormer>" completion ${shell} > "${dormer_texts}/dormer.${shell}")
  list(APPEND dormer_completions "${dormer_texts}/dormer.${shell}")
endforeach()
file(MAKE_DIRECTORY "${dormer_texts}")
add_custom_command(OUTPUT ${dormer_pages} ${dormer_completions} ${dormer_text_steps} DEPENDS dormer VERBATIM
                   COMMENT "Writing manual pages and completion")
add_custom_target(dormer_texts ALL DEPENDS ${dormer_pages} ${dormer_completions})
install(FILES ${dormer_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${dormer_texts}/dormer.bash" RENAME dormer DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${dormer_texts}/dormer.zsh" RENAME _dormer DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${dormer_texts}/dormer.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

if(DORMER_BUILD_GUI)
  install(TARGETS dormer-gui RUNTIME)
  configure_file(app/desktop/dormer-gui.1 "${dormer_texts}/dormer-gui.1" @ONLY)
  configure_file(app/desktop/dormer.metainfo.xml "${dormer_texts}/dormer.metainfo.xml" @ONLY)
  install(FILES "${dormer_texts}/dormer-gui.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${dormer_texts}/dormer.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES app/desktop/dormer.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES app/desktop/dormer.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES app/desktop/dormer.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
endif()

# The header that programs include, as the CMake package Dormer with the target Dormer::instrument.
include(CMakePackageConfigHelpers)
add_library(dormer_instrument INTERFACE)
set_target_properties(dormer_instrument PROPERTIES EXPORT_NAME instrument)
target_include_directories(dormer_instrument INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/dormer>")
target_compile_features(dormer_instrument INTERFACE cxx_std_17)
target_link_libraries(dormer_instrument INTERFACE CUDA::nvtx3 ${CMAKE_DL_LIBS})
install(TARGETS dormer_instrument EXPORT DormerTargets)
install(EXPORT DormerTargets NAMESPACE Dormer:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Dormer")
install(FILES instrument/dormer.h instrument/collector_abi.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/dormer/instrument")
configure_package_config_file(cmake/DormerConfig.cmake.in "${CMAKE_BINARY_DIR}/DormerConfig.cmake"
                              INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Dormer")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/DormerConfigVersion.cmake" COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES "${CMAKE_BINARY_DIR}/DormerConfig.cmake" "${CMAKE_BINARY_DIR}/DormerConfigVersion.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Dormer")

if(NOT DORMER_WITH_CUDA)
  return()
endif()

# NVIDIA's runtime and CUPTI, which its licence lets programs bring unchanged (attachment A). The libraries that CUPTI
# counts with (libnvperf_*) are not in that list: they come with the machine's CUDA Toolkit, which is therefore looked at first.
option(DORMER_INSTALL_CUDA "Install NVIDIA's redistributable libraries, so that a driver is all that workloads need" ON)
set(dormer_cuda_folder "${DORMER_PARTS_FOLDER}/cuda")
if(DORMER_INSTALL_CUDA)
  foreach(library IN ITEMS cudart cupti)
    file(REAL_PATH "${CUDA_${library}_LIBRARY}" file)
    install(FILES "${file}" RENAME "lib${library}.so.${CUDAToolkit_VERSION_MAJOR}" DESTINATION "${dormer_cuda_folder}")
  endforeach()
  file(GLOB licences "${CUDAToolkit_BIN_DIR}/../EULA.txt" "${CUDAToolkit_BIN_DIR}/../dist-info/nvidia_cuda_cupti-*/licenses/License.txt")
  if(NOT licences)
    message(FATAL_ERROR "The licence of the CUDA Toolkit, which its libraries are installed with, was not found in "
                        "${CUDAToolkit_BIN_DIR}/..: set DORMER_INSTALL_CUDA=OFF to leave them out")
  endif()
  list(GET licences 0 licence)
  install(FILES "${licence}" RENAME CUDA-EULA.txt DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()
set_target_properties(dormer-workloads PROPERTIES INSTALL_RPATH "$ORIGIN/${DORMER_PARTS_FROM_BIN}/cuda:/usr/local/cuda/lib64")
set_target_properties(dormer-inject PROPERTIES INSTALL_RPATH "/usr/local/cuda/lib64;/usr/local/cuda/extras/CUPTI/lib64;$ORIGIN/cuda")
set_target_properties(dormer-ceilings PROPERTIES INSTALL_RPATH "$ORIGIN/cuda:/usr/local/cuda/lib64")
install(TARGETS dormer-workloads RUNTIME)
install(TARGETS dormer-ceilings RUNTIME DESTINATION "${DORMER_PARTS_FOLDER}") # beside dormer-probe
install(TARGETS dormer-inject LIBRARY DESTINATION "${DORMER_PARTS_FOLDER}")
# A folder of its own, as in the build: programs look for their CUDA runtime there only when they are told to.
install(TARGETS dormer_cuda dormer_cudart dormer_handles LIBRARY DESTINATION "${DORMER_PARTS_FOLDER}/emulator")
