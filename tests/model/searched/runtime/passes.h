// SPDX-License-Identifier: MIT
// Takes the place of runtime/passes.h for protocol code that a model compiles: one pass, because
// counting the time of more of them would only make the search longer.
#ifndef TLW_RUNTIME_PASSES_H
#define TLW_RUNTIME_PASSES_H

#include "platform/base.h"

#define TLW_PASS_COUNT 1

#endif
