// SPDX-License-Identifier: MIT
// tallow-sim: steps a cooked character through a clip without a window, and says what came of it:
// a table, hashes of every frame, every voxel and vertex, or a contact sheet.
#include "tools/scene/dump.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"
#include "tools/sim/options.h"

#include <math.h>
#include <stdlib.h>

#define CELL_WIDTH_MAX 244.0 // 16 of them fit the widest picture

typedef struct sim {
    sim_options options;
    tlw_actor actor;
    tlw_scene* scene;
    uint64_t* hashes; // one a frame
    tlw_dump dump;
    tlw_film film;
    tlw_bounds bounds; // of all frames
} sim;

// ---- Preparing

static int fail(const tlw_scene_error* error) {
    fprintf(stderr, "tallow-sim: %s\n", error->message);
    return tlw_scene_exit_code(error->code);
}

static int fail_memory(const sim* s) {
    fprintf(stderr, "tallow-sim: cannot read '%s': out of memory\n", s->options.blob);
    return EXIT_CANNOT_READ;
}

static bool wants_table(const sim_options* o) {
    return !o->wants_hash && !o->dump && !o->picture;
}

static int open_scene(sim* s) {
    tlw_scene_error error;
    if (tlw_actor_read(&s->actor, s->options.blob, s->options.motion, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    uint64_t index_count = 0;
    (void)tlw_actor_indices(&s->actor, &index_count);
    if (s->options.picture && index_count == 0) {
        fprintf(stderr, "tallow-sim: '%s' has no triangles to draw\n", s->options.blob);
        return EXIT_BAD_ASSET;
    }
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &s->actor;
    def.clip = s->options.clip;
    def.preset = s->options.preset;
    def.world.isa = s->options.isa;
    def.worker_count = s->options.workers;
    // The table is of what most engines ask for: positions and normals.
    const bool has_table = wants_table(&s->options);
    def.has_positions = has_table || s->options.dump || s->options.picture;
    def.has_normals = has_table || s->options.picture;
    def.has_deltas = s->options.picture != NULL;
    def.has_lattice = s->options.dump != NULL;
    if (tlw_scene_open(&def, &s->scene, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    return EXIT_OK;
}

static int make_room(sim* s) {
    s->hashes = malloc((size_t)s->options.frames * sizeof *s->hashes);
    return s->hashes && tlw_film_create(&s->film, &s->actor, COLUMNS_MAX) ? EXIT_OK
                                                                          : fail_memory(s);
}

// ---- Running

// Shots are spread evenly, the first and the last frame among them; a single one is the last.
static bool is_shot(const sim* s, uint32_t frame) {
    const uint32_t frames = s->options.frames;
    const uint32_t columns = s->options.columns < frames ? s->options.columns : frames;
    const uint32_t next = s->film.shot_count;
    return s->options.picture && next < columns &&
           frame == (columns == 1 ? frames - 1
                                  : (uint32_t)((uint64_t)next * (frames - 1) / (columns - 1)));
}

static void widen_bounds(sim* s, uint32_t frame) {
    tlw_bounds now;
    if (tlw_character_get_bounds(s->scene->world, s->scene->characters[0].id, &now) != TLW_OK) {
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const bool is_lower = frame == 0 || now.low[axis] < s->bounds.low[axis];
        const bool is_higher = frame == 0 || now.high[axis] > s->bounds.high[axis];
        s->bounds.low[axis] = is_lower ? now.low[axis] : s->bounds.low[axis];
        s->bounds.high[axis] = is_higher ? now.high[axis] : s->bounds.high[axis];
    }
}

static int run(sim* s) {
    for (uint32_t frame = 0; frame < s->options.frames; ++frame) {
        if (frame == 0) {
            tlw_scene_start(s->scene);
        } else {
            tlw_scene_advance(s->scene, 1.0 / s->options.hz);
        }
        widen_bounds(s, frame);
        if (tlw_character_hash(s->scene->world, s->scene->characters[0].id, &s->hashes[frame]) !=
            TLW_OK) {
            return EXIT_BAD_ASSET;
        }
        if (s->options.wants_hash) {
            printf("frame %u %016llx\n", frame, (unsigned long long)s->hashes[frame]);
        }
        if (s->options.dump) {
            tlw_dump_frame(&s->dump, s->scene);
        }
        if (is_shot(s, frame) && !tlw_film_shoot(&s->film, s->scene)) {
            return fail_memory(s);
        }
    }
    return EXIT_OK;
}

// ---- Telling

static void print_hash_of_all(const sim* s) {
    uint8_t* bytes = (uint8_t*)s->hashes; // in place: each was printed already
    for (uint32_t i = 0; i < s->options.frames; ++i) {
        const uint64_t hash = s->hashes[i];
        tlw_dump_word((uint32_t)hash, bytes + (size_t)i * 8);
        tlw_dump_word((uint32_t)(hash >> 32), bytes + (size_t)i * 8 + 4);
    }
    const uint64_t all = tlw_xxh64(bytes, (size_t)s->options.frames * 8, 0);
    printf("all %u frames %016llx\n", s->options.frames, (unsigned long long)all);
}

static void print_summary(const sim* s) {
    const tlw_blob_info* info = &s->actor.info;
    const tlw_scene* scene = s->scene;
    char flags[256];
    tlw_scene_flag_names(scene->flags_seen, flags, sizeof flags);
    printf("%s: %u voxels of %.4g mm, %u vertices, %u joints; %s, %s\n", s->actor.name,
           info->voxel_count, info->voxel_metres * 1e3, info->vertex_count, info->joint_count,
           tlw_isa_name(scene->def.world.isa), tlw_preset_name(scene->def.preset));
    printf("  %-10s %s, %.4g s", "clip", tlw_actor_clip_name(&s->actor, scene->clip),
           tlw_actor_clip_seconds(&s->actor, scene->clip));
    if (s->actor.metres_per_unit != 1.0) {
        printf(", %.6g metres a unit", s->actor.metres_per_unit);
    }
    printf("\n  %-10s %u at %.6g Hz, %.4g s\n", "frames", s->options.frames, s->options.hz,
           scene->seconds);
    printf("  %-10s %llu\n", "substeps", (unsigned long long)scene->substeps);
    printf("  %-10s %s\n", "flags seen", flags);
    printf("  %-10s %.3f %.3f %.3f to %.3f %.3f %.3f m\n", "bounds", (double)s->bounds.low[0],
           (double)s->bounds.low[1], (double)s->bounds.low[2], (double)s->bounds.high[0],
           (double)s->bounds.high[1], (double)s->bounds.high[2]);
    printf("  %-10s %zu world, %zu character, %zu blob\n\n", "bytes", scene->world_bytes,
           scene->characters[0].memory_bytes, s->actor.blob_bytes);
    tlw_scene_print_passes(scene, stdout);
}

static int write_picture(const sim* s, tlw_file_writer* writer) {
    char title[160], remark[160];
    snprintf(title, sizeof title, "%s: %s", s->actor.name,
             tlw_actor_clip_name(&s->actor, s->scene->clip));
    snprintf(remark, sizeof remark, "%u voxels, %u frames at %.6g Hz, preset %s",
             s->actor.info.voxel_count, s->options.frames, s->options.hz,
             tlw_preset_name(s->options.preset));
    // Cells of the shape that the character has, about as large for a fox as for a bear.
    const double aspect = (double)tlw_film_aspect(&s->film, (float)s->options.yaw_degrees);
    const double width = fmin(fmax(240.0 * sqrt(aspect), 160.0), CELL_WIDTH_MAX);
    const double height = fmin(fmax(width / aspect, 120.0), 320.0);
    const tlw_sheet_def def = {.columns = s->film.shot_count,
                               .rows = 2,
                               .cell_width = (uint32_t)width,
                               .cell_height = (uint32_t)height,
                               .title = title,
                               .remark = remark};
    tlw_sheet sheet;
    const float hot = tlw_film_farthest(&s->film);
    tlw_result result = tlw_sheet_create(&sheet, &def);
    if (result == TLW_OK && !tlw_film_draw(&s->film, 0, s->film.shot_count,
                                           (float)s->options.yaw_degrees, hot, &sheet, 0)) {
        result = TLW_ERROR_OUT_OF_MEMORY;
    }
    if (result != TLW_OK) {
        tlw_file_writer_abandon(writer);
        fprintf(stderr, "tallow-sim: cannot write '%s': %s\n", s->options.picture,
                result == TLW_ERROR_TOO_LARGE ? "the sheet is too large" : "out of memory");
    } else {
        tlw_sheet_row_label(&sheet, 0, "skinning alone");
        tlw_sheet_row_label(&sheet, 1, "tissue");
        tlw_film_legend(&sheet, hot);
        result = tlw_picture_commit(&sheet.picture, writer);
        if (result != TLW_OK) {
            fprintf(stderr, "tallow-sim: %s\n", writer->error.message);
        }
    }
    tlw_sheet_free(&sheet);
    return result == TLW_OK ? EXIT_OK : EXIT_CANNOT_WRITE;
}

// Files are begun before anything is stepped: a path that cannot be written to is told at once.
static int begin_files(const sim* s, tlw_file_writer* dump, tlw_file_writer* picture) {
    if (s->options.dump && tlw_file_writer_begin(dump, s->options.dump) != TLW_OK) {
        fprintf(stderr, "tallow-sim: %s\n", dump->error.message);
        return EXIT_CANNOT_WRITE;
    }
    if (s->options.picture && tlw_file_writer_begin(picture, s->options.picture) != TLW_OK) {
        fprintf(stderr, "tallow-sim: %s\n", picture->error.message);
        if (s->options.dump) {
            tlw_file_writer_abandon(dump);
        }
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

static int run_and_tell(sim* s) {
    static tlw_file_writer dump, picture;
    int status = begin_files(s, &dump, &picture);
    if (status != EXIT_OK) {
        return status;
    }
    if (s->options.dump && !tlw_dump_begin(&s->dump, &s->actor, s->options.frames, &dump)) {
        status = fail_memory(s);
    }
    if (status == EXIT_OK) {
        status = run(s);
    }
    if (status == EXIT_OK && s->options.wants_hash) {
        print_hash_of_all(s);
    }
    if (status == EXIT_OK && wants_table(&s->options)) {
        print_summary(s);
    }
    if (status == EXIT_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "tallow-sim: cannot write the standard output\n");
        status = EXIT_CANNOT_WRITE;
    }
    if (s->options.dump && status != EXIT_OK) {
        tlw_file_writer_abandon(&dump);
    } else if (s->options.dump && tlw_file_writer_commit(&dump) != TLW_OK) {
        fprintf(stderr, "tallow-sim: %s\n", dump.error.message);
        status = EXIT_CANNOT_WRITE;
    }
    if (s->options.picture && status != EXIT_OK) {
        tlw_file_writer_abandon(&picture);
    } else if (s->options.picture) {
        status = write_picture(s, &picture);
    }
    return status;
}

int main(int argc, char** argv) {
    static sim s;
    int status = tlw_sim_parse(argc, argv, &s.options);
    if (status != EXIT_OK) {
        return status < 0 ? EXIT_OK : status;
    }
    status = open_scene(&s);
    if (status == EXIT_OK) {
        status = make_room(&s);
    }
    if (status == EXIT_OK) {
        status = run_and_tell(&s);
    }
    tlw_film_free(&s.film);
    free(s.hashes);
    tlw_dump_free(&s.dump);
    tlw_scene_close(s.scene);
    tlw_actor_free(&s.actor);
    return status;
}
