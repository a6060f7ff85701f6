// SPDX-License-Identifier: MIT
// What happens in a soak (soak.h), at random.
#include "tests/runtime/support/soak_private.h"

#include "tests/test.h"

#include <math.h>

// name, what happens in frames in which it was chosen
#define SOAK_ACTS(X)                                                    \
    X(MOVES, "clips play, and are cut")                                 \
    X(WALKS, "roots move, turn, grow and shrink")                       \
    X(JUMPS, "roots are teleported, poses jump")                        \
    X(TOUCHES, "colliders come, go, fly and are teleported")            \
    X(PULLS, "drags begin, move and end")                               \
    X(PUSHES, "blows")                                                  \
    X(FORCES, "gravity and wind change")                                \
    X(TIMES, "any dt, dropped time, any time scale")                    \
    X(FILTERS, "the filter of poses is switched")                       \
    X(MATERIALS, "presets, materials, profiles and fades")              \
    X(SETTINGS, "limbs, skinned volume, masks, iterations and repeats") \
    X(BAD, "poses and times that are refused")                          \
    X(RESETS, "characters are reset")

enum {
#define SOAK_ACT_INDEX(name, what) name##_INDEX,
    SOAK_ACTS(SOAK_ACT_INDEX)
#undef SOAK_ACT_INDEX
        ACT_COUNT
};
enum {
#define SOAK_ACT_BIT(name, what) name = 1 << name##_INDEX,
    SOAK_ACTS(SOAK_ACT_BIT)
#undef SOAK_ACT_BIT
};

#define FAR_METRES 4.0 // a collider that is farther away turns back

// ---- Random numbers

static uint32_t below(soak* s, uint32_t count) {
    return (uint32_t)(tlw_test_random(&s->random) % count);
}

static bool happens(soak* s, uint32_t once_in) {
    return below(s, once_in) == 0;
}

static double between(soak* s, double low, double high) {
    return low + (high - low) * (double)(tlw_test_random(&s->random) >> 11) * 0x1p-53;
}

// Sometimes an end of the range, in an extreme soak.
static float in_range(soak* s, double usual, double most) {
    if (s->is_extreme && happens(s, 4)) {
        return (float)(happens(s, 2) ? most : -most);
    }
    return (float)between(s, -usual, usual);
}

static float length_in(soak* s, double low, double high, double most) {
    if (s->is_extreme && happens(s, 4)) {
        return (float)(happens(s, 2) ? most : 0.0);
    }
    return (float)between(s, low, high);
}

static void any_vector(soak* s, double size, double out[3]) {
    for (int i = 0; i < 3; ++i) {
        out[i] = between(s, -size, size);
    }
}

// Not normalised, as rotations may be.
static void any_rotation(soak* s, float out[4]) {
    for (int i = 0; i < 3; ++i) {
        out[i] = (float)between(s, -1.0, 1.0);
    }
    out[3] = (float)between(s, 0.1, 1.0);
}

// Turns on by a small rotation; normalised, so that thousands of turns stay finite.
static void turn(float rotation[4], const float by[4]) {
    const double x = (double)by[0] * 0.1, y = (double)by[1] * 0.1, z = (double)by[2] * 0.1;
    const double a = (double)rotation[0], b = (double)rotation[1], c = (double)rotation[2],
                 w = (double)rotation[3];
    const double turned[4] = {a + x * w + y * c - z * b, b + y * w + z * a - x * c,
                              c + z * w + x * b - y * a, w - x * a - y * b - z * c};
    const double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] +
                               turned[2] * turned[2] + turned[3] * turned[3]);
    for (int i = 0; i < 4; ++i) {
        rotation[i] = (float)(turned[i] / length);
    }
}

// ---- Characters

static double voxel_metres(const soaked* c) {
    return sample_info(c->sample)->voxel_metres * (double)c->root.scale;
}

// Where a random voxel of it is in the world.
static uint32_t any_voxel(soak* s, const soaked* c, double out[3]) {
    const uint32_t voxel = below(s, sample_info(c->sample)->voxel_count);
    tlw_voxel_state state;
    CHECK_OK(tlw_character_get_voxel(s->world, c->id, voxel, &state));
    for (int i = 0; i < 3; ++i) {
        out[i] = c->root.position[i] + voxel_metres(c) * (double)state.position[i];
    }
    return voxel;
}
// ---- Poses

static void walk(soak* s, soaked* c) {
    if (happens(s, 40)) {
        any_vector(s, 6.0, c->velocity);
        any_rotation(s, c->spin);
    }
    if (happens(s, 600)) {
        c->root.scale = s->is_extreme && happens(s, 3) ? (happens(s, 2) ? 2e-6f : 9e5f)
                                                       : (float)between(s, 0.5, 2.0);
    }
    for (int i = 0; i < 3; ++i) {
        c->velocity[i] -= 0.01 * (c->root.position[i] - c->home[i]); // stays around its home
        c->root.position[i] += c->velocity[i] * SOAK_FRAME_SECONDS;
    }
    turn(c->root.rotation, c->spin);
}

// Returns whether the pose is a jump.
static bool jump(soak* s, soaked* c) {
    if (happens(s, 200)) {
        any_vector(s, happens(s, 3) ? 1e5 : 2.0, c->home);
        for (int i = 0; i < 3; ++i) {
            c->root.position[i] = c->home[i];
        }
        any_rotation(s, c->root.rotation);
        if (happens(s, 2)) {
            CHECK_OK(tlw_character_teleport(s->world, c->id, c->root.position, c->root.rotation));
        }
        return happens(s, 2);
    }
    return happens(s, 300);
}

static void set_pose(soak* s, soaked* c) {
    sample_joints joints;
    bool is_jump = false;
    if (s->acts & MOVES) {
        if (happens(s, 200)) {
            c->clip = (sample_motion)below(s, SAMPLE_STOP + 1);
            c->clip_seconds = between(s, 0.0, 2.0);
        }
        c->clip_seconds += SOAK_FRAME_SECONDS;
    }
    if (s->acts & WALKS) {
        walk(s, c);
    }
    if (s->acts & JUMPS) {
        is_jump = jump(s, c);
    }
    sample_pose(c->sample, c->clip, c->clip_seconds, c->kind, &joints);
    const uint32_t count = sample_info(c->sample)->joint_count;
    const tlw_pose pose = {&joints, count, c->root, is_jump};
    CHECK_OK(tlw_character_set_pose(s->world, c->id, &pose));
    if ((s->acts & BAD) != 0 && happens(s, 30)) { // refused: the one above stays
        joints.matrices[below(s, count)][below(s, 12)] = (float)NAN;
        CHECK_RESULT(tlw_character_set_pose(s->world, c->id, &pose), TLW_ERROR_BAD_POSE);
    }
}

// ---- Colliders

static soaked* any_character(soak* s) {
    return &s->characters[below(s, SOAK_CHARACTERS)];
}

// From rest to far faster than a voxel per substep, towards a voxel of any layer, bone too.
static void aim(soak* s, soak_collider* at) {
    static const double speeds[] = {0.0, 0.0, 0.1, 0.5, 2.0, 10.0, 60.0, 300.0};
    const double speed = speeds[below(s, TLW_COUNT_OF(speeds))];
    const soaked* c = any_character(s);
    double target[3], length2 = 1e-12;
    any_voxel(s, c, target);
    for (int i = 0; i < 3; ++i) {
        at->velocity[i] = target[i] - at->pose.position[i];
        length2 += at->velocity[i] * at->velocity[i];
    }
    for (int i = 0; i < 3; ++i) {
        at->velocity[i] *= speed / sqrt(length2);
    }
    any_rotation(s, at->spin);
}

static tlw_collider_pose pose_near(soak* s, double voxels) {
    const soaked* c = any_character(s);
    tlw_collider_pose pose = tlw_default_collider_pose();
    double off[3];
    any_voxel(s, c, pose.position);
    any_vector(s, voxels * voxel_metres(c), off);
    for (int i = 0; i < 3; ++i) {
        pose.position[i] += off[i];
        pose.position[i] = s->is_extreme && happens(s, 12) ? 1e18 : pose.position[i];
    }
    any_rotation(s, pose.rotation);
    return pose;
}

static void create_collider(soak* s, soak_collider* at) {
    tlw_collider_def def = tlw_default_collider_def();
    const double metre = voxel_metres(any_character(s));
    def.kind = (tlw_collider_kind)below(s, TLW_COLLIDER_BOX + 1);
    for (int end = 0; end < 2; ++end) {
        for (int i = 0; i < 3; ++i) {
            def.ends[end][i] = in_range(s, 4.0 * metre, 1e18);
        }
        def.radii[end] = length_in(s, 0.0, 3.0 * metre, 1e18);
    }
    if (happens(s, 3)) { // a sphere
        def.ends[1][0] = def.ends[0][0];
        def.ends[1][1] = def.ends[0][1];
        def.ends[1][2] = def.ends[0][2];
    }
    for (int i = 0; i < 3; ++i) {
        def.half_extents[i] = length_in(s, 0.0, 4.0 * metre, 1e18);
    }
    def.rounding = length_in(s, 0.0, 2.0 * metre, 1e18);
    def.friction = (float)below(s, 5) * 0.25f;
    def.mask = happens(s, 4) ? 1u : UINT32_MAX;
    at->pose = pose_near(s, 6.0);
    aim(s, at);
    CHECK_OK(tlw_collider_create(s->world, &def, &at->pose, &at->id));
}

static void move_collider(soak* s, soak_collider* at) {
    double away2 = 0.0;
    if (happens(s, 400)) {
        CHECK_OK(tlw_collider_destroy(s->world, at->id));
        at->id = (tlw_collider_id){0, 0};
        return;
    }
    if (happens(s, 300)) {
        at->pose = pose_near(s, 3.0);
        CHECK_OK(tlw_collider_teleport(s->world, at->id, &at->pose));
        return;
    }
    for (int i = 0; i < 3; ++i) {
        const double off = at->pose.position[i] - s->characters[0].root.position[i];
        away2 += off * off;
    }
    if (happens(s, 80) || away2 > FAR_METRES * FAR_METRES) {
        aim(s, at);
    }
    for (int i = 0; i < 3; ++i) {
        at->pose.position[i] += at->velocity[i] * SOAK_FRAME_SECONDS;
    }
    if (at->velocity[0] != 0.0) { // one that rests lets characters sleep
        turn(at->pose.rotation, at->spin);
    }
    CHECK_OK(tlw_collider_set_pose(s->world, at->id, &at->pose));
}

static void touch(soak* s) {
    for (int k = 0; k < SOAK_COLLIDERS; ++k) {
        soak_collider* at = &s->colliders[k];
        if (!tlw_collider_id_is_null(at->id)) {
            move_collider(s, at);
        } else if (happens(s, 60)) {
            create_collider(s, at);
        }
    }
}

// ---- Forces

static void pull(soak* s, soaked* c) {
    const uint32_t which = below(s, SOAK_DRAGS);
    if (happens(s, 100)) {
        CHECK_OK(tlw_character_end_drag(s->world, c->id, which));
        return;
    }
    tlw_drag drag = {.radius = length_in(s, 1.0, 5.0, 3e38) * (float)voxel_metres(c),
                     .hz = length_in(s, 0.0, 30.0, 1000.0)};
    if (!(drag.radius > 0.0f && drag.radius <= 1e30f)) {
        drag.radius = 1e18f;
    }
    double off[3];
    drag.voxel = any_voxel(s, c, drag.target);
    any_vector(s, 8.0 * voxel_metres(c), off);
    for (int i = 0; i < 3; ++i) {
        drag.target[i] += off[i];
        drag.target[i] = s->is_extreme && happens(s, 8) ? -1e18 : drag.target[i];
    }
    tlw_pick pick;
    if (happens(s, 2)) {
        const float direction[3] = {(float)-off[0], (float)-off[1], (float)-off[2]};
        const bool is_hit =
            tlw_character_pick(s->world, c->id, drag.target, direction, &pick) == TLW_OK;
        drag.voxel = is_hit ? pick.voxel : drag.voxel;
    }
    const bool is_bone = c->caps[drag.voxel] == 0.0f;
    const tlw_result result = tlw_character_set_drag(s->world, c->id, which, &drag);
    CHECK_STRING(tlw_result_name(result), is_bone ? "TLW_ERROR_BAD_ARGUMENT" : "TLW_OK");
    s->seen.drags += result == TLW_OK;
}

static void push(soak* s, soaked* c) {
    tlw_push push = {.radius = length_in(s, 1.0, 8.0, 1e18) * (float)voxel_metres(c),
                     .outward = in_range(s, 10.0, 1e6)};
    any_voxel(s, c, push.centre);
    for (int i = 0; i < 3; ++i) {
        push.velocity[i] = in_range(s, 20.0, 1e6);
        push.centre[i] = s->is_extreme && happens(s, 12) ? 1e18 : push.centre[i];
    }
    if (push.radius > 0.0f) {
        CHECK_OK(tlw_character_push(s->world, c->id, &push));
        s->seen.pushes += 1;
    }
}

static void change_settings(soak* s, soaked* c) {
    static const float scales[] = {0.0f, 0.1f, 0.5f, 1.0f, 1.0f, 1.0f, 2.0f, 10.0f};
    const tlw_blob_info* info = sample_info(c->sample);
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(s->world, c->id, &settings));
    if (s->acts & FORCES) {
        for (int i = 0; i < 3; ++i) {
            settings.gravity[i] = in_range(s, 25.0, 1e6);
            settings.wind[i] = in_range(s, 40.0, 1e6);
        }
        settings.wind_drag = happens(s, 2) ? 0.0f : length_in(s, 0.0, 20.0, 1e6);
    }
    if (s->acts & TIMES) {
        settings.time_scale = scales[below(s, TLW_COUNT_OF(scales))];
    }
    if (s->acts & SETTINGS) {
        settings.own_limbs = info->limb_count > 0 && !happens(s, 3);
        settings.skinned_volume = info->has_bends && !happens(s, 3);
        settings.collider_mask = happens(s, 4) ? 6u : UINT32_MAX;
        settings.rotation_iterations = 1 + below(s, 4);
        settings.repeats = happens(s, 4) ? 1 + below(s, 3) : 1;
    }
    CHECK_OK(tlw_character_set_settings(s->world, c->id, &settings));
}

static void change_materials(soak* s, soaked* c) {
    const uint32_t profiles = sample_info(c->sample)->profile_count;
    if (profiles > 1 && happens(s, 2)) {
        CHECK_OK(tlw_character_fade_to(s->world, c->id, below(s, profiles),
                                       (float)between(s, 0.0, 2.0)));
        s->seen.fades += 1;
    } else if (happens(s, 2)) {
        CHECK_OK(
            tlw_character_apply_preset(s->world, c->id, (tlw_preset)below(s, TLW_PRESET_COUNT)));
    } else {
        tlw_material material;
        material.stiffness = (float)between(s, 0.0, 4.0);
        material.damping = (float)between(s, 0.0, 1.0);
        material.anchor_hz = (float)between(s, 0.0, 30.0);
        material.limit_scale = (float)between(s, 0.0, 1.0); // so that caps stay the cooked ones
        CHECK_OK(tlw_character_set_material(s->world, c->id, TLW_ALL,
                                            happens(s, 2) ? TLW_ALL : 1 + below(s, 3), &material));
    }
}

static void change_filter(soak* s, soaked* c) {
    tlw_pose_filter filter = tlw_default_pose_filter();
    filter.cutoff_hz = (float)between(s, 0.1, 10.0);
    CHECK_OK(tlw_character_set_pose_filter(s->world, c->id, happens(s, 2) ? &filter : NULL));
}

// ---- Frames

static void act_on(soak* s, soaked* c) {
    set_pose(s, c);
    if ((s->acts & PULLS) != 0 && happens(s, 20)) {
        pull(s, c);
    }
    if ((s->acts & PUSHES) != 0 && happens(s, 60)) {
        push(s, c);
    }
    if ((s->acts & (FORCES | TIMES | SETTINGS)) != 0 && happens(s, 100)) {
        change_settings(s, c);
    }
    if ((s->acts & MATERIALS) != 0 && happens(s, 100)) {
        change_materials(s, c);
    }
    if ((s->acts & FILTERS) != 0 && happens(s, 120)) {
        change_filter(s, c);
    }
    if ((s->acts & RESETS) != 0 && happens(s, 300)) {
        CHECK_OK(tlw_character_reset(s->world, c->id));
    }
}

static double any_dt(soak* s) {
    static const double bad[] = {-0.01, (double)NAN, (double)INFINITY, 1e30, 0.0};
    if ((s->acts & BAD) != 0 && happens(s, 60)) {
        return bad[below(s, TLW_COUNT_OF(bad))];
    }
    if ((s->acts & TIMES) == 0) {
        return SOAK_FRAME_SECONDS;
    }
    return happens(s, 100) ? between(s, 0.1, 3.0) : between(s, 1.0 / 240.0, 1.0 / 24.0);
}
void soak_choose(soak* s) {
    s->acts = (uint32_t)tlw_test_random(&s->random) & ((1u << ACT_COUNT) - 1);
    s->acts |= happens(s, 2) ? TOUCHES : 0;
}

void soak_choose_all(soak* s) {
    s->acts = (1u << ACT_COUNT) - 1;
}
double soak_act(soak* s) {
    for (int k = 0; k < SOAK_CHARACTERS; ++k) {
        act_on(s, &s->characters[k]);
    }
    if (s->acts & TOUCHES) {
        touch(s);
    }
    return any_dt(s);
}
