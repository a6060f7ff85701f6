// SPDX-License-Identifier: MIT
// The table of presets: how stiff, damped and anchored muscle, fat and skin are (MODEL 3.10). The
// runtime's enum, the recipe's words and the values of both are made from it.
#ifndef TLW_RUNTIME_PRESETS_H
#define TLW_RUNTIME_PRESETS_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// The rate that gains, preset values and limits per substep are given for: a substep of 1/60 s. At
// other lengths they are converted, so that the look does not depend on the length (MODEL 3.10).
#define TLW_REFERENCE_HZ 60.0

// Enumerator, name; then for muscle, fat and skin: stiffness ks, damping kd, anchor in Hz. BUNNY to
// BLOAT_LOW have the stiffness and damping of Table 2 of Iwamoto et al. 2015. CLASSIC is what was
// the default up to format 4 of the blob, for projects that keep its look.
#define TLW_PRESET_TABLE(X)                                                         \
    X(DEFAULT, "default", 2.0f, 0.03f, 0.6f, 0.4f, 0.7f, 0.65f, 6.0f, 3.5f, 3.5f)   \
    X(ATHLETIC, "athletic", 2.5f, 0.3f, 1.5f, 0.3f, 0.5f, 0.5f, 8.0f, 5.0f, 5.0f)   \
    X(HEAVY, "heavy", 1.5f, 0.03f, 0.4f, 0.4f, 0.6f, 0.55f, 5.0f, 2.5f, 2.5f)       \
    X(BUNNY, "bunny", 1.8f, 0.5f, 1.7f, 0.6f, 0.5f, 0.4f, 4.0f, 1.0f, 1.0f)         \
    X(SMURF, "smurf", 3.2f, 1.2f, 2.8f, 0.4f, 0.5f, 0.7f, 4.0f, 1.0f, 1.0f)         \
    X(BLOAT, "bloat", 3.3f, 0.7f, 3.0f, 0.7f, 0.5f, 0.6f, 4.0f, 1.0f, 1.0f)         \
    X(BLOAT_LOW, "bloat-low", 1.9f, 0.9f, 1.3f, 0.6f, 0.4f, 0.3f, 4.0f, 1.0f, 1.0f) \
    X(CLASSIC, "classic", 0.4f, 0.1f, 0.35f, 0.54f, 0.54f, 0.54f, 2.0f, 2.0f, 2.0f)

// The three columns of stiffness, of damping and of the anchor.
enum { TLW_PRESET_MUSCLE, TLW_PRESET_FAT, TLW_PRESET_SKIN, TLW_PRESET_LAYERS };

typedef struct tlw_preset_values {
    const char* name;
    float stiffness[TLW_PRESET_LAYERS], damping[TLW_PRESET_LAYERS];
    float anchor_hz[TLW_PRESET_LAYERS];
} tlw_preset_values;

// An element of a table of tlw_preset_values: TLW_PRESET_TABLE(TLW_PRESET_VALUES).
#define TLW_PRESET_VALUES(enumerator, name, k0, k1, k2, d0, d1, d2, a0, a1, a2) \
    {name, {k0, k1, k2}, {d0, d1, d2}, {a0, a1, a2}},

TLW_EXTERN_C_END

#endif
