# SPDX-License-Identifier: MIT
# cmake -D DEPFILE=file -P TallowDepfile.cmake: prepares a depfile for its way through CMake to Ninja. CMake
# reads it and writes another, and leaves $ and # in names without the escapes that Ninja asks for (3.25
# does). Ninja then reads other names and would cook in every build. So $ is escaped twice here. No way is
# left for #: such files are taken out, and only the input and the recipe are then watched, which the rule
# names itself. A CMake that keeps the escapes is noticed, and nothing is changed.
file(READ "${DEPFILE}" text)
if(NOT text MATCHES "[$#]")
  return()
endif()
set(probe "${DEPFILE}.probe")
execute_process(COMMAND "${CMAKE_COMMAND}" -E cmake_transform_depfile Ninja gccdepfile / / / /
  "${DEPFILE}" "${probe}" RESULT_VARIABLE failed)
if(failed)
  return()
endif()
file(READ "${probe}" kept)
file(REMOVE "${probe}")
if(NOT kept MATCHES "[$][$]")
  string(REPLACE "$$" "$$$$" text "${text}")
endif()
if(text MATCHES "#" AND NOT kept MATCHES "\\\\#")
  string(REPLACE " \\\n  " "\n" text "${text}")
  string(REGEX REPLACE "\n[^\n]*#[^\n]*" "" text "${text}")
  string(STRIP "${text}" text)
  # A depfile without any file would not reach Ninja, so this one, which never changes, is named.
  string(REPLACE " " "\\ " self "${CMAKE_CURRENT_LIST_FILE}")
  string(REPLACE "\n" " \\\n  " text "${text}\n${self}")
  string(APPEND text "\n")
endif()
file(WRITE "${DEPFILE}" "${text}")
