# SPDX-License-Identifier: Apache-2.0
# One library from sources compiled for AVX2 (x86-64-v3) and again for AVX-512 (x86-64-v4). The macro DORMER_ISA names the
# inline namespace of each copy. Contraction is off: PTX says which multiply-adds are fused. A
# lane array is read as whatever type an instruction names, so aliasing by type must not be assumed.
function(dormer_isa_library name)
  set(objects)
  foreach(isa v3 v4)
    add_library(${name}_${isa} OBJECT ${ARGN})
    target_include_directories(${name}_${isa} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_${isa} PRIVATE dormer_warnings)
    target_compile_definitions(${name}_${isa} PRIVATE DORMER_ISA=${isa})
    target_compile_options(${name}_${isa} PRIVATE -O3 -march=x86-64-${isa} -mprefer-vector-width=$<IF:$<STREQUAL:${isa},v4>,512,256>
                                                  -fno-strict-aliasing -ffp-contract=off -fno-math-errno -fno-trapping-math)
    list(APPEND objects $<TARGET_OBJECTS:${name}_${isa}>)
  endforeach()
  add_library(${name} STATIC ${objects})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
endfunction()
