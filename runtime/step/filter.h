// SPDX-License-Identifier: MIT
// Private to runtime: the filter for captured poses (MODEL 4.10).
#ifndef TLW_RUNTIME_STEP_FILTER_H
#define TLW_RUNTIME_STEP_FILTER_H

#include "runtime/world/character.h"

TLW_EXTERN_C_BEGIN

// For a new character; nothing where it has no filter.
void tlw_filter_init(tlw_character* c);
// These three do nothing where the filter is off. The first makes `now` the pose that was set;
// restarting takes that as filtered, at rest; advancing replaces it by the filtered one.
void tlw_filter_take_set(tlw_character* c);
void tlw_filter_restart(tlw_character* c);
void tlw_filter_advance(tlw_character* c, double dt);

TLW_EXTERN_C_END

#endif
