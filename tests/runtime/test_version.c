// SPDX-License-Identifier: MIT
// The version that the library reports is the one that CMake gives the project.
#include "runtime/tallow.h"
#include "tests/test.h"

#include <stdio.h>

TLW_TEST(linked_version_is_the_projects) {
    tlw_version version = tlw_get_version();
    char text[64];
    snprintf(text, sizeof text, "%u.%u.%u", version.major, version.minor, version.patch);
    CHECK_STRING(text, TLW_TEST_PROJECT_VERSION);
}
