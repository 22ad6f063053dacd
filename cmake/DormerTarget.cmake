# SPDX-License-Identifier: Apache-2.0
# Warnings live on one target; nvcc hands the same ones to the host compiler.
add_library(dormer_warnings INTERFACE)
set(dormer_warning_flags -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual
                         -Wimplicit-fallthrough)
if(DORMER_WERROR)
  list(APPEND dormer_warning_flags -Werror)
endif()
# nvcc's generated host code trips the cast warnings, which are not ours to mend.
set(dormer_cuda_flags ${dormer_warning_flags})
list(REMOVE_ITEM dormer_cuda_flags -Wold-style-cast -Wcast-qual -Wshadow)
list(JOIN dormer_cuda_flags "," dormer_cuda_flags)
target_compile_options(
  dormer_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${dormer_warning_flags}>"
                            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${dormer_cuda_flags}>")
if(DORMER_SANITIZE)
  set(dormer_sanitizer_flags -fsanitize=${DORMER_SANITIZE} -fno-omit-frame-pointer)
  if(DORMER_SANITIZE MATCHES "undefined")
    list(APPEND dormer_sanitizer_flags -fno-sanitize-recover=undefined)
  endif()
  if(DORMER_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND dormer_sanitizer_flags -Wno-tsan) # fences, which the emulator has for PTX's, are not followed
  endif()
  target_compile_options(dormer_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${dormer_sanitizer_flags}>")
  target_link_options(dormer_warnings INTERFACE -fsanitize=${DORMER_SANITIZE})
endif()

if(DORMER_TIDY)
  # One version, because each adds checks. Older ones lack parts of C++20 that std::variant needs.
  find_program(DORMER_CLANG_TIDY clang-tidy-16)
  if(NOT DORMER_CLANG_TIDY)
    message(FATAL_ERROR "clang-tidy-16 was not found: install clang-tidy-16")
  endif()
  set(CMAKE_CXX_CLANG_TIDY "${DORMER_CLANG_TIDY}" --quiet)
endif()

if(DORMER_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "DORMER_BUILD_FUZZERS needs clang 16 or newer: use scripts/fuzz")
  endif()
  # Coverage of all that is linked in. libstdc++ hides <expected> from clangs that announce older concepts.
  add_compile_options(-fsanitize=fuzzer-no-link -D__cpp_concepts=202002L -Wno-builtin-macro-redefined -Wno-macro-redefined)
endif()

# One folder = one static library = one namespace. Headers are included from the repository root.
function(dormer_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE dormer_warnings)
endfunction()
