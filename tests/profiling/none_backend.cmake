# SPDX-License-Identifier: MIT
# cmake -DCOMPILER= -DNM= -DOBJDUMP= -DSOURCE= -DINCLUDES= -DFOLDER= -P none_backend.cmake
#
# 1. The none backend leaves no symbol and no instruction: a file that is compiled with its macros has the
#    same symbols and the same disassembly as with the macros deleted, at every optimisation level.
# 2. As a control, with the built-in backend the same file differs, so the comparison does see differences.
# 3. profile.h compiles alone, and so does the sample with it, as C11 and C++17, with every backend,
#    without a warning; and it refuses a name that is not a literal.
foreach(tool COMPILER NM OBJDUMP SOURCE FOLDER)
  if(NOT ${tool})
    message(FATAL_ERROR "${tool} is not given")
  endif()
endforeach()
file(MAKE_DIRECTORY "${FOLDER}")
set(flags)
foreach(include ${INCLUDES})
  list(APPEND flags "-I${include}")
endforeach()
list(APPEND flags -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror)

function(run out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed: ${command}\n${text}${error}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Symbols, then code with relocations; the line that names the object file is dropped.
function(object_text out name level)
  set(object "${FOLDER}/${name}.o")
  run(ignored ${COMPILER} -std=c11 ${level} ${flags} ${ARGN} -c "${SOURCE}" -o "${object}")
  run(symbols ${NM} "${object}")
  run(code ${OBJDUMP} -d -r "${object}")
  string(REPLACE "${object}" "object" code "${code}")
  set(${out} "${symbols}${code}" PARENT_SCOPE)
endfunction()

foreach(level -O0 -Os -O2 -O3)
  object_text(with_macros with_macros ${level} -DTLW_PROFILE_BACKEND=0)
  object_text(deleted deleted ${level} -DTLW_TEST_MACROS_DELETED)
  object_text(built_in built_in ${level} -DTLW_PROFILE_BACKEND=1)
  if(NOT with_macros STREQUAL deleted)
    message(FATAL_ERROR "${level}: the none backend leaves something:\n${with_macros}\n-- without --\n${deleted}")
  endif()
  foreach(trace tlw_zone tlw_builtin tlw_tracy tlw_profile sample_sites sample_side_effect)
    if(with_macros MATCHES "${trace}")
      message(FATAL_ERROR "${level}: the none backend left '${trace}':\n${with_macros}")
    endif()
  endforeach()
  if(built_in STREQUAL deleted OR NOT built_in MATCHES "tlw_builtin_zone_begin")
    message(FATAL_ERROR "${level}: the built-in backend shows no difference: this check is blind")
  endif()
  string(LENGTH "${with_macros}" length)
  message(STATUS "${level}: the same ${length} characters of symbols and code")
endforeach()

execute_process(COMMAND ${COMPILER} -x c++ -std=c++17 -fsyntax-only -include cstdint /dev/null
  RESULT_VARIABLE no_cxx OUTPUT_QUIET ERROR_QUIET)
foreach(backend 0 1 2)
  foreach(language "c;-std=c11" "c++;-std=c++17")
    if(language MATCHES "c\\+\\+" AND no_cxx)
      message(STATUS "no C++ compiler here: not checked")
      continue()
    endif()
    list(POP_FRONT language name)
    file(WRITE "${FOLDER}/alone.h.c" "#include \"profiling/profile.h\"\ntypedef int something;\n")
    foreach(file "${FOLDER}/alone.h.c" "${SOURCE}")
      run(ignored ${COMPILER} -x ${name} ${language} -pedantic -fsyntax-only ${flags}
        -DTLW_PROFILE_BACKEND=${backend} "${file}")
    endforeach()
    message(STATUS "backend ${backend} compiles as ${name} ${language}")

    foreach(macro "TLW_ZONE(name)" "TLW_MESSAGE(name)" "TLW_PLOT(name, 1.0)"
            "TLW_POOL_ALLOC(name, name, 1)" "if (name) TLW_ZONE(\"unbraced\")")
      file(WRITE "${FOLDER}/refused.c"
        "#include \"profiling/profile.h\"\nvoid f(const char* name);\nvoid f(const char* name) { ${macro}; (void)name; }\n")
      execute_process(COMMAND ${COMPILER} -x ${name} ${language} -fsyntax-only ${flags}
        -DTLW_PROFILE_BACKEND=${backend} "${FOLDER}/refused.c"
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
      # C++ accepts a static assert as a statement, so only a real zone fails there.
      if(result EQUAL 0 AND NOT (backend EQUAL 0 AND name STREQUAL "c++" AND macro MATCHES "unbraced"))
        message(FATAL_ERROR "backend ${backend}, ${name}: accepted ${macro}")
      endif()
    endforeach()
  endforeach()
endforeach()
