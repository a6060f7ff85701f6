// SPDX-License-Identifier: MIT
// Private to tools/recipe: the table of keys, places of values in the files, parsing JSON text into
// a tree, and typed values. Errors name the place, what was found and what is allowed. Every
// function here that returns bool returns false after it has set the error.
#ifndef TLW_TOOLS_RECIPE_READER_H
#define TLW_TOOLS_RECIPE_READER_H

#include "tools/json/json.h"
#include "tools/recipe/recipe.h"

#define TLW_RECIPE_NOT_GIVEN      (-1.0f) // a number per layer that the recipe leaves out
#define TLW_RECIPE_EXPECTED_BYTES 128
#define TLW_RECIPE_PLACE_BYTES    960 // file, line, column and path

// Places (places.c)
// ------------------------------------------------------------------------------------------------

#define TLW_RECIPE_NO_PLACE UINT32_MAX
#define TLW_RECIPE_BUCKETS  4096u

typedef struct tlw_recipe_position {
    uint32_t line, column; // from 1; columns count characters
} tlw_recipe_position;

// Where a value stands. jansson keeps no positions, so they are kept beside its tree. A value is
// found by the object or array that holds it and its key or index there, because true, false and
// null are one shared value each. The fields of the second half are those of the file that the
// value comes from: where files are united, an element of a list may have another index in its
// file.
typedef struct tlw_recipe_value {
    const json_t* holder;
    const char* key; // null in an array
    size_t index;
    uint32_t next; // in the bucket

    uint32_t parent; // place of the object or array in the file; NO_PLACE: it is the whole file
    uint32_t file;
    size_t file_index;
    tlw_recipe_position at_key, at_value;
} tlw_recipe_value;

typedef struct tlw_recipe_places {
    tlw_recipe_value* values;
    uint32_t count, capacity;
    uint32_t buckets[TLW_RECIPE_BUCKETS];    // index + 1 of the newest value, 0: none
    const char* files[TLW_RECIPE_FILES_MAX]; // null: read from memory
    uint32_t file_count;
    // Everything that `values` refers to: trees of files, and lists that others replaced.
    json_t* kept;
} tlw_recipe_places;

typedef struct tlw_recipe_reader {
    tlw_recipe* out;
    tlw_recipe_error* error;
    float anchor_hz;           // of every layer that gives none; negative: the recipe does not say
    tlw_recipe_places* places; // null once the trees are gone
    float auto_bulge;          // of automatic muscles
} tlw_recipe_reader;

// A place that outlives the tree: what tlw_recipe_place finds.
typedef struct tlw_recipe_mark {
    const struct tlw_recipe_mark* next;
    const char* path;
    const char* place;
} tlw_recipe_mark;

tlw_recipe_position tlw_recipe_position_of(const char* text, size_t byte);
// Notes where each value of a tree stands in its text, which jansson has accepted.
bool tlw_recipe_note_places(tlw_recipe_reader* r, uint32_t file, const char* text,
                            const json_t* root);
// The value at `from` is now found at holder[key], or holder[index] if there is no key.
bool tlw_recipe_move_place(tlw_recipe_reader* r, const tlw_json* from, const json_t* holder,
                           const char* key, size_t index);
// "hero.json:3:14".
size_t tlw_recipe_write_position(const tlw_recipe_reader* r, uint32_t file,
                                 tlw_recipe_position position, char text[TLW_RECIPE_PLACE_BYTES]);
// "hero.json:3:14: parts[1].joint", or only the path where the tree has no places. `is_key`: where
// the key stands, not its value. Returns the length.
size_t tlw_recipe_write_place(const tlw_recipe_reader* r, const tlw_json* at, bool is_key,
                              char text[TLW_RECIPE_PLACE_BYTES]);
// The path in the file alone: "parts[1]".
size_t tlw_recipe_write_path(const tlw_recipe_reader* r, const tlw_json* at,
                             char text[TLW_RECIPE_PLACE_BYTES]);
// Lets tlw_recipe_place find the value by `path`; null: by its path in the tree.
bool tlw_recipe_mark_place(tlw_recipe_reader* r, const tlw_json* at, const char* path);

// Messages (messages.c)
// ------------------------------------------------------------------------------------------------

// The shortest of 15 or 17 digits that reads back as the same number.
const char* tlw_recipe_show_number(double value, char text[TLW_JSON_QUOTE_BYTES]);
const char* tlw_recipe_show(const json_t* value, char text[TLW_JSON_QUOTE_BYTES]);
// "6, 14 or 26".
size_t tlw_recipe_append_choices(char* text, size_t bytes, size_t used, const uint32_t* choices);

bool tlw_recipe_fail(tlw_recipe_reader* r, const tlw_json* at, const char* format, ...)
    TLW_PRINTF(3, 4);
// The same for a place in a file's text.
bool tlw_recipe_fail_at(tlw_recipe_reader* r, uint32_t file, tlw_recipe_position position,
                        const char* format, ...) TLW_PRINTF(4, 5);
bool tlw_recipe_no_memory(tlw_recipe_reader* r);
// Zeroed memory that tlw_recipe_free gives back.
void* tlw_recipe_allocate(tlw_recipe_reader* r, size_t count, size_t element_bytes);
// "layers[1].name: a name is expected, not 3".
bool tlw_recipe_unexpected(tlw_recipe_reader* r, const tlw_json* at, const char* expected);
// `what` begins the message, for example "unknown key". The message goes on with the known word
// that is nearest to `word`, if any is near, and the list of all known words. `is_key`: the word is
// a key, and the message gives its place instead of its value's.
bool tlw_recipe_unknown(tlw_recipe_reader* r, const tlw_json* at, bool is_key, const char* what,
                        const char* word, const char* const* known, size_t known_count);

// The table of keys (keys.c)
// ------------------------------------------------------------------------------------------------

// What a key takes: how it is read, how the documentation words it, and (in schema.c) how the JSON
// schema says it. Objects only group other keys; a list holds objects; NAMED is an object whose
// keys a person chooses.
#define TLW_RECIPE_KINDS(X)                                              \
    X(OBJECT, "object", tlw_recipe_read_object)                          \
    X(NAMED, "object", NULL)                                             \
    X(LIST, "list", NULL)                                                \
    X(INTEGER, "integer", tlw_recipe_read_u32)                           \
    X(NUMBER, "number", tlw_recipe_read_float)                           \
    X(DELTA, "number above 0, up to 1", tlw_recipe_read_delta)           \
    X(FRACTION, "fraction", tlw_recipe_read_fraction)                    \
    X(VECTOR, "three numbers", tlw_recipe_read_vector)                   \
    X(WORD, "word", tlw_recipe_read_word)                                \
    X(CHOICE, "integer", tlw_recipe_read_choice)                         \
    X(SWITCH, "true or false", tlw_recipe_read_bool)                     \
    X(TEXT, "text", tlw_recipe_read_text)                                \
    X(NAME, "name", tlw_recipe_read_name)                                \
    X(NAMES, "list of names", tlw_recipe_read_names)                     \
    X(PAIR, "two joint names", tlw_recipe_read_pair)                     \
    X(FILES, "file name, or list of file names", tlw_recipe_read_extend) \
    X(FIRM, "word auto, or list of joint names", tlw_recipe_read_firm)   \
    X(CUT, "true, false or word all", tlw_recipe_read_cut)               \
    X(ATTRIBUTE, "vertex attribute", tlw_recipe_read_attribute)          \
    X(INTEGERS, "list of integers", tlw_recipe_read_integers)

typedef enum tlw_recipe_kind {
#define TLW_RECIPE_KIND(kind, words, read) TLW_RECIPE_##kind,
    TLW_RECIPE_KINDS(TLW_RECIPE_KIND)
#undef TLW_RECIPE_KIND
        TLW_RECIPE_KIND_COUNT
} tlw_recipe_kind;

// One key of the file: how it is read, where its value goes, what is allowed and what it means. An
// object's keys are a table, in the order in which they must be read. The tables hang together
// through `members` and start at tlw_recipe_keys. Parser, messages, README.md, `--explain` and the
// JSON schema all follow them, so a new key is one new entry.
typedef struct tlw_recipe_key {
    const char* name; // "*": the person chooses the name
    tlw_recipe_kind kind;
    const char* standard; // the default, for people; null for an object that only groups keys
    const char* meaning;  // what it does and why, in Markdown; null where `standard` is
    bool (*read)(tlw_recipe_reader* r, const tlw_json* at, const struct tlw_recipe_key* key,
                 void* object); // null: that of its kind
    size_t offset;              // of the value, in bytes into the struct that the object fills
    const char* takes;          // instead of the kind's words: "metres"; null: the kind's
    double least, most;         // range of a number, or of how many; most 0: there is none
    const char* const* words;   // of a WORD, ends with null; of a LIST: may stand for an object
    const uint32_t* choices;    // of a CHOICE, ends with 0
    size_t count_offset;        // of NAMES and INTEGERS
    bool is_required;
    const char* instead_of; // a key of the same object that must be absent, or null
    // For a list whose entries are united when one file extends another: the key whose value tells
    // that two entries are about the same joints. Null: the list replaces the other file's list.
    const char* identity;
    const struct tlw_recipe_key* members; // of the object, or of each object in the list
    size_t member_count;
} tlw_recipe_key;

// The key whose members are the keys of a whole recipe.
extern const tlw_recipe_key tlw_recipe_keys;
// The member of that name, or "*"; null if there is none.
const tlw_recipe_key* tlw_recipe_find_key(const tlw_recipe_key* object, const char* name);

// What a layer has, and parts and profiles may override: field of tlw_cook_layer, tlw_cook_part and
// tlw_cook_profile_part, which is also the key, its largest value, and its meaning in a layer. All
// are floats of 0 or more.
#define TLW_RECIPE_MATERIALS(X)                                                                    \
    X(stiffness, 1e6,                                                                              \
      "How strongly a voxel returns to the shape of its regions (ks in the paper). The value is "  \
      "meant at resolution 32 and scaled from there, so that the look hardly depends on "          \
      "resolution; every value from 0 is stable. The first and last layer, `muscle` and `fat` "    \
      "have defaults, other layers need a value. Bone follows the skeleton, whatever its value "   \
      "is.")                                                                                       \
    X(damping, 1,                                                                                  \
      "The share of the velocity relative to the skeleton that is left after 0.1 s (kd in the "    \
      "paper): 0 stops at once, 1 never. It is relative because damping of absolute velocity "     \
      "leaves a walking character's belly behind. Defaults as for `stiffness`.")                   \
    X(anchor_hz, 1000,                                                                             \
      "How quickly a voxel is pulled back to its skinned place, as a frequency; 0 switches it "    \
      "off. This is what makes layers move differently: stiffness reaches only the next voxel in " \
      "a substep, so fat over muscle swings by 1.7 to 1.9 times as much as muscle throughout if "  \
      "muscle is anchored harder, and by 1.02 to 1.11 times as much if only stiffness differs. "   \
      "It also stops thin parts from trailing or staying bent. Defaults as for `stiffness`.")

// Numbers of a Lame layer (RULES 8.9): field of tlw_cook_lame, which is also the key, its range,
// its default, and its meaning in a layer.
#define TLW_RECIPE_LAME(X)                                                                        \
    X(young_kpa, 1e-6, 1e6, "that of the layer inside it, 3 for the first",                       \
      "Young's modulus of a `lame` layer in kPa: 3 is soft fat, 0.5 a sagging belly, 50 muscle. " \
      "Sag under gravity goes with 1 over it.")                                                   \
    X(poisson, 0, 0.4999, "that of the layer inside it, 0.4975 for the first",                    \
      "Poisson ratio of a `lame` layer: 0.4975 keeps volume to a tenth of a percent, 0 not at "   \
      "all, like foam.")                                                                          \
    X(density, 1, 1e5, "that of the layer inside it, 950 for the first",                          \
      "Density of a `lame` layer in kg/m^3.")

// What a part says of one layer.
typedef struct tlw_recipe_part_layer {
    tlw_cook_lame lame;
    tlw_cook_fraction ratio; // denominator 0: not given
#define TLW_RECIPE_MATERIAL_FIELD(field, most, meaning) float field;
    TLW_RECIPE_MATERIALS(TLW_RECIPE_MATERIAL_FIELD)
} tlw_recipe_part_layer;

// What a profile, or a part of one, says of one layer.
typedef struct tlw_recipe_profile_layer {
    TLW_RECIPE_MATERIALS(TLW_RECIPE_MATERIAL_FIELD)
    float limit_scale;
} tlw_recipe_profile_layer;
#undef TLW_RECIPE_MATERIAL_FIELD

// Reading
// ------------------------------------------------------------------------------------------------

// The tree of one file, whose places are noted; null on failure. Released with places->kept.
json_t* tlw_recipe_parse(tlw_recipe_reader* r, uint32_t file, const char* text, size_t size);
// The tree of a file and of all that it extends, united; null on failure. extend.c
json_t* tlw_recipe_unite(tlw_recipe_reader* r, const char* path, const tlw_recipe_loader* loader);
// The folder of a path with its last '/', as a length.
size_t tlw_recipe_folder_length(const char* path);

// `expected` is for the message: "an array of layers".
bool tlw_recipe_array(tlw_recipe_reader* r, const tlw_json* at, const char* expected,
                      size_t* count);
bool tlw_recipe_string(tlw_recipe_reader* r, const tlw_json* at, const char** out);
bool tlw_recipe_copy_name(tlw_recipe_reader* r, const char* text, const char** out);
bool tlw_recipe_integer(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                        uint32_t* out);
bool tlw_recipe_number(tlw_recipe_reader* r, const tlw_json* at, double least, double most,
                       double* out);
// The key's field in `object`.
void* tlw_recipe_field(void* object, size_t offset);
// The layer that the key of `at` names.
bool tlw_recipe_find_layer(tlw_recipe_reader* r, const tlw_json* at, uint32_t* layer);
// Checks the ratio of a layer between bone and skin, given at `place`, which may be absent: those
// of the ends and of the layer below the skin are fixed.
bool tlw_recipe_check_ratio(tlw_recipe_reader* r, const tlw_json* place, size_t index, size_t count,
                            tlw_cook_fraction ratio);
bool tlw_recipe_check_ascent(tlw_recipe_reader* r, const tlw_json* place, tlw_cook_fraction below,
                             tlw_cook_fraction ratio, const char* below_name);

// The functions that tables of keys name in `read`. Each writes to `object` at the key's offset.
#define TLW_RECIPE_READ(name) \
    bool name(tlw_recipe_reader* r, const tlw_json* at, const tlw_recipe_key* key, void* object)
TLW_RECIPE_READ(tlw_recipe_read_object); // the key's members, into the same `object`
TLW_RECIPE_READ(tlw_recipe_read_u32);
TLW_RECIPE_READ(tlw_recipe_read_float);
TLW_RECIPE_READ(tlw_recipe_read_double);
TLW_RECIPE_READ(tlw_recipe_read_delta); // the anchor in Hz that it means, as a float
TLW_RECIPE_READ(tlw_recipe_read_bool);
TLW_RECIPE_READ(tlw_recipe_read_fraction);
TLW_RECIPE_READ(tlw_recipe_read_vector);   // three floats
TLW_RECIPE_READ(tlw_recipe_read_word);     // the word's index, as an int
TLW_RECIPE_READ(tlw_recipe_read_choice);   // a uint32_t
TLW_RECIPE_READ(tlw_recipe_read_text);     // only checked
TLW_RECIPE_READ(tlw_recipe_read_name);     // a copy, as a const char*
TLW_RECIPE_READ(tlw_recipe_read_names);    // a const char* const* and, at count_offset, a uint32_t
TLW_RECIPE_READ(tlw_recipe_read_integers); // a const uint32_t* and, at count_offset, a uint32_t
// Into a tlw_recipe:
TLW_RECIPE_READ(tlw_recipe_read_extend);
TLW_RECIPE_READ(tlw_recipe_read_voxel_size);
TLW_RECIPE_READ(tlw_recipe_read_weights);
TLW_RECIPE_READ(tlw_recipe_read_preset);
TLW_RECIPE_READ(tlw_recipe_read_anchor); // or delta
TLW_RECIPE_READ(tlw_recipe_read_layers);
TLW_RECIPE_READ(tlw_recipe_read_heat);
TLW_RECIPE_READ(tlw_recipe_read_parts);
TLW_RECIPE_READ(tlw_recipe_read_firm);
TLW_RECIPE_READ(tlw_recipe_read_attribute);
TLW_RECIPE_READ(tlw_recipe_read_cuts);
TLW_RECIPE_READ(tlw_recipe_read_roles);
TLW_RECIPE_READ(tlw_recipe_read_meshes);
TLW_RECIPE_READ(tlw_recipe_read_joints);
TLW_RECIPE_READ(tlw_recipe_read_embedding);
TLW_RECIPE_READ(tlw_recipe_read_skinning);
TLW_RECIPE_READ(tlw_recipe_read_profiles);
TLW_RECIPE_READ(tlw_recipe_read_auto_bulge); // into the reader
TLW_RECIPE_READ(tlw_recipe_read_muscles);
TLW_RECIPE_READ(tlw_recipe_read_memory);
TLW_RECIPE_READ(tlw_recipe_read_view);
TLW_RECIPE_READ(tlw_recipe_read_view_layers);
TLW_RECIPE_READ(tlw_recipe_read_view_parts);
TLW_RECIPE_READ(tlw_recipe_read_view_profile);
TLW_RECIPE_READ(tlw_recipe_read_tensions);
// Into an element of a list:
TLW_RECIPE_READ(tlw_recipe_read_layer_name);   // of tlw_cook_layer
TLW_RECIPE_READ(tlw_recipe_read_solver);       // a tlw_cook_solver
TLW_RECIPE_READ(tlw_recipe_read_radius);       // an int32_t
TLW_RECIPE_READ(tlw_recipe_read_part_layers);  // of tlw_cook_part
TLW_RECIPE_READ(tlw_recipe_read_pair);         // of tlw_cook_cut
TLW_RECIPE_READ(tlw_recipe_read_cut);          // of tlw_cook_cut
TLW_RECIPE_READ(tlw_recipe_read_line);         // of tlw_cook_muscle
TLW_RECIPE_READ(tlw_recipe_read_fields);       // of tlw_cook_muscle
TLW_RECIPE_READ(tlw_recipe_read_flex);         // of tlw_cook_muscle
TLW_RECIPE_READ(tlw_recipe_read_place_joints); // of tlw_cook_place
TLW_RECIPE_READ(tlw_recipe_read_dynamic);      // of tlw_cook_line_vertex
TLW_RECIPE_READ(tlw_recipe_read_repel);        // of tlw_cook_muscle_field
// Into the tlw_cook_profile_part of the whole character, the first of the profile's:
TLW_RECIPE_READ(tlw_recipe_read_profile_preset);
TLW_RECIPE_READ(tlw_recipe_read_profile_layers); // or that of a part
TLW_RECIPE_READ(tlw_recipe_read_profile_parts);  // those after it

extern const char* const tlw_recipe_preset_words[];
extern const char* const tlw_recipe_solver_words[];

#endif
