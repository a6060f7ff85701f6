# SPDX-License-Identifier: MIT
# cmake -DROOT=folder -DVERSION=version -DOUT=cooker.h -P WriteCooker.cmake: which cooker is being built,
# for the records of lists. A hash of all sources that decide what a cook writes; the same sources write
# the same bytes with every compiler and on every machine, so nothing else has to count. Written only when
# it changed, so that nothing is compiled again without need.
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/platform/*.[ch]" "${ROOT}/runtime/*.[ch]"
  "${ROOT}/tools/asset/*.[ch]" "${ROOT}/tools/command/*.[ch]" "${ROOT}/tools/cook/*.[ch]"
  "${ROOT}/tools/inspect/*.[ch]" "${ROOT}/tools/json/*.[ch]" "${ROOT}/tools/recipe/*.[ch]"
  "${ROOT}/tools/render/*.[ch]")
list(SORT sources)
set(hashes "")
foreach(source ${sources})
  file(SHA256 "${ROOT}/${source}" hash)
  string(APPEND hashes "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING "${hash}" 0 16 hash)
set(text "#define TLW_COOKER \"${VERSION} ${hash}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
