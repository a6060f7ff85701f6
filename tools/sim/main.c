// SPDX-License-Identifier: MIT
// tallow-sim: steps a cooked character through a clip without a window. Reads a blob and a glTF
// with the motion; prints a table or a hash of every frame, and writes a dump of every voxel and
// vertex, a contact sheet, or files for other programs.
#include "tools/command/output_file.h"
#include "tools/scene/dump.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"
#include "tools/sim/exports.h"
#include "tools/sim/muscles.h"
#include "tools/sim/options.h"
#include "tools/sim/touch.h"

#include <math.h>
#include <stdlib.h>

#define CELL_WIDTH_MAX 244.0 // pixels; 16 such cells fit the widest picture

typedef struct sim {
    sim_options options;
    tlw_actor actor;
    tlw_scene* scene;
    uint64_t* hashes; // one per frame
    tlw_dump dump;
    tlw_film film;
    tlw_bounds bounds; // around all frames
    uint32_t profile;  // that is faded to
    bool has_faded;
    sim_press press;
    sim_muscles muscles;
    sim_exports exports;
} sim;

// ---- Preparing

static tlw_exit_code fail(const tlw_scene_error* error) {
    return tlw_command_fail(&tlw_sim_command, tlw_scene_exit_code(error->code), "%s",
                            error->message);
}

static tlw_exit_code fail_memory(const sim* s) {
    return tlw_command_fail(&tlw_sim_command, TLW_EXIT_CANNOT_READ,
                            "cannot read '%s': out of memory", s->options.blob);
}

static bool wants_table(const sim_options* o) {
    return !o->wants_hash && !o->dump && !o->picture && o->export_count == 0;
}

static tlw_exit_code open_scene(sim* s) {
    tlw_scene_error error;
    if (tlw_actor_read(&s->actor, s->options.blob, s->options.motion, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    uint64_t index_count = 0;
    (void)tlw_actor_indices(&s->actor, &index_count);
    if (s->options.picture && index_count == 0) {
        return tlw_command_fail(&tlw_sim_command, TLW_EXIT_BAD_ASSET,
                                "'%s' has no triangles to draw", s->options.blob);
    }
    if (s->options.fade[0] &&
        tlw_blob_find_profile(&s->actor.blob, s->options.fade, &s->profile) != TLW_OK) {
        return tlw_command_mistake(&tlw_sim_command, "the blob has no profile", s->options.fade,
                                   "; tallow-inspect lists those that it has");
    }
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &s->actor;
    def.clip = s->options.clip;
    def.preset = s->options.preset;
    def.world.isa = s->options.isa;
    def.worker_count = s->options.workers;
    def.output = s->options.output;
    def.volume = s->options.volume;
    tlw_sim_touch_def(&s->options, &def);
    // The table shows the cost of what most engines ask for: positions and normals.
    const bool has_table = wants_table(&s->options);
    def.output.wants_bounds = has_table;
    def.has_positions =
        has_table || s->options.dump || s->options.picture || s->options.export_count > 0;
    def.has_normals = has_table || s->options.picture || tlw_sim_exports_have_normals(&s->options);
    def.has_deltas = s->options.picture != NULL;
    def.has_lattice = s->options.dump != NULL;
    if (tlw_scene_open(&def, &s->scene, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    const tlw_exit_code code = tlw_sim_touch_begin(&s->options, s->scene);
    return code == TLW_EXIT_OK ? tlw_sim_muscles_begin(&s->options, s->scene) : code;
}

static tlw_exit_code make_room(sim* s) {
    s->hashes = malloc((size_t)s->options.frames * sizeof *s->hashes);
    const bool is_good = s->hashes && tlw_film_create(&s->film, &s->actor, COLUMNS_MAX) &&
                         tlw_sim_muscles_create(&s->muscles, &s->actor);
    s->film.solids = &s->press.solids;
    s->film.has_lines = s->options.wants_lines;
    return is_good ? TLW_EXIT_OK : fail_memory(s);
}

// ---- Running

// Shots are spread evenly from the first frame to the last. A single shot is of the last frame.
static bool is_shot(const sim* s, uint32_t frame) {
    const uint32_t frames = s->options.frames;
    const uint32_t columns = s->options.columns < frames ? s->options.columns : frames;
    const uint32_t next = s->film.shot_count;
    return s->options.picture && next < columns &&
           frame == (columns == 1 ? frames - 1
                                  : (uint32_t)((uint64_t)next * (frames - 1) / (columns - 1)));
}

// Only the table asks for bounds.
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

// Begins the fade in the first frame that ends after its time.
static void fade_in_time(sim* s, double frame_seconds) {
    const tlw_scene* scene = s->scene;
    if (s->options.fade[0] && !s->has_faded &&
        scene->seconds + frame_seconds > s->options.fade_at) {
        TLW_IGNORE(tlw_character_fade_to(scene->world, scene->characters[0].id, s->profile,
                                         (float)s->options.fade_seconds));
        s->has_faded = true;
    }
}

static tlw_exit_code run(sim* s) {
    for (uint32_t frame = 0; frame < s->options.frames; ++frame) {
        if (frame == 0) {
            tlw_scene_start(s->scene);
            const tlw_exit_code code = tlw_sim_press_begin(&s->options, s->scene, &s->press);
            if (code != TLW_EXIT_OK) {
                return code;
            }
        } else {
            fade_in_time(s, 1.0 / s->options.hz);
            tlw_sim_press_move(&s->options, s->scene, s->scene->seconds + 1.0 / s->options.hz,
                               &s->press);
            tlw_scene_advance(s->scene, 1.0 / s->options.hz);
        }
        widen_bounds(s, frame);
        tlw_sim_muscles_watch(&s->muscles, s->scene);
        if (tlw_character_hash(s->scene->world, s->scene->characters[0].id, &s->hashes[frame]) !=
            TLW_OK) {
            return TLW_EXIT_BAD_ASSET;
        }
        if (s->options.wants_hash) {
            printf("frame %u %016llx\n", frame, (unsigned long long)s->hashes[frame]);
        }
        if (s->options.dump) {
            tlw_dump_frame(&s->dump, s->scene);
        }
        tlw_sim_exports_add(&s->exports, s->scene);
        if (is_shot(s, frame) && !tlw_film_shoot(&s->film, s->scene)) {
            return fail_memory(s);
        }
    }
    return TLW_EXIT_OK;
}

// ---- Output

static void print_hash_of_all(const sim* s) {
    uint8_t* bytes = (uint8_t*)s->hashes; // in place: all have been printed
    for (uint32_t i = 0; i < s->options.frames; ++i) {
        const uint64_t hash = s->hashes[i];
        tlw_dump_word((uint32_t)hash, bytes + (size_t)i * 8);
        tlw_dump_word((uint32_t)(hash >> 32), bytes + (size_t)i * 8 + 4);
    }
    const uint64_t all = tlw_xxh64(bytes, (size_t)s->options.frames * 8, 0);
    printf("all %u frames %016llx\n", s->options.frames, (unsigned long long)all);
}

// What touched in the last frame.
static void print_contact(const tlw_scene* scene) {
    tlw_contact contact = {0};
    uint32_t count = 0;
    TLW_IGNORE(
        tlw_character_get_contacts(scene->world, scene->characters[0].id, &contact, 1, &count));
    if (count > 0) {
        printf("  %-10s %.4g mm deep at voxel %u\n", "touched", (double)contact.depth * 1e3,
               contact.voxel);
    } else {
        printf("  %-10s none\n", "touched");
    }
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
        printf(", %.6g metres per unit", s->actor.metres_per_unit);
    }
    printf("\n  %-10s %u at %.6g Hz, %.4g s\n", "frames", s->options.frames, s->options.hz,
           scene->seconds);
    printf("  %-10s %llu\n", "substeps", (unsigned long long)scene->substeps);
    printf("  %-10s %s\n", "flags seen", flags);
    if (s->options.press_metres > 0.0) {
        print_contact(scene);
    }
    tlw_sim_muscles_print(&s->muscles, scene);
    printf("  %-10s %.3f %.3f %.3f to %.3f %.3f %.3f m\n", "bounds", (double)s->bounds.low[0],
           (double)s->bounds.low[1], (double)s->bounds.low[2], (double)s->bounds.high[0],
           (double)s->bounds.high[1], (double)s->bounds.high[2]);
    printf("  %-10s %zu world, %zu character, %zu blob\n\n", "bytes", scene->world_bytes,
           scene->characters[0].memory_bytes, s->actor.blob_bytes);
    tlw_scene_print_passes(scene, stdout);
}

static tlw_exit_code write_picture(const sim* s, tlw_output_file* file) {
    char title[160], remark[160];
    snprintf(title, sizeof title, "%s: %s", s->actor.name,
             tlw_actor_clip_name(&s->actor, s->scene->clip));
    snprintf(remark, sizeof remark, "%u voxels, %u frames at %.6g Hz, preset %s",
             s->actor.info.voxel_count, s->options.frames, s->options.hz,
             tlw_preset_name(s->options.preset));
    // Cells have the character's shape, and about the same area for a fox as for a bear.
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
    tlw_exit_code code;
    if (result != TLW_OK) {
        code = tlw_output_file_fail(&tlw_sim_command, file,
                                    result == TLW_ERROR_TOO_LARGE ? "the sheet is too large"
                                                                  : "out of memory");
    } else {
        tlw_sheet_row_label(&sheet, 0, "skinning alone");
        tlw_sheet_row_label(&sheet, 1, "tissue");
        tlw_film_legend(&sheet, hot);
        code = tlw_output_file_committed(&tlw_sim_command, file,
                                         tlw_picture_commit(&sheet.picture, &file->writer));
    }
    tlw_sheet_free(&sheet);
    return code;
}

// Everything between the start of the dump and its end. Prints hashes or the table.
static tlw_exit_code run_and_print(sim* s, tlw_output_file* dump) {
    if (s->options.dump && !tlw_dump_begin(&s->dump, &s->actor, s->options.frames, &dump->writer)) {
        return fail_memory(s);
    }
    const tlw_exit_code code = run(s);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    if (s->options.wants_hash) {
        print_hash_of_all(s);
    }
    if (wants_table(&s->options)) {
        print_summary(s);
    }
    return tlw_output_flush(&tlw_sim_command);
}

// Files are begun before anything is stepped, so that a path that cannot be written is told at
// once.
static tlw_exit_code run_and_write(sim* s) {
    static tlw_output_file dump, picture;
    tlw_exit_code code = tlw_output_file_begin(&tlw_sim_command, &dump, s->options.dump);
    if (code == TLW_EXIT_OK) {
        code = tlw_output_file_begin(&tlw_sim_command, &picture, s->options.picture);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_sim_exports_begin(&s->options, s->scene, &s->exports);
    }
    if (code == TLW_EXIT_OK) {
        code = run_and_print(s, &dump);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_output_file_commit(&tlw_sim_command, &dump);
    }
    if (code == TLW_EXIT_OK && s->options.picture) {
        code = write_picture(s, &picture);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_sim_exports_commit(&s->exports);
    }
    tlw_sim_exports_abandon(&s->exports);
    tlw_output_file_abandon(&dump);
    tlw_output_file_abandon(&picture);
    return code;
}

int main(int argc, char** argv) {
    static sim s;
    tlw_exit_code code;
    if (!tlw_sim_parse(argc, argv, &s.options, &code)) {
        return code;
    }
    code = open_scene(&s);
    if (code == TLW_EXIT_OK) {
        code = make_room(&s);
    }
    if (code == TLW_EXIT_OK) {
        code = run_and_write(&s);
    }
    tlw_film_free(&s.film);
    free(s.hashes);
    tlw_sim_muscles_free(&s.muscles);
    tlw_dump_free(&s.dump);
    tlw_scene_close(s.scene);
    tlw_actor_free(&s.actor);
    return code;
}
