# SPDX-License-Identifier: MIT
# tallow_cook(TARGET name INPUT asset [RECIPE recipe] OUTPUT blob [QUIET]): cooks as a build step, again
# only when the asset, a file that it names, the recipe or the cooker changes. The build shows the cook's
# remarks, and with QUIET only errors. Relative paths: the input and the recipe from the source folder, the
# output from the build folder; its folder is made where there is none. Names may have spaces, $ and #,
# the output's all but #, which CMake does not allow.

function(tallow_cook)
  cmake_parse_arguments(cook "QUIET" "TARGET;INPUT;RECIPE;OUTPUT" "" ${ARGN})
  foreach(name TARGET INPUT OUTPUT)
    if(NOT cook_${name})
      message(FATAL_ERROR "tallow_cook: ${name} is missing")
    endif()
  endforeach()
  if(cook_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tallow_cook: unknown arguments: ${cook_UNPARSED_ARGUMENTS}")
  endif()
  cmake_path(ABSOLUTE_PATH cook_INPUT BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  cmake_path(ABSOLUTE_PATH cook_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET cook_OUTPUT PARENT_PATH folder)
  set(recipe "")
  if(cook_RECIPE)
    cmake_path(ABSOLUTE_PATH cook_RECIPE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set(recipe -r "${cook_RECIPE}")
  endif()
  set(quiet "")
  if(cook_QUIET)
    set(quiet --quiet)
  endif()
  set(prepare "")
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set(prepare COMMAND "${CMAKE_COMMAND}" -D "DEPFILE=${cook_OUTPUT}.d"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TallowDepfile.cmake")
  endif()
  add_custom_command(OUTPUT "${cook_OUTPUT}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND Tallow::tallow-cook "${cook_INPUT}" ${recipe} -o "${cook_OUTPUT}"
      --depfile "${cook_OUTPUT}.d" ${quiet}
    ${prepare}
    DEPENDS "${cook_INPUT}" ${cook_RECIPE} Tallow::tallow-cook
    DEPFILE "${cook_OUTPUT}.d"
    COMMENT "Cooking ${cook_OUTPUT}"
    VERBATIM)
  add_custom_target(${cook_TARGET} ALL DEPENDS "${cook_OUTPUT}")
endfunction()
