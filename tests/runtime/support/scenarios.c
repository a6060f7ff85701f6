// SPDX-License-Identifier: MIT
// The scenarios: who is in them, and what happens in which frame.
#include "tests/runtime/support/scenarios.h"
#include "runtime/blob.h"

#include "tests/runtime/support/hostile_tasks.h"
#include "tests/test.h"

#include <stdlib.h>

#define OUTPUT_VERTICES 203 // not a multiple of 8
#define FIRST_VERTEX    13

const char* scenario_name(scenario_id which) {
    static const char* const names[SCENARIO_COUNT] = {
#define SCENARIO_TEXT(name, text) #name,
        SCENARIO_TABLE(SCENARIO_TEXT)
#undef SCENARIO_TEXT
    };
    return names[which];
}

// In [0, 1), with so few bits that every build computes the same.
static double random_share(scenario* s) {
    return (double)(tlw_test_random(&s->random) >> 40) / 16777216.0;
}

static void set_character(scenario* s, uint32_t at, const sample_character* sample,
                          sample_motion clip, tlw_pose_kind kind) {
    s->characters[at].sample = sample;
    s->characters[at].clip = clip;
    s->characters[at].kind = kind;
    s->characters[at].offset_seconds = 0.1875 * at;
}

static void set_characters(scenario* s) {
    switch (s->which) {
    case SCENARIO_stout_dance:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_STOUT, 16, 3), SAMPLE_DANCE,
                      TLW_POSE_MATRICES);
        break;
    case SCENARIO_bunny_walk:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_BUNNY, 18, 3), SAMPLE_WALK,
                      TLW_POSE_MATRICES);
        break;
    case SCENARIO_thin_jump:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_THIN, 28, 3), SAMPLE_JUMP,
                      TLW_POSE_TRANSFORMS);
        break;
    case SCENARIO_bunny_stop:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_BUNNY, 14, 3), SAMPLE_STOP,
                      TLW_POSE_SKINNING);
        break;
    case SCENARIO_stout_width_2:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_STOUT, 12, 2), SAMPLE_DANCE,
                      TLW_POSE_MATRICES);
        break;
    case SCENARIO_stout_dual:
        set_character(s, 0, sample_get_dual(TLW_SAMPLE_STOUT, 16, 3), SAMPLE_DANCE,
                      TLW_POSE_TRANSFORMS);
        break;
    case SCENARIO_stout_touched:
        set_character(s, 0, sample_get_limbed(TLW_SAMPLE_STOUT, 16, 3), SAMPLE_DANCE,
                      TLW_POSE_MATRICES);
        break;
    case SCENARIO_thin_muscles:
        set_character(s, 0, sample_get_muscled(32, 3), SAMPLE_DANCE, TLW_POSE_MATRICES);
        break;
    case SCENARIO_crowd: {
        const sample_character* small[3] = {sample_get(TLW_SAMPLE_STOUT, 12, 2),
                                            sample_get(TLW_SAMPLE_BUNNY, 14, 3),
                                            sample_get(TLW_SAMPLE_THIN, 20, 3)};
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_STOUT, 26, 3), SAMPLE_DANCE,
                      TLW_POSE_MATRICES);
        for (uint32_t i = 1; i < SCENARIO_CHARACTERS_MAX; ++i) {
            set_character(s, i, small[i % 3], (sample_motion)(i % 5), (tlw_pose_kind)(i / 3 % 3));
        }
        break;
    }
    default:
        set_character(s, 0, sample_get_embedded(TLW_SAMPLE_BUNNY, 14, 3), SAMPLE_DANCE,
                      TLW_POSE_MATRICES);
        set_character(s, 1, sample_get(TLW_SAMPLE_STOUT, 12, 2), SAMPLE_WALK, TLW_POSE_TRANSFORMS);
        break;
    }
}

static void create_character(scenario* s, uint32_t at) {
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    def.blob = *sample_blob(s->characters[at].sample);
    def.pose_kind = s->characters[at].kind;
    def.preset = (tlw_preset)(at % TLW_PRESET_COUNT);
    def.drag_capacity = s->which == SCENARIO_stout_touched ? 2 : 0;
    def.has_pose_filter = s->which == SCENARIO_stout_touched;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    if (s->characters[at].memory == NULL) {
        s->characters[at].memory = sample_allocate(bytes);
    }
    CHECK_OK(tlw_character_create(s->world, &def, s->characters[at].memory, bytes,
                                  &s->characters[at].id));
}

// Every embedding, both kinds of normals, both orders.
typedef struct drawn_way {
    tlw_embedding embedding;
    tlw_normal_source normals_by;
    tlw_vertex_order order;
} drawn_way;

static const drawn_way drawn[SCENARIO_COUNT] = {
    [SCENARIO_stout_dance] = {TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE},
    [SCENARIO_bunny_walk] = {TLW_EMBED_FRAMES, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED},
    [SCENARIO_thin_jump] = {TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED},
    [SCENARIO_bunny_stop] = {TLW_EMBED_RBF, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE},
    [SCENARIO_stout_width_2] = {TLW_EMBED_DELTA, TLW_NORMALS_BY_RING, TLW_ORDER_COOKED},
    [SCENARIO_stout_dual] = {TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED},
    [SCENARIO_stout_touched] = {TLW_EMBED_FIT, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_COOKED},
    [SCENARIO_thin_muscles] = {TLW_EMBED_DELTA, TLW_NORMALS_BY_GRADIENT, TLW_ORDER_SOURCE},
    [SCENARIO_crowd] = {TLW_EMBED_RBF, TLW_NORMALS_BY_RING, TLW_ORDER_SOURCE},
    [SCENARIO_odd_times] = {TLW_EMBED_FIT, TLW_NORMALS_BY_RING, TLW_ORDER_SOURCE},
};

static void allocate_output(scenario* s) {
    const tlw_blob_info* info = sample_info(s->characters[0].sample);
    s->lattice_floats = (size_t)info->voxel_count * 12;
    s->positions = sample_allocate(OUTPUT_VERTICES * 3 * sizeof(float));
    s->normals = sample_allocate(OUTPUT_VERTICES * 3 * sizeof(float));
    s->tangents = sample_allocate(OUTPUT_VERTICES * 3 * sizeof(float));
    s->deltas = sample_allocate(OUTPUT_VERTICES * 3 * sizeof(uint16_t));
    s->lattice = sample_allocate(s->lattice_floats * sizeof(float));
    s->voxel_count = info->voxel_count;
    s->voxel_deltas = sample_allocate(s->voxel_count * 3 * sizeof(uint16_t));
    s->voxel_fits = sample_allocate(s->lattice_floats * sizeof(float));
}

static void set_output(scenario* s, const drawn_way* way) {
    tlw_output output = tlw_default_output();
    output.embedding = way->embedding;
    output.normals_by = way->normals_by;
    output.order = way->order;
    output.first_vertex = FIRST_VERTEX;
    output.vertex_count = OUTPUT_VERTICES;
    output.positions.data = s->positions;
    output.normals.data = s->normals;
    output.tangents.data = s->tangents;
    output.deltas.data = s->deltas;
    output.deltas.format = TLW_FORMAT_FLOAT16;
    output.lattice.data = s->lattice;
    output.voxel_deltas = (tlw_stream){s->voxel_deltas, 0, TLW_FORMAT_FLOAT16};
    output.voxel_fits.data = s->voxel_fits;
    CHECK_OK(tlw_character_set_output(s->world, s->characters[0].id, &output));
}

scenario* scenario_open(scenario_id which, const scenario_config* config) {
    scenario* s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    s->which = which;
    s->config = *config;
    s->random = 11;
    set_characters(s);
    tlw_world_def def = tlw_default_world_def();
    def.isa = config->isa;
    def.tasks = config->tasks;
    def.split_cost = config->split_cost;
    while (s->capacity < SCENARIO_CHARACTERS_MAX && s->characters[s->capacity].sample) {
        const size_t scratch = sample_info(s->characters[s->capacity].sample)->scratch_bytes;
        def.scratch_bytes = scratch > def.scratch_bytes ? scratch : def.scratch_bytes;
        s->capacity += 1;
    }
    def.character_capacity = s->capacity;
    def.collider_capacity = which == SCENARIO_stout_touched ? TLW_COUNT_OF(s->colliders) : 0;
    def.contact_capacity = which == SCENARIO_stout_touched ? 8 : 0;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&def, &bytes));
    CHECK_OK(tlw_world_create(&def, sample_allocate(bytes), bytes, &s->world));
    for (uint32_t i = 0; i < s->capacity; ++i) {
        create_character(s, i);
    }
    allocate_output(s);
    set_output(s, &drawn[which]);
    if (which == SCENARIO_thin_jump || which == SCENARIO_bunny_stop) {
        tlw_settings settings = {.rotation_iterations = 4,
                                 .repeats = 2,
                                 .collider_mask = UINT32_MAX,
                                 .time_scale = 1.0f};
        if (which == SCENARIO_bunny_stop) {
            settings = (tlw_settings){.gravity = {0.0f, -9.81f, 0.0f},
                                      .rotation_iterations = 1,
                                      .repeats = 1,
                                      .skinned_volume = true,
                                      .collider_mask = UINT32_MAX,
                                      .time_scale = 1.0f};
        }
        CHECK_OK(tlw_character_set_settings(s->world, s->characters[0].id, &settings));
    }
    return s;
}

static tlw_root still_root(void) {
    return (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

// Stretches one joint for a second in three, and turns another one by up to half a turn and back:
// past the angle where quaternions point apart.
static void bend_out_of_shape(const tlw_blob* blob, double seconds, sample_joints* joints) {
    const uint32_t frame = (uint32_t)(seconds * 60.0 + 0.5);
    uint32_t spine_joint, shin_joint;
    CHECK_OK(tlw_blob_find_joint(blob, "spine", &spine_joint));
    CHECK_OK(tlw_blob_find_joint(blob, "shin_l", &shin_joint));
    if (frame / 60 % 3 == 1) {
        joints->transforms[spine_joint].scale[1] = 1.25f;
    }
    const uint32_t at = frame % 128;
    const float half = (float)(at < 64 ? at : 128 - at) * 0.0625f; // tangent of half the angle
    tlw_transform* shin = &joints->transforms[shin_joint];
    const float *r = shin->rotation, by[4] = {half, 0.0f, 0.0f, 1.0f};
    const float turned[4] = {by[3] * r[0] + by[0] * r[3], by[3] * r[1] - by[0] * r[2],
                             by[3] * r[2] + by[0] * r[1], by[3] * r[3] - by[0] * r[0]};
    for (int i = 0; i < 4; ++i) {
        shin->rotation[i] = turned[i];
    }
}

static tlw_result pose_one(scenario* s, uint32_t at, double seconds, tlw_root root, bool is_jump) {
    sample_joints joints;
    const sample_character* sample = s->characters[at].sample;
    sample_pose(sample, s->characters[at].clip, seconds + s->characters[at].offset_seconds,
                s->characters[at].kind, &joints);
    if (s->which == SCENARIO_stout_dual) {
        bend_out_of_shape(sample_blob(sample), seconds, &joints);
    }
    const tlw_pose pose = {&joints, sample_info(sample)->joint_count, root, is_jump};
    const uint64_t word = s->config.is_hostile ? hostile_float_begin() : 0;
    const tlw_result result = tlw_character_set_pose(s->world, s->characters[at].id, &pose);
    if (s->config.is_hostile) {
        hostile_float_end(word);
    }
    return result;
}

static void pose_all(scenario* s, tlw_root root) {
    for (uint32_t i = 0; i < s->capacity; ++i) {
        if (s->characters[i].id.index1 != 0) {
            CHECK_OK(pose_one(s, i, s->seconds, root, false));
        }
    }
}

// Walks along z while rotating, and is teleported back to the start after a second.
static tlw_root walk_root(scenario* s, uint32_t frame) {
    const double metre = sample_info(s->characters[0].sample)->voxel_metres;
    const uint32_t at = (frame - 1) % 60;
    const float quarter = (float)at * 0.0078125f;
    tlw_root root = {
        {1e5 * metre, 0.0, -1e5 * metre + 0.25 * metre * at}, {0.0f, quarter, 0.0f, 1.0f}, 1.0f};
    if (at == 0 && frame > 1) {
        const float straight[4] = {0.0f, 0.0f, 0.0f, 2.0f};
        CHECK_OK(tlw_character_teleport(s->world, s->characters[0].id, root.position, straight));
    }
    return root;
}

static void crowd_comes_and_goes(scenario* s, uint32_t frame) {
    const uint32_t at = 1 + frame / 20 % (SCENARIO_CHARACTERS_MAX - 1);
    if (frame % 20 != 0) {
        return;
    }
    if (s->characters[at].id.index1 != 0) {
        CHECK_OK(tlw_character_destroy(s->world, s->characters[at].id));
        s->characters[at].id = (tlw_character_id){0, 0};
    } else {
        create_character(s, at);
        if (at % 2 == 0) {
            CHECK_OK(pose_one(s, at, s->seconds, still_root(), false));
            CHECK_OK(tlw_character_reset(s->world, s->characters[at].id));
        }
    }
}

// From one profile to the next, slowly and at once, and skinned volume off and on.
static void change_profiles(scenario* s, uint32_t frame) {
    const tlw_character_id id = s->characters[0].id;
    if (frame % 40 == 10) {
        CHECK_OK(tlw_character_fade_to(s->world, id, frame / 40 % 3, frame % 80 == 10 ? 0.4f : 0));
    }
    if (frame % 50 == 30) {
        tlw_settings settings;
        CHECK_OK(tlw_character_get_settings(s->world, id, &settings));
        settings.skinned_volume = !settings.skinned_volume;
        CHECK_OK(tlw_character_set_settings(s->world, id, &settings));
    }
}

// Where a collider is in a frame, in voxels from the belly's front.
static tlw_collider_pose touching_pose(const scenario* s, uint32_t which, uint32_t frame) {
    const double metre = sample_info(s->characters[0].sample)->voxel_metres;
    const uint32_t at = frame % 64;
    const double there_and_back = (double)(at < 32 ? at : 64 - at) * 0.03125; // 0 to 1
    const double thrown = (double)(frame % 50) * 3.0 - 40.0;
    const double from_belly[5][3] = {{0.0, 0.0, 3.0 - 4.0 * there_and_back},  // pressed
                                     {5.0 - 2.0 * there_and_back, 1.0, -2.0}, // turns
                                     {thrown, 0.5, 0.5},                      // thrown
                                     {0.0, -5.0, 0.0},                        // the ground
                                     {-4.0, 4.0 * there_and_back, 1.0}};      // slides
    tlw_collider_pose pose = tlw_default_collider_pose();
    for (int i = 0; i < 3; ++i) {
        pose.position[i] = s->pick.position[i] + metre * from_belly[which][i];
    }
    if (which == 1) {
        pose.rotation[1] = 4.0f * (float)there_and_back - 2.0f;
    }
    return pose;
}

static void create_colliders(scenario* s) {
    const tlw_blob_info* info = sample_info(s->characters[0].sample);
    const double metre = info->voxel_metres, from[3] = {0.0, 5.0 * metre, 100.0 * metre};
    const float back[3] = {0.0f, 0.0f, -1.0f};
    CHECK_OK(tlw_character_pick(s->world, s->characters[0].id, from, back, &s->pick));
    static const tlw_collider_kind kinds[5] = {TLW_COLLIDER_CAPSULE, TLW_COLLIDER_BOX,
                                               TLW_COLLIDER_CAPSULE, TLW_COLLIDER_PLANE,
                                               TLW_COLLIDER_CAPSULE};
    for (uint32_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        tlw_collider_def def = tlw_default_collider_def();
        def.kind = kinds[i];
        def.radii[0] = (float)(metre * (1.0 + 0.5 * i));
        def.radii[1] = (float)(metre * 1.5);
        def.ends[1][0] = i == 0 ? (float)(metre * 3.0) : 0.0f;
        def.ends[1][1] = i == 4 ? (float)(metre * 2.0) : 0.0f;
        def.half_extents[0] = def.half_extents[2] = (float)metre;
        def.half_extents[1] = (float)(metre * 2.0);
        def.friction = 0.25f * (float)i;
        const tlw_collider_pose pose = touching_pose(s, i, 0);
        CHECK_OK(tlw_collider_create(s->world, &def, &pose, &s->colliders[i]));
    }
}

static void pull_and_push(scenario* s, uint32_t frame) {
    const double metre = sample_info(s->characters[0].sample)->voxel_metres;
    const tlw_character_id id = s->characters[0].id;
    tlw_drag drag = {.voxel = s->pick.voxel, .radius = (float)(3.0 * metre), .hz = 8.0f};
    tlw_push push = {.radius = (float)(4.0 * metre), .velocity = {0.5f, 1.0f, 0.0f}};
    for (int i = 0; i < 3; ++i) {
        drag.target[i] = s->pick.position[i] + metre * (i == 2 ? 2.0 : 0.5);
        push.centre[i] = s->pick.position[i];
    }
    push.outward = frame % 2 == 0 ? 0.5f : -0.25f;
    if (frame % 120 >= 20 && frame % 120 < 70) {
        drag.target[0] += metre * 0.0625 * (double)(frame % 32);
        CHECK_OK(tlw_character_set_drag(s->world, id, frame / 120 % 2, &drag));
    } else if (frame % 120 == 70) {
        CHECK_OK(tlw_character_end_drag(s->world, id, frame / 120 % 2));
    }
    if (frame % 45 == 30) {
        CHECK_OK(tlw_character_push(s->world, id, &push));
    }
}

static void change_control(scenario* s, uint32_t frame) {
    const tlw_character_id id = s->characters[0].id;
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(s->world, id, &settings));
    settings.gravity[1] = frame % 200 < 100 ? -9.81f : 4.0f;
    settings.wind[2] = -6.0f;
    settings.wind_drag = frame % 160 >= 80 ? 4.0f : 0.0f;
    const uint32_t at = frame % 90;
    settings.time_scale = at < 60 ? 1.0f : at < 75 ? 0.375f : at < 80 ? 0.0f : 1.5f;
    settings.own_limbs = frame % 300 < 250;
    settings.collider_mask = frame % 300 < 280 ? UINT32_MAX : 0;
    CHECK_OK(tlw_character_set_settings(s->world, id, &settings));
    const tlw_pose_filter filter = tlw_default_pose_filter();
    if (frame % 110 == 50) {
        CHECK_OK(tlw_character_set_pose_filter(s->world, id, &filter));
    } else if (frame % 110 == 100) {
        CHECK_OK(tlw_character_set_pose_filter(s->world, id, NULL));
    }
}

static void touch(scenario* s, uint32_t frame) {
    if (frame == 1) {
        create_colliders(s);
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(s->colliders); ++i) {
        const tlw_collider_pose pose = touching_pose(s, i, frame);
        if (i == 2 && frame % 50 == 0) { // back to where it is thrown from
            CHECK_OK(tlw_collider_teleport(s->world, s->colliders[i], &pose));
        } else {
            CHECK_OK(tlw_collider_set_pose(s->world, s->colliders[i], &pose));
        }
    }
    pull_and_push(s, frame);
    change_control(s, frame);
}

// Each event comes once in 60 frames, the first ones early, for builds that run few frames.
static void change_muscles(scenario* s, uint32_t frame) {
    const tlw_character_id id = s->characters[0].id;
    const tlw_blob_info* info = sample_info(s->characters[0].sample);
    const uint32_t at = frame % 60;
    if (at % 4 == 3) {
        CHECK_OK(tlw_character_set_tension(s->world, id, frame / 4 % info->muscle_count,
                                           (float)(at % 16) / 16.0f));
    }
    if (at == 5) {
        const float place[3] = {4.0f, -3.0f, 8.0f}, speed[3] = {60.0f, 10.0f, -25.0f};
        CHECK_OK(
            tlw_character_set_voxel(s->world, id, frame * 7 % info->voxel_count, place, speed));
    }
    if (at == 7) {
        const float stiffer = (float)(frame / 60 % 4);
        const tlw_lame lame = {1.0f + 4.0f * stiffer * stiffer, 0.4375f, 900.0f};
        CHECK_OK(tlw_character_set_lame(s->world, id, TLW_ALL, TLW_ALL, &lame));
    }
    if (at == 11) {
        CHECK_OK(tlw_character_reset(s->world, id));
    }
    if (at == 2 || at == 45) {
        tlw_settings settings;
        CHECK_OK(tlw_character_get_settings(s->world, id, &settings));
        settings.gravity[1] = at == 2 ? -9.81f : 0.0f;
        settings.gravity[2] = at == 2 ? 3.0f : 0.0f;
        CHECK_OK(tlw_character_set_settings(s->world, id, &settings));
    }
    if (at == 30) {
        CHECK_OK(tlw_character_apply_preset(s->world, id, TLW_PRESET_COOKED));
    }
    if (at % 15 == 4) {
        const drawn_way way = {(tlw_embedding)(frame / 15 % 4),
                               frame / 60 % 2 ? TLW_NORMALS_BY_RING : TLW_NORMALS_BY_GRADIENT,
                               frame / 30 % 2 ? TLW_ORDER_COOKED : TLW_ORDER_SOURCE};
        set_output(s, &way);
    }
}

static double muscles_frame(scenario* s, uint32_t frame) {
    const uint32_t at = frame % 60;
    const double dt = at == 9 ? 0.25 : at % 8 == 6 ? 0.0125 : 1.0 / 60.0;
    const bool is_jump = at == 14;
    tlw_root root = still_root();
    root.rotation[2] = 0.0078125f * (float)at;
    s->seconds += is_jump ? 0.75 : dt;
    change_muscles(s, frame);
    root.position[0] = at >= 20 ? 3.0 : 0.0; // back by a jump
    if (at == 20) {
        CHECK_OK(
            tlw_character_teleport(s->world, s->characters[0].id, root.position, root.rotation));
    }
    CHECK_OK(pose_one(s, 0, s->seconds, root, is_jump || at == 0));
    return dt;
}

static double odd_frame(scenario* s, uint32_t frame) {
    double dt = 1.0 / 240.0 + random_share(s) * (1.0 / 24.0 - 1.0 / 240.0);
    const uint32_t phase = frame % 150;
    tlw_root root = still_root();
    dt = phase == 30 ? 0.2 : phase == 31 ? 1e9 : phase == 32 ? 0.0 : phase == 33 ? -1.0 : dt;
    s->seconds += dt > 0.0 && dt < 1.0 ? dt : 0.0;
    if (phase == 40) { // a jump of the clip; later a root far away and a pose that is invalid
        s->seconds += 1.75;
    }
    root.position[0] = phase >= 45 && phase < 50 ? 40.0 : 0.0;
    if (phase < 60) {
        CHECK_OK(pose_one(s, 0, s->seconds, root, phase == 20));
        CHECK_OK(pose_one(s, 1, s->seconds, still_root(), phase == 41));
    }
    if (phase == 50) {
        root.scale = 0.0f;
        CHECK_RESULT(pose_one(s, 0, s->seconds, root, true), TLW_ERROR_BAD_POSE);
    }
    if (phase == 55) {
        const float garbage[3] = {1e30f, -1e12f, 3.0f}, none[3] = {0.0f, 0.0f, 0.0f};
        CHECK_OK(
            tlw_character_set_voxel(s->world, s->characters[1].id, frame % 100, garbage, none));
    }
    if (phase == 10) {
        const float place[3] = {4.0f, -3.0f, 8.0f}, speed[3] = {60.0f, 10.0f, -25.0f};
        CHECK_OK(tlw_character_set_voxel(s->world, s->characters[0].id, 7 * phase, place, speed));
        CHECK_OK(tlw_character_reset(s->world, s->characters[1].id));
    }
    if (phase == 60) { // the pose is held from here on, and with this material it falls asleep
        const tlw_material dull = {
            .stiffness = 3.0f, .damping = 0.0f, .anchor_hz = 5.0f, .limit_scale = 1.0f};
        CHECK_OK(
            tlw_character_set_material(s->world, s->characters[0].id, TLW_ALL, TLW_ALL, &dull));
    }
    if (phase == 148) {
        CHECK_OK(tlw_character_apply_preset(s->world, s->characters[0].id,
                                            (tlw_preset)(frame / 150 % TLW_PRESET_COUNT)));
    }
    return dt;
}

static double pose_frame(scenario* s, uint32_t frame) {
    static const double rates[SCENARIO_COUNT] = {
        [SCENARIO_thin_jump] = 90.0, [SCENARIO_bunny_stop] = 30.0};
    if (s->which == SCENARIO_odd_times) {
        return odd_frame(s, frame);
    }
    if (s->which == SCENARIO_thin_muscles) {
        return muscles_frame(s, frame);
    }
    tlw_root root = still_root();
    const double dt = 1.0 / (rates[s->which] != 0.0 ? rates[s->which] : 60.0);
    s->seconds += dt;
    if (s->which == SCENARIO_bunny_walk) {
        root = walk_root(s, frame);
    } else if (s->which == SCENARIO_bunny_stop) {
        root.scale = 1.75f;
    } else if (s->which == SCENARIO_stout_dual) {
        change_profiles(s, frame);
    } else if (s->which == SCENARIO_stout_touched) {
        touch(s, frame);
    } else if (s->which == SCENARIO_crowd) {
        crowd_comes_and_goes(s, frame);
    }
    pose_all(s, root);
    return dt;
}

scenario_frame scenario_advance(scenario* s, uint32_t frame) {
    const double dt = pose_frame(s, frame);
    const uint64_t word = s->config.is_hostile ? hostile_float_begin() : 0;
    const tlw_step_flags flags = tlw_world_step(s->world, dt);
    if (s->config.is_hostile) {
        hostile_float_end(word);
    }
    tlw_world_report report;
    tlw_world_get_report(s->world, &report);
    s->flags_seen |= flags;
    s->substeps += report.substeps;
    s->splits += report.split_count;
    scenario_frame out = {tlw_world_hash(s->world), 0};
    const size_t vectors = OUTPUT_VERTICES * 3;
    out.output = tlw_xxh64(s->positions, vectors * sizeof(float), 0);
    out.output = tlw_xxh64(s->normals, vectors * sizeof(float), out.output);
    out.output = tlw_xxh64(s->tangents, vectors * sizeof(float), out.output);
    out.output = tlw_xxh64(s->deltas, vectors * sizeof(uint16_t), out.output);
    out.output = tlw_xxh64(s->lattice, s->lattice_floats * sizeof(float), out.output);
    out.output = tlw_xxh64(s->voxel_fits, s->lattice_floats * sizeof(float), out.output);
    out.output = tlw_xxh64(s->voxel_deltas, s->voxel_count * 3 * sizeof(uint16_t), out.output);
    return out;
}

void scenario_close(scenario* s) {
    void* world = s->world;
    tlw_world_destroy(s->world);
    sample_free(world);
    for (uint32_t i = 0; i < s->capacity; ++i) {
        sample_free(s->characters[i].memory);
    }
    sample_free(s->positions);
    sample_free(s->normals);
    sample_free(s->tangents);
    sample_free(s->deltas);
    sample_free(s->lattice);
    sample_free(s->voxel_deltas);
    sample_free(s->voxel_fits);
    free(s);
}
