# SPDX-License-Identifier: Apache-2.0
# What CPack runs on the installed tree before it packs it: each kind of package wants something more.
file(GLOB_RECURSE program "${CPACK_TEMPORARY_DIRECTORY}/*/bin/dormer" "${CPACK_TEMPORARY_DIRECTORY}/bin/dormer")
list(GET program 0 program)
cmake_path(GET program PARENT_PATH prefix)
cmake_path(GET prefix PARENT_PATH prefix)
if(CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/debianize" "${prefix}" COMMAND_ERROR_IS_FATAL ANY)
else()
  execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/bundle" "${prefix}" "${prefix}/${CPACK_DORMER_PARTS}" "${CPACK_DORMER_QT_PLUGINS}"
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
