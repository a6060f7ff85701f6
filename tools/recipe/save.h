// SPDX-License-Identifier: MIT
// Writes a recipe anew with numbers that were changed while looking at the character, such as with
// sliders. Cooked again, the character has exactly these numbers and every other one as before.
// What the recipe's text says otherwise stays as it is, byte for byte. Opens no file.
#ifndef TLW_TOOLS_RECIPE_SAVE_H
#define TLW_TOOLS_RECIPE_SAVE_H

#include "runtime/asset.h"
#include "tools/recipe/recipe.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_recipe_change {
    const char* profile; // null: what the recipe says outside of its profiles
    const char* part;    // the joint of a part; null: the whole character without its parts
    const char* layer;   // null: `key` is the path of a value of the recipe, "limbs" or
                         // "view.gravity", and profile and part are null
    const char* key;     // "stiffness", "damping", "anchor_hz", "limit", which outside of profiles
                         // goes into `view`; of Lame layers also "young_kpa", "poisson", "density"
    double number;       // of a layer: is rounded to a float, as the blob has it; of a switch: 0, 1
    const float* vector; // three numbers, where `key` takes them
    const char* text;    // where `key` takes a name
    const char* muscle;  // not null: `number` is its tension in `view`, and all names are null
} tlw_recipe_change;

typedef struct tlw_recipe_save_def {
    const char* from; // path of the recipe that the character was cooked with; null: it had none
    const char* to;   // path that the caller will write to; it need not exist, and may be `from`
    const tlw_recipe_loader* loader; // of `from` and what it extends
    // Cooked with that recipe. Null: parts that are firm by themselves cannot be changed.
    const tlw_blob* blob;
    const tlw_recipe_change* changes; // of two for the same number the later one counts
    uint32_t change_count;
    // Called for each change that a recipe cannot express, with one line that names it and says
    // why. The others are made. May be null.
    void (*leave_out)(const tlw_recipe_change* change, const char* why, void* user);
    void* user;
} tlw_recipe_save_def;

// Makes the text, which ends with a zero that *size does not count, and which the caller frees.
//
// A part that gives no number of its own takes that of the layer. When the layer's is changed, the
// part is given what it had, because the character on the screen has it, too. Profiles still follow
// the layer where they give no number.
// A part that is firm by itself becomes a part of the recipe with the same numbers.
// Paths that the text names (`extend`, `$schema`) are rewritten where `to` is in another folder.
//
// On failure *text is null, and *error (which may be null) says why: what reading `from` says, or
// that the new text would not be valid, which happens if `to` is a file that `from` extends.
tlw_result tlw_recipe_save(const tlw_recipe_save_def* def, char** text, size_t* size,
                           tlw_recipe_error* error);

TLW_EXTERN_C_END

#endif
