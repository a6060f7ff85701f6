// SPDX-License-Identifier: MIT
// Private to runtime: Lame layers of a character, what their materials come to (MODEL 3.20).
#ifndef TLW_RUNTIME_STEP_LAME_H
#define TLW_RUNTIME_STEP_LAME_H

#include "runtime/world/character.h"

TLW_EXTERN_C_BEGIN

// Lists the windows with Lame voxels of a new character.
void tlw_lame_init(tlw_character* c);
// Gives the substep the character's Lame layers. Where a material or the root's scale has changed
// since the last time, first computes their coefficients, with the arrays of sites, which nothing
// may use yet.
void tlw_lame_prepare(tlw_character* c, float scale, tlw_substep* substep);

TLW_EXTERN_C_END

#endif
