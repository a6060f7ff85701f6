// SPDX-License-Identifier: MIT
#include "tests/runtime/support/scenarios.h"

#include "tests/runtime/support/hostile_tasks.h"
#include "tests/test.h"

#include <stdlib.h>

#define DRAWN_VERTICES 203 // not a multiple of 8
#define FIRST_VERTEX   13

const char* scenario_name(scenario_id which) {
    static const char* const names[SCENARIO_COUNT] = {
#define SCENARIO_TEXT(name, text) #name,
        SCENARIO_TABLE(SCENARIO_TEXT)
#undef SCENARIO_TEXT
    };
    return names[which];
}

// A share of 1, with few bits: the same in every build.
static double random_share(scenario* p) {
    return (double)(tlw_test_random(&p->random) >> 40) / 16777216.0;
}

static void sample_one(scenario* p, uint32_t at, const sample_character* who, sample_motion clip,
                       tlw_pose_kind kind) {
    p->characters[at].sample_character = who;
    p->characters[at].clip = clip;
    p->characters[at].kind = kind;
    p->characters[at].offset_seconds = 0.1875 * at;
}

static void sample_all(scenario* p) {
    switch (p->which) {
    case SCENARIO_stout_dance:
        sample_one(p, 0, sample_get(TLW_SAMPLE_STOUT, 16, 3), SAMPLE_DANCE, TLW_POSE_MATRICES);
        break;
    case SCENARIO_bunny_walk:
        sample_one(p, 0, sample_get(TLW_SAMPLE_BUNNY, 18, 3), SAMPLE_WALK, TLW_POSE_MATRICES);
        break;
    case SCENARIO_thin_jump:
        sample_one(p, 0, sample_get(TLW_SAMPLE_THIN, 28, 3), SAMPLE_JUMP, TLW_POSE_TRANSFORMS);
        break;
    case SCENARIO_bunny_stop:
        sample_one(p, 0, sample_get(TLW_SAMPLE_BUNNY, 14, 3), SAMPLE_STOP, TLW_POSE_SKINNING);
        break;
    case SCENARIO_stout_width_2:
        sample_one(p, 0, sample_get(TLW_SAMPLE_STOUT, 12, 2), SAMPLE_DANCE, TLW_POSE_MATRICES);
        break;
    case SCENARIO_crowd: {
        const sample_character* small[3] = {sample_get(TLW_SAMPLE_STOUT, 12, 2),
                                            sample_get(TLW_SAMPLE_BUNNY, 14, 3),
                                            sample_get(TLW_SAMPLE_THIN, 20, 3)};
        sample_one(p, 0, sample_get(TLW_SAMPLE_STOUT, 26, 3), SAMPLE_DANCE, TLW_POSE_MATRICES);
        for (uint32_t i = 1; i < SCENARIO_CHARACTERS_MAX; ++i) {
            sample_one(p, i, small[i % 3], (sample_motion)(i % 5), (tlw_pose_kind)(i / 3 % 3));
        }
        break;
    }
    default:
        sample_one(p, 0, sample_get(TLW_SAMPLE_BUNNY, 14, 3), SAMPLE_DANCE, TLW_POSE_MATRICES);
        sample_one(p, 1, sample_get(TLW_SAMPLE_STOUT, 12, 2), SAMPLE_WALK, TLW_POSE_TRANSFORMS);
        break;
    }
}

static void enter(scenario* p, uint32_t at) {
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    def.blob = *sample_blob(p->characters[at].sample_character);
    def.pose_kind = p->characters[at].kind;
    def.preset = (tlw_preset)(at % TLW_PRESET_COUNT);
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    if (p->characters[at].memory == NULL) {
        p->characters[at].memory = sample_allocate(bytes);
    }
    CHECK_OK(tlw_character_create(p->world, &def, p->characters[at].memory, bytes,
                                  &p->characters[at].id));
}

static void set_output(scenario* p) {
    const tlw_blob_info* info = sample_info(p->characters[0].sample_character);
    tlw_output output = tlw_default_output();
    p->lattice_floats = (size_t)info->voxel_count * 12;
    p->positions = sample_allocate(DRAWN_VERTICES * 3 * sizeof(float));
    p->normals = sample_allocate(DRAWN_VERTICES * 3 * sizeof(float));
    p->tangents = sample_allocate(DRAWN_VERTICES * 3 * sizeof(float));
    p->deltas = sample_allocate(DRAWN_VERTICES * 3 * sizeof(uint16_t));
    p->lattice = sample_allocate(p->lattice_floats * sizeof(float));
    output.embedding = p->which % 2 == 0 ? TLW_EMBED_DELTA : TLW_EMBED_FRAMES;
    output.first_vertex = FIRST_VERTEX;
    output.vertex_count = DRAWN_VERTICES;
    output.positions.data = p->positions;
    output.normals.data = p->normals;
    output.tangents.data = p->tangents;
    output.deltas.data = p->deltas;
    output.deltas.format = TLW_FORMAT_FLOAT16;
    output.lattice.data = p->lattice;
    CHECK_OK(tlw_character_set_output(p->world, p->characters[0].id, &output));
}

scenario* scenario_open(scenario_id which, const scenario_config* config) {
    scenario* p = calloc(1, sizeof *p);
    CHECK(p != NULL);
    p->which = which;
    p->config = *config;
    p->random = 11;
    sample_all(p);
    tlw_world_def def = tlw_default_world_def();
    def.isa = config->isa;
    def.tasks = config->tasks;
    def.split_cost = config->split_cost;
    while (p->capacity < SCENARIO_CHARACTERS_MAX && p->characters[p->capacity].sample_character) {
        const size_t scratch =
            sample_info(p->characters[p->capacity].sample_character)->scratch_bytes;
        def.scratch_bytes = scratch > def.scratch_bytes ? scratch : def.scratch_bytes;
        p->capacity += 1;
    }
    def.character_capacity = p->capacity;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&def, &bytes));
    CHECK_OK(tlw_world_create(&def, sample_allocate(bytes), bytes, &p->world));
    for (uint32_t i = 0; i < p->capacity; ++i) {
        enter(p, i);
    }
    set_output(p);
    if (which == SCENARIO_thin_jump || which == SCENARIO_bunny_stop) {
        tlw_settings settings = {.rotation_iterations = 4, .repeats = 2};
        if (which == SCENARIO_bunny_stop) {
            settings = (tlw_settings){{0.0f, -9.81f, 0.0f}, 1, 1};
        }
        CHECK_OK(tlw_character_set_settings(p->world, p->characters[0].id, &settings));
    }
    return p;
}

static tlw_root still_root(void) {
    return (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

static tlw_result pose_one(scenario* p, uint32_t at, double seconds, tlw_root root, bool is_jump) {
    sample_joints joints;
    const sample_character* who = p->characters[at].sample_character;
    sample_pose(who, p->characters[at].clip, seconds + p->characters[at].offset_seconds,
                p->characters[at].kind, &joints);
    const tlw_pose pose = {&joints, sample_info(who)->joint_count, root, is_jump};
    const uint64_t word = p->config.is_hostile ? hostile_float_begin() : 0;
    const tlw_result result = tlw_character_set_pose(p->world, p->characters[at].id, &pose);
    if (p->config.is_hostile) {
        hostile_float_end(word);
    }
    return result;
}

static void pose_all(scenario* p, tlw_root root) {
    for (uint32_t i = 0; i < p->capacity; ++i) {
        if (p->characters[i].id.index1 != 0) {
            CHECK_OK(pose_one(p, i, p->seconds, root, false));
        }
    }
}

// Walks along z, turning; after a second back to the start.
static tlw_root walk_root(scenario* p, uint32_t frame) {
    const double metre = sample_info(p->characters[0].sample_character)->voxel_metres;
    const uint32_t at = (frame - 1) % 60;
    const float quarter = (float)at * 0.0078125f;
    tlw_root root = {
        {1e5 * metre, 0.0, -1e5 * metre + 0.25 * metre * at}, {0.0f, quarter, 0.0f, 1.0f}, 1.0f};
    if (at == 0 && frame > 1) {
        const float straight[4] = {0.0f, 0.0f, 0.0f, 2.0f};
        CHECK_OK(tlw_character_teleport(p->world, p->characters[0].id, root.position, straight));
    }
    return root;
}

static void crowd_comes_and_goes(scenario* p, uint32_t frame) {
    const uint32_t at = 1 + frame / 20 % (SCENARIO_CHARACTERS_MAX - 1);
    if (frame % 20 != 0) {
        return;
    }
    if (p->characters[at].id.index1 != 0) {
        CHECK_OK(tlw_character_destroy(p->world, p->characters[at].id));
        p->characters[at].id = (tlw_character_id){0, 0};
    } else {
        enter(p, at);
        if (at % 2 == 0) {
            CHECK_OK(pose_one(p, at, p->seconds, still_root(), false));
            CHECK_OK(tlw_character_reset(p->world, p->characters[at].id));
        }
    }
}

static double odd_frame(scenario* p, uint32_t frame) {
    double dt = 1.0 / 240.0 + random_share(p) * (1.0 / 24.0 - 1.0 / 240.0);
    const uint32_t turn = frame % 150;
    tlw_root root = still_root();
    dt = turn == 30 ? 0.2 : turn == 31 ? 1e9 : turn == 32 ? 0.0 : turn == 33 ? -1.0 : dt;
    p->seconds += dt > 0.0 && dt < 1.0 ? dt : 0.0;
    if (turn == 40) { // a jump of the clip, a root far away, then a pose that is none
        p->seconds += 1.75;
    }
    root.position[0] = turn >= 45 && turn < 50 ? 40.0 : 0.0;
    if (turn < 60) {
        CHECK_OK(pose_one(p, 0, p->seconds, root, turn == 20));
        CHECK_OK(pose_one(p, 1, p->seconds, still_root(), turn == 41));
    }
    if (turn == 50) {
        root.scale = 0.0f;
        CHECK_RESULT(pose_one(p, 0, p->seconds, root, true), TLW_ERROR_BAD_POSE);
    }
    if (turn == 55) {
        const float garbage[3] = {1e30f, -1e12f, 3.0f}, none[3] = {0.0f, 0.0f, 0.0f};
        CHECK_OK(
            tlw_character_set_voxel(p->world, p->characters[1].id, frame % 100, garbage, none));
    }
    if (turn == 10) {
        const float place[3] = {4.0f, -3.0f, 8.0f}, speed[3] = {60.0f, 10.0f, -25.0f};
        CHECK_OK(tlw_character_set_voxel(p->world, p->characters[0].id, 7 * turn, place, speed));
        CHECK_OK(tlw_character_reset(p->world, p->characters[1].id));
    }
    if (turn == 60) { // held from here on, and without spring: it falls asleep
        const tlw_material dull = {3.0f, 0.0f, 5.0f, 1.0f};
        CHECK_OK(
            tlw_character_set_material(p->world, p->characters[0].id, TLW_ALL, TLW_ALL, &dull));
    }
    if (turn == 148) {
        CHECK_OK(tlw_character_apply_preset(p->world, p->characters[0].id,
                                            (tlw_preset)(frame / 150 % TLW_PRESET_COUNT)));
    }
    return dt;
}

static double direct(scenario* p, uint32_t frame) {
    static const double rates[SCENARIO_COUNT] = {
        [SCENARIO_thin_jump] = 90.0, [SCENARIO_bunny_stop] = 30.0};
    if (p->which == SCENARIO_odd_times) {
        return odd_frame(p, frame);
    }
    tlw_root root = still_root();
    const double dt = 1.0 / (rates[p->which] != 0.0 ? rates[p->which] : 60.0);
    p->seconds += dt;
    if (p->which == SCENARIO_bunny_walk) {
        root = walk_root(p, frame);
    } else if (p->which == SCENARIO_bunny_stop) {
        root.scale = 1.75f;
    } else if (p->which == SCENARIO_crowd) {
        crowd_comes_and_goes(p, frame);
    }
    pose_all(p, root);
    return dt;
}

scenario_frame scenario_advance(scenario* p, uint32_t frame) {
    const double dt = direct(p, frame);
    const uint64_t word = p->config.is_hostile ? hostile_float_begin() : 0;
    const tlw_step_flags flags = tlw_world_step(p->world, dt);
    if (p->config.is_hostile) {
        hostile_float_end(word);
    }
    tlw_world_report report;
    tlw_world_get_report(p->world, &report);
    p->flags_seen |= flags;
    p->substeps += report.substeps;
    p->splits += report.split_count;
    scenario_frame out = {tlw_world_hash(p->world), 0};
    const size_t vectors = DRAWN_VERTICES * 3;
    out.output = tlw_xxh64(p->positions, vectors * sizeof(float), 0);
    out.output = tlw_xxh64(p->normals, vectors * sizeof(float), out.output);
    out.output = tlw_xxh64(p->tangents, vectors * sizeof(float), out.output);
    out.output = tlw_xxh64(p->deltas, vectors * sizeof(uint16_t), out.output);
    out.output = tlw_xxh64(p->lattice, p->lattice_floats * sizeof(float), out.output);
    return out;
}

void scenario_close(scenario* p) {
    void* world = p->world;
    tlw_world_destroy(p->world);
    sample_free(world);
    for (uint32_t i = 0; i < p->capacity; ++i) {
        sample_free(p->characters[i].memory);
    }
    sample_free(p->positions);
    sample_free(p->normals);
    sample_free(p->tangents);
    sample_free(p->deltas);
    sample_free(p->lattice);
    free(p);
}
