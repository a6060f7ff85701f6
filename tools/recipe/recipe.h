// SPDX-License-Identifier: MIT
// The artist's recipe: a small JSON file in, what the cooking library and the importer take out.
// Keys, ranges and defaults: README.md beside this file. Safe for untrusted input; nothing is
// printed, no file is touched.
#ifndef TLW_TOOLS_RECIPE_RECIPE_H
#define TLW_TOOLS_RECIPE_RECIPE_H

#include "platform/base.h"
#include "platform/result.h"
#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// A longer file is refused before it is parsed: the JSON tree of the worst file of this size takes
// 21 MB.
#define TLW_RECIPE_BYTES_MAX (256u * 1024u)
// Of one list: names, parts, cuts, roles.
#define TLW_RECIPE_LIST_MAX 4096u

typedef struct tlw_recipe_error {
    tlw_result result;
    // One line: "3:14: ..." (line and column) where the text is no JSON, "layers[2].stifness: ..."
    // where a value is wrong.
    char message[1024];
} tlw_recipe_error;

typedef struct tlw_recipe_role {
    const char* name; // of a mesh or its node
    tlw_cook_role role;
} tlw_recipe_role;

typedef struct tlw_recipe {
    tlw_cook_recipe cook;
    double metres_per_unit;
    const tlw_recipe_role* roles;
    uint32_t role_count;
    const char* const* included_meshes; // none: all
    uint32_t included_mesh_count;
    const char* const* excluded_meshes;
    uint32_t excluded_mesh_count;
    // None: all. Otherwise joints that are neither named here nor below one that is are excluded:
    // tlw_recipe_choose_joints.
    const char* const* included_joints;
    uint32_t included_joint_count;
    struct tlw_recipe_memory* memory;
} tlw_recipe;

// What `{}` gives, for a character without a recipe.
tlw_recipe tlw_default_recipe(void);

// On TLW_OK *out owns all it points to. On failure *out is zero and *error (which may be null) says
// what and where: TLW_ERROR_BAD_ARGUMENT for what the file says, TLW_ERROR_TOO_LARGE,
// TLW_ERROR_OUT_OF_MEMORY.
tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error);

// Once the joints are known: finds every joint that the recipe names (TLW_ERROR_NOT_FOUND with its
// place in the file, and the nearest joint), then turns included_joints into excluded ones of
// recipe->cook. On failure the recipe is as it was. A second call with the same joints changes
// nothing.
tlw_result tlw_recipe_choose_joints(tlw_recipe* recipe, const tlw_cook_joint* joints,
                                    uint32_t joint_count, tlw_recipe_error* error);

// Also for a zero and a default one.
void tlw_recipe_free(tlw_recipe* recipe);

TLW_EXTERN_C_END

#endif
