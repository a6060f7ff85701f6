// SPDX-License-Identifier: MIT
// Private to runtime: comparing names. The runtime uses no strcmp, so that its archive needs five
// functions of libc and no more.
#ifndef TLW_RUNTIME_BLOB_TEXT_H
#define TLW_RUNTIME_BLOB_TEXT_H

#include "platform/base.h"

TLW_INLINE bool tlw_is_same_text(const char* a, const char* b) {
    while (*a == *b && *a != 0) {
        ++a;
        ++b;
    }
    return *a == *b;
}

#endif
