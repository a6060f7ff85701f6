# SPDX-License-Identifier: MIT
# tallow_layer(NAME SOURCES ... DEPENDS ...): libtallow_NAME.a, exported as Tallow::NAME. A layer's public
# headers lie in NAME/include/NAME and are installed; every other header of the folder is private.
#
# Sources say #include "platform/arena.h" for a public header and #include "runtime/passes/wide.h" for a
# private one. Targets that link a layer get its include folder alone. The layer itself, and tests that
# link tallow_NAME_private, also get a folder in the build tree with one link in it,
# private/runtime/runtime -> runtime/. So an include that goes up a layer, or into the private part of
# another one, does not compile.

# tallow_private_folder(NAME OUT): that folder for one top-level folder of the project.
function(tallow_private_folder name out)
  set(folder "${PROJECT_BINARY_DIR}/private/${name}")
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
  set(public_folder "${CMAKE_CURRENT_SOURCE_DIR}/include")
  tallow_private_folder(${name} private_folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  add_library(tallow_${name} STATIC ${layer_SOURCES} ${headers})
  add_library(Tallow::${name} ALIAS tallow_${name})
  set_target_properties(tallow_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(tallow_${name}
    PUBLIC $<BUILD_INTERFACE:${public_folder}>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tallow>
    PRIVATE "${private_folder}")
  add_library(tallow_${name}_private INTERFACE)
  target_include_directories(tallow_${name}_private INTERFACE "${private_folder}")
  target_compile_features(tallow_${name} PUBLIC c_std_11)
  # Wide floats are inlined into every file that includes them. Without this flag gcc would fuse
  # their roundings.
  target_compile_options(tallow_${name} INTERFACE
    $<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-ffp-contract=off>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>)
  target_link_libraries(tallow_${name} PRIVATE $<BUILD_INTERFACE:tallow_flags>)
  foreach(below ${layer_DEPENDS})
    target_link_libraries(tallow_${name} PUBLIC tallow_${below})
  endforeach()
  install(TARGETS tallow_${name} EXPORT TallowTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY "${public_folder}/${name}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tallow)
endfunction()
