// SPDX-License-Identifier: MIT
// Reads an artist's recipe: JSON text in, the settings of the cooking library and of the importer
// out. README.md in this folder lists the keys, their ranges and defaults. Safe for untrusted
// input. Prints nothing and opens no file.
#ifndef TLW_TOOLS_RECIPE_RECIPE_H
#define TLW_TOOLS_RECIPE_RECIPE_H

#include "platform/base.h"
#include "platform/result.h"
#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// A longer file is refused before it is parsed: the JSON tree of the worst file of this size takes
// 21 MB.
#define TLW_RECIPE_BYTES_MAX (256u * 1024u)
// Most elements of one list: names, parts, cuts, roles.
#define TLW_RECIPE_LIST_MAX 4096u

typedef struct tlw_recipe_error {
    tlw_result result;
    // One line. It begins with line and column ("3:14: ...") where the text is not JSON, and with
    // the key's path ("layers[2].stifness: ...") where a key or value is wrong.
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
    const char* const* included_meshes; // an empty list includes all meshes
    uint32_t included_mesh_count;
    const char* const* excluded_meshes;
    uint32_t excluded_mesh_count;
    // An empty list includes all joints. Otherwise tlw_recipe_choose_joints excludes every joint
    // that is neither in the list nor below a joint of the list.
    const char* const* included_joints;
    uint32_t included_joint_count;
    struct tlw_recipe_memory* memory;
} tlw_recipe;

// The recipe of a character that has none; the same as that of `{}`.
tlw_recipe tlw_default_recipe(void);

// On TLW_OK *out owns all that it points to; release it with tlw_recipe_free. On failure *out is
// zero and *error (which may be null) says what is wrong and where: TLW_ERROR_BAD_ARGUMENT for a
// mistake in the file, TLW_ERROR_TOO_LARGE for a file above TLW_RECIPE_BYTES_MAX,
// TLW_ERROR_OUT_OF_MEMORY.
tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error);

// Call it when the character's joints are known. Checks that every joint that the recipe names
// exists (otherwise TLW_ERROR_NOT_FOUND, and the message has the place in the file and the joint
// with the nearest name), then expresses included_joints as excluded joints in recipe->cook, which
// is what the cooking library takes. On failure the recipe is unchanged. A second call with the
// same joints changes nothing.
tlw_result tlw_recipe_choose_joints(tlw_recipe* recipe, const tlw_cook_joint* joints,
                                    uint32_t joint_count, tlw_recipe_error* error);

// A zeroed and a default recipe may be freed too.
void tlw_recipe_free(tlw_recipe* recipe);

// One documented key of a recipe.
typedef struct tlw_recipe_key_info {
    // "layers[].ratio", "parts[].layers.*.damping": [] is any element of a list, * is any name.
    const char* path;
    const char* takes;      // "integer: 2 to 1024", "word: auto, artist, geodesic", "fraction"
    const char* instead_of; // name of the key of the same object that it replaces, or null
} tlw_recipe_key_info;

typedef void tlw_recipe_visit(const tlw_recipe_key_info* key, void* user);

// Visits every key that the parser knows, in the order in which it reads them, for documentation
// and tests. Objects that only group other keys are not visited. The texts live during the visit.
void tlw_recipe_for_each_key(tlw_recipe_visit* visit, void* user);

TLW_EXTERN_C_END

#endif
