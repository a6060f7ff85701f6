// SPDX-License-Identifier: MIT
// The cooking library: takes raw arrays and gives one blob (RULES 1 to 12). A studio cooks from its
// own mesh format with it; tallow-cook is a command over it. Errors are values: nothing is printed,
// and no file is touched. The same input and recipe give the same bytes on every machine and for
// every number of threads.
#ifndef TLW_TOOLS_COOK_COOK_H
#define TLW_TOOLS_COOK_COOK_H

#include "platform/base.h"
#include "platform/result.h"
#include "platform/task.h"
#include "runtime/asset.h"

TLW_EXTERN_C_BEGIN

#define TLW_COOK_LAYERS_MAX 8
#define TLW_COOK_NAME_MAX   64
#define TLW_NO_JOINT        UINT32_MAX
#define TLW_COOK_KEEP       (-1) // in a part: keeps what the layer or the recipe has

// Input

// Model space is right-handed and in metres; any axis may be up. Matrices are 4x4, column-major as
// in glTF: element [column * 4 + row].
typedef struct tlw_cook_joint {
    const char* name; // unique
    uint32_t parent;  // TLW_NO_JOINT for a root; parents may come after their children
    double bind[16];  // from joint space to model space in the bind pose
} tlw_cook_joint;

typedef enum tlw_cook_role {
    TLW_ROLE_VOXELISE, // gives the character its shape, and is bound to the voxels
    TLW_ROLE_RIDE,     // only bound to the voxels: clothes, eyes
    TLW_ROLE_IGNORE
} tlw_cook_role;

// What can be painted: vertex attributes from 0 to 1 (RULES 8.7).
typedef enum tlw_cook_paint {
    TLW_PAINT_FAT,       // less muscle, so more fat; 0 where nothing is painted
    TLW_PAINT_STIFFNESS, // a quarter to four times as stiff; 1/2 where nothing is painted
    TLW_COOK_PAINTS
} tlw_cook_paint;

// Triangles in bind pose, model space. The arrays belong to the caller and are not kept.
typedef struct tlw_cook_mesh {
    const char* name;
    tlw_cook_role role;
    uint32_t vertex_count;
    const float* positions; // 3 per vertex
    const float* normals;   // 3 per vertex, or null: the bound vertices have none
    const float* tangents;  // 4 per vertex (w: handedness), or null
    const float* uvs;       // 2 per vertex, or null; for tools only
    uint32_t triangle_count;
    const uint32_t* indices; // 3 per triangle
    // The artist's skinning: influence_count joints and weights per vertex, 0 if there is none. A
    // weight of 0 is no influence. A vertex has a joint with weight once at most. Weights that do
    // not sum to 1 are normalised and reported.
    uint32_t influence_count;
    const uint32_t* joints;
    const float* weights;
    const float* paint[TLW_COOK_PAINTS]; // one float per vertex, 0 to 1, or null
} tlw_cook_mesh;

// Further points to bind, in bind pose and model space: sockets, a reordered vertex buffer.
typedef struct tlw_cook_points {
    const char* name;
    uint32_t count;
    const float* positions;
    const float* normals;     // or null
    uint32_t influence_count; // as in a mesh
    const uint32_t* joints;
    const float* weights;
} tlw_cook_points;

typedef struct tlw_cook_input {
    const tlw_cook_joint* joints;
    uint32_t joint_count;
    const tlw_cook_mesh* meshes;
    uint32_t mesh_count;
    const tlw_cook_points* points;
    uint32_t points_count;
} tlw_cook_input;

// Recipe: what the artist chooses

typedef enum tlw_cook_weights {
    TLW_WEIGHTS_AUTO, // artist where the mesh has weights, heat otherwise
    TLW_WEIGHTS_ARTIST,
    TLW_WEIGHTS_HEAT,
    TLW_WEIGHTS_DIFFUSION,
    TLW_WEIGHTS_GEODESIC
} tlw_cook_weights;

// How a joint's heat spreads (RULES 5.9 and 5.10). Joints without an entry have 1 and 1.
typedef struct tlw_cook_heat {
    const char* joint;
    float strength; // b: above 1 narrows the blend with other joints, below 1 widens it
    float energy;   // e: above 1 moves the border away from the joint
} tlw_cook_heat;

// A threshold as an integer fraction, so that no rounding decides a voxel's layer.
typedef struct tlw_cook_fraction {
    uint32_t numerator, denominator;
} tlw_cook_fraction;

// What solves a layer.
typedef enum tlw_cook_solver {
    TLW_SOLVER_KEEP,  // in a part: what the layer says; in a layer: that of the layer inside it in
                      // the same part, shape for the first
    TLW_SOLVER_SHAPE, // shape matching
    TLW_SOLVER_LAME   // physical units (RULES 8.9), with all layers outside it
} tlw_cook_solver;

// Numbers of a Lame layer. Negative (TLW_COOK_KEEP), in a part: what the layer says; in a layer:
// that of the layer inside it in the same part if that is lame, else 3 kPa, 0.4975 and 950 kg/m^3.
typedef struct tlw_cook_lame {
    tlw_cook_solver solver;
    float young_kpa; // above 0, at most 1e6
    float poisson;   // 0 to 0.4999
    float density;   // kg/m^3, 1 to 1e5
} tlw_cook_lame;

// Keeps everything.
tlw_cook_lame tlw_default_cook_lame(void);

// Layers are given innermost first: the first is bone, the last is skin (RULES 8).
typedef struct tlw_cook_layer {
    char name[TLW_COOK_NAME_MAX];
    // For layers between bone and skin: a voxel belongs to the first layer whose ratio is at least
    // d_bone / (d_bone + d_skin). Ratios ascend. The layer below the skin takes the rest, and its
    // ratio is not read.
    tlw_cook_fraction ratio;
    float stiffness; // ks, at resolution 32
    float damping;   // kd: share of the relative velocity that is left after 0.1 s
    float anchor_hz; // f_a: frequency of the pull back to the skinned place
    tlw_cook_lame lame;
} tlw_cook_layer;

// Parameters for a joint and its subtree (RULES 8.5). A negative number (TLW_COOK_KEEP) or a
// denominator of 0 keeps what the layer or the recipe has; so does all that
// tlw_default_cook_part fills in.
typedef struct tlw_cook_part {
    const char* joint;
    // Also for the joint whose name has left and right, or l and r, exchanged, unless the recipe
    // has a part for that one.
    bool is_mirrored;
    float stiffness[TLW_COOK_LAYERS_MAX]; // these four per layer
    float damping[TLW_COOK_LAYERS_MAX];
    float anchor_hz[TLW_COOK_LAYERS_MAX];
    tlw_cook_fraction ratio[TLW_COOK_LAYERS_MAX];
    tlw_cook_fraction bone_share;
    int32_t bone_radius_voxels; // goes before bone_share
    float limit_extent, limit_thickness;
    tlw_cook_lame lame[TLW_COOK_LAYERS_MAX];
} tlw_cook_part;

tlw_cook_part tlw_default_cook_part(const char* joint);

// What becomes of links between the voxels of two joints, given by name (RULES 6.5).
typedef enum tlw_cook_cut_kind {
    TLW_CUT_NEVER,
    TLW_CUT_FORCED, // cut where surface lies between them and no skin joins them
    TLW_CUT_ALL     // every one of them is cut
} tlw_cook_cut_kind;

typedef struct tlw_cook_cut {
    const char* joint_a;
    const char* joint_b;
    tlw_cook_cut_kind kind;
} tlw_cook_cut;

// What is cooked for the embedding beyond what delta, fit and frames need.
typedef enum tlw_cook_embedding {
    TLW_COOK_EMBED_FIT, // nothing
    TLW_COOK_EMBED_RBF  // radial basis functions (RULES 10.10); needs artist weights
} tlw_cook_embedding;

// A set of numbers of a profile (RULES 8.8), per layer; negative (TLW_COOK_KEEP) keeps what the
// recipe has.
typedef struct tlw_cook_profile_part {
    const char* joint; // of a part; null: part 0, the whole character
    float stiffness[TLW_COOK_LAYERS_MAX];
    float damping[TLW_COOK_LAYERS_MAX];
    float anchor_hz[TLW_COOK_LAYERS_MAX];
    float limit_scale[TLW_COOK_LAYERS_MAX];
} tlw_cook_profile_part;

tlw_cook_profile_part tlw_default_cook_profile_part(const char* joint);

// Materials under a name. Later entries about a part override earlier ones.
typedef struct tlw_cook_profile {
    const char* name; // unique, not "cooked"
    const tlw_cook_profile_part* parts;
    uint32_t part_count;
} tlw_cook_profile;

// A place in bind pose, model space: on the first segment that a joint owns, or anywhere with
// weights for up to 4 joints (RULES 9.12).
#define TLW_COOK_PLACE_JOINTS 4
typedef struct tlw_cook_place {
    const char* joint;                         // null: `joints`, `weights` and `at` count instead
    float along;                               // share of the segment
    float offset[3];                           // metres, model axes
    const char* joints[TLW_COOK_PLACE_JOINTS]; // null: no more
    float weights[TLW_COOK_PLACE_JOINTS];      // above 0
    float at[3];                               // metres
} tlw_cook_place;

// A vertex of an action line.
typedef struct tlw_cook_line_vertex {
    tlw_cook_place place;
    float radius;       // share of the muscle's, 0 to 1; negative: 1, and 0 at the ends
    int32_t is_dynamic; // 1, 0; negative: 1, and 0 at the ends
} tlw_cook_line_vertex;

// An ellipsoid that pushes a line away or draws it near.
typedef struct tlw_cook_muscle_field {
    tlw_cook_place place; // of one joint, whose motion it follows
    float radii[3];       // metres, model axes
    float gain;           // 0 to 40; 10
    bool attracts;        // false: it repels
    float reach; // of one that attracts: as far as this many radii, above 1, at most 100; 2
} tlw_cook_muscle_field;

// A muscle (RULES 9.12).
typedef struct tlw_cook_muscle {
    const char* name; // unique; null: the automatic muscles (9.13) stand here, only `bulge` is read
    float radius;     // metres, above 0
    float bulge;      // factor of thickening, 0 to 10; 1
    const tlw_cook_line_vertex* line;
    uint32_t vertex_count;   // 3 to 32
    const uint32_t* tendons; // segments that hardly stretch
    uint32_t tendon_count;
    const tlw_cook_muscle_field* fields;
    uint32_t field_count;     // at most 8
    const char* flex_joint;   // tension follows this joint's angle; null: it follows none
    float flex_from, flex_to; // degrees, 0 to 180
    bool is_mirrored;         // also on the other side, right after this one
} tlw_cook_muscle;

tlw_cook_muscle tlw_default_cook_muscle(const char* name);
tlw_cook_muscle_field tlw_default_cook_muscle_field(void);

typedef struct tlw_cook_recipe {
    uint32_t resolution;   // voxels along the longest extent; 0: voxel_metres is given instead
    double voxel_metres;   // used when resolution is 0
    uint32_t region_width; // d_r: 3 or 2
    uint32_t neighbours;   // 6, 14, 18, 20 or 26
    tlw_cook_weights weights;
    uint32_t smoothing_passes; // over artist weights
    const tlw_cook_heat* heat; // for heat and diffusion weights
    uint32_t heat_count;
    tlw_cook_layer layers[TLW_COOK_LAYERS_MAX];
    uint32_t layer_count; // 2 to 8
    // Bone: d_seg <= floor(bone_share (d_seg + d_skin)), or, where bone_radius_voxels is not
    // negative, d_seg <= bone_radius_voxels.
    tlw_cook_fraction bone_share;
    int32_t bone_radius_voxels;
    const tlw_cook_part* parts;
    uint32_t part_count;
    const tlw_cook_cut* cuts;
    uint32_t cut_count;
    const char* const* excluded_joints; // names of joints that get no segment and no weight
    uint32_t excluded_joint_count;
    // Firm parts hardly move (RULES 8.6). True, the default: the cooker finds them by the names of
    // joints and by shape, and firm_joints is not read. False: these joints, by name and each only
    // once, and what is below them; with none, nothing is firm.
    bool is_firm_auto;
    const char* const* firm_joints;
    uint32_t firm_joint_count;
    // How far a voxel may leave its skinned position: the smaller of limit_extent times the longest
    // extent and limit_thickness times the local thickness (RULES 9.6).
    float limit_extent;           // 0.10
    float limit_thickness;        // 0.6
    tlw_cook_embedding embedding; // TLW_COOK_EMBED_FIT
    uint32_t seam_passes;         // of rbf, 0 to 16; 5
    bool has_ring_normals;        // cook what ring normals need (RULES 10.9); false
    // Skinned volume (RULES 9.8): how far a voxel may be moved, as a share of how deep the bend
    // is, 0 to 10; 0.5. 0: none is cooked.
    float volume_reach;
    bool has_limbs; // cook capsules of the character's own limbs (RULES 9.11); false
    // What the shape was modelled under, model space, m/s^2, each within 1e6; 0. A sculpt that
    // shows the sag of standing upright has 0, -9.81, 0, and then does not sag again (MODEL 3.17).
    float rest_gravity[3];
    tlw_skinning skinning; // of voxels and vertices (MODEL 3.13); TLW_SKINNING_LINEAR
    const tlw_cook_profile* profiles;
    uint32_t profile_count; // at most 255
    const tlw_cook_muscle* muscles;
    uint32_t muscle_count;
    // A character that needs more is refused, with the number that it would need.
    uint32_t max_voxels;
    uint64_t max_memory_bytes;
    uint32_t cookie;
} tlw_cook_recipe;

tlw_cook_recipe tlw_default_cook_recipe(void);

// The anchor_hz that leaves this share of a deviation after 1/60 s, which Chen et al. 2013 call
// delta: 0.9 is 3.10 Hz, 1 is 0 Hz. TLW_COOK_KEEP for a delta that is not above 0 and up to 1.
float tlw_cook_anchor_of_delta(double delta);

// Cooking

// Called between stages and inside those that take long, on the calling thread. `stage` is a string
// literal, and `share` grows from 0 to 1, which is reported only after success.
typedef void tlw_cook_progress(const char* stage, double share, void* user);

typedef struct tlw_cook_options {
    tlw_task_system tasks;       // serial by default; the bytes do not depend on it
    tlw_cook_progress* progress; // or null
    void* user;                  // for progress
    uint32_t cookie;
} tlw_cook_options;

tlw_cook_options tlw_default_cook_options(void);

// The first mistake that was found, with place and value.
typedef struct tlw_cook_error {
    tlw_result result;
    bool is_of_recipe; // the recipe is at fault, or its limits are too low; false: the asset is
    // The key at fault as a recipe file spells it, "limits.voxels"; empty: none in particular.
    char key[48];
    char message[512];
} tlw_cook_error;

// How many links were cut between the voxels of two joints.
typedef struct tlw_cook_cut_report {
    uint32_t joint_a, joint_b, link_count;
} tlw_cook_cut_report;

// A part, with what each layer has in it.
typedef struct tlw_cook_part_report {
    uint32_t joint; // TLW_NO_JOINT for part 0, the whole character
    uint32_t voxels;
    uint32_t kind; // tlw_part_kind of runtime/asset.h, whose tlw_part_kind_text has words for it
    float stiffness[TLW_COOK_LAYERS_MAX];
    float damping[TLW_COOK_LAYERS_MAX];
    float anchor_hz[TLW_COOK_LAYERS_MAX];
    // Numbers of Lame layers; 0 in other layers (RULES 8.9).
    float young_kpa[TLW_COOK_LAYERS_MAX];
    float poisson[TLW_COOK_LAYERS_MAX];
    float density[TLW_COOK_LAYERS_MAX];
} tlw_cook_part_report;

// A domain of radial basis functions (RULES 10.10).
typedef struct tlw_cook_domain_report {
    uint32_t joint; // the lowest of those that were merged
    uint32_t centres;
} tlw_cook_domain_report;

// A bend of skinned volume (RULES 9.8).
typedef struct tlw_cook_bend_report {
    uint32_t joint;
    uint32_t voxels;
    double volume; // V0
    double reach;  // most that l may be, voxels
} tlw_cook_bend_report;

// A limb of the character's own (RULES 9.11).
typedef struct tlw_cook_limb_report {
    uint32_t joint;
    uint32_t voxels; // that it may touch
    double length;   // of its axis, voxels
    double radius[2];
} tlw_cook_limb_report;

// A muscle (RULES 9.12).
typedef struct tlw_cook_muscle_report {
    char name[TLW_COOK_NAME_MAX];
    uint32_t vertices;
    uint32_t voxels; // that it moves
    double length;   // of its line at rest, voxels
    double radius;   // largest, voxels
} tlw_cook_muscle_report;

// Automatic muscles (RULES 9.13); all 0 unless the recipe asks for them. Only joints with one
// segment above them and one below are counted.
typedef struct tlw_cook_auto_report {
    bool is_asked;
    uint32_t joints;    // with four muscles each
    uint32_t too_short; // without, because a segment is too short
    uint32_t too_thin;  // because the limb is thinner than 1.2 voxels, or has no skin of its own
    uint32_t too_close; // because two vertices of a line would be less than 0.25 voxel apart
} tlw_cook_auto_report;

// What vertices of a mesh of the input are bound to.
typedef struct tlw_cook_mesh_report {
    uint32_t far_vertices;    // more than 2 voxels away from the nearest voxel (RULES 10.3)
    uint32_t seated_vertices; // of these, those that ride with their joint
    double farthest;          // voxels; 0 without
} tlw_cook_mesh_report;

typedef struct tlw_cook_report {
    uint32_t welded_vertices, triangles, collapsed_triangles;
    uint32_t open_edges, non_manifold_edges;
    uint32_t normalised_vertices; // vertices whose weights did not sum to 1
    double voxel_metres;
    uint32_t size[3];
    uint32_t voxels, voxels_touched, voxels_enclosed, voxels_voted;
    uint32_t layer_voxels[TLW_COOK_LAYERS_MAX];
    uint32_t
        left_out_joints; // no vertex of the body has weight for them, or the recipe excludes them
    uint32_t* left_out;  // which
    uint32_t outside_joints; // that are not left out, and more than a voxel off the body
    uint32_t* outside;       // which
    uint32_t mesh_count;
    tlw_cook_mesh_report* meshes;
    uint32_t boneless_components, boneless_voxels; // pieces without bone, which became bone
    uint32_t blended_voxels;                       // at borders of parts, with two materials
    uint32_t painted_voxels[TLW_COOK_PAINTS];      // that paint changes
    uint32_t cut_links, cut_pair_count;
    tlw_cook_cut_report* cuts;
    uint32_t part_count; // part 0 first
    tlw_cook_part_report* parts;
    bool has_ring_normals;      // false: not asked for, or no vertex has artist weights
    uint32_t vertices_unringed; // vertices whose ring normals see no gradient (RULES 10.9)
    // Radial basis functions; all 0 unless they were asked for.
    uint32_t domain_count;
    tlw_cook_domain_report* domains;
    double rbf_radius_metres; // r: least distance between two centres of a domain
    uint32_t merged_joints;   // whose domain joined another
    uint32_t seam_vertices;   // welded vertices where domains meet
    uint32_t bend_count;
    tlw_cook_bend_report* bends;
    uint32_t left_out_bends; // whose field hardly changes their volume
    uint32_t profile_count;  // the first, "cooked", included
    uint32_t limb_count;
    tlw_cook_limb_report* limbs;
    uint32_t muscle_count;
    tlw_cook_muscle_report* muscles;
    tlw_cook_auto_report automatic;
    uint32_t lame_voxels;
    uint32_t windows, slots, lane_axis;
    uint64_t peak_memory_bytes; // most memory that the stages held, without the blob
    bool has_artist_weights;
    tlw_cook_weights weights; // the mode that was used, never auto
    uint32_t weight_sweeps;   // of heat and diffusion weights
} tlw_cook_report;

typedef struct tlw_cook_output {
    uint8_t* blob; // at an address that is a multiple of 64
    size_t blob_bytes;
    tlw_cook_report report;
    tlw_cook_error error;
} tlw_cook_output;

// Cooks a character. Returns TLW_OK with a validated blob in output->blob, or the result of
// output->error without a blob. Free the output in either case. The arrays and names of the input
// and the recipe need to live only during the call.
tlw_result tlw_cook_character(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                              const tlw_cook_options* options, tlw_cook_output* output);
void tlw_cook_output_free(tlw_cook_output* output);

TLW_EXTERN_C_END

#endif
