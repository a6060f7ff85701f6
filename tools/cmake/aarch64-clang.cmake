# SPDX-License-Identifier: MIT
# clang with the libraries of Debian's gcc-aarch64-linux-gnu; tests run under qemu-user.
include("${CMAKE_CURRENT_LIST_DIR}/aarch64.cmake")
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
