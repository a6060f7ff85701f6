// SPDX-License-Identifier: MIT
#ifndef CONSUMER_KERNEL_H
#define CONSUMER_KERNEL_H

#include "platform/isa.h"

#define CONSUMER_DECLARE(enumerator, name) void consumer_add_##name(float* a, const float* b);
TLW_KERNEL_TABLE(CONSUMER_DECLARE)
#undef CONSUMER_DECLARE

#endif
