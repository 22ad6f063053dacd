# SPDX-License-Identifier: Apache-2.0
# Targets that check sources instead of making programs. Included last, when all others are known.

# The folder and those below it that are part of this build.
function(dormer_folders_below folder result)
  set(found "${folder}")
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    dormer_folders_below("${subfolder}" below)
    list(APPEND found ${below})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The libraries and programs made in the folder and below it.
function(dormer_targets_below folder result)
  dormer_folders_below("${folder}" folders)
  set(found)
  foreach(each IN LISTS folders)
    get_property(targets DIRECTORY "${each}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "EXECUTABLE|LIBRARY")
        list(APPEND found ${target})
      endif()
    endforeach()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Adds the headers of a top-level folder to the target check_headers, which compiles each one alone. They are found, not
# listed: a header nobody remembered is the one to check. Code for nvcc (.cuh) and folders that are not built are left out.
function(dormer_check_headers name)
  dormer_folders_below("${PROJECT_SOURCE_DIR}/${name}" folders)
  dormer_targets_below("${PROJECT_SOURCE_DIR}/${name}" targets)
  set(libraries)
  foreach(target IN LISTS targets)
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(linked)
      list(APPEND libraries ${linked}) # private ones, too: a room's own headers may include them
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libraries)

  file(GLOB_RECURSE headers "${PROJECT_SOURCE_DIR}/${name}/*.h")
  if(NOT DORMER_WITH_CUDA)
    list(REMOVE_ITEM headers "${PROJECT_SOURCE_DIR}/instrument/dormer.h") # needs NVTX, which comes with CUDA
  endif()
  set(sources)
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    while(NOT EXISTS "${folder}/CMakeLists.txt")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
    if(folder IN_LIST folders)
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE path)
      set(source "${PROJECT_BINARY_DIR}/check_headers/${path}.cpp")
      file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${path}\"\n")
      list(APPEND sources "${source}")
      file(STRINGS "${header}" isa REGEX DORMER_ISA LIMIT_COUNT 1)
      if(isa) # compiled for each vector width: one will do
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-march=x86-64-v3;-DDORMER_ISA=v3")
      endif()
    endif()
  endforeach()

  add_library(check_headers_${name} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_include_directories(check_headers_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(check_headers_${name} PRIVATE ${libraries})
  target_compile_options(check_headers_${name} PRIVATE -O0 -g0)
  add_dependencies(check_headers check_headers_${name})
endfunction()

get_property(folders DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTY SUBDIRECTORIES)
list(FILTER folders EXCLUDE REGEX "/tests$")

# The target tidy runs clang-tidy over the host sources, and links nothing. Generated sources are left out, and the second
# copy of what is compiled for each vector width.
if(DORMER_TIDY)
  set(objects)
  foreach(folder IN LISTS folders)
    dormer_targets_below("${folder}" targets)
    list(FILTER targets EXCLUDE REGEX "_v4$")
    foreach(target IN LISTS targets)
      list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,[.]cu[.]o$|_autogen/|/assets[.]cpp[.]o$>")
    endforeach()
  endforeach()
  add_custom_target(tidy DEPENDS ${objects})
endif()

set(CMAKE_CXX_CLANG_TIDY "")
add_custom_target(check_headers)
foreach(folder IN LISTS folders)
  cmake_path(GET folder FILENAME name)
  dormer_check_headers(${name})
endforeach()
