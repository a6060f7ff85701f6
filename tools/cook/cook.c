// SPDX-License-Identifier: MIT
// The cooking library's front: the default recipe, errors, the driver that walks TLW_COOK_STAGES,
// and the report (RULES 12).
#include "tools/cook/cook.h"

#include "platform/handlers.h"
#include "runtime/presets.h"
#include "tools/cook/blob_report.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_COOKIE 0x434F4F4Bu

static const tlw_preset_values presets[] = {TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

tlw_cook_lame tlw_default_cook_lame(void) {
    return (tlw_cook_lame){.solver = TLW_SOLVER_KEEP,
                           .young_kpa = TLW_COOK_KEEP,
                           .poisson = TLW_COOK_KEEP,
                           .density = TLW_COOK_KEEP};
}

static void set_layer(tlw_cook_layer* layer, const char* name, float stiffness, float damping,
                      float anchor_hz) {
    memset(layer, 0, sizeof *layer);
    snprintf(layer->name, sizeof layer->name, "%s", name);
    layer->stiffness = stiffness;
    layer->damping = damping;
    layer->anchor_hz = anchor_hz;
    layer->ratio = (tlw_cook_fraction){1, 1};
    layer->lame = tlw_default_cook_lame();
}

tlw_cook_recipe tlw_default_cook_recipe(void) {
    static const char* const names[TLW_PRESET_LAYERS] = {"muscle", "fat", "skin"};
    const tlw_preset_values* preset = &presets[0]; // "default"
    tlw_cook_recipe recipe = {.resolution = 48,
                              .region_width = 3,
                              .neighbours = 26,
                              .weights = TLW_WEIGHTS_AUTO,
                              .smoothing_passes = 4,
                              .layer_count = 4,
                              .bone_share = {34, 100},
                              .bone_radius_voxels = -1,
                              .is_firm_auto = true,
                              .limit_extent = 0.10f,
                              .limit_thickness = 0.6f,
                              .volume_reach = 0.5f,
                              .seam_passes = 5,
                              .max_voxels = 4000000,
                              .max_memory_bytes = (uint64_t)4 << 30,
                              .cookie = TLW_RECIPE_COOKIE};
    set_layer(&recipe.layers[0], "bone", 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < TLW_PRESET_LAYERS; ++i) {
        set_layer(&recipe.layers[1 + i], names[i], preset->stiffness[i], preset->damping[i],
                  preset->anchor_hz[i]);
    }
    recipe.layers[1].ratio = (tlw_cook_fraction){6, 10};
    return recipe;
}

tlw_cook_part tlw_default_cook_part(const char* joint) {
    tlw_cook_part part = {.joint = joint,
                          .bone_radius_voxels = TLW_COOK_KEEP,
                          .limit_extent = TLW_COOK_KEEP,
                          .limit_thickness = TLW_COOK_KEEP};
    for (uint32_t i = 0; i < TLW_COOK_LAYERS_MAX; ++i) {
        part.stiffness[i] = part.damping[i] = part.anchor_hz[i] = TLW_COOK_KEEP;
        part.lame[i] = tlw_default_cook_lame();
    }
    return part;
}

tlw_cook_profile_part tlw_default_cook_profile_part(const char* joint) {
    tlw_cook_profile_part part = {.joint = joint};
    for (uint32_t i = 0; i < TLW_COOK_LAYERS_MAX; ++i) {
        part.stiffness[i] = part.damping[i] = part.anchor_hz[i] = part.limit_scale[i] =
            TLW_COOK_KEEP;
    }
    return part;
}

tlw_cook_muscle tlw_default_cook_muscle(const char* name) {
    return (tlw_cook_muscle){.name = name, .bulge = 1.0f};
}

tlw_cook_muscle_field tlw_default_cook_muscle_field(void) {
    return (tlw_cook_muscle_field){.gain = TLW_MUSCLE_GAIN, .reach = 2.0f};
}

tlw_result tlw_cook_fail(tlw_cook* cook, tlw_result result, const char* format, ...) {
    if (cook->error.result == TLW_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(cook->error.message, sizeof cook->error.message, format, arguments);
        va_end(arguments);
        cook->error.result = result;
        cook->error.is_of_recipe = cook->is_about_recipe || result == TLW_ERROR_TOO_LARGE;
    }
    return cook->error.result;
}

void tlw_cook_blame(tlw_cook* cook, const char* format, ...) {
    if (cook->error.result == TLW_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(cook->error.key, sizeof cook->error.key, format, arguments);
        va_end(arguments);
    }
}

static const struct {
    const char* shown; // what progress shows
    tlw_result (*run)(tlw_cook* cook);
    uint32_t cost;
} stages[] = {
#define COOK_STAGE(name, function, shown, rule, cost) {shown, function, cost},
    TLW_COOK_STAGES(COOK_STAGE)
#undef COOK_STAGE
};

#define PROGRESS_STEP  0.004 // inside a stage, less is not reported
#define PROGRESS_LEAST 1e-6  // a new stage is always reported, and progress always grows
#define SPREAD_COST    100   // of weights that spread from the bones, beside the others

static void report_progress(tlw_cook* cook, double share) {
    if (cook->progress) {
        cook->progress_at.last = share;
        cook->progress(cook->progress_at.shown, share, cook->progress_user);
    }
}

// Weights that spread from the bones take longer than all the rest; whether there are any is known
// after the stage weight_mode, when little is done.
static uint32_t cost_of(const tlw_cook* cook, size_t stage) {
    const bool is_spread =
        cook->weight_mode == TLW_WEIGHTS_HEAT || cook->weight_mode == TLW_WEIGHTS_DIFFUSION;
    return stages[stage].run == tlw_cook_reweigh && is_spread ? SPREAD_COST : stages[stage].cost;
}

// Whether progress shows this stage, or counts it to the one before.
static bool is_shown(size_t stage) {
    return stage == 0 || strcmp(stages[stage].shown, stages[stage - 1].shown) != 0;
}

static void begin_stage(tlw_cook* cook, size_t stage) {
    uint32_t done = 0, all = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(stages); ++i) {
        done += i < stage ? cost_of(cook, i) : 0;
        all += cost_of(cook, i);
    }
    cook->progress_at.shown = stages[stage].shown;
    cook->progress_at.from = (double)done / (double)all;
    cook->progress_at.to = (double)(done + cost_of(cook, stage)) / (double)all;
    tlw_cook_begin_part(cook, 0.0, 1.0);
    if (is_shown(stage)) {
        const double least = stage > 0 ? cook->progress_at.last + PROGRESS_LEAST : 0.0;
        report_progress(cook, fmax(cook->progress_at.from, least));
    }
}

void tlw_cook_begin_part(tlw_cook* cook, double from, double to) {
    cook->progress_at.part_from = from;
    cook->progress_at.part_to = to;
}

void tlw_cook_advance(tlw_cook* cook, double done) {
    const double part = cook->progress_at.part_from +
                        (cook->progress_at.part_to - cook->progress_at.part_from) * done;
    const double share =
        cook->progress_at.from + (cook->progress_at.to - cook->progress_at.from) * part;
    if (share >= cook->progress_at.last + PROGRESS_STEP) {
        report_progress(cook, share);
    }
}

tlw_result tlw_cook_run_stages(tlw_cook* cook) {
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(stages) && result == TLW_OK; ++i) {
        begin_stage(cook, i);
        result = stages[i].run(cook);
    }
    return result;
}

// A task in slices, one after the other, so that progress moves between them.
typedef struct tlw_task_slice {
    tlw_task* task;
    void* context;
    uint32_t first;
} tlw_task_slice;

static void run_slice(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    const tlw_task_slice* slice = context;
    slice->task(slice->first + begin, slice->first + end, worker, slice->context);
}

void tlw_cook_run_task(tlw_cook* cook, tlw_task* task, uint32_t count, uint32_t min_range,
                       void* context) {
    const uint64_t fewest = (uint64_t)min_range * cook->tasks->worker_count * 4; // of a slice
    const uint32_t slices = cook->progress == NULL || count / 2 < fewest ? 1
                            : count / fewest < 16 ? (uint32_t)(count / fewest)
                                                  : 16;
    for (uint32_t i = 0; i < slices; ++i) {
        const uint32_t begin = (uint32_t)((uint64_t)count * i / slices);
        const uint32_t end = (uint32_t)((uint64_t)count * (i + 1) / slices);
        tlw_task_slice slice = {task, context, begin};
        void* handle =
            cook->tasks->enqueue(run_slice, end - begin, min_range, &slice, cook->tasks->user);
        if (handle) {
            cook->tasks->finish(handle, cook->tasks->user);
        }
        tlw_cook_advance(cook, (double)(i + 1) / (double)slices);
    }
}

tlw_cook_options tlw_default_cook_options(void) {
    return (tlw_cook_options){.tasks = tlw_serial_task_system(), .cookie = OPTIONS_COOKIE};
}

static void fill_report(const tlw_cook* cook, tlw_cook_report* report) {
    *report = (tlw_cook_report){
        .welded_vertices = cook->welded.vertex_count,
        .triangles = cook->welded.triangle_count,
        .collapsed_triangles = cook->welded.collapsed_triangles,
        .open_edges = cook->welded.open_edges,
        .non_manifold_edges = cook->welded.non_manifold_edges,
        .normalised_vertices = cook->welded.normalised_vertices,
        .voxel_metres = cook->grid.voxel,
        .size = {(uint32_t)cook->grid.size.x, (uint32_t)cook->grid.size.y,
                 (uint32_t)cook->grid.size.z},
        .voxels = cook->voxels.count,
        .voxels_touched = cook->voxels.from_surface,
        .voxels_enclosed = cook->voxels.from_inside,
        .voxels_voted = cook->voxels.from_vote,
        .boneless_components = cook->anatomy.boneless_components,
        .boneless_voxels = cook->anatomy.boneless_voxels,
        .blended_voxels = cook->blends.count,
        .painted_voxels = {cook->paint.voxels[TLW_PAINT_FAT],
                           cook->paint.voxels[TLW_PAINT_STIFFNESS]},
        .cut_links = cook->links.cut_count,
        .has_ring_normals = cook->rings.neighbours != NULL,
        .vertices_unringed = cook->rings.vertices_without,
        .rbf_radius_metres = cook->rbf.radius,
        .merged_joints = cook->rbf.merged,
        .seam_vertices = cook->rbf.head.seam_count,
        .left_out_bends = cook->bends.left_out,
        .profile_count = cook->profiles.count + 1,
        .lame_voxels = cook->lame.voxels,
        .windows = cook->order.window_count,
        .slots = cook->order.slot_count,
        .lane_axis = cook->order.lane_axis,
        .peak_memory_bytes = cook->peak_memory_bytes,
        .has_artist_weights = cook->has_artist_weights,
        .weights = cook->weight_mode,
        .weight_sweeps = cook->weight_sweeps,
    };
    memcpy(report->layer_voxels, cook->anatomy.layer_voxels, sizeof report->layer_voxels);
    report->cuts = calloc(cook->links.cut_pair_count + 1, sizeof *report->cuts);
    for (uint32_t i = 0; report->cuts && i < cook->links.cut_pair_count; ++i) {
        const tlw_cook_cut_count* cut = &cook->links.cuts[i];
        report->cuts[report->cut_pair_count++] =
            (tlw_cook_cut_report){cut->joint_a, cut->joint_b, cut->count};
    }
}

static void report_joints(const tlw_cook* cook, tlw_cook_report* report) {
    const uint32_t count = cook->skeleton.joint_count;
    report->left_out = calloc((size_t)count + 1, sizeof *report->left_out);
    report->outside = calloc((size_t)count + 1, sizeof *report->outside);
    for (uint32_t j = 0; report->left_out && report->outside && j < count; ++j) {
        const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[j];
        if (!joint->is_kept) {
            report->left_out[report->left_out_joints++] = j;
        } else if (tlw_cook_is_off_body(cook, joint->position)) {
            report->outside[report->outside_joints++] = j;
        }
    }
}

static void report_meshes(const tlw_cook* cook, tlw_cook_report* report) {
    const uint32_t count = cook->input->mesh_count;
    report->meshes = calloc((size_t)count + 1, sizeof *report->meshes);
    const tlw_cook_source* source =
        cook->sources.list; // the meshes that are not ignored come first
    for (uint32_t m = 0; report->meshes && m < count; ++m) {
        if (cook->input->meshes[m].role != TLW_ROLE_IGNORE) {
            report->meshes[m] = (tlw_cook_mesh_report){source->far_vertices,
                                                       source->seated_vertices, source->farthest};
            source += 1;
        }
        report->mesh_count += 1;
    }
}

static void report_parts(const tlw_cook* cook, tlw_cook_report* report) {
    const uint32_t layers = cook->recipe->layer_count;
    report->parts = calloc(cook->parts.count, sizeof *report->parts);
    for (uint32_t p = 0; report->parts && p < cook->parts.count; ++p) {
        const tlw_blob_part* part = &cook->parts.list[p];
        tlw_cook_part_report* to = &report->parts[report->part_count++];
        *to = (tlw_cook_part_report){
            .joint = part->joint, .voxels = part->voxel_count, .kind = part->kind};
        for (uint32_t i = 0; i < layers; ++i) {
            const tlw_blob_material* material = &cook->parts.materials[p * layers + i];
            to->stiffness[i] = material->stiffness;
            to->damping[i] = material->damping;
            to->anchor_hz[i] = material->anchor_hz;
            if (cook->lame.voxels > 0) {
                const tlw_blob_lame* lame = &cook->lame.materials[p * layers + i];
                to->young_kpa[i] = lame->young_kpa;
                to->poisson[i] = lame->poisson;
                to->density[i] = lame->density;
            }
        }
    }
}

static void report_domains(const tlw_cook* cook, tlw_cook_report* report) {
    const uint32_t count = cook->rbf.head.domain_count;
    report->domains = count > 0 ? calloc(count, sizeof *report->domains) : NULL;
    for (uint32_t d = 0; report->domains && d < count; ++d) {
        const tlw_blob_rbf_domain* domain = &cook->rbf.domains[d];
        report->domains[report->domain_count++] =
            (tlw_cook_domain_report){domain->joint, domain->centre_count};
    }
}

static void report_bends(const tlw_cook* cook, tlw_cook_report* report) {
    const tlw_cook_bends* bends = &cook->bends;
    report->bends = bends->count > 0 ? calloc(bends->count, sizeof *report->bends) : NULL;
    for (uint32_t i = 0; report->bends && i < bends->count; ++i) {
        const tlw_blob_bend* bend = &bends->list[i];
        report->bends[report->bend_count++] =
            (tlw_cook_bend_report){.joint = bend->joint,
                                   .voxels = bends->voxels[i],
                                   .volume = (double)bend->rest_volume,
                                   .reach = (double)bend->reach};
    }
}

static double axis_length(const tlw_blob_limb* limb) {
    double squared = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double apart = (double)limb->ends[1][a] - (double)limb->ends[0][a];
        squared += apart * apart;
    }
    return sqrt(squared);
}

static void report_limbs(const tlw_cook* cook, tlw_cook_report* report) {
    const tlw_cook_limbs* limbs = &cook->limbs;
    report->limbs = limbs->count > 0 ? calloc(limbs->count, sizeof *report->limbs) : NULL;
    for (uint32_t i = 0; report->limbs && i < limbs->count; ++i) {
        const tlw_blob_limb* limb = &limbs->list[i];
        report->limbs[report->limb_count++] =
            (tlw_cook_limb_report){.joint = limb->joint,
                                   .voxels = limbs->voxels[i],
                                   .length = axis_length(limb),
                                   .radius = {(double)limb->radius[0], (double)limb->radius[1]}};
    }
}

// Arc length from the first vertex of a muscle's line to the last.
static double line_length(const tlw_cook_muscles* muscles, uint32_t m) {
    const uint32_t last =
        muscles->groups[m / TLW_BLOB_LANES].first_row + muscles->list[m].vertex_count - 1;
    return (double)muscles->rows[last].arc[m % TLW_BLOB_LANES];
}

static void report_muscles(const tlw_cook* cook, tlw_cook_report* report) {
    const tlw_cook_muscles* muscles = &cook->muscles;
    report->automatic = muscles->automatic;
    report->muscles = muscles->count > 0 ? calloc(muscles->count, sizeof *report->muscles) : NULL;
    for (uint32_t i = 0; report->muscles && i < muscles->count; ++i) {
        tlw_cook_muscle_report* to = &report->muscles[report->muscle_count++];
        *to = (tlw_cook_muscle_report){.vertices = muscles->list[i].vertex_count,
                                       .voxels = muscles->voxels[i],
                                       .length = line_length(muscles, i),
                                       .radius = (double)muscles->list[i].radius};
        memcpy(to->name, muscles->names[i], sizeof to->name);
    }
}

// Every blob that leaves the cooker has passed the runtime's validator.
static tlw_result check_blob(tlw_cook* cook) {
    tlw_blob_report found;
    if (tlw_blob_validate(cook->blob, cook->blob_bytes, TLW_BLOB_CHECK_ALL, &found) == TLW_OK) {
        return TLW_OK;
    }
    char text[TLW_BLOB_REPORT_TEXT_BYTES];
    return tlw_cook_fail(cook, found.result, "the cooked blob is not valid: %s",
                         tlw_blob_report_text(&found, text));
}

tlw_result tlw_cook_character(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                              const tlw_cook_options* options, tlw_cook_output* output) {
    TLW_ASSERT(input != NULL && recipe != NULL && options != NULL && output != NULL);
    *output = (tlw_cook_output){0};
    tlw_cook cook = {.input = input,
                     .recipe = recipe,
                     .tasks = &options->tasks,
                     .progress = options->progress,
                     .progress_user = options->user};
    if (options->cookie != OPTIONS_COOKIE) {
        tlw_cook_fail(&cook, TLW_ERROR_BAD_DEF,
                      "the options did not come from tlw_default_cook_options");
    } else if (tlw_cook_run_stages(&cook) == TLW_OK) {
        fill_report(&cook, &output->report);
        report_joints(&cook, &output->report);
        report_meshes(&cook, &output->report);
        report_parts(&cook, &output->report);
        report_domains(&cook, &output->report);
        report_bends(&cook, &output->report);
        report_limbs(&cook, &output->report);
        report_muscles(&cook, &output->report);
        (void)check_blob(&cook);
    }
    output->error = cook.error;
    if (cook.error.result == TLW_OK) {
        output->blob = cook.blob;
        output->blob_bytes = cook.blob_bytes;
        cook.blob = NULL; // the output's now
        cook.progress_at.shown = "done";
        report_progress(&cook, 1.0);
    }
    tlw_cook_free_stages(&cook);
    return output->error.result;
}

void tlw_cook_output_free(tlw_cook_output* output) {
    tlw_cook_free_blob(output->blob);
    free(output->report.cuts);
    free(output->report.left_out);
    free(output->report.outside);
    free(output->report.meshes);
    free(output->report.parts);
    free(output->report.domains);
    free(output->report.bends);
    free(output->report.limbs);
    free(output->report.muscles);
    *output = (tlw_cook_output){0};
}
