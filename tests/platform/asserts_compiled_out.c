// SPDX-License-Identifier: MIT
// A file that is compiled without asserts in every build, for test_handlers.c.
#undef TLW_ENABLE_ASSERTS
#define TLW_ENABLE_ASSERTS 0
#include "platform/handlers.h"

int tlw_test_asserts_compiled_out(int* evaluated);

int tlw_test_asserts_compiled_out(int* evaluated) {
    TLW_ASSERT((*evaluated += 1) == 100);
    TLW_ASSERT_MESSAGE((*evaluated += 1) == 100, "not evaluated");
    return 5;
}
