// SPDX-License-Identifier: MIT
// Reads an artist's recipe: JSON text in, the settings of the cooking library and of the importer
// out. README.md in this folder lists the keys, their ranges and defaults. Safe for untrusted
// input. Prints nothing and opens no file: a recipe that extends other files gets them from the
// caller's loader.
#ifndef TLW_TOOLS_RECIPE_RECIPE_H
#define TLW_TOOLS_RECIPE_RECIPE_H

#include "platform/base.h"
#include "platform/result.h"
#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// A longer file is refused before it is parsed: the JSON tree of the worst file of this size takes
// 21 MB.
#define TLW_RECIPE_BYTES_MAX (256u * 1024u)
// The same for a recipe and all files that it extends, together.
#define TLW_RECIPE_ALL_BYTES_MAX (1024u * 1024u)
// Most elements of one list: names, parts, cuts, roles.
#define TLW_RECIPE_LIST_MAX 4096u
// Most files that are read for one recipe, and the longest chain of files that extend each other.
#define TLW_RECIPE_FILES_MAX 64u
#define TLW_RECIPE_CHAIN_MAX 16u

typedef struct tlw_recipe_error {
    tlw_result result;
    // One line: file, line and column, the key's path as that file spells it, and what is wrong.
    // "hero.json:3:14: layers[2].stifness: ..."; without the file's name where the recipe was read
    // from memory, and without a path where the text is not JSON.
    char message[2048];
} tlw_recipe_error;

typedef struct tlw_recipe_role {
    const char* name; // of a mesh or its node
    tlw_cook_role role;
} tlw_recipe_role;

// The tension of a muscle of that name, 0 to 1.
typedef struct tlw_recipe_tension {
    const char* muscle;
    float tension; // 0 to 1
} tlw_recipe_tension;

// What tallow-view sets on the character besides its materials, and what it plays. Nothing of it is
// cooked. A field is what the recipe says if tlw_recipe_place finds its key, "view.gravity", and
// otherwise 0.
typedef struct tlw_recipe_view {
    float gravity[3], wind[3], wind_drag, time_scale; // as those of tlw_settings
    uint32_t rotation_iterations, repeats;
    bool skinned_volume, own_limbs;
    bool has_filter; // "view.filter.on"
    float cutoff_hz, hz_per_speed, hz_per_turn;
    const tlw_recipe_tension* tensions;
    uint32_t tension_count;
    // Only limit_scale of each layer: first of the whole character, then of parts by their joints;
    // TLW_COOK_KEEP where nothing is said. Null: the recipe has no `view`.
    tlw_cook_profile_part* parts;
    uint32_t part_count;
    const char *profile, *clip; // null: none is named
    bool root_motion;
    float noise_mm;
} tlw_recipe_view;

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
    // Vertex attributes, "_FAT" or "COLOR_0.r"; null: not painted.
    const char* paint[TLW_COOK_PAINTS];
    tlw_recipe_view view;
    // What tlw_recipe_read_file read: the recipe, then what it extends, each path once.
    const char* const* files;
    uint32_t file_count;
    struct tlw_recipe_memory* memory;
    const struct tlw_recipe_mark* marks; // for tlw_recipe_place
} tlw_recipe;

// The recipe of a character that has none; the same as that of `{}`.
tlw_recipe tlw_default_recipe(void);

// On TLW_OK *out owns all that it points to; release it with tlw_recipe_free. On failure *out is
// zero and *error (which may be null) says what is wrong and where: TLW_ERROR_BAD_ARGUMENT for a
// mistake in the file, TLW_ERROR_TOO_LARGE for a file above TLW_RECIPE_BYTES_MAX,
// TLW_ERROR_OUT_OF_MEMORY. A text that extends files is refused.
tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error);

#define TLW_RECIPE_WHY_BYTES 512

// Where a recipe and the files that it extends come from.
typedef struct tlw_recipe_loader {
    // Gives the bytes of the file at `path`, valid until `release`. On failure it writes one line
    // into `why`, and its result becomes that of the reading. A file above TLW_RECIPE_BYTES_MAX may
    // be refused (TLW_ERROR_TOO_LARGE) without being read.
    tlw_result (*load)(const char* path, const void** bytes, size_t* size,
                       char why[TLW_RECIPE_WHY_BYTES], void* user);
    // Called once for each successful load. Null: there is nothing to release.
    void (*release)(const void* bytes, size_t size, void* user);
    void* user;
} tlw_recipe_loader;

// As tlw_recipe_read, for a recipe at `path`, which may extend others. Their paths are relative to
// the file that names them, with '/' between folders.
tlw_result tlw_recipe_read_file(const char* path, const tlw_recipe_loader* loader, tlw_recipe* out,
                                tlw_recipe_error* error);

// Call it when the character's joints are known. Checks that every joint that the recipe names
// exists (otherwise TLW_ERROR_NOT_FOUND, and the message has the place in the file and the joint
// with the nearest name), then expresses included_joints as excluded joints in recipe->cook, which
// is what the cooking library takes. On failure the recipe is unchanged. A second call with the
// same joints changes nothing.
tlw_result tlw_recipe_choose_joints(tlw_recipe* recipe, const tlw_cook_joint* joints,
                                    uint32_t joint_count, tlw_recipe_error* error);

// Where the recipe gives a value, "hero.json:3:14: limits.voxels", for messages about it that come
// later. `path` counts the elements of a list after all files are united; meshes.roles[2] is
// roles[2], and profiles[1].parts[2].joint that of cook.profiles. Null if the recipe does not give
// that key, and for objects and lists of objects other than profiles.
const char* tlw_recipe_place(const tlw_recipe* recipe, const char* path);

// A zeroed and a default recipe may be freed too.
void tlw_recipe_free(tlw_recipe* recipe);

// The keys, for documentation and tests

// One documented key of a recipe.
typedef struct tlw_recipe_key_info {
    // "layers[].ratio", "parts[].layers.*.damping": [] is any element of a list, * is any name.
    const char* path;
    const char* takes;      // "integer: 2 to 1024", "word: auto, artist, geodesic", "fraction"
    const char* standard;   // the default: "48", "the layer's", "required"
    const char* meaning;    // what it does and why, in Markdown
    const char* instead_of; // name of the key of the same object that it replaces, or null
} tlw_recipe_key_info;

typedef void tlw_recipe_visit(const tlw_recipe_key_info* key, void* user);

// Visits every key that the parser knows, in the order in which it reads them. Objects that only
// group other keys are not visited. The texts live during the visit.
void tlw_recipe_for_each_key(tlw_recipe_visit* visit, void* user);

// Whether a key's path as tlw_recipe_for_each_key gives it stands for `asked`, in which elements of
// lists may be numbered or left out: parts[2].layers.fat.ratio, parts.layers.fat.ratio and
// parts[].layers.*.ratio are the same.
typedef enum tlw_recipe_match {
    TLW_RECIPE_NO_MATCH,
    TLW_RECIPE_BELOW, // the key is a member of what was asked for
    TLW_RECIPE_SAME
} tlw_recipe_match;
tlw_recipe_match tlw_recipe_match_key(const char* path, const char* asked);

// A meaning without the targets of Markdown links, for people who read it elsewhere. Returns
// `text`.
const char* tlw_recipe_plain_text(const char* markdown, char* text, size_t bytes);

// The keys as a JSON schema (draft 2020-12) for editors; the installed file is this text. The
// caller frees it; null if out of memory.
char* tlw_recipe_make_schema(void);

TLW_EXTERN_C_END

#endif
