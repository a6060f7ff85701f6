// SPDX-License-Identifier: MIT
// A target with a bug on purpose: it reads beyond the end of about every hundredth input. The test
// of smoke.c must find it.
#include "platform/base.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static volatile uint8_t last;
    uint32_t sum = 0;
    for (size_t i = 0; i < size; ++i) {
        sum += data[i];
    }
    last = sum % 100 == 99 ? data[size] : 0;
    return last & 0;
}
