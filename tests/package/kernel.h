// SPDX-License-Identifier: MIT
// The kernel of kernel.c under its name per instruction set.
#ifndef TLW_TESTS_PACKAGE_KERNEL_H
#define TLW_TESTS_PACKAGE_KERNEL_H

#include "platform/isa.h"

#define CONSUMER_DECLARE(enumerator, name) void consumer_add_##name(float* a, const float* b);
TLW_KERNEL_TABLE(CONSUMER_DECLARE)
#undef CONSUMER_DECLARE

#endif
