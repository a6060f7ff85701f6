# SPDX-License-Identifier: MIT
# The installed package: find_package(Tallow) and pkg-config tallow.
include(CMakePackageConfigHelpers)

set(tlw_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tallow)
install(EXPORT TallowTargets NAMESPACE Tallow:: DESTINATION ${tlw_package_folder})
# Packages that the archives link (a Tracy client that was found): the consumer must find them too.
get_property(tlw_dependencies GLOBAL PROPERTY TLW_PACKAGE_DEPENDENCIES)
set(TLW_PACKAGE_FIND_DEPENDENCIES "")
foreach(dependency ${tlw_dependencies})
  string(APPEND TLW_PACKAGE_FIND_DEPENDENCIES "find_dependency(${dependency})\n")
endforeach()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/TallowConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TallowConfig.cmake" INSTALL_DESTINATION ${tlw_package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TallowConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/TallowConfig.cmake"
  "${PROJECT_BINARY_DIR}/TallowConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/TallowKernels.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/TallowCook.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/TallowDepfile.cmake" DESTINATION ${tlw_package_folder})

# What a consumer must define is what the archives were built with.
get_target_property(tlw_definitions tallow_platform INTERFACE_COMPILE_DEFINITIONS)
get_target_property(tlw_profiling_definitions tallow_profiling INTERFACE_COMPILE_DEFINITIONS)
if(tlw_profiling_definitions)
  list(APPEND tlw_definitions ${tlw_profiling_definitions})
endif()
list(TRANSFORM tlw_definitions PREPEND "-D")
list(JOIN tlw_definitions " " TLW_PC_DEFINITIONS)
file(RELATIVE_PATH TLW_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
if(WIN32)
  set(TLW_PC_SYSTEM_LIBS "-lsynchronization")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/tallow.pc.in" "${PROJECT_BINARY_DIR}/tallow.pc" @ONLY)
if(NOT TLW_PROFILING STREQUAL "tracy") # whose client pkg-config could not name
  install(FILES "${PROJECT_BINARY_DIR}/tallow.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
  "${PROJECT_SOURCE_DIR}/runtime/INTEGRATING.md" "${PROJECT_SOURCE_DIR}/runtime/MODEL.md"
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES "${PROJECT_SOURCE_DIR}/tools/recipe/README.md" DESTINATION ${CMAKE_INSTALL_DOCDIR}
  RENAME RECIPE.md)
# What INTEGRATING.md refers to.
set(tlw_examples main.c characters.c gltf_pose.h tasks.h tasks_main.c tasks_threads.c tasks_jobs.c
  tasks_enkits.c tasks_tbb.cpp)
list(TRANSFORM tlw_examples PREPEND "${PROJECT_SOURCE_DIR}/tools/example/")
install(FILES ${tlw_examples} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
