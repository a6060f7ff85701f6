// SPDX-License-Identifier: MIT
// The library's version; the numbers come from project(VERSION) in CMakeLists.txt.
#include "runtime/tallow.h"

tlw_version tlw_get_version(void) {
    return (tlw_version){TLW_VERSION_MAJOR, TLW_VERSION_MINOR, TLW_VERSION_PATCH};
}
