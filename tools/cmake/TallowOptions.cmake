# SPDX-License-Identifier: MIT
# What a build can choose, and the compiler flags that every target of ours gets.

option(TLW_BUILD_TOOLS "Build the commands" ${PROJECT_IS_TOP_LEVEL})
option(TLW_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TLW_BUILD_FUZZERS "Build the libFuzzer targets (clang)" OFF)
option(TLW_WARNINGS_AS_ERRORS "Warnings stop the build" ${PROJECT_IS_TOP_LEVEL})

set(TLW_ISA "dynamic" CACHE STRING
  "Instruction sets to compile kernels for: dynamic (all of this CPU family, chosen by the caller), baseline (the wide set that each CPU of the family has), or one of scalar, sse2, avx2, neon")
set_property(CACHE TLW_ISA PROPERTY STRINGS dynamic baseline scalar sse2 avx2 neon)

set(TLW_PROFILING "builtin" CACHE STRING "Profiler backend: none, builtin or tracy")
set_property(CACHE TLW_PROFILING PROPERTY STRINGS none builtin tracy)
set(TLW_TRACY_SOURCE "" CACHE PATH
  "Folder of Tracy's source (the one that holds public/); empty: find_package(Tracy)")

set(TLW_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")
option(TLW_SANITIZE_ORACLES "Put what the tests only compare with under the sanitizers too" ON)
option(TLW_COVERAGE "Count which lines of the runtime are run (gcc)" OFF)
set(TLW_ASSERTS "debug" CACHE STRING "TLW_ASSERT: debug (in Debug builds only), on or off")
set_property(CACHE TLW_ASSERTS PROPERTY STRINGS debug on off)

foreach(choice "TLW_ISA;dynamic;baseline;scalar;sse2;avx2;neon" "TLW_PROFILING;none;builtin;tracy" "TLW_ASSERTS;debug;on;off")
  list(POP_FRONT choice name)
  if(NOT "${${name}}" IN_LIST choice)
    list(JOIN choice ", " known)
    message(FATAL_ERROR "${name} is '${${name}}'; it must be one of: ${known}")
  endif()
endforeach()

if(TLW_PROFILING STREQUAL "tracy")
  # Tracy's client is C++. Enabled here, in the top folder, because whatever links the client, also
  # through our archives, needs the C++ linker; and only here, so that other builds need none.
  enable_language(CXX)
endif()

get_property(tlw_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT tlw_multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Every target of ours links this, privately: nothing here reaches a consumer.
add_library(tallow_flags INTERFACE)
target_compile_options(tallow_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wundef -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
  # The same bits from every compiler and build type (MODEL 8).
  -ffp-contract=off -fno-math-errno
  # No path of the building machine in an archive.
  -ffile-prefix-map=${PROJECT_BINARY_DIR}/private/platform/=
  -ffile-prefix-map=${PROJECT_BINARY_DIR}/private/profiling/=
  -ffile-prefix-map=${PROJECT_BINARY_DIR}/private/jobs/=
  -ffile-prefix-map=${PROJECT_BINARY_DIR}/private/runtime/=
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(TLW_WARNINGS_AS_ERRORS)
  target_compile_options(tallow_flags INTERFACE -Werror)
endif()
if(TLW_ASSERTS STREQUAL "debug")
  target_compile_definitions(tallow_flags INTERFACE TLW_ENABLE_ASSERTS=$<CONFIG:Debug>)
elseif(TLW_ASSERTS)
  target_compile_definitions(tallow_flags INTERFACE TLW_ENABLE_ASSERTS=1)
else()
  target_compile_definitions(tallow_flags INTERFACE TLW_ENABLE_ASSERTS=0)
endif()
if(TLW_SANITIZE)
  # Lines are all that a report shows; what else -g writes takes longer than the compiling.
  set(tlw_sanitize_flags -fsanitize=${TLW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # Not for a target that says TLW_NO_SANITIZER.
  target_compile_options(tallow_flags INTERFACE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:TLW_NO_SANITIZER>>>:${tlw_sanitize_flags}>")
  target_link_options(tallow_flags INTERFACE ${tlw_sanitize_flags})
endif()
