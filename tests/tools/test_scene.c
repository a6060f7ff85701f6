// SPDX-License-Identifier: MIT
// Actors, scenes and dumps: joints find their nodes, poses follow the clip, frames are at their
// time, and a dump holds the output of the runtime.
#include "tests/test.h"
#include "tools/asset/to_cook.h"
#include "tools/sample/sample.h"
#include "tools/scene/catalogue.h"
#include "tools/scene/dump.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"
#include "tools/scene/solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tlw_actor make_actor(const char* sample, uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    tlw_actor actor;
    tlw_scene_error error = {0};
    if (tlw_actor_make(&actor, sample, &recipe, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return actor;
}

static tlw_scene* open_scene(const tlw_scene_def* def) {
    tlw_scene* scene;
    tlw_scene_error error = {0};
    if (tlw_scene_open(def, &scene, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return scene;
}

static tlw_scene_def def_of(const tlw_actor* actor, const char* clip) {
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = actor;
    def.clip = clip;
    return def;
}

TLW_TEST(actor_names_a_sample_or_clip_that_is_not_there) {
    tlw_actor actor;
    tlw_scene_error error;
    CHECK_EQ(tlw_actor_make(&actor, "bear", NULL, &error), TLW_SCENE_NO_SUCH);
    CHECK_CONTAINS(error.message, "no sample 'bear'");
    tlw_actor_free(&actor);
    actor = make_actor("bunny", 10);
    uint32_t clip;
    CHECK_EQ(tlw_actor_find_clip(&actor, "polka", &clip, &error), TLW_SCENE_NO_SUCH);
    CHECK_CONTAINS(error.message, "'polka'; there are: idle, walk, dance");
    CHECK_EQ(tlw_actor_find_clip(&actor, NULL, &clip, &error), TLW_SCENE_OK);
    CHECK_STRING(tlw_actor_clip_name(&actor, clip), "idle");
    CHECK_EQ(tlw_actor_find_clip(&actor, "dance", &clip, &error), TLW_SCENE_OK);
    CHECK_EQ(tlw_actor_clip_seconds(&actor, clip), 4.0);
    tlw_actor_free(&actor);
}

static void write_file(const char* path, const void* bytes, size_t size) {
    tlw_file_error error;
    CHECK_EQ(tlw_file_replace(path, bytes, size, &error), TLW_OK);
}

static uint8_t* build_glb(tlw_sample_variant variant, size_t* size) {
    const tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* bytes;
    CHECK_OK(tlw_sample_build(&def, &bytes, size));
    return bytes;
}

// A blob that was cooked with another unit is in metres, and its poses must be too.
TLW_TEST(actor_finds_the_unit_that_the_blob_was_cooked_with) {
    char blob_path[512], glb_path[512];
    snprintf(blob_path, sizeof blob_path, "%s/unit.tlw", tlw_test_folder());
    snprintf(glb_path, sizeof glb_path, "%s/unit.glb", tlw_test_folder());
    size_t size;
    uint8_t* glb = build_glb(TLW_SAMPLE_STOUT, &size);
    write_file(glb_path, glb, size);
    tlw_asset* asset;
    CHECK_EQ(tlw_asset_load_memory(glb, size, NULL, NULL, &asset, NULL), TLW_ASSET_OK);
    const double units[] = {1.0, 0.01, 39.37};
    for (size_t i = 0; i < TLW_COUNT_OF(units); ++i) {
        tlw_asset_cook cook;
        tlw_asset_cook_options options = tlw_default_asset_cook_options();
        options.metres_per_unit = units[i];
        CHECK_EQ(tlw_asset_to_cook(asset, &options, &cook, NULL), TLW_ASSET_OK);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = 8;
        const tlw_cook_options cook_options = tlw_default_cook_options();
        tlw_cook_output output;
        CHECK_OK(tlw_cook_character(&cook.input, &recipe, &cook_options, &output));
        write_file(blob_path, output.blob, output.blob_bytes);
        tlw_actor actor;
        CHECK_EQ(tlw_actor_read(&actor, blob_path, glb_path, NULL), TLW_SCENE_OK);
        CHECK_STRING(actor.name, "unit");
        CHECK_NEAR(actor.metres_per_unit / units[i], 1.0, 1e-5);
        if (units[i] == 1.0) {
            CHECK_EQ(actor.metres_per_unit, 1.0);
        }
        // The rest pose of this sample is its bind pose, joint by joint.
        float* joints = calloc((size_t)actor.info.joint_count * 16, sizeof *joints);
        CHECK(joints != NULL);
        tlw_actor_pose(&actor, TLW_ASSET_NONE, 0.0, joints);
        for (uint32_t j = 0; j < actor.info.joint_count * 16; ++j) {
            CHECK_NEAR((double)joints[j], cook.input.joints[j / 16].bind[j % 16],
                       1e-4 * units[i] + 1e-5);
        }
        free(joints);
        tlw_actor_free(&actor);
        tlw_cook_output_free(&output);
        tlw_asset_cook_free(&cook);
    }
    tlw_asset_free(asset);
    free(glb);
}

TLW_TEST(actor_pose_follows_the_clip_and_loops) {
    tlw_actor actor = make_actor("bunny", 10);
    uint32_t clip;
    CHECK_EQ(tlw_actor_find_clip(&actor, "walk", &clip, NULL), TLW_SCENE_OK);
    const size_t count = (size_t)actor.info.joint_count * 16;
    float* poses[3];
    const double times[3] = {0.25, 7.25, 0.5}; // the walk takes a second
    for (int i = 0; i < 3; ++i) {
        poses[i] = calloc(count, sizeof(float));
        CHECK(poses[i] != NULL);
        tlw_actor_pose(&actor, clip, times[i], poses[i]);
    }
    CHECK_BYTES(poses[0], poses[1], count * sizeof(float));
    CHECK(memcmp(poses[0], poses[2], count * sizeof(float)) != 0);
    for (int i = 0; i < 3; ++i) {
        free(poses[i]);
    }
    tlw_actor_free(&actor);
}

TLW_TEST(scene_rejects_a_def_that_did_not_come_from_its_default) {
    tlw_actor actor = make_actor("stout", 8);
    tlw_scene_def def = def_of(&actor, NULL);
    def.cookie = 0;
    tlw_scene* scene;
    tlw_scene_error error;
    CHECK_EQ(tlw_scene_open(&def, &scene, &error), TLW_SCENE_BAD);
    CHECK(scene == NULL);
    tlw_actor_free(&actor);
}

TLW_TEST(scene_names_what_its_output_asks_for_and_the_recipe_did_not) {
    tlw_actor actor = make_actor("stout", 8);
    tlw_scene_def def = def_of(&actor, NULL);
    tlw_scene* scene;
    tlw_scene_error error = {0};
    def.output.embedding = TLW_EMBED_RBF;
    CHECK_EQ(tlw_scene_open(&def, &scene, &error), TLW_SCENE_UNSUPPORTED);
    CHECK(scene == NULL);
    CHECK_EQ(error.code, TLW_SCENE_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "'stout' has no radial basis functions");
    CHECK_CONTAINS(error.message, "\"embedding\": \"rbf\"");
    def.output.embedding = TLW_EMBED_DELTA;
    def.output.normals_by = TLW_NORMALS_BY_RING;
    CHECK_EQ(tlw_scene_open(&def, &scene, &error), TLW_SCENE_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "'stout' has no ring normals");
    CHECK_EQ(tlw_scene_open(&def, &scene, NULL), TLW_SCENE_UNSUPPORTED);
    tlw_actor_free(&actor);
}

TLW_TEST(scene_switches_skinned_volume_and_names_a_blob_without_it) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 16;
    for (int has_bends = 0; has_bends < 2; ++has_bends) {
        tlw_actor actor;
        tlw_scene_error error = {0};
        recipe.volume_reach = has_bends ? 0.5f : 0.0f;
        CHECK_EQ(tlw_actor_make(&actor, "stout", &recipe, &error), TLW_SCENE_OK);
        for (int volume = TLW_SCENE_VOLUME_COOKED; volume <= TLW_SCENE_VOLUME_OFF; ++volume) {
            tlw_scene_def def = def_of(&actor, NULL);
            tlw_scene* scene;
            tlw_settings settings;
            def.volume = (tlw_scene_volume)volume;
            if (volume == TLW_SCENE_VOLUME_ON && !has_bends) {
                CHECK_EQ(tlw_scene_open(&def, &scene, &error), TLW_SCENE_UNSUPPORTED);
                CHECK_CONTAINS(error.message, "'stout' has no bends, which need \"volume\"");
                continue;
            }
            CHECK_EQ(tlw_scene_open(&def, &scene, &error), TLW_SCENE_OK);
            CHECK_OK(tlw_character_get_settings(scene->world, scene->characters[0].id, &settings));
            CHECK_EQ(settings.skinned_volume, has_bends && volume != TLW_SCENE_VOLUME_OFF);
            tlw_scene_close(scene);
        }
        tlw_actor_free(&actor);
    }
}

// Steps a scene for a while, every pass of which is timed. Returns the time of the embedding.
static uint64_t embed_ns(tlw_scene* scene) {
    uint64_t of_character = 0;
    tlw_scene_start(scene);
    for (int frame = 0; frame < 20; ++frame) {
        tlw_scene_advance(scene, 1.0 / 60.0);
        tlw_character_report report;
        CHECK_OK(tlw_character_get_report(scene->world, scene->characters[0].id, &report));
        CHECK_LT(0u, report.pass_ns[TLW_PASS_REGIONS]); // the clock runs
        of_character += report.pass_ns[TLW_PASS_EMBED];
    }
    tlw_world_report report;
    tlw_world_get_report(scene->world, &report);
    CHECK_EQ(report.total_pass_ns[TLW_PASS_EMBED], of_character);
    return of_character;
}

// The bounds of the streams that show every voxel's position, by the same rule.
static tlw_bounds bounds_of_lattice(const tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    const float* m = scene->characters[0].lattice;
    const double grown = 0.5 * sqrt(3.0) * actor->info.voxel_metres;
    tlw_bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < actor->info.voxel_count; ++v) {
        double rest[3];
        tlw_actor_voxel_centre(actor, v, rest);
        for (int axis = 0; axis < 3; ++axis) {
            const float* row = m + (size_t)v * 12 + (size_t)axis * 4;
            const double at = (double)row[0] * rest[0] + (double)row[1] * rest[1] +
                              (double)row[2] * rest[2] + (double)row[3];
            b.low[axis] = fminf(b.low[axis], (float)(at - grown));
            b.high[axis] = fmaxf(b.high[axis], (float)(at + grown));
        }
    }
    return b;
}

TLW_TEST(scene_without_streams_embeds_nothing_and_has_bounds_only_if_it_asks_for_them) {
    tlw_actor actor = make_actor("stout", 12);
    tlw_scene_def def = def_of(&actor, "dance");
    tlw_bounds bounds;
    tlw_scene* scene = open_scene(&def);
    CHECK_EQ(embed_ns(scene), 0u);
    CHECK_RESULT(tlw_character_get_bounds(scene->world, scene->characters[0].id, &bounds),
                 TLW_ERROR_UNSUPPORTED);
    uint64_t hash, hash_with;
    CHECK_OK(tlw_character_hash(scene->world, scene->characters[0].id, &hash));

    def.output.wants_bounds = true;
    tlw_scene* with_bounds = open_scene(&def);
    CHECK_LT(0u, embed_ns(with_bounds));
    CHECK_OK(tlw_character_get_bounds(with_bounds->world, with_bounds->characters[0].id, &bounds));
    CHECK_OK(tlw_character_hash(with_bounds->world, with_bounds->characters[0].id, &hash_with));
    CHECK_EQ(hash, hash_with);

    def.output.wants_bounds = false;
    def.has_lattice = true; // a stream: bounds come with it
    tlw_scene* with_stream = open_scene(&def);
    tlw_bounds same;
    CHECK_LT(0u, embed_ns(with_stream));
    CHECK_OK(tlw_character_get_bounds(with_stream->world, with_stream->characters[0].id, &same));
    CHECK_BYTES(&bounds, &same, sizeof bounds);
    const tlw_bounds expected = bounds_of_lattice(with_stream);
    for (int axis = 0; axis < 3; ++axis) {
        CHECK_NEAR((double)bounds.low[axis], (double)expected.low[axis], 1e-5);
        CHECK_NEAR((double)bounds.high[axis], (double)expected.high[axis], 1e-5);
    }
    // An output without streams puts an end to it.
    const tlw_output nothing = tlw_default_output();
    CHECK_OK(tlw_character_set_output(with_stream->world, with_stream->characters[0].id, &nothing));
    CHECK_EQ(embed_ns(with_stream), 0u);
    CHECK_RESULT(tlw_character_get_bounds(with_stream->world, with_stream->characters[0].id, &same),
                 TLW_ERROR_UNSUPPORTED);
    tlw_scene_close(scene);
    tlw_scene_close(with_bounds);
    tlw_scene_close(with_stream);
    tlw_actor_free(&actor);
}

// What a vertex costs in memory, and in bytes that every frame reads. With more voxels than
// vertices the lists that eight vertices share grow: bunny has 102 bytes at resolution 64.
TLW_TEST(blob_of_every_sample_has_at_most_96_bytes_per_vertex) {
    static const struct {
        const char* sample;
        uint32_t resolution;
    } of[] = {{"bunny", 16}, {"bunny", 32}, {"bunny", 48}, {"stout", 16}, {"stout", 32},
              {"stout", 48}, {"thin", 16},  {"thin", 32},  {"thin", 64}};
    for (size_t i = 0; i < TLW_COUNT_OF(of); ++i) {
        tlw_actor actor = make_actor(of[i].sample, of[i].resolution);
        CHECK_LT(0.0, tlw_actor_vertex_bytes(&actor));
        CHECK_LE(tlw_actor_vertex_bytes(&actor), 96.0);
        tlw_actor_free(&actor);
    }
}

// Frame 0 is at rest in the first pose: no deviation, and no motion while the pose is held. Skinned
// volume, which deltas show too, is off.
TLW_TEST(scene_starts_at_rest_in_the_first_pose_of_its_clip) {
    tlw_actor actor = make_actor("stout", 12);
    tlw_scene_def def = def_of(&actor, "dance");
    def.has_positions = def.has_deltas = true;
    def.volume = TLW_SCENE_VOLUME_OFF;
    tlw_scene* scene = open_scene(&def);
    for (int round = 0; round < 2; ++round) { // the second round is after a dance
        tlw_scene_start(scene);
        CHECK_EQ(scene->seconds, 0.0);
        CHECK_EQ(scene->flags_seen, 0u);
        CHECK_EQ(scene->substeps, 0u);
        double worst = 0.0;
        for (uint32_t i = 0; i < actor.info.vertex_count * 3; ++i) {
            worst = fmax(worst, fabs((double)scene->characters[0].deltas[i]));
        }
        CHECK_LT(worst, 1e-4 * actor.info.voxel_metres);
        for (int frame = 0; frame < 30; ++frame) {
            tlw_scene_advance(scene, 1.0 / 60.0);
        }
        CHECK_NEAR(scene->seconds, 0.5, 1e-12);
        CHECK_EQ(scene->substeps, 30u);
        worst = 0.0;
        for (uint32_t i = 0; i < actor.info.vertex_count * 3; ++i) {
            worst = fmax(worst, fabs((double)scene->characters[0].deltas[i]));
        }
        CHECK_LT(1e-2 * actor.info.voxel_metres, worst);
    }
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}

TLW_TEST(scene_of_many_characters_has_each_at_its_own_time) {
    tlw_actor actor = make_actor("stout", 10);
    tlw_scene_def one = def_of(&actor, "walk"), many = one;
    one.has_positions = many.has_positions = true;
    many.character_count = 3;
    many.apart_seconds = 0.25;
    many.worker_count = 2;
    tlw_scene *a = open_scene(&one), *b = open_scene(&many);
    tlw_scene_start(a);
    tlw_scene_start(b);
    for (int frame = 0; frame < 8; ++frame) {
        tlw_scene_advance(a, 1.0 / 60.0);
        tlw_scene_advance(b, 1.0 / 60.0);
    }
    const size_t bytes = (size_t)actor.info.vertex_count * 3 * sizeof(float);
    CHECK_EQ(b->character_count, 3u);
    CHECK_BYTES(a->characters[0].positions, b->characters[0].positions, bytes);
    CHECK(memcmp(b->characters[0].positions, b->characters[2].positions, bytes) != 0);
    CHECK_EQ(b->substeps, 3 * a->substeps);
    tlw_scene_close(a);
    tlw_scene_close(b);
    tlw_actor_free(&actor);
}

TLW_TEST(scene_flag_names_are_those_of_the_table) {
    char text[64];
    tlw_scene_flag_names(0, text, sizeof text);
    CHECK_STRING(text, "none");
    tlw_scene_flag_names(TLW_STEP_JUMPED | TLW_STEP_DROPPED_TIME, text, sizeof text);
    CHECK_STRING(text, "dropped time, jumped");
    tlw_scene_flag_names(TLW_STEP_JUMPED | TLW_STEP_DROPPED_TIME, text, 10);
    CHECK_STRING(text, "dropped t");
}

static uint32_t word_at(const uint8_t* bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static float float_at(const uint8_t* bytes) {
    const uint32_t word = word_at(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// Two frames: the bind pose, then everything 3 m to the left and a little up. Every number of the
// dump is known from the blob.
TLW_TEST(dump_has_the_output_position_of_every_voxel_and_vertex_in_order) {
    tlw_actor actor = make_actor("bunny", 12);
    tlw_asset* asset = actor.asset;
    actor.asset = NULL; // the bind pose
    tlw_scene_def def = def_of(&actor, NULL);
    def.has_positions = def.has_lattice = true;
    tlw_scene* scene = open_scene(&def);
    static tlw_file_writer writer;
    char path[512];
    snprintf(path, sizeof path, "%s/dump", tlw_test_folder());
    CHECK_OK(tlw_file_writer_begin(&writer, path));
    tlw_dump dump;
    CHECK(tlw_dump_begin(&dump, &actor, 2, &writer));
    tlw_scene_start(scene);
    tlw_dump_frame(&dump, scene);
    const uint32_t joints = actor.info.joint_count;
    float* moved = calloc((size_t)joints * 16, sizeof *moved);
    CHECK(moved != NULL);
    tlw_actor_pose(&actor, TLW_ASSET_NONE, 0.0, moved);
    for (uint32_t j = 0; j < joints; ++j) {
        moved[j * 16 + 12] -= 3.0f;
        moved[j * 16 + 13] += 0.125f;
    }
    const tlw_pose pose = {.joints = moved,
                           .joint_count = joints,
                           .root = {.rotation = {0, 0, 0, 1}, .scale = 1},
                           .is_jump = true};
    CHECK_OK(tlw_character_set_pose(scene->world, scene->characters[0].id, &pose));
    tlw_world_step(scene->world, 1.0 / 60.0);
    tlw_dump_frame(&dump, scene);
    CHECK_OK(tlw_file_writer_commit(&writer));
    tlw_dump_free(&dump);

    const uint64_t vertices = actor.info.vertex_count;
    uint64_t voxels;
    const tlw_blob_lattice* lattice =
        tlw_blob_find(actor.blob_memory, TLW_SECTION_LATTICE, &voxels);
    const tlw_blob_cell* cells = tlw_blob_find(actor.blob_memory, TLW_SECTION_VOXEL_CELL, &voxels);
    const tlw_vertex* rest = tlw_actor_vertices(&actor);
    FILE* file = fopen(path, "rb");
    CHECK(file != NULL);
    const size_t size = 20 + 2 * ((size_t)voxels + (size_t)vertices) * 12;
    uint8_t* bytes = malloc(size + 1);
    CHECK(bytes != NULL);
    CHECK_EQ(fread(bytes, 1, size + 1, file), size);
    fclose(file);
    CHECK_BYTES(bytes, "TLWDUMP1", 8);
    CHECK_EQ(word_at(bytes + 8), 2u);
    CHECK_EQ(word_at(bytes + 12), (uint32_t)voxels);
    CHECK_EQ(word_at(bytes + 16), (uint32_t)vertices);
    const uint8_t* at = bytes + 20;
    for (int frame = 0; frame < 2; ++frame) {
        const double shift[3] = {frame * -3.0, frame * 0.125, 0.0};
        for (uint64_t v = 0; v < voxels; ++v) {
            const double cell[3] = {cells[v].x, cells[v].y, cells[v].z};
            for (int axis = 0; axis < 3; ++axis, at += 4) {
                const double centre =
                    lattice->origin[axis] + (cell[axis] + 0.5) * lattice->voxel_metres;
                CHECK_NEAR((double)float_at(at), centre + shift[axis], 2e-6);
            }
        }
        for (uint64_t v = 0; v < vertices; ++v) {
            for (int axis = 0; axis < 3; ++axis, at += 4) {
                CHECK_NEAR((double)float_at(at), (double)rest[v].position[axis] + shift[axis],
                           2e-6);
            }
        }
    }
    free(bytes);
    free(moved);
    tlw_scene_close(scene);
    actor.asset = asset;
    tlw_actor_free(&actor);
}

// After a stop the tissue deviates, and the film's shots keep the output of the step.
TLW_TEST(film_keeps_shots_and_draws_them) {
    tlw_actor actor = make_actor("stout", 12);
    tlw_scene_def def = def_of(&actor, "sudden_stop");
    def.has_positions = def.has_normals = def.has_deltas = true;
    def.volume = TLW_SCENE_VOLUME_OFF; // with it the first pose has deltas as well
    tlw_scene* scene = open_scene(&def);
    tlw_film film;
    CHECK(tlw_film_create(&film, &actor, 2));
    tlw_scene_start(scene);
    CHECK(tlw_film_shoot(&film, scene));
    CHECK_LT(tlw_film_farthest(&film), (float)(1e-3 * actor.info.voxel_metres));
    for (int frame = 0; frame < 64; ++frame) {
        tlw_scene_advance(scene, 1.0 / 60.0);
    }
    CHECK(tlw_film_shoot(&film, scene));
    CHECK(!tlw_film_shoot(&film, scene)); // full
    const float farthest = tlw_film_farthest(&film);
    CHECK_LT((float)(0.1 * actor.info.voxel_metres), farthest);
    const tlw_sheet_def sheet_def = {
        .columns = 2, .rows = 2, .cell_width = 60, .cell_height = 60, .title = "stop"};
    tlw_sheet sheet;
    CHECK_OK(tlw_sheet_create(&sheet, &sheet_def));
    const size_t pixels = (size_t)sheet.picture.width * sheet.picture.height;
    tlw_rgb* before = malloc(pixels * sizeof *before);
    CHECK(before != NULL);
    memcpy(before, sheet.picture.pixels, pixels * sizeof *before);
    CHECK(!tlw_film_draw(&film, 1, 2, 60.0f, farthest, &sheet, 0)); // there are only two
    CHECK(tlw_film_draw(&film, 0, 2, 60.0f, farthest, &sheet, 0));
    for (uint32_t row = 0; row < 2; ++row) {
        for (uint32_t column = 0; column < 2; ++column) {
            const tlw_render_area cell = tlw_sheet_cell(&sheet, column, row);
            const size_t middle =
                (size_t)(cell.y + cell.height / 2) * sheet.picture.width + cell.x + cell.width / 2;
            CHECK(memcmp(&before[middle], &sheet.picture.pixels[middle], sizeof *before) != 0);
        }
    }
    free(before);
    tlw_sheet_free(&sheet);
    tlw_film_free(&film);
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}

TLW_TEST(film_cameras_fit_the_box_that_they_are_given) {
    tlw_actor actor = make_actor("thin", 16);
    tlw_scene_def def = def_of(&actor, "idle");
    def.has_positions = def.has_normals = def.has_deltas = true;
    tlw_scene* scene = open_scene(&def);
    tlw_film film;
    CHECK(tlw_film_create(&film, &actor, 1));
    tlw_scene_start(scene);
    CHECK(tlw_film_shoot(&film, scene));
    const float whole = tlw_film_aspect(&film, 0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        film.fits_low[axis] = -9.0f;
        film.fits_high[axis] = 9.0f;
    }
    CHECK_EQ(tlw_film_aspect(&film, 0.0f), whole);
    film.fits_low[1] = 0.4f; // without legs it is as wide, and less high
    CHECK_LT(1.1f * whole, tlw_film_aspect(&film, 0.0f));
    tlw_film_free(&film);
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}

// ---- The catalogue

static tlw_step_flags flags_of(const char* name, const tlw_actor* actor, uint32_t frames,
                               tlw_scene** out) {
    const tlw_scene_entry* entry = tlw_scene_entry_find(name);
    CHECK(entry != NULL);
    tlw_scene_def def = tlw_scene_entry_def(entry, actor);
    def.character_count = def.character_count < 6 ? def.character_count : 6;
    def.has_deltas = out != NULL; // embedding takes longest
    tlw_scene* scene = open_scene(&def);
    tlw_scene_start(scene);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        tlw_scene_advance(scene, 1.0 / 60.0);
    }
    const tlw_step_flags flags = scene->flags_seen;
    if (out) {
        *out = scene;
    } else {
        tlw_scene_close(scene);
    }
    return flags;
}

TLW_TEST(catalogue_scenes_do_what_their_lines_say) {
    tlw_actor actor = make_actor("stout", 10);
    CHECK(tlw_scene_entry_find("polka") == NULL);
    CHECK(tlw_scene_entry_at(tlw_scene_entry_count()) == NULL);
    for (uint32_t i = 0; i < tlw_scene_entry_count(); ++i) {
        const char* name = tlw_scene_entry_at(i)->name;
        const uint32_t sleeps = strcmp(name, "still") == 0 ? (uint32_t)TLW_STEP_ASLEEP : 0;
        const uint32_t jumps = strcmp(name, "cuts") == 0 ? (uint32_t)TLW_STEP_JUMPED : 0;
        CHECK_EQ(flags_of(name, &actor, sleeps ? 400 : 40, NULL), sleeps | jumps);
    }
    char names[256];
    tlw_scene_entry_names(names, sizeof names);
    CHECK_CONTAINS(names, "still, idle, walk, dance, ");
    tlw_scene_entry_names(names, 9);
    CHECK_STRING(names, "still, i");
    tlw_actor_free(&actor);
}

// There are five clips, so the sixth character has the same clip as the first.
TLW_TEST(crowd_plays_every_clip_under_names_of_their_own) {
    tlw_actor actor = make_actor("stout", 10);
    tlw_scene_def def = tlw_scene_entry_def(tlw_scene_entry_find("crowd"), &actor);
    CHECK_LT(0.0, def.apart_seconds);
    CHECK_EQ(actor.asset->clip_count, 5);
    def.character_count = 6;
    def.apart_seconds = 0.0;
    tlw_scene* scene = open_scene(&def);
    tlw_scene_start(scene);
    for (int frame = 0; frame < 20; ++frame) {
        tlw_scene_advance(scene, 1.0 / 60.0);
    }
    CHECK_STRING(scene->characters[0].name, "stout 0");
    CHECK_STRING(scene->characters[5].name, "stout 5");
    uint64_t hashes[6];
    for (uint32_t i = 0; i < 6; ++i) {
        CHECK_OK(tlw_character_hash(scene->world, scene->characters[i].id, &hashes[i]));
        for (uint32_t j = 0; j < i; ++j) {
            CHECK_EQ(hashes[i] == hashes[j], j + 5 == i);
        }
    }
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}

// After a rigid motion deviations are the same as if nothing had happened.
TLW_TEST(teleport_does_not_change_a_dance) {
    tlw_actor actor = make_actor("stout", 10);
    tlw_scene *moved, *stayed;
    (void)flags_of("teleport", &actor, 40, &moved);
    (void)flags_of("dance", &actor, 40, &stayed);
    for (uint32_t i = 0; i < actor.info.vertex_count * 3; ++i) {
        CHECK_NEAR(moved->characters[0].deltas[i], stayed->characters[0].deltas[i],
                   1e-3 * actor.info.voxel_metres);
    }
    tlw_scene_close(moved);
    tlw_scene_close(stayed);
    tlw_actor_free(&actor);
}

// ---- Solids

static tlw_solids make_solids(void) {
    static const double from[3] = {1.0, 2.0, 3.0}, to[3] = {1.0, 6.0, 3.0};
    static const tlw_rgb grey = {0.5f, 0.5f, 0.5f};
    tlw_solids solids = {0};
    tlw_solids_add_capsule(&solids, from, to, 2.0, grey)->shape.radii[1] = 1.0f;
    tlw_solids_add_capsule(&solids, from, from, 2.0, grey);
    tlw_solid* box = tlw_solids_add_capsule(&solids, from, from, 0.0, grey);
    box->shape.kind = TLW_COLLIDER_BOX;
    box->shape.half_extents[0] = 3.0f;
    box->shape.half_extents[1] = 2.0f;
    box->shape.half_extents[2] = 1.0f;
    box->shape.rounding = 0.5f;
    box->pose.rotation[2] = box->pose.rotation[3] = 0.70710678f; // its x axis is the world's y
    return solids;
}

TLW_TEST(solids_tell_how_deep_a_point_is_inside) {
    const tlw_solids solids = make_solids();
    static const struct {
        uint32_t solid;
        double point[3], depth;
    } cases[] = {
        {0, {1.0, 4.0, 3.0}, 1.5},  {0, {4.0, 4.0, 3.0}, -1.5},  {0, {1.0, 8.0, 3.0}, -1.0},
        {1, {1.0, 2.0, 4.5}, 0.5},  {1, {1.0, -2.0, 3.0}, -2.0}, {2, {1.0, 2.0, 3.0}, 1.5},
        {2, {1.0, 6.0, 3.0}, -0.5}, {2, {1.0, 4.9, 3.0}, 0.6},   {2, {7.0, 2.0, 7.0}, -4.5}};
    for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
        CHECK_NEAR(tlw_solid_depth(&solids.list[cases[k].solid], cases[k].point), cases[k].depth,
                   1e-6);
    }
}

TLW_TEST(meshes_of_solids_lie_on_their_surface_and_face_outwards) {
    const tlw_solids solids = make_solids();
    for (uint32_t s = 1; s < solids.count; ++s) {
        tlw_solid_mesh mesh;
        CHECK(tlw_solid_make_mesh(&solids.list[s], &mesh));
        for (uint32_t i = 0; i + 2 < mesh.index_count; i += 3) {
            const float* p[3];
            for (uint32_t k = 0; k < 3; ++k) {
                CHECK_LT(mesh.indices[i + k], mesh.vertex_count);
                p[k] = mesh.positions + (size_t)mesh.indices[i + k] * 3;
                const double at[3] = {(double)p[k][0], (double)p[k][1], (double)p[k][2]};
                CHECK_NEAR(tlw_solid_depth(&solids.list[s], at), 0.0, 1e-5);
            }
            const float* normal = mesh.normals + (size_t)mesh.indices[i] * 3;
            double out = 0.0;
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                out += (double)normal[a] * (double)((p[1][b] - p[0][b]) * (p[2][c] - p[0][c]) -
                                                    (p[1][c] - p[0][c]) * (p[2][b] - p[0][b]));
            }
            CHECK_LT(-1e-6, out);
        }
        tlw_solid_free_mesh(&mesh);
    }
}
