# SPDX-License-Identifier: MIT
# tallow_test(NAME SOURCES ... DEPENDS ...): the executable test_NAME, registered with ctest as NAME.
# TLW_TESTS_LEFT_OUT, a regular expression, names tests that a slow build neither makes nor runs.
# cmocka natively; cross builds, and machines without it, use the fallback inside tests/test.c.

tallow_private_folder(tests tlw_tests_folder)
tallow_private_folder(tools tlw_tools_folder) # a build without tools has their headers all the same
add_library(tallow_test_main STATIC "${PROJECT_SOURCE_DIR}/tests/test.c")
target_include_directories(tallow_test_main PUBLIC "${tlw_tests_folder}" PRIVATE "${tlw_tools_folder}")
target_link_libraries(tallow_test_main PUBLIC tallow_platform PRIVATE tallow_flags)
if(NOT CMAKE_CROSSCOMPILING)
  find_package(cmocka QUIET)
endif()
if(cmocka_FOUND)
  target_link_libraries(tallow_test_main PUBLIC ${CMOCKA_LIBRARIES})
  target_include_directories(tallow_test_main PRIVATE ${CMOCKA_INCLUDE_DIR})
else()
  message(STATUS "Tests run on our own runner: cmocka is not there, or this is a cross build")
  target_compile_definitions(tallow_test_main PRIVATE TLW_TEST_FALLBACK=1)
endif()

function(tallow_test name)
  cmake_parse_arguments(test "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(test_${name} ${test_SOURCES})
  target_link_libraries(test_${name} PRIVATE tallow_test_main tallow_flags)
  foreach(layer ${test_DEPENDS})
    target_link_libraries(test_${name} PRIVATE tallow_${layer})
  endforeach()
  if(TLW_TESTS_LEFT_OUT AND name MATCHES "^(${TLW_TESTS_LEFT_OUT})$")
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  set(timeout 300)
  if(CMAKE_CROSSCOMPILING OR TLW_SANITIZE) # a test of seconds takes minutes
    set(timeout 1200)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout}
    LABELS unit)
endfunction()

# tallow_test_part(NAME SOURCES ... DEPENDS ...): what several tests share, compiled once; they name it
# among their DEPENDS.
function(tallow_test_part name)
  cmake_parse_arguments(part "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(tallow_${name} STATIC ${part_SOURCES})
  target_include_directories(tallow_${name} PUBLIC "${tlw_tests_folder}")
  target_link_libraries(tallow_${name} PRIVATE tallow_flags)
  foreach(layer ${part_DEPENDS})
    target_link_libraries(tallow_${name} PUBLIC tallow_${layer})
  endforeach()
endfunction()

# tallow_script_test(NAME COMMAND...): a shell script; exit code 77 means that this machine cannot run it.
function(tallow_script_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS script)
endfunction()
