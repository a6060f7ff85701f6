// SPDX-License-Identifier: MIT
// Takes the place of platform/fpu.h for protocol code that a model compiles: it computes nothing.
#ifndef TLW_PLATFORM_FPU_H
#define TLW_PLATFORM_FPU_H

#define TLW_FLOAT_SCOPE() ((void)0)

#endif
