# SPDX-License-Identifier: MIT
# tallow_layer(NAME SOURCES ... DEPENDS ...): libtallow_NAME.a, exported as Tallow::NAME. Every header of
# the folder is installed but those whose opening comment says "Private to NAME".
#
# Sources say #include "platform/arena.h". Were the project's root on the include path, every layer
# could include every other; so each layer gets a folder of its own in the build tree with one link in
# it, include/platform/platform -> platform/, and a target sees only the folders of what it links.

# tallow_include_folder(NAME OUT): that folder for one top-level folder of the project.
function(tallow_include_folder name out)
  set(folder "${PROJECT_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${folder}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}" "${folder}/${name}" SYMBOLIC RESULT link_failed)
  if(link_failed)
    # A host without symbolic links: the layering test still reads every #include line.
    set(folder "${PROJECT_SOURCE_DIR}")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

function(tallow_layer name)
  cmake_parse_arguments(layer "" "" "SOURCES;DEPENDS" ${ARGN})
  tallow_include_folder(${name} folder)
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  set(public_headers "")
  foreach(header ${headers})
    file(STRINGS "${header}" opening LIMIT_COUNT 4)
    if(NOT "${opening}" MATCHES "Private to ${name}")
      list(APPEND public_headers "${header}")
    endif()
  endforeach()
  add_library(tallow_${name} STATIC ${layer_SOURCES} ${headers})
  add_library(Tallow::${name} ALIAS tallow_${name})
  set_target_properties(tallow_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(tallow_${name} PUBLIC
    $<BUILD_INTERFACE:${folder}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tallow>)
  target_compile_features(tallow_${name} PUBLIC c_std_11)
  # Wide floats are inlined into whoever includes them: without this gcc would fuse their roundings.
  target_compile_options(tallow_${name} INTERFACE
    $<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-ffp-contract=off>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>)
  target_link_libraries(tallow_${name} PRIVATE $<BUILD_INTERFACE:tallow_flags>)
  foreach(below ${layer_DEPENDS})
    target_link_libraries(tallow_${name} PUBLIC tallow_${below})
  endforeach()
  install(TARGETS tallow_${name} EXPORT TallowTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tallow/${name})
endfunction()
