// SPDX-License-Identifier: MIT
// Private to runtime: what forces add to a substep (MODEL 3.17).
#ifndef TLW_RUNTIME_STEP_FORCES_H
#define TLW_RUNTIME_STEP_FORCES_H

#include "runtime/passes/kernels.h"
#include "runtime/world/character.h"

TLW_EXTERN_C_BEGIN

// Gravity that the shape was modelled under, and wind.
void tlw_forces_prepare(const tlw_character* c, const tlw_root* root, tlw_substep* substep);
bool tlw_forces_has_drags(const tlw_character* c);
// How far each drag pulls. Skin has run.
void tlw_forces_pull(const tlw_character* c, const tlw_root* root, tlw_substep* substep);

TLW_EXTERN_C_END

#endif
