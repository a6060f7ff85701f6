// SPDX-License-Identifier: MIT
// Private to runtime: one call of tlw_world_step for one character (MODEL 4).
#ifndef TLW_RUNTIME_STEP_STEP_H
#define TLW_RUNTIME_STEP_STEP_H

#include "runtime/step/scratch.h"
#include "runtime/step/substep.h"
#include "runtime/tallow.h"
#include "runtime/world/character.h"

TLW_EXTERN_C_BEGIN

// 0 for a dt in which time passes; TLW_STEP_NO_TIME or TLW_STEP_BAD_DT for any other.
tlw_step_flags tlw_step_flags_of_time(double dt);
// Advances a character by dt and writes its output. Returns what happened.
tlw_step_flags tlw_character_step(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner,
                                  double dt);
// Puts a character to its current pose, at rest, as if it had always been there.
void tlw_character_settle(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner);

TLW_EXTERN_C_END

#endif
