// SPDX-License-Identifier: MIT
// For tools that measure the runtime; engines do not need it. A tool can compile the runtime's
// kernels once more for a backend of its own (tallow_kernels_for_isa in CMake: `count`, whose
// operations count themselves) and have a world step with them.
#ifndef TLW_RUNTIME_INSTRUMENT_H
#define TLW_RUNTIME_INSTRUMENT_H

#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// All kernels of one instruction set: tlw_kernels_count, tlw_kernels_avx2 and so on.
typedef struct tlw_kernels tlw_kernels;

// Replaces the kernels that the world's def chose. Call it between steps only. The kernels must
// have been compiled from the sources of the runtime that is linked.
void tlw_world_use_kernels(tlw_world* world, const tlw_kernels* kernels);

TLW_EXTERN_C_END

#endif
