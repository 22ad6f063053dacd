# SPDX-License-Identifier: Apache-2.0
# Where an installation has its parts. Programs for people are in bin; what those start or load is in a folder of its own,
# which they find from where they are, so that an installation can be moved.
if(NOT CMAKE_INSTALL_DOCDIR) # else the project's name, which has a capital
  set(CMAKE_INSTALL_DOCDIR share/doc/dormer CACHE PATH "Documentation" FORCE)
endif()
include(GNUInstallDirs)
set(DORMER_PARTS_FOLDER "${CMAKE_INSTALL_LIBDIR}/dormer")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}" OUTPUT_VARIABLE DORMER_PARTS_FROM_BIN)
string(APPEND DORMER_PARTS_FROM_BIN "/dormer")
