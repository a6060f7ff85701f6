# SPDX-License-Identifier: MIT
# tallow_kernels(TARGET source...): compiles each source once per instruction set, with
# TLW_SIMD_<SET> defined and TLW_KERNEL(name) giving every external symbol a suffix, and adds the
# objects to TARGET. TLW_KERNEL_ISAS lists the sets of this build; platform/isa.h sees the same list.
# tallow_kernels_for_isa(TARGET count source...) adds the counting backend, which only the bench and
# the tests ask for.

if(TLW_ISA MATCHES "^(dynamic|baseline)$")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(TLW_KERNEL_ISAS scalar sse2 avx2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    set(TLW_KERNEL_ISAS scalar neon)
  else()
    set(TLW_KERNEL_ISAS scalar)
  endif()
  if(TLW_ISA STREQUAL "baseline")
    list(FILTER TLW_KERNEL_ISAS INCLUDE REGEX "sse2|neon")
    if(NOT TLW_KERNEL_ISAS)
      set(TLW_KERNEL_ISAS scalar)
    endif()
  endif()
else()
  set(TLW_KERNEL_ISAS ${TLW_ISA})
  if((TLW_ISA MATCHES "^(sse2|avx2)$" AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      OR (TLW_ISA STREQUAL "neon" AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$"))
    message(FATAL_ERROR "TLW_ISA=${TLW_ISA} is not an instruction set of ${CMAKE_SYSTEM_PROCESSOR}")
  endif()
endif()

# gcc for Windows keeps the stack on 16 bytes and yet spills 32-byte registers with moves that fault
# off 32 (its bug 54412; not every build of it does). The assembler can write those as unaligned
# moves, which cost the same on aligned addresses; without such an assembler AVX2 is left out. clang
# aligns the stack.
set(tlw_avx2_stack_flags "")
if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND "avx2" IN_LIST TLW_KERNEL_ISAS)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-Wa,-muse-unaligned-vector-move")
  check_c_source_compiles("int main(void) { return 0; }" TLW_ASSEMBLER_UNALIGNS_MOVES)
  unset(CMAKE_REQUIRED_FLAGS)
  if(TLW_ASSEMBLER_UNALIGNS_MOVES)
    set(tlw_avx2_stack_flags -Wa,-muse-unaligned-vector-move)
  elseif(TLW_ISA STREQUAL "avx2")
    message(FATAL_ERROR "TLW_ISA=avx2 needs binutils 2.38 here: gcc for Windows misaligns AVX spills")
  else()
    message(STATUS "Kernels for AVX2 left out: gcc for Windows misaligns AVX spills, and this assembler cannot help")
    list(REMOVE_ITEM TLW_KERNEL_ISAS avx2)
  endif()
endif()

# Properties, not variables: the functions below are also called from other folders and projects.
set_property(GLOBAL PROPERTY TLW_KERNEL_ISAS ${TLW_KERNEL_ISAS})
set_property(GLOBAL PROPERTY TLW_KERNEL_FLAGS_sse2 -msse2)
set_property(GLOBAL PROPERTY TLW_KERNEL_FLAGS_avx2 -mavx2 ${tlw_avx2_stack_flags})
set_property(GLOBAL PROPERTY TLW_KERNEL_TUNE_avx2 -mtune=icelake-server)

function(tallow_kernels_for_isa target isa)
  string(TOUPPER ${isa} upper)
  add_library(${target}_${isa} OBJECT ${ARGN})
  target_compile_definitions(${target}_${isa} PRIVATE TLW_SIMD_${upper}=1)
  get_property(flags GLOBAL PROPERTY TLW_KERNEL_FLAGS_${isa})
  get_property(tune GLOBAL PROPERTY TLW_KERNEL_TUNE_${isa})
  # gcc: terms of a sum must not be put off to where the sum is stored, with every operand on the
  # stack meanwhile (5% of a step), nor addresses be made out of each other, where each is an operand
  # by itself (1%); its generic order of instructions is no CPU's (1.5%), and its reuse of registers
  # leaves that order little choice (0.5%). None of these changes a bit.
  target_compile_options(${target}_${isa} PRIVATE ${flags} -ffp-contract=off -fno-math-errno
    "$<$<C_COMPILER_ID:GNU>:-fno-tree-ter;-fno-tree-slsr;-frename-registers;${tune}>")
  if(TARGET tallow_flags)
    target_link_libraries(${target}_${isa} PRIVATE tallow_flags)
  endif()
  target_include_directories(${target}_${isa} PRIVATE
    $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target}_${isa} PRIVATE
    $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
  if(isa STREQUAL "count")
    # The same sources as another set's, a scalar operation at a time: minutes of a sanitized build.
    set_target_properties(${target}_count PROPERTIES TLW_NO_SANITIZER ON)
    if(NOT TARGET tallow_simd_count)
      add_library(tallow_simd_count STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/platform/simd_count.c")
      target_link_libraries(tallow_simd_count PRIVATE tallow_flags tallow_platform)
    endif()
    target_link_libraries(${target} PRIVATE tallow_simd_count)
  endif()
endfunction()

function(tallow_kernels target)
  get_property(isas GLOBAL PROPERTY TLW_KERNEL_ISAS)
  if(NOT isas)
    message(FATAL_ERROR "tallow_kernels(${target}): there is no instruction set to compile for")
  endif()
  foreach(isa ${isas})
    tallow_kernels_for_isa(${target} ${isa} ${ARGN})
  endforeach()
endfunction()
