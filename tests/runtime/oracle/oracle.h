// SPDX-License-Identifier: MIT
// The oracle: a second runtime, written from MODEL 3 (the substep), MODEL 4 (space and time) and
// MODEL 5 (output) alone, in double precision and plain loops. It shares no line with runtime/ and
// reads no blob. Tests compare the runtime with it; they may read everything that it holds, and may
// write its state between calls.
//
// What the oracle is given once, at creation, is its input (`oracle_input`): voxels, links, regions
// and joints. cooked_input.h makes one from a mesh, small_inputs.h makes small ones by hand.
//
//     oracle_step -> interpolated poses -> skin, bends, muscles -> substep: predict, n x (stretch,
//                                                shape matching), anchor, volume, Lame layers,
//                                                limit, contact, velocity
//                 -> output as old as the lag -> oracle_embed
//
// Simulation space: world-oriented, relative to the root's position, unscaled, in voxels. World
// metres are root position + root scale * voxel_metres * p.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_H

#include "tests/runtime/oracle/oracle_contact.h"
#include "tests/runtime/oracle/oracle_math.h"
#include "tests/runtime/oracle/oracle_muscles.h"

#define ORACLE_NO_VOXEL     UINT32_MAX
#define ORACLE_SUBSTEPS_MAX 6 // per call; more if substeps are shorter than 1/60 s
#define ORACLE_LAYERS       4 // layers that the presets have: bone, muscle, fat, skin
#define ORACLE_BEND_SHARES  2 // bends of a voxel, at most

typedef enum oracle_skinning {
    ORACLE_SKINNING_LINEAR,
    ORACLE_SKINNING_DUAL // dual quaternions (MODEL 3.13)
} oracle_skinning;

// What is cooked of a bend (MODEL 3.12) for the body at rest.
typedef struct oracle_bend_rest {
    double rest_volume; // V0
    double rest_slope;  // A_1rest
    double reach;       // of l, voxels
} oracle_bend_rest;

// Everything that does not change. Voxels are sorted by z, then y, then x. The caller owns the
// arrays and keeps them for as long as the oracle lives.
typedef struct oracle_input {
    uint32_t voxel_count;
    const int32_t (*cell)[3];   // rest position p0 = cell + 0.5, in voxels
    const uint8_t* layer;       // 0 is bone
    const uint16_t* material;   // into the settings' ks, kd, anchors and limit_scales
    const uint16_t* second;     // a second material; null: no voxel has one
    const double* second_share; // of the second material, 0 where there is none
    const double* stiffness;    // factor of ks; null: 1
    const uint32_t (*joint)[4];
    const double (*weight)[4]; // they sum to 1; where a weight is 0 the joint is not read
    const uint32_t* links; // bit k: step k of the 26, x fastest, then y, then z, from (-1,-1,-1)
    const double* limit;   // d_max in voxels
    const double* volume_weight; // Iwamoto 2015, Eq. 13; 0 for bone
    uint32_t neighbours;         // 6, 14, 18, 20 or 26
    uint32_t region_width;       // 3 or 2
    uint32_t region_count;       // width 2 only
    const uint32_t (*region)[8]; // element dx + 2 dy + 4 dz; ORACLE_NO_VOXEL where there is none
    uint32_t joint_count;
    const double (*bind)[16]; // joint to model space, metres, column-major
    double voxel_metres;
    double origin[3];       // lowest corner of cell (0,0,0), model space, metres
    double extent_voxels;   // L
    double stiffness_scale; // (res / 32)^2
    oracle_skinning skinning;
    uint32_t bend_count;           // 0: there are no bends, and the next four are not read
    const oracle_bend_rest* bends; // parents first
    const uint32_t (*bend)[ORACLE_BEND_SHARES];     // per voxel; not read where the share is 0
    const double (*bend_share)[ORACLE_BEND_SHARES]; // C
    const double (*field)[3];                       // F per voxel, along the model's axes
    uint32_t limb_count;           // 0: there are no limbs, and the next three are not read
    const oracle_limb_rest* limbs; // by ascending joint
    const uint32_t* limb_touches;  // per voxel, bit l: limb l may touch it
    const uint32_t* limb_halves;   // among them those that push by half
    double rest_gravity[3];        // g0, model space, m/s^2
    const uint32_t* parent; // per joint, ORACLE_NO_PARENT without one; null: no joint has a parent
    uint32_t muscle_count;  // 0: there are no muscles, and the next two are not read
    const oracle_muscle_rest* muscles;
    const oracle_voxel_bellies* bellies; // per voxel
} oracle_input;

// A material in physical units (MODEL 3.20).
typedef struct oracle_lame {
    double young_pa; // E; 0: the material is not lame
    double poisson;  // nu
    double density;  // rho, kg/m^3
} oracle_lame;

typedef struct oracle_settings {
    uint32_t material_count;
    const double* ks; // per material, as kd and anchors; at resolution 32
    const double* kd;
    const double* anchors; // f_a in Hz
    double limit_scale;
    const double* limit_scales; // per material; null: limit_scale for all
    bool is_limit_off;
    double gravity[3];   // world, m/s^2
    uint32_t iterations; // of the rotation per repeat: 1 to 4; more to let it converge
    uint32_t repeats;    // n
    double h;            // seconds per substep
    bool skinned_volume; // corrects p_skin where the input has bends (MODEL 3.12)
    bool own_limbs;      // limbs touch, where the input has any (MODEL 3.16)
    uint32_t collider_mask;
    double time_scale;
    double wind[3];           // world, m/s
    double wind_drag;         // per metre
    const oracle_lame* lame;  // per material; null: none is lame
    uint32_t line_iterations; // 0: 2, as the page says; in carried substeps 32 whatever this says
    // 0: as many as the page says. With more, their bounds of the spectrum stay those of the page.
    uint32_t shear_iterations, bulk_iterations;
} oracle_settings;

#define ORACLE_PRESETS(X) \
    X(DEFAULT) X(ATHLETIC) X(HEAVY) X(BUNNY) X(SMURF) X(BLOAT) X(BLOAT_LOW) X(CLASSIC)
typedef enum oracle_preset {
#define ORACLE_PRESET_ENUM(name) ORACLE_PRESET_##name,
    ORACLE_PRESETS(ORACLE_PRESET_ENUM)
#undef ORACLE_PRESET_ENUM
        ORACLE_PRESET_COUNT
} oracle_preset;

// One material per layer, four layers; limit on, no gravity, 2 iterations, 1 repeat, 1/60 s,
// skinned volume, own limbs, every collider, time scale 1, no wind.
oracle_settings oracle_preset_settings(oracle_preset preset);

// Poses

typedef struct oracle_trs {
    oracle_vec translation;
    oracle_quat rotation;
    oracle_vec scale;
    oracle_vec shear; // how far y leans along x, z along x, z along y; 0 without shear
} oracle_trs;

typedef enum oracle_pose_kind {
    ORACLE_POSE_TRS,      // joints in model space, metres
    ORACLE_POSE_MATRICES, // the same as 4x4, column-major
    ORACLE_POSE_SKINNING  // 4x4 times inverse bind
} oracle_pose_kind;

typedef struct oracle_pose {
    oracle_pose_kind kind;
    const oracle_trs* trs;
    const double (*matrices)[16];
    double root_position[3]; // metres
    double root_rotation[4]; // xyzw
    double root_scale;
} oracle_pose;

// A pose as the oracle keeps it: joints in model space, and the root.
typedef struct oracle_kept_pose {
    oracle_trs* joints;
    double root_position[3];
    oracle_quat root_rotation;
    double root_scale;
} oracle_kept_pose;

typedef enum oracle_flags {
    ORACLE_DROPPED_TIME = 1, // more substeps were due than a call may run
    ORACLE_BAD_DT = 2,       // the call did nothing
    ORACLE_JUMPED = 4,
    ORACLE_BAD_POSE = 8, // the last good pose stayed in use
    ORACLE_BROKE = 16    // the state was not finite and was reset
} oracle_flags;

// The oracle keeps q after each stage of the last ordinary substep; after stretch and goal those of
// its last repeat.
typedef enum oracle_stage {
    ORACLE_STAGE_PREDICT,
    ORACLE_STAGE_STRETCH,
    ORACLE_STAGE_GOAL,
    ORACLE_STAGE_ANCHOR,
    ORACLE_STAGE_VOLUME,
    ORACLE_STAGE_LAME,
    ORACLE_STAGE_LIMIT,
    ORACLE_STAGE_CONTACT,
    ORACLE_STAGE_COUNT
} oracle_stage;

// Where the skeleton and its muscles put the voxels at one moment.
typedef struct oracle_skin {
    const oracle_vec* p_skin;     // [voxel]: t of MODEL 3.19, p_skin + m
    const oracle_vec* m;          // [voxel]: what muscles have added to it
    const oracle_quat* Rb;        // [voxel]
    oracle_vec root_displacement; // since the last substep, in voxels: metres / (voxel * scale)
    double root_scale;
    const double* root_position; // metres
} oracle_skin;

// What a voxel's materials come to in a substep (MODEL 3.10); what a fade moves (MODEL 3.14).
typedef struct oracle_gains {
    double goal;   // G(ks)
    double anchor; // 1 - a
    double kept;   // K = kd^(h/0.1)
    double limit;  // d_max
} oracle_gains;

struct oracle {
    const oracle_input* input;
    oracle_settings settings; // may be changed between calls

    // Computed from the input at creation
    oracle_vec* rest;       // p0
    uint32_t (*linked)[26]; // voxel, or ORACLE_NO_VOXEL
    uint32_t region_count;
    uint32_t* region_first; // [region + 1] into region_voxels
    uint32_t* region_voxels;
    uint32_t* region_guide;  // the voxel whose Rb the region uses
    oracle_vec* region_rest; // c0
    uint32_t* holding_first; // [voxel + 1] into holding: regions that hold the voxel
    uint32_t* holding;
    struct oracle_joint* joints;
    double* volume_floor;   // 2/3 of the denominator of the voxel's stencil at rest (MODEL 3.5)
    oracle_vec* open_faces; // A: sum of the normals of faces without a voxel behind them

    // State. v - v_skin is a velocity divided by the voxel's share (MODEL 3.9): tests that mean
    // velocities use oracle_velocity and oracle_set_velocity.
    oracle_vec *p, *v;
    double* share; // max(1 - a, 1/2) of the material and the h that v was made with; bone: 1
    oracle_vec *p_skin_prev, *v_skin; // of the last substep; t where there are muscles
    oracle_vec* m;                    // of the last substep
    oracle_muscle* muscles;           // tests may write set_tension, x and v
    // Longest |dy| of a last iteration for rest: large where a line went from side to side.
    double line_restless;
    oracle_quat *Rb, *R;  // of the last substep
    oracle_vec *d0, *d1;  // Rb^T (p - p_skin) of the second to last substep, of the last; with m
    oracle_quat *Q0, *Q1; // Rb^T R of the same two, Q.w >= 0
    oracle_quat *region_R, *region_Q; // width 3: the same as the voxels'
    bool starts; // v is relative to v_skin, and the next ordinary substep adds its own v_skin
    bool is_fading;
    double fade_seconds;    // of the whole fade
    uint32_t fade_substeps; // that it has had
    oracle_gains* gains;    // per voxel, in the last substep
    // p and the limits as the last substep left them: predict looks for what is outside its limit
    // only where one of them was set since (MODEL 3.3).
    oracle_vec* left_p;
    double* left_limit;
    bool had_skinned_volume; // the setting in the last substep

    // Results of the last ordinary substep
    oracle_vec* stage[ORACLE_STAGE_COUNT];
    oracle_vec* goal; // g_i
    oracle_mat* region_A;
    oracle_vec* region_c;
    double* volume;        // V before the volume stage moved anything
    double* bend_length;   // l of every bend, of the last correction of p_skin
    oracle_touch* touches; // what contact did
    double largest_dp;
    uint32_t quiet_substeps; // how many in a row had an unchanged pose and largest |dp| < 5e-5

    // Contact and forces, which functions of oracle_contact.h set
    oracle_collider colliders[ORACLE_COLLIDERS_MAX];
    oracle_shape limb[ORACLE_LIMBS_MAX]; // at the last substep
    uint32_t sweep_count;                // of the last substep
    oracle_sweep sweeps[ORACLE_SHAPES_MAX];
    oracle_deepest deepest[ORACLE_SHAPES_MAX]; // limbs, then colliders from ORACLE_LIMBS_MAX on
    oracle_drag drags[ORACLE_DRAGS_MAX];
    oracle_filter filter;

    // Time
    double accumulator;        // seconds
    double lag;                // seconds that the drawn deviation is older than the pose, at most
    double root_at_substep[3]; // metres: what p is relative to
    double scale_at_substep;   // of the root
    bool carries_next;         // the next substep is carried, because of a jump before it
    bool has_new_pose;         // set since the last step
    bool has_bad_pose;
    oracle_kept_pose last, now, between; // of the last call, of this call, and scratch
    oracle_kept_pose set;                // that was set, before the filter of poses
    // At the pose of the last call, relative to its root, before any correction.
    oracle_vec* last_p_skin;
    uint32_t substep_count; // of the last call
    uint32_t carried_count; // how many of them were carried
    bool broke;

    // Output of the last call, relative to its root. Deviations of the output are from out_plain,
    // which is p_skin before its correction.
    oracle_vec *out_p_skin, *out_plain;
    oracle_quat* out_Rb;
    oracle_vec* out_p;
    oracle_quat* out_R;

    // Scratch
    oracle_vec* work_p; // p_skin and Rb at a substep
    oracle_quat* work_Rb;
    oracle_vec* work_delta;
    oracle_vec* work_field; // v of the bends
    oracle_vec* work_m;
    oracle_vec *lame_d, *lame_target, *lame_step; // d, the right-hand side, z of Chebyshev
    double* divergence;
};

// The new oracle is at rest on the pose, as after a reset. Null if the pose is bad.
oracle* oracle_create(const oracle_input* input, const oracle_settings* settings,
                      const oracle_pose* pose);
void oracle_destroy(oracle* o);

// Sets the pose of the next call. A bad pose is refused, and the flags of the next step say so.
bool oracle_set_pose(oracle* o, const oracle_pose* pose);
// Returns oracle_flags. With a bad dt nothing happens, and the pose stays set for the next call.
unsigned oracle_step(oracle* o, double dt, bool jump);
// Puts the state at rest on the last call's pose (MODEL 4.5).
void oracle_reset(oracle* o);
// Applies the rigid motion that takes the last call's root to this place.
void oracle_teleport(oracle* o, const double root_position[3], const double root_rotation[4]);

// The substep alone, without what oracle_step does about time.
void oracle_substep(oracle* o, const oracle_skin* skin);
// A carried substep (MODEL 4.3): puts d, the relative velocity and Q on the new pose.
void oracle_carry(oracle* o, const oracle_skin* skin);
// Puts the state at rest on the pose: d and relative velocity 0, Q the identity.
void oracle_rest_on(oracle* o, const oracle_skin* skin);

// p_skin before any correction, and Rb, at a pose (MODEL 3.2, 3.13); the pose is not checked.
void oracle_skin_voxels(const oracle* o, const oracle_kept_pose* pose, oracle_vec* p_skin,
                        oracle_quat* Rb);
// Adds to p_skin what bends have lost (MODEL 3.12), and keeps their l; without bends, or with the
// setting off, nothing.
void oracle_correct_skin(oracle* o, const oracle_kept_pose* pose, oracle_vec* p_skin,
                         const oracle_quat* Rb);
// The volume of every bend at these places over that at rest, less 1: sum C V / V0 - 1.
void oracle_bend_errors(const oracle* o, const oracle_vec* p_skin, const oracle_quat* Rb,
                        double* errors);

// Moves the lines of all muscles to this moment (MODEL 3.18) and works out what their bellies do at
// their vertices; at rest: by statics, as in carried substeps and resets.
void oracle_move_lines(oracle* o, const oracle_kept_pose* pose, oracle_vec root_displacement,
                       bool is_at_rest);
// m of every voxel (MODEL 3.19).
void oracle_displace(const oracle* o, const oracle_quat* Rb, oracle_vec* m);

// Whether a voxel's own material is lame (MODEL 3.20).
bool oracle_is_lame(const oracle* o, uint32_t voxel);
// c, and with `bulk` C, of a voxel; 0 where it is not lame.
double oracle_lame_number(const oracle* o, uint32_t voxel, double root_scale, bool bulk);
// How often the shear is iterated, by the page.
uint32_t oracle_shear_count(const oracle* o, double root_scale);

// Call it before the settings' materials change: the gains are those of the new ones only after so
// many seconds of substeps (MODEL 3.14). 0 s, and oracle_end_fade: from now on.
void oracle_begin_fade(oracle* o, double seconds);
void oracle_end_fade(oracle* o);
// Gains of a voxel in the last substep, or by its materials if nothing fades.
oracle_gains oracle_gains_of(const oracle* o, uint32_t voxel);

bool oracle_keep_pose(const oracle* o, const oracle_pose* pose, oracle_kept_pose* kept);
void oracle_interpolate(const oracle* o, const oracle_kept_pose* a, const oracle_kept_pose* b,
                        double t, oracle_kept_pose* between);
// Writes out_p and out_R on the last call's pose, with deviations that are as old as the lag; every
// step ends with it.
void oracle_output(oracle* o);

// G with the n of the settings, for stretch and shape matching.
double oracle_gain(const oracle_settings* settings, double k);
// a of a voxel: the share of the deviation that its anchor takes in a substep (MODEL 3.8).
double oracle_anchor(const oracle* o, uint32_t voxel);
// The velocity that MODEL 3.9 reports: v_skin + share (v - v_skin). After a carried substep v_skin
// is 0, so that it is relative, as v is.
oracle_vec oracle_velocity(const oracle* o, uint32_t voxel);
void oracle_set_velocity(oracle* o, uint32_t voxel, oracle_vec velocity);
// Newton iterations from R towards the rotation of A (MODEL 3.6).
oracle_quat oracle_rotation(oracle_quat R, const oracle_mat* A, uint32_t iterations);
// V of a voxel's stencil at q (MODEL 3.5); an axis without neighbours is the state's R times its
// unit vector.
double oracle_stencil_volume(const oracle* o, const oracle_vec* q, uint32_t voxel);
// sum m (q - c)(p0 - c0)^T over a region, and its c.
oracle_mat oracle_region_matrix(const oracle* o, const oracle_vec* q, uint32_t region,
                                oracle_vec* c);
// Largest |p - p_skin| of the state.
double oracle_largest_deviation(const oracle* o);

// Embedding: a render vertex or a point, bound as RULES 10 says

typedef struct oracle_bound_point {
    double rest[3];     // x0, in voxels from the grid's lowest corner: (x - origin) / voxel_metres
    double normal[3];   // n0, model space; 0 without a normal
    double tangent[3];  // t0, model space; 0 without a tangent
    uint32_t voxel[8];  // not read where the weight is 0
    double weight[8];   // they sum to 1
    uint32_t joint[8];  // the artist's skinning
    double skinning[8]; // all 0: not skinned, and embedded by frames whatever the embedding
} oracle_bound_point;

// Mesh neighbours of a point (RULES 10.9).
typedef struct oracle_ring {
    uint32_t neighbour[6]; // other points; not read where both weights are 0
    double weight[6][2];   // a_1i, a_2i, per voxel
} oracle_ring;

// One domain of radial basis functions: coefficient i of it is sum_c inverse[i n + c] v_c.
typedef struct oracle_rbf_domain {
    uint32_t first_centre, centre_count;
    uint32_t first_coefficient, coefficient_count;
    double* inverse;
} oracle_rbf_domain;

// Radial basis functions (MODEL 5.4), as cooked.
typedef struct oracle_rbf {
    uint32_t domain_count, centre_count, coefficient_count, row_count, seam_count, seam_passes;
    oracle_rbf_domain* domains;
    oracle_bound_point* centres; // only their voxels are read
    uint32_t* row_first;         // [row + 1]
    uint32_t* row_coefficient;
    double* row_weight;
    uint32_t* point_row;  // [point]
    uint32_t* seam_row;   // [seam]
    uint32_t* seam_first; // [seam + 1] into the two after it
    uint32_t* seam_neighbour;
    double* seam_weight;
    double seam_share; // l
} oracle_rbf;

typedef enum oracle_embedding {
    ORACLE_EMBED_DELTA,
    ORACLE_EMBED_FRAMES,
    ORACLE_EMBED_FIT,
    ORACLE_EMBED_RBF
} oracle_embedding;

typedef struct oracle_embed_def {
    oracle_embedding embedding;
    double smoothing;      // beta of fit
    const oracle_rbf* rbf; // for ORACLE_EMBED_RBF
    // Per point: normals and tangents by rings. Null, and always for frames, which have no u: by
    // gradient.
    const oracle_ring* rings;
} oracle_embed_def;

// What embedding writes, in simulation space; null: not wanted. A point without a normal or tangent
// gets 0.
typedef struct oracle_embedded {
    oracle_vec *positions, *normals, *tangents;
    oracle_vec* deltas; // u: positions less the artist's skinning; 0 for points without that
} oracle_embedded;

// Embeds points in the output of the last call.
void oracle_embed(const oracle* o, const oracle_embed_def* def, const oracle_bound_point* points,
                  uint32_t count, const oracle_embedded* out);
// What TLW_EMBED_AUTO stands for (MODEL 5.1).
oracle_embedding oracle_auto_embedding(bool has_rbf, bool has_artist_weights);

// A voxel's part in fit and in normals (MODEL 5.2 and 5.5), in simulation space: D and F take
// offsets of the rest pose, along model axes, to the world's axes.
typedef struct oracle_fit {
    oracle_mat D, F;
    oracle_vec delta; // p - p_skin, before its correction
    oracle_vec d;     // delta, smoothed
} oracle_fit;

oracle_fit oracle_fit_voxel(const oracle* o, uint32_t voxel, double smoothing);

#endif
