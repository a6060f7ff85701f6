// SPDX-License-Identifier: MIT
// The table of keys: every key of a recipe, with what it takes, its default, its meaning and its
// reason. The parser, messages, the tables of README.md, recipe.schema.json and `tallow-cook
// --explain` are made from it; test_recipe compares the files.
#include "tools/recipe/reader.h"

#include "runtime/lattice.h"

#include <string.h>

#define AT(field)              .offset = offsetof(tlw_recipe, field)
#define NAMES_AT(field, count) AT(field), .count_offset = offsetof(tlw_recipe, count)
#define RANGE(low, high)       .least = (low), .most = (high)
#define MEMBERS(keys)          .members = (keys), .member_count = TLW_COUNT_OF(keys)
#define KIND(kind)             TLW_RECIPE_##kind
#define LIMIT_LEAST            0.001 // 0 would be plain skinning at the cost of a simulation
#define RADIUS_MOST            1024
#define HEAT_RANGE             RANGE(1e-3, 1e3)
#define PROFILES_MOST          255
#define GRAVITY_MOST           1e6
#define WIND_MOST              1e6
#define NOISE_MOST             60 // of the slider

// The other way to write the anchor of `type`.
#define DELTA_KEY(type, meaning)          \
    {"delta",                             \
     KIND(DELTA),                         \
     "none",                              \
     meaning,                             \
     .offset = offsetof(type, anchor_hz), \
     .instead_of = "anchor_hz"},

// Layers, parts
// ------------------------------------------------------------------------------------------------

#define LAYER_KEY(field, most, meaning)         \
    {#field,                                    \
     KIND(NUMBER),                              \
     "the preset's",                            \
     meaning,                                   \
     .offset = offsetof(tlw_cook_layer, field), \
     RANGE(0, most)},
#define PART_LAYER_KEY(field, most, meaning)           \
    {#field,                                           \
     KIND(NUMBER),                                     \
     "the layer's",                                    \
     "`" #field "` of the named layer in this part.",  \
     .offset = offsetof(tlw_recipe_part_layer, field), \
     RANGE(0, most)},

#define LAME_KEY(field, low, high, standard, meaning) \
    {#field,                                          \
     KIND(NUMBER),                                    \
     standard,                                        \
     meaning,                                         \
     .offset = offsetof(tlw_cook_layer, lame.field),  \
     RANGE(low, high)},
#define PART_LAME_KEY(field, low, high, standard, meaning)  \
    {#field,                                                \
     KIND(NUMBER),                                          \
     "the layer's",                                         \
     "`" #field "` of the named layer in this part.",       \
     .offset = offsetof(tlw_recipe_part_layer, lame.field), \
     RANGE(low, high)},

static const tlw_recipe_key layer_keys[] = {
    {"name", KIND(NAME), "required",
     "Up to 63 bytes. Every layer has a name of its own, because parts refer to layers by name.",
     .read = tlw_recipe_read_layer_name, .is_required = true},
    {"ratio", KIND(FRACTION), "0.6 for `muscle`",
     "For the layers between bone and skin: where the layer ends on the way from bone (0) to skin "
     "(1). Ratios ascend. The layer below the skin takes what is left: leave its ratio out, or "
     "write 1.",
     .offset = offsetof(tlw_cook_layer, ratio)},
    TLW_RECIPE_MATERIALS(LAYER_KEY) DELTA_KEY(
        tlw_cook_layer,
        "The anchor in the words of Chen et al. 2013 (Eq. 16), instead of `anchor_hz`: the share "
        "of a voxel's distance to its skinned place that is left after 1/60 s. 0.9 is 3.1 Hz, 0.7 "
        "is 5.7 Hz, and 1 switches the anchor off. A layer with both keys is refused "
        "([MODEL 3.14](../../runtime/MODEL.md))."){
        "solver", KIND(WORD), "that of the layer inside it, `shape` for bone",
        "What moves the layer. `shape`: shape matching. `lame`: elasticity in physical units, "
        "for fat that sags and keeps its volume ([MODEL 3.20](../../runtime/MODEL.md)); all "
        "layers outside it are `lame`, too, and `stiffness` and the anchor do nothing there. "
        "It is for parts without creases, chest or belly: without motion such a layer is "
        "plain skinning. Bone cannot be `lame`, and a firm part never is.",
        .read = tlw_recipe_read_solver, .offset = offsetof(tlw_cook_layer, lame.solver),
        .words = tlw_recipe_solver_words},
    TLW_RECIPE_LAME(LAME_KEY)};

static const tlw_recipe_key bone_keys[] = {
    {"share", KIND(FRACTION), "0.34",
     "How much of the local thickness is bone. A share follows the thickness of the body, so that "
     "thin limbs keep some soft tissue.",
     AT(cook.bone_share)},
    {"radius", KIND(INTEGER), "none",
     "Radius of the bone in voxels, instead of `share`: the bone cylinders of Chen et al. 2013. It "
     "turns limbs that are thinner than the radius into bone: with 1, a third of the surface of a "
     "thin character becomes bone, by `share` 3 to 5%. A recipe with both keys is "
     "refused.",
     .read = tlw_recipe_read_radius, AT(cook.bone_radius_voxels), RANGE(0, RADIUS_MOST),
     .instead_of = "share"},
};

static const tlw_recipe_key part_layer_keys[] = {
    {"ratio", KIND(FRACTION), "the layer's",
     "Where the named layer ends in this part, as `layers[].ratio`: a lower ratio of muscle gives "
     "the part more fat. It decides by the voxel's own part and does not blend.",
     .offset = offsetof(tlw_recipe_part_layer, ratio)},
    TLW_RECIPE_MATERIALS(PART_LAYER_KEY)
        DELTA_KEY(tlw_recipe_part_layer, "`delta` of the named layer in this part, instead of "
                                         "`anchor_hz`."){
            "solver", KIND(WORD), "the layer's",
            "`solver` of the named layer in this part. A layer that neither says has that of the "
            "layer inside it in this part.",
            .read = tlw_recipe_read_solver, .offset = offsetof(tlw_recipe_part_layer, lame.solver),
            .words = tlw_recipe_solver_words},
    TLW_RECIPE_LAME(PART_LAME_KEY)};

static const tlw_recipe_key part_layers_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(part_layer_keys)},
};

static const tlw_recipe_key part_bone_keys[] = {
    {"share", KIND(FRACTION), "the recipe's", "`bone.share` in this part.",
     .offset = offsetof(tlw_cook_part, bone_share)},
    {"radius", KIND(INTEGER), "the recipe's", "`bone.radius` in this part, instead of `share`.",
     .read = tlw_recipe_read_radius, .offset = offsetof(tlw_cook_part, bone_radius_voxels),
     RANGE(0, RADIUS_MOST), .instead_of = "share"},
};

static const tlw_recipe_key part_limit_keys[] = {
    {"extent", KIND(NUMBER), "the recipe's",
     "`limit.extent` in this part: a belly may be allowed more than a face.",
     .offset = offsetof(tlw_cook_part, limit_extent), RANGE(LIMIT_LEAST, 1000)},
    {"thickness", KIND(NUMBER), "the recipe's", "`limit.thickness` in this part.",
     .offset = offsetof(tlw_cook_part, limit_thickness), RANGE(LIMIT_LEAST, 1000)},
};

static const tlw_recipe_key part_keys[] = {
    {"joint", KIND(NAME), "required",
     "A joint whose voxels, and those of all joints below it, get values of their own, for example "
     "a belly with more fat. Stiffness, damping, anchor and limit blend over a voxel at the "
     "border. "
     "A joint may have one part. A part without further keys takes a joint out of the firm ones.",
     .offset = offsetof(tlw_cook_part, joint), .takes = "joint name", .is_required = true},
    {"mirror", KIND(SWITCH), "false",
     "`true`: the part also stands for the joint on the other side, whose name has left and right, "
     "or l and r, exchanged: `thigh.L` and `thigh.R`, `LeftArm` and `RightArm`. A part of its own "
     "for that joint goes before. A name without a partner is refused.",
     .offset = offsetof(tlw_cook_part, is_mirrored)},
    {"layers", KIND(NAMED), .read = tlw_recipe_read_part_layers, MEMBERS(part_layers_keys)},
    {"bone", KIND(OBJECT), MEMBERS(part_bone_keys)},
    {"limit", KIND(OBJECT), MEMBERS(part_limit_keys)},
};

// Profiles
// ------------------------------------------------------------------------------------------------

#define PROFILE_LAYER_KEY(field, most, meaning)           \
    {#field,                                              \
     KIND(NUMBER),                                        \
     "the preset's or the recipe's",                      \
     "`" #field "` of the named layer in this profile.",  \
     .offset = offsetof(tlw_recipe_profile_layer, field), \
     RANGE(0, most)},
#define PROFILE_PART_LAYER_KEY(field, most, meaning)              \
    {#field,                                                      \
     KIND(NUMBER),                                                \
     "the part's",                                                \
     "`" #field "` of the named layer in this part and profile.", \
     .offset = offsetof(tlw_recipe_profile_layer, field),         \
     RANGE(0, most)},
#define LIMIT_SCALE_KEY(meaning)                                \
    {"limit",                                                   \
     KIND(NUMBER),                                              \
     "1",                                                       \
     meaning,                                                   \
     .offset = offsetof(tlw_recipe_profile_layer, limit_scale), \
     RANGE(0, 1e9)},

static const tlw_recipe_key profile_layer_keys[] = {
    TLW_RECIPE_MATERIALS(PROFILE_LAYER_KEY)
        DELTA_KEY(tlw_recipe_profile_layer,
                  "`delta` of the named layer in this profile, instead of `anchor_hz`.")
            LIMIT_SCALE_KEY(
                "Multiplies the limit that was cooked (`limit`) in the named layer: 2 lets "
                "voxels move twice as far, 0 not at all, and from 1000000000 there is none.")};

static const tlw_recipe_key profile_layers_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(profile_layer_keys)},
};

static const tlw_recipe_key profile_part_layer_keys[] = {
    TLW_RECIPE_MATERIALS(PROFILE_PART_LAYER_KEY)
        DELTA_KEY(tlw_recipe_profile_layer,
                  "`delta` of the named layer in this part and profile, instead of `anchor_hz`.")
            LIMIT_SCALE_KEY("Multiplies the limit of the named layer in this part and profile.")};

static const tlw_recipe_key profile_part_layers_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(profile_part_layer_keys)},
};

static const tlw_recipe_key profile_part_keys[] = {
    {"joint", KIND(NAME), "required",
     "A joint that has a part, by `parts` or because it is firm; of a mirrored part, either of its "
     "two joints. A profile changes what parts hold and makes none. A joint may have one entry.",
     .offset = offsetof(tlw_cook_profile_part, joint), .takes = "joint name", .is_required = true},
    {"layers", KIND(NAMED), .read = tlw_recipe_read_profile_layers,
     MEMBERS(profile_part_layers_keys)},
};

static const tlw_recipe_key profile_keys[] = {
    {"preset", KIND(WORD), "none",
     "Begins the profile with a preset instead of the recipe's values: stiffness, damping and "
     "anchor, outside of parts. The first layer after bone takes muscle's values, the last one "
     "skin's, layers between fat's. `layers` of the profile override it.",
     .read = tlw_recipe_read_profile_preset, .words = tlw_recipe_preset_words},
    {"layers", KIND(NAMED), .read = tlw_recipe_read_profile_layers, MEMBERS(profile_layers_keys)},
    {"parts", KIND(LIST), .read = tlw_recipe_read_profile_parts, .identity = "joint",
     MEMBERS(profile_part_keys)},
};

static const tlw_recipe_key profiles_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(profile_keys)},
};

// Muscles
// ------------------------------------------------------------------------------------------------

#define FAR                   1e6 // metres
#define PLACE(type)           offsetof(type, place)
#define AT_PLACE(type, field) .offset = offsetof(type, place) + offsetof(tlw_cook_place, field)

// A place of a vertex or a field.
#define PLACE_KEYS(type, joints_keys, what)                                                       \
    {"joint",                                                                                     \
     KIND(NAME),                                                                                  \
     "none",                                                                                      \
     "The joint that " what " follows. Its place is given along the first segment of the joint, " \
     "which runs to the joint's first child.",                                                    \
     AT_PLACE(type, joint),                                                                       \
     .takes = "joint name"},                                                                      \
        {"along",                                                                                 \
         KIND(NUMBER),                                                                            \
         "0",                                                                                     \
         "How far along that segment " what " is: 0 at the joint, 1 at the end.",                 \
         AT_PLACE(type, along),                                                                   \
         RANGE(-FAR, FAR)},                                                                       \
        {"offset",                                                                                \
         KIND(VECTOR),                                                                            \
         "[0, 0, 0]",                                                                             \
         "How far from there, in metres along the axes of the model, in the bind pose.",          \
         AT_PLACE(type, offset),                                                                  \
         RANGE(-FAR, FAR)},                                                                       \
        {"joints",                                                                                \
         KIND(NAMED),                                                                             \
         .read = tlw_recipe_read_place_joints,                                                    \
         .offset = PLACE(type),                                                                   \
         .instead_of = "joint",                                                                   \
         RANGE(0, TLW_COOK_PLACE_JOINTS),                                                         \
         MEMBERS(joints_keys)},                                                                   \
        {"at",                                                                                    \
         KIND(VECTOR),                                                                            \
         "none",                                                                                  \
         "With `joints`: the place itself, in metres of the model in its bind pose.",             \
         AT_PLACE(type, at),                                                                      \
         RANGE(-FAR, FAR)},

static const tlw_recipe_key vertex_joints_keys[] = {
    {"*", KIND(NUMBER), "none",
     "Instead of `joint`: 1 to 4 joints that the vertex follows, by name, with their weights. They "
     "need not sum to 1.",
     RANGE(1e-6, 1e6)},
};
static const tlw_recipe_key field_joints_keys[] = {
    {"*", KIND(NUMBER), "none",
     "Instead of `joint`: the one joint of a field that is placed by "
     "`at`. Its weight is not used.",
     RANGE(1e-6, 1e6)},
};

static const tlw_recipe_key line_keys[] = {
    PLACE_KEYS(tlw_cook_line_vertex, vertex_joints_keys,
               "the vertex"){"radius", KIND(NUMBER), "1; 0 at the ends",
                             "Radius of the muscle at the vertex, as a share of the muscle's.",
                             .offset = offsetof(tlw_cook_line_vertex, radius), RANGE(0, 1)},
    {"dynamic", KIND(SWITCH), "true; false at the ends",
     "Whether the vertex moves by itself. Others are where their joints take them.",
     .read = tlw_recipe_read_dynamic},
};

static const tlw_recipe_key field_keys[] = {
    PLACE_KEYS(tlw_cook_muscle_field, field_joints_keys, "the field"){
        "radii", KIND(VECTOR), "required",
        "Half axes of the ellipsoid in metres, along the axes of the model in its bind pose.",
        .offset = offsetof(tlw_cook_muscle_field, radii), RANGE(1e-6, 1e6), .is_required = true},
    {"gain", KIND(NUMBER), "10",
     "How firmly the field acts. More than 40 would not converge in two iterations.",
     .offset = offsetof(tlw_cook_muscle_field, gain), RANGE(0, 40)},
    {"repel", KIND(SWITCH), "true",
     "`true` keeps the line outside of the ellipsoid, as bone does; `false` draws it to the "
     "surface.",
     .read = tlw_recipe_read_repel},
    {"reach", KIND(NUMBER), "2",
     "For `\"repel\": false`: how far from the centre the line is drawn near, in radii, above 1.",
     .offset = offsetof(tlw_cook_muscle_field, reach), RANGE(1, 100)},
};

static const tlw_recipe_key flex_keys[] = {
    {"joint", KIND(NAME), "required",
     "A joint whose angle tenses the muscle without any code. The angle is that of its rotation "
     "relative to its parent, 0 in the bind pose.",
     .offset = offsetof(tlw_cook_muscle, flex_joint), .takes = "joint name", .is_required = true},
    {"from", KIND(NUMBER), "0", "The angle in degrees at which the muscle is relaxed.",
     .offset = offsetof(tlw_cook_muscle, flex_from), RANGE(0, 180)},
    {"to", KIND(NUMBER), "required", "The angle at which it is wholly tense.",
     .offset = offsetof(tlw_cook_muscle, flex_to), RANGE(0, 180), .is_required = true},
};

static const char* const muscle_words[] = {"auto", NULL};

static const tlw_recipe_key muscle_keys[] = {
    {"name", KIND(NAME), "required",
     "Up to 63 bytes, by which a game finds the muscle. Every muscle has a name of its own.",
     .offset = offsetof(tlw_cook_muscle, name), .is_required = true},
    {"bulge", KIND(NUMBER), "1",
     "Multiplies how much the muscle thickens as it shortens. 1 keeps its volume, 2 shows it.",
     .offset = offsetof(tlw_cook_muscle, bulge), RANGE(0, 10)},
    {"radius", KIND(NUMBER), "required", "Radius of the relaxed muscle at its thickest place.",
     .offset = offsetof(tlw_cook_muscle, radius), .takes = "metres", RANGE(1e-6, 1e6),
     .is_required = true},
    {"tendons", KIND(INTEGERS), "none",
     "Segments of the line that hardly stretch: segment 0 leads from vertex 0 to 1. One at least "
     "is left for the belly.",
     .offset = offsetof(tlw_cook_muscle, tendons),
     .count_offset = offsetof(tlw_cook_muscle, tendon_count), RANGE(0, 30)},
    {"line", KIND(LIST), "required",
     "The vertices of the action line, from the muscle's origin to its insertion. Neighbours are "
     "at least a quarter of a voxel apart. A line that wraps around a joint needs three vertices "
     "across it.",
     .read = tlw_recipe_read_line, RANGE(3, 32), .is_required = true, MEMBERS(line_keys)},
    {"fields", KIND(LIST), "none",
     "Ellipsoids on joints that keep this muscle's line away from bones, or draw it near.",
     .read = tlw_recipe_read_fields, RANGE(0, 8), MEMBERS(field_keys)},
    {"flex", KIND(OBJECT), .read = tlw_recipe_read_flex, MEMBERS(flex_keys)},
    {"mirror", KIND(SWITCH), "false",
     "`true`: the muscle also exists on the other side. Its name and those of its joints have left "
     "and right, or l and r, exchanged as `parts[].mirror` says; joints without a side stay.",
     .offset = offsetof(tlw_cook_muscle, is_mirrored)},
};

// Skinning, cuts
// ------------------------------------------------------------------------------------------------

static const char* const weights_words[] = {
    [TLW_WEIGHTS_AUTO] = "auto",         [TLW_WEIGHTS_ARTIST] = "artist",
    [TLW_WEIGHTS_HEAT] = "heat",         [TLW_WEIGHTS_DIFFUSION] = "diffusion",
    [TLW_WEIGHTS_GEODESIC] = "geodesic", NULL};

static const char* const embedding_words[] = {
    [TLW_COOK_EMBED_FIT] = "fit", [TLW_COOK_EMBED_RBF] = "rbf", NULL};

static const char* const skinning_words[] = {
#define SKINNING_WORD(enumerator, text) text,
    TLW_SKINNINGS(SKINNING_WORD)
#undef SKINNING_WORD
        NULL};

static const tlw_recipe_key volume_keys[] = {
    {"reach", KIND(NUMBER), "0.5",
     "Gives bent joints back the volume that skinning takes: linear skinning loses 12 to 40% of a "
     "knee between 60 and 120 degrees, before tissue even moves. The value is how far that may "
     "move a voxel, as a share of how deep the bend is. With 0 no skinned volume is cooked, which "
     "saves about 20 bytes a voxel and a pass in every substep "
     "([MODEL 3.12](../../runtime/MODEL.md)).",
     AT(cook.volume_reach), RANGE(0, 10)},
};

static const tlw_recipe_key heat_keys[] = {
    {"joint", KIND(NAME), "required",
     "A joint whose heat spreads in its own way, for `heat` and `diffusion` weights. A joint may "
     "have one entry; those without one have 1 and 1.",
     .offset = offsetof(tlw_cook_heat, joint), .takes = "joint name", .is_required = true},
    {"strength", KIND(NUMBER), "1",
     "How firmly voxels near the joint's bone keep its heat: 4 narrows the blend with the next "
     "joint from 5.6 to 4.0 voxels. It has no effect on `diffusion`.",
     .offset = offsetof(tlw_cook_heat, strength), HEAT_RANGE},
    {"energy", KIND(NUMBER), "1",
     "How much the joint's weight counts against those of others: 2 moves its border outwards by "
     "0.9 voxel.",
     .offset = offsetof(tlw_cook_heat, energy), HEAT_RANGE},
};

static const tlw_recipe_key cut_keys[] = {
    {"joints", KIND(PAIR), "required",
     "The pair of joints whose voxels the entry is about. A pair may have one entry.",
     .is_required = true},
    {"cut", KIND(CUT), "true",
     "`true` cuts links between voxels of the two joints wherever a surface lies between them and "
     "no skin joins them: head against jaw opens the lips and leaves the cheeks whole. `\"all\"` "
     "cuts every link between them, `false` none.",
     .offset = offsetof(tlw_cook_cut, kind)},
};

// The asset
// ------------------------------------------------------------------------------------------------

static const tlw_recipe_key paint_keys[] = {
    {"fat", KIND(ATTRIBUTE), "none",
     "A painted attribute of 0 to 1 that turns muscle into fat: the ratio of the first layer after "
     "bone is multiplied by 1 - v. A name as the asset has it, with a component after a dot "
     "(r, g, b, a or x, y, z, w; the first by default): `_FAT`, `COLOR_0.r`. Vertices without it "
     "count 0.",
     AT(paint[TLW_PAINT_FAT])},
    {"stiffness", KIND(ATTRIBUTE), "none",
     "A painted attribute of 0 to 1 that multiplies stiffness by 4^(2v - 1): a quarter at 0, the "
     "layer's at 1/2, four times at 1. Vertices without it count 1/2.",
     AT(paint[TLW_PAINT_STIFFNESS])},
};

static const char* const role_words[] = {
    [TLW_ROLE_VOXELISE] = "voxelise", [TLW_ROLE_RIDE] = "ride", [TLW_ROLE_IGNORE] = "ignore", NULL};

static const tlw_recipe_key role_keys[] = {
    {"*", KIND(WORD), "voxelise",
     "What the named mesh is for. `voxelise` gives the character its shape and is bound to the "
     "lattice; `ride` is bound to it only, for clothes and eyes, which would otherwise thicken the "
     "body; `ignore` is left out. A mesh without a skin follows the joint that its node hangs on. "
     "Names are those of nodes or meshes.",
     .words = role_words},
};

static const tlw_recipe_key mesh_keys[] = {
    {"roles", KIND(NAMED), .read = tlw_recipe_read_roles, MEMBERS(role_keys)},
    {"include", KIND(NAMES), "all", "Takes only these meshes. An empty list means all.",
     NAMES_AT(included_meshes, included_mesh_count), .takes = "list of mesh names"},
    {"exclude", KIND(NAMES), "none", "Leaves these meshes out. A mesh in both lists is a mistake.",
     NAMES_AT(excluded_meshes, excluded_mesh_count), .takes = "list of mesh names"},
};

static const tlw_recipe_key joint_keys[] = {
    {"include", KIND(NAMES), "all",
     "Gives only these joints, and all joints below them, bone and weights. An empty list means "
     "all.",
     NAMES_AT(included_joints, included_joint_count), .takes = "list of joint names"},
    {"exclude", KIND(NAMES), "none",
     "Gives these joints neither bone nor weights: props, helper joints outside the body. Joints "
     "below them keep theirs.",
     NAMES_AT(cook.excluded_joints, cook.excluded_joint_count), .takes = "list of joint names"},
};

// Limits
// ------------------------------------------------------------------------------------------------

static const tlw_recipe_key limit_keys[] = {
    {"extent", KIND(NUMBER), "0.1",
     "How far a voxel may move from its skinned place, as a share of the longest extent.",
     AT(cook.limit_extent), RANGE(LIMIT_LEAST, 1000)},
    {"thickness", KIND(NUMBER), "0.6",
     "The same as a share of the local thickness. The smaller of the two limits holds. A limit "
     "that ignores thickness lets arms smear across the body.",
     AT(cook.limit_thickness), RANGE(LIMIT_LEAST, 1000)},
};

static const tlw_recipe_key cook_limit_keys[] = {
    {"voxels", KIND(INTEGER), "4000000",
     "A character that needs more voxels is refused, with the number. A wrong unit or resolution "
     "then ends with a message and not with a machine out of memory.",
     AT(cook.max_voxels), RANGE(1, 1e9)},
    {"memory_mb", KIND(INTEGER), "4096",
     "The same for the memory that cooking needs, in units of 2^20 bytes.",
     .read = tlw_recipe_read_memory, RANGE(1, 1 << 20)},
};

// The whole
// ------------------------------------------------------------------------------------------------

static const uint32_t width_choices[] = {2, 3, 0};
static const uint32_t neighbour_choices[] = {
#define NEIGHBOUR_CHOICE(number, faces, edges, corners) number,
    TLW_NEIGHBOUR_SETS(NEIGHBOUR_CHOICE)
#undef NEIGHBOUR_CHOICE
        0};

// The order matters: the preset comes before the keys that override it, the anchor of all layers
// before that of each, and the layers before the parts and profiles that name them.
// The viewer
// ------------------------------------------------------------------------------------------------

static const tlw_recipe_key view_filter_keys[] = {
    {"on", KIND(SWITCH), "false",
     "Whether poses are filtered, as captured ones that tremble need "
     "([MODEL 4.10](../../runtime/MODEL.md)).",
     AT(view.has_filter)},
    {"cutoff_hz", KIND(NUMBER), "1.5", "Cutoff for a joint that does not move.", AT(view.cutoff_hz),
     RANGE(1e-3, 1e3)},
    {"hz_per_speed", KIND(NUMBER), "3", "How much higher it is for each m/s of a joint.",
     AT(view.hz_per_speed), RANGE(0, 1e3)},
    {"hz_per_turn", KIND(NUMBER), "3", "How much higher it is for each rad/s of a joint.",
     AT(view.hz_per_turn), RANGE(0, 1e3)},
};

static const tlw_recipe_key view_tension_keys[] = {
    {"*", KIND(NUMBER), "0",
     "How hard the muscle of that name is flexed, as by `tlw_character_set_tension`.", RANGE(0, 1)},
};

static const tlw_recipe_key view_layer_keys[] = {LIMIT_SCALE_KEY(
    "Multiplies the limit of the named layer. Outside of profiles nothing cooks it: "
    "a game sets it with `tlw_character_set_material`.")};
static const tlw_recipe_key view_part_layer_keys[] = {LIMIT_SCALE_KEY("The same in this part.")};

static const tlw_recipe_key view_layers_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(view_layer_keys)},
};
static const tlw_recipe_key view_part_layers_keys[] = {
    {"*", KIND(OBJECT), MEMBERS(view_part_layer_keys)},
};

static const tlw_recipe_key view_part_keys[] = {
    {"joint", KIND(NAME), "required",
     "A joint that has a part, by `parts` or because it is firm. A joint may have one entry.",
     .offset = offsetof(tlw_cook_profile_part, joint), .takes = "joint name", .is_required = true},
    {"layers", KIND(NAMED), .read = tlw_recipe_read_profile_layers, MEMBERS(view_part_layers_keys)},
};

static const tlw_recipe_key view_keys[] = {
    {"gravity", KIND(VECTOR), "[0, 0, 0]", "Gravity in m/s^2, along the axes of the world.",
     AT(view.gravity), RANGE(-GRAVITY_MOST, GRAVITY_MOST)},
    {"wind", KIND(VECTOR), "[0, 0, 0]", "Wind in m/s, along the axes of the world.", AT(view.wind),
     RANGE(-WIND_MOST, WIND_MOST)},
    {"wind_drag", KIND(NUMBER), "0", "How fast tissue takes on the wind, per metre; 0: not at all.",
     AT(view.wind_drag), RANGE(0, WIND_MOST)},
    {"time_scale", KIND(NUMBER), "1", "Multiplies the time of the tissue, not that of the clip.",
     AT(view.time_scale), RANGE(0, 10)},
    {"rotation_iterations", KIND(INTEGER), "2", "Newton steps for each region's rotation.",
     AT(view.rotation_iterations), RANGE(1, 4)},
    {"repeats", KIND(INTEGER), "1", "How often a substep repeats stretch and shape matching.",
     AT(view.repeats), RANGE(1, 8)},
    {"skinned_volume", KIND(SWITCH), "true",
     "`false` switches skinned volume off where `volume.reach` has cooked it.",
     AT(view.skinned_volume)},
    {"own_limbs", KIND(SWITCH), "true",
     "`false` switches the character's own limbs off where `limbs` has cooked them.",
     AT(view.own_limbs)},
    {"filter", KIND(OBJECT), MEMBERS(view_filter_keys)},
    {"tensions", KIND(NAMED), .read = tlw_recipe_read_tensions, MEMBERS(view_tension_keys)},
    {"layers", KIND(NAMED), .read = tlw_recipe_read_view_layers, MEMBERS(view_layers_keys)},
    {"parts", KIND(LIST), .read = tlw_recipe_read_view_parts, .identity = "joint",
     MEMBERS(view_part_keys)},
    {"profile", KIND(NAME), "cooked", "The profile whose materials are shown first.",
     .read = tlw_recipe_read_view_profile, AT(view.profile), .takes = "name of a profile"},
    {"clip", KIND(NAME), "the first", "The clip that plays first, unless the command names one.",
     AT(view.clip), .takes = "name of a clip"},
    {"root_motion", KIND(SWITCH), "true", "`false` takes the way over the ground out of clips.",
     AT(view.root_motion)},
    {"noise_mm", KIND(NUMBER), "0",
     "Noise of captured poses in mm, on a character of 1.7 m; the pose filter calms it.",
     AT(view.noise_mm), RANGE(0, NOISE_MOST)},
};

static const tlw_recipe_key recipe_keys[] = {
    {"$schema", KIND(TEXT), "none",
     "For editors, which then check and complete what is typed: the path or address of "
     "`recipe.schema.json`, which is installed in `share/tallow`. The cooker does not read it.",
     .offset = 0},
    {"extend", KIND(FILES), "none",
     "One or several recipes that this one builds on, such as a studio's common look. A path is "
     "relative to the file that names it. Of several, a later file overrides an earlier one, and "
     "this recipe overrides all.",
     .offset = 0},
    {"resolution", KIND(INTEGER), "48",
     "Voxels along the character's longest extent. 48 gives 2,500 to 3,300 voxels on real "
     "characters. Use 32 for crowds and 64 for heroes: cost grows with the number of voxels.",
     AT(cook.resolution), RANGE(2, 1024)},
    {"voxel_size", KIND(NUMBER), "none",
     "Edge of a voxel, instead of `resolution`. Use it when several characters should have voxels "
     "of the same size. A recipe with both keys is refused.",
     .read = tlw_recipe_read_voxel_size, AT(cook.voxel_metres), .takes = "metres",
     RANGE(1e-6, 1000), .instead_of = "resolution"},
    {"region_width", KIND(CHOICE), "3",
     "Width of the regions that shape matching fits, in voxels. 3 fits each voxel with its "
     "neighbours; 2 gives smaller regions, which bend more easily.",
     AT(cook.region_width), .choices = width_choices},
    {"neighbours", KIND(CHOICE), "26",
     "How many neighbours each voxel keeps its distance to in the stretch pass. 26 leaves the "
     "fewest floppy deformations. 20, one reading of the paper, has no face neighbours and leaves "
     "parts that are one voxel thick unconstrained.",
     AT(cook.neighbours), .choices = neighbour_choices},
    {"weights", KIND(WORD), "auto",
     "Where a voxel's joint weights come from. `artist` takes those of the nearest point of the "
     "mesh. `heat` lets heat flow from the bones through the body (Chen et al. 2013), `diffusion` "
     "spreads it without a source in the tissue, and `geodesic` computes weights from path lengths "
     "to the bones, as Iwamoto et al. 2015 do. `auto` is `artist` where the mesh has weights and "
     "`heat` otherwise. Artist weights reproduce the artist's skinning most closely: a mean error "
     "of 0.04 to 0.4% of the longest extent at resolution 32. Without them heat comes closer than "
     "geodesic on most characters (0.18 against 0.45% on CesiumMan, 0.68 against 0.85% on Fox).",
     .read = tlw_recipe_read_weights, .words = weights_words},
    {"smoothing", KIND(INTEGER), "4",
     "Smoothing passes over artist weights inside the character. Nearest points jump from one side "
     "of a limb to the other at its middle; smoothing spreads that jump over a few voxels.",
     AT(cook.smoothing_passes), RANGE(0, 100)},
    {"heat", KIND(LIST), .read = tlw_recipe_read_heat, .identity = "joint", MEMBERS(heat_keys)},
    {"skinning", KIND(WORD), "linear",
     "How joints move voxels and vertices. Use `dual` if the engine skins by dual quaternions: "
     "under such an engine `linear` is up to 1.2 voxels off. A limb that is twisted by 150 degrees "
     "keeps its volume with `dual` and loses 15.6% of it with `linear` "
     "([MODEL 3.13](../../runtime/MODEL.md)).",
     .read = tlw_recipe_read_skinning, .words = skinning_words},
    {"volume", KIND(OBJECT), MEMBERS(volume_keys)},
    {"preset", KIND(WORD), "default",
     "Sets stiffness, damping and anchor of muscle, fat and skin in one word. `default` suits real "
     "characters, `athletic` moves less and `heavy` more. `bunny` to `bloat-low` have stiffness "
     "and "
     "damping of Table 2 of Iwamoto et al. 2015. `classic` was the default before blobs of format "
     "5, for projects that keep its look. Other keys override it, wherever they stand in the file. "
     "The values are in [MODEL 3.10](../../runtime/MODEL.md).",
     .read = tlw_recipe_read_preset, .words = tlw_recipe_preset_words},
    {"anchor_hz", KIND(NUMBER), "none",
     "The anchor of every layer that does not give its own, in place of the preset's. "
     "`layers[].anchor_hz` says what an anchor is.",
     .read = tlw_recipe_read_anchor, RANGE(0, 1000)},
    {"delta", KIND(DELTA), "none",
     "The anchor of every layer that does not give its own, as a `delta`, instead of `anchor_hz`. "
     "`layers[].delta` says what a delta is.",
     .read = tlw_recipe_read_anchor, .instead_of = "anchor_hz"},
    {"layers", KIND(LIST), "bone, muscle, fat, skin",
     "The layers from the inside out. The first is bone and the last is skin, whatever their names "
     "are; no other layer may be called `bone` or `skin`.",
     .read = tlw_recipe_read_layers, RANGE(2, TLW_COOK_LAYERS_MAX), MEMBERS(layer_keys)},
    {"bone", KIND(OBJECT), MEMBERS(bone_keys)},
    {"parts", KIND(LIST), .read = tlw_recipe_read_parts, .identity = "joint", MEMBERS(part_keys)},
    {"firm", KIND(FIRM), "auto",
     "Which joints, with all joints below them, are firm: stiffness 2, damping 0.1 and an anchor "
     "of "
     "12 Hz in every layer, so that heads, hands and feet do not wobble. `auto` finds them by "
     "names "
     "and by shape ([RULES 8.6](../cook/RULES.md)); an empty list makes nothing firm.",
     NAMES_AT(cook.firm_joints, cook.firm_joint_count)},
    {"profiles", KIND(NAMED), "none",
     "Materials under a name of the studio's, 1 to 63 bytes, that a game fades to at run time with "
     "`tlw_character_fade_to`: a tense fighter, a diver under water. A profile begins as what the "
     "recipe says outside of it, which is called `cooked`; no profile may have that name "
     "([RULES 8.8](../cook/RULES.md)).",
     .read = tlw_recipe_read_profiles, .takes = "profiles by name", RANGE(0, PROFILES_MOST),
     MEMBERS(profiles_keys)},
    {"paint", KIND(OBJECT), MEMBERS(paint_keys)},
    {"cuts", KIND(LIST), .read = tlw_recipe_read_cuts, .identity = "joints", MEMBERS(cut_keys)},
    {"limit", KIND(OBJECT), MEMBERS(limit_keys)},
    {"limbs", KIND(SWITCH), "false",
     "`true` also cooks capsules of the character's own limbs, which press into its soft tissue "
     "where they meet it, so that an arm does not sink into the belly that it rests on. It takes 8 "
     "bytes a voxel and time in every substep; a game switches it off with "
     "`tlw_settings.own_limbs` ([RULES 9.11](../cook/RULES.md)).",
     AT(cook.has_limbs)},
    {"auto_bulge", KIND(NUMBER), "1",
     "`bulge` of automatic muscles, where `muscles` lists `\"auto\"`. 2 moves vertices by up to "
     "0.3 "
     "to 2% of the longest extent.",
     .read = tlw_recipe_read_auto_bulge, RANGE(0, 10)},
    {"muscles", KIND(LIST), "none",
     "Muscles that thicken as they shorten and that a game can tense "
     "(`tlw_character_set_tension`). `\"auto\"` stands for four around every elbow and knee "
     "([RULES 9.13](../cook/RULES.md)); others are given by lines over joints "
     "([RULES 9.12](../cook/RULES.md)). Lengths are metres, whatever the asset's unit is. A file "
     "that extends another changes muscles by their names.",
     .read = tlw_recipe_read_muscles, .takes = "list of objects and words", .words = muscle_words,
     .identity = "name", MEMBERS(muscle_keys)},
    {"rest_gravity", KIND(VECTOR), "[0, 0, 0]",
     "The gravity that the shape was modelled under, in m/s^2 along the axes of the model. A "
     "sculpt that shows how a standing body sags has [0, -9.81, 0]: under that gravity it stays as "
     "it is, and upside down it sags by twice as much. It matters only where the game sets gravity "
     "([MODEL 3.17](../../runtime/MODEL.md)).",
     AT(cook.rest_gravity), RANGE(-GRAVITY_MOST, GRAVITY_MOST)},
    {"meshes", KIND(OBJECT), .read = tlw_recipe_read_meshes, MEMBERS(mesh_keys)},
    {"joints", KIND(OBJECT), .read = tlw_recipe_read_joints, MEMBERS(joint_keys)},
    {"embedding", KIND(WORD), "fit",
     "What render vertices need to follow the voxels. `fit` adds nothing to the blob. `rbf` adds "
     "radial basis functions over the surface, a system per group of joints: smoother than fit and "
     "less exact, for few voxels under a dense mesh. It costs seven times the sum of `delta` and "
     "about 190 bytes a vertex, and needs the artist's weights ([RULES 10.10](../cook/RULES.md)).",
     .read = tlw_recipe_read_embedding, .words = embedding_words},
    {"seam_passes", KIND(INTEGER), "5",
     "Smoothing passes of `rbf` over vertices where its systems meet. Without them seams show as "
     "creases; 5 leave 0.4 of them.",
     AT(cook.seam_passes), RANGE(0, 16)},
    {"ring_normals", KIND(SWITCH), "false",
     "`true` also cooks what normals from mesh neighbours need, which are cheaper with `delta`: "
     "for "
     "crowds. It takes 72 bytes a vertex. Without artist weights it is left out, and the report "
     "says so ([RULES 10.9](../cook/RULES.md)).",
     AT(cook.has_ring_normals)},
    {"limits", KIND(OBJECT), MEMBERS(cook_limit_keys)},
    {"metres_per_unit", KIND(NUMBER), "1", "Length of the asset's unit. A blob is in metres.",
     .read = tlw_recipe_read_double, AT(metres_per_unit), RANGE(1e-6, 1e6)},
    {"view", KIND(OBJECT), .read = tlw_recipe_read_view, MEMBERS(view_keys)},
};

const tlw_recipe_key tlw_recipe_keys = {.name = "", MEMBERS(recipe_keys)};

const tlw_recipe_key* tlw_recipe_find_key(const tlw_recipe_key* object, const char* name) {
    for (size_t i = 0; i < object->member_count; ++i) {
        const tlw_recipe_key* key = &object->members[i];
        if (strcmp(key->name, "*") == 0 || strcmp(key->name, name) == 0) {
            return key;
        }
    }
    return NULL;
}
