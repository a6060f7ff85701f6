# SPDX-License-Identifier: MIT
# tallow_kernels(TARGET source...): compiles each source once per instruction set, with
# TLW_SIMD_<SET> defined and TLW_KERNEL(name) giving every external symbol a suffix, and adds the
# objects to TARGET. TLW_KERNEL_ISAS lists the sets of this build; platform/isa.h sees the same list.

if(TLW_ISA STREQUAL "dynamic")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(TLW_KERNEL_ISAS scalar sse2 avx2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    set(TLW_KERNEL_ISAS scalar neon)
  else()
    set(TLW_KERNEL_ISAS scalar)
  endif()
else()
  set(TLW_KERNEL_ISAS ${TLW_ISA})
endif()

set(tlw_isa_flags_scalar "")
set(tlw_isa_flags_sse2 -msse2)
set(tlw_isa_flags_avx2 -mavx2)
set(tlw_isa_flags_neon "")
set(tlw_isa_flags_count "")

function(tallow_kernels_for_isa target isa)
  string(TOUPPER ${isa} upper)
  add_library(${target}_${isa} OBJECT ${ARGN})
  target_compile_definitions(${target}_${isa} PRIVATE TLW_SIMD_${upper}=1)
  target_compile_options(${target}_${isa} PRIVATE ${tlw_isa_flags_${isa}})
  target_link_libraries(${target}_${isa} PRIVATE tallow_flags)
  target_include_directories(${target}_${isa} PRIVATE
    $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target}_${isa} PRIVATE
    $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
endfunction()

function(tallow_kernels target)
  foreach(isa ${TLW_KERNEL_ISAS})
    tallow_kernels_for_isa(${target} ${isa} ${ARGN})
  endforeach()
endfunction()
