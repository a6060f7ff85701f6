// SPDX-License-Identifier: MIT
// tallow-bench contact: what colliders, own limbs and forces add to a substep (MODEL 3.15 to 3.17,
// 4.7, 4.10), as shares of the same character's substep without them. Both sides of a ratio are the
// same frames of the same clip, in turns. Where a side can be switched on and off, both run in the
// same memory, because which pages the system gives decides what shares a set of a cache, and that
// is worth more than some of these ratios; and all have new memory several times.
#include "tools/bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHAPES     8u
#define LIVES      4u // how often everything is opened anew
#define TURNS      3u // of each side in a life
#define FRAMES     48u
#define GROUP      8u  // frames of a clip that count as one
#define WARM_UP    6u  // the first of them jumps back to where the turn starts
#define FIRST_POSE 0.5 // seconds of the clip

// Lengths in voxels.
#define RADIUS   2.5
#define PRESSED  1.5 // deep, and 0.5 more or less
#define FAR_AWAY 100.0

static const struct {
    const char* sample;
    uint32_t resolution;
} characters[] = {{"stout", 32}, {"stout", 48}, {"bunny", 32}, {"thin", 48}};

typedef enum blob_kind { BLOB_PLAIN, BLOB_LIMBED, BLOB_GRAVE, BLOB_COUNT } blob_kind;

// A side of a ratio: a scene and what is switched in it.
typedef struct side {
    tlw_scene* scene;
    tlw_collider_id ids[SHAPES];
    tlw_collider_pose poses[SHAPES]; // not pressed in: they touch
    double press;                    // along the model's z, metres; 0: they do not move
    uint32_t collider_count;
} side;

// name, blob, whether the other side is a scene of its own (of the plain blob, without room for
// colliders), whether it stands still, the most that a substep may take in times of the one without
// (0: no target), what it is
#define CASES(X)                                                                                   \
    X(capsules_apart, BLOB_PLAIN, false, true, 1.15, "8 capsules that touch at eight heights")     \
    X(capsules_together, BLOB_PLAIN, false, true, 1.15, "8 capsules that touch at one place")      \
    X(capsules_far, BLOB_PLAIN, false, true, 1.02, "8 capsules far away")                          \
    X(boxes, BLOB_PLAIN, false, true, 0.0, "8 boxes that touch at eight heights")                  \
    X(plane, BLOB_PLAIN, false, true, 0.0, "a plane under the feet")                               \
    X(limbs_still, BLOB_LIMBED, false, true, 1.25, "own limbs, standing still")                    \
    X(limbs_dance, BLOB_LIMBED, false, false, 1.25, "own limbs in the dance")                      \
    X(limbs_off, BLOB_LIMBED, true, false, 0.0, "own limbs that were cooked and are switched off") \
    X(room_unused, BLOB_PLAIN, true, false, 0.0, "room for 8 colliders of which none is there")    \
    X(drag, BLOB_PLAIN, false, true, 0.0, "a drag")                                                \
    X(drags, BLOB_PLAIN, false, true, 0.0, "8 drags at eight heights")                             \
    X(wind, BLOB_PLAIN, false, false, 0.0, "wind")                                                 \
    X(rest_gravity, BLOB_GRAVE, true, false, 0.0, "rest gravity")                                  \
    X(filter, BLOB_PLAIN, false, false, 0.0, "the filter of poses")                                \
    X(asleep, BLOB_PLAIN, false, true, 0.02, "a call of a sleeper, instead of a substep")

typedef enum case_id {
#define CASE_ENUM(name, blob, is_pair, is_still, most, what) CASE_##name,
    CASES(CASE_ENUM)
#undef CASE_ENUM
        CASE_COUNT
} case_id;

static const struct {
    const char* name;
    blob_kind blob;
    bool is_pair, is_still;
    double most;
    const char* what;
} cases[] = {
#define CASE_ROW(name, blob, is_pair, is_still, most, what) \
    {#name, blob, is_pair, is_still, most, what},
    CASES(CASE_ROW)
#undef CASE_ROW
};

static tlw_character_id id_of(const side* s) {
    return s->scene->characters[0].id;
}

// ---- Where things are

// The foremost voxel (largest z) within a slab of heights; all of state is in voxels.
static void find_front(const side* s, double low, double high, tlw_voxel_state* out,
                       uint32_t* voxel) {
    double best = -1e30;
    for (uint32_t v = 0; v < s->scene->def.actor->info.voxel_count; ++v) {
        tlw_voxel_state state;
        TLW_IGNORE(tlw_character_get_voxel(s->scene->world, id_of(s), v, &state));
        const double y = (double)state.position[1], z = (double)state.position[2];
        if (y >= low && y <= high && z > best) {
            best = z;
            *out = state;
            *voxel = v;
        }
    }
}

static void find_heights(const side* s, double* low, double* high) {
    *low = 1e30;
    *high = -1e30;
    for (uint32_t v = 0; v < s->scene->def.actor->info.voxel_count; ++v) {
        tlw_voxel_state state;
        TLW_IGNORE(tlw_character_get_voxel(s->scene->world, id_of(s), v, &state));
        *low = fmin(*low, (double)state.position[1]);
        *high = fmax(*high, (double)state.position[1]);
    }
}

// The front of the body at one of eight heights from the shins to the face.
static void find_place(const side* s, uint32_t which, tlw_voxel_state* out, uint32_t* voxel) {
    double low, high;
    find_heights(s, &low, &high);
    const double at = low + (high - low) * (0.1 + 0.1 * which);
    find_front(s, at - 1.0, at + 1.0, out, voxel);
}

// ---- Switches

static bool add_collider(tlw_bench* bench, side* s, const tlw_collider_def* def,
                         const tlw_collider_pose* pose) {
    const uint32_t k = s->collider_count;
    s->poses[k] = *pose;
    if (tlw_collider_create(s->scene->world, def, pose, &s->ids[k]) != TLW_OK) {
        tlw_bench_fail(bench, "a collider cannot be made");
        return false;
    }
    s->collider_count += 1;
    return true;
}

// Whether the collider, pressed in, meets tissue. If not, there is nothing to measure.
static bool is_touching(tlw_bench* bench, const side* s, const tlw_collider_def* def,
                        const tlw_collider_pose* pose) {
    tlw_overlap overlap = {0};
    tlw_collider_pose pressed = *pose;
    pressed.position[2] -= s->press;
    if (tlw_character_overlap(s->scene->world, id_of(s), def, &pressed, &overlap) != TLW_OK ||
        overlap.voxel_count == 0) {
        tlw_bench_fail(bench, "a collider does not touch '%s'", s->scene->def.actor->name);
        return false;
    }
    return true;
}

static bool add_shapes(tlw_bench* bench, side* s, case_id of) {
    const double metre = s->scene->def.actor->info.voxel_metres;
    const bool is_box = of == CASE_boxes, is_far = of == CASE_capsules_far;
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = is_box ? TLW_COLLIDER_BOX : TLW_COLLIDER_CAPSULE;
    def.radii[0] = def.radii[1] = (float)(RADIUS * metre);
    def.ends[0][0] = (float)(-4.0 * metre);
    def.ends[1][0] = (float)(4.0 * metre);
    def.half_extents[0] = def.half_extents[1] = def.half_extents[2] = (float)(2.0 * metre);
    def.rounding = (float)((RADIUS - 2.0) * metre);
    s->press = is_far ? 0.0 : PRESSED * metre;
    for (uint32_t k = 0; k < SHAPES; ++k) {
        tlw_voxel_state at = {.position = {0.0f}};
        uint32_t voxel = 0;
        if (of == CASE_capsules_together) {
            find_front(s, -1e30, 1e30, &at, &voxel);
            at.position[1] += 0.25f * (float)k - 1.0f;
        } else {
            find_place(s, k, &at, &voxel);
        }
        tlw_collider_pose pose = tlw_default_collider_pose();
        const double ahead = 0.25 + RADIUS + (is_far ? FAR_AWAY : 0.0);
        pose.position[0] = (double)at.position[0] * metre;
        pose.position[1] = (double)at.position[1] * metre;
        pose.position[2] = ((double)at.position[2] + ahead) * metre;
        if ((!is_far && !is_touching(bench, s, &def, &pose)) ||
            !add_collider(bench, s, &def, &pose)) {
            return false;
        }
    }
    return true;
}

static bool add_plane(tlw_bench* bench, side* s) {
    const double metre = s->scene->def.actor->info.voxel_metres;
    double low, high;
    find_heights(s, &low, &high);
    tlw_collider_def def = tlw_default_collider_def();
    tlw_collider_pose pose = tlw_default_collider_pose();
    def.kind = TLW_COLLIDER_PLANE;
    pose.position[1] = (low + 0.5) * metre;
    return is_touching(bench, s, &def, &pose) && add_collider(bench, s, &def, &pose);
}

static bool add_drags(tlw_bench* bench, side* s, uint32_t count) {
    const double metre = s->scene->def.actor->info.voxel_metres;
    for (uint32_t k = 0; k < count; ++k) {
        tlw_drag drag = {.radius = (float)(4.0 * metre), .hz = 10.0f};
        tlw_voxel_state at = {.position = {0.0f}};
        find_place(s, k + (SHAPES - count) / 2, &at, &drag.voxel);
        for (int i = 0; i < 3; ++i) {
            drag.target[i] = ((double)at.position[i] + (i == 2 ? 2.0 : 0.0)) * metre;
        }
        if (tlw_character_set_drag(s->scene->world, id_of(s), k, &drag) != TLW_OK) {
            tlw_bench_fail(bench, "'%s' cannot be dragged", s->scene->def.actor->name);
            return false;
        }
    }
    return true;
}

static void remove_all(side* s) {
    for (uint32_t k = 0; k < s->collider_count; ++k) {
        TLW_IGNORE(tlw_collider_destroy(s->scene->world, s->ids[k]));
    }
    for (uint32_t k = 0; k < s->scene->def.drag_capacity; ++k) {
        TLW_IGNORE(tlw_character_end_drag(s->scene->world, id_of(s), k));
    }
    s->collider_count = 0;
}

static void change_settings(const side* s, case_id of, bool is_on) {
    tlw_settings settings;
    TLW_IGNORE(tlw_character_get_settings(s->scene->world, id_of(s), &settings));
    if (cases[of].blob == BLOB_LIMBED) {
        settings.own_limbs = is_on && of != CASE_limbs_off;
    }
    settings.wind[0] = 10.0f;
    settings.wind_drag = of == CASE_wind && is_on ? 5.0f : 0.0f;
    memcpy(settings.gravity, s->scene->def.actor->info.rest_gravity, sizeof settings.gravity);
    TLW_IGNORE(tlw_character_set_settings(s->scene->world, id_of(s), &settings));
}

// Switches what the case is about. A pair has two scenes, one of which is always off.
static bool switch_to(tlw_bench* bench, side* s, case_id of, bool is_on) {
    const tlw_pose_filter filter = tlw_default_pose_filter();
    remove_all(s);
    TLW_IGNORE(tlw_character_reset(s->scene->world, id_of(s)));
    if (!cases[of].is_pair || is_on) {
        change_settings(s, of, is_on);
    }
    switch (of) {
    case CASE_capsules_apart:
    case CASE_capsules_together:
    case CASE_capsules_far:
    case CASE_boxes:
        return !is_on || add_shapes(bench, s, of);
    case CASE_plane:
        return !is_on || add_plane(bench, s);
    case CASE_drag:
    case CASE_drags:
        return !is_on || add_drags(bench, s, of == CASE_drag ? 1 : SHAPES);
    case CASE_filter:
        TLW_IGNORE(
            tlw_character_set_pose_filter(s->scene->world, id_of(s), is_on ? &filter : NULL));
        return true;
    default:
        return true;
    }
}

// ---- Turns

// Colliders press in and out a little. Setting a setting keeps what stands still awake.
static void advance(side* s, size_t frame, bool may_sleep) {
    const double depth = 1.0 + 0.33 * sin(0.2 * (double)frame);
    s->scene->seconds += TLW_BENCH_FRAME_SECONDS;
    tlw_scene_pose(s->scene, s->scene->seconds);
    for (uint32_t k = 0; k < s->collider_count && s->press > 0.0; ++k) {
        tlw_collider_pose pose = s->poses[k];
        pose.position[2] -= s->press * depth;
        TLW_IGNORE(tlw_collider_set_pose(s->scene->world, s->ids[k], &pose));
    }
    if (!may_sleep) {
        tlw_settings settings;
        TLW_IGNORE(tlw_character_get_settings(s->scene->world, id_of(s), &settings));
        TLW_IGNORE(tlw_character_set_settings(s->scene->world, id_of(s), &settings));
    }
}

// Least nanoseconds per voxel of each frame of a turn, of the whole step and of pass contact.
typedef struct least {
    double step[FRAMES], contact[FRAMES];
} least;

static void fall_asleep(side* s) {
    for (int i = 0; i < 600; ++i) {
        advance(s, 0, true);
        if (tlw_world_step(s->scene->world, TLW_BENCH_FRAME_SECONDS) & TLW_STEP_ASLEEP) {
            return;
        }
    }
}

static void take_turn(side* s, bool may_sleep, size_t frames, tlw_bench_watch* watch, least* out) {
    const double per_voxel = 1.0 / s->scene->def.actor->info.voxel_count;
    s->scene->seconds = FIRST_POSE;
    if (may_sleep) {
        fall_asleep(s);
    }
    for (size_t i = 0; i < WARM_UP + frames; ++i) {
        bool is_clean;
        tlw_world_report report;
        advance(s, i, may_sleep);
        tlw_bench_watch_begin(watch);
        tlw_world_step(s->scene->world, TLW_BENCH_FRAME_SECONDS);
        const double taken = tlw_bench_watch_end(watch, &is_clean);
        tlw_world_get_report(s->scene->world, &report);
        if (i >= WARM_UP && report.substeps == (may_sleep ? 0u : 1u)) {
            const double contact = (double)report.pass_ns[TLW_PASS_CONTACT];
            double* step = &out->step[i - WARM_UP];
            double* pass = &out->contact[i - WARM_UP];
            *step = fmin(*step, taken * per_voxel);
            *pass = fmin(*pass, contact * per_voxel);
        }
    }
}

// ---- A case

static bool open_side(tlw_bench* bench, const tlw_actor* actor, case_id of, bool has_room,
                      side* out) {
    tlw_scene_def def = tlw_bench_scene_def(actor);
    def.is_still = cases[of].is_still;
    def.world.collider_capacity = has_room ? SHAPES : 0;
    def.drag_capacity = of == CASE_drag || of == CASE_drags ? SHAPES : 0;
    def.has_pose_filter = of == CASE_filter;
    *out = (side){.scene = tlw_bench_open(bench, &def)};
    return out->scene != NULL;
}

typedef struct measured {
    least on, off;
    size_t frames;
    double others; // of the quietest life
} measured;

static bool run_life(tlw_bench* bench, const tlw_actor actors[BLOB_COUNT], case_id of, size_t turns,
                     measured* out) {
    const bool is_pair = cases[of].is_pair;
    tlw_bench_watch watch = {0};
    side on = {0}, own_off = {0};
    bool is_made =
        open_side(bench, &actors[cases[of].blob], of, !is_pair || of == CASE_room_unused, &on) &&
        (!is_pair || open_side(bench, &actors[BLOB_PLAIN], of, false, &own_off));
    side* off = is_pair ? &own_off : &on;
    for (size_t turn = 0; turn < turns && is_made; ++turn) {
        is_made = switch_to(bench, off, of, false);
        if (is_made) {
            take_turn(off, false, out->frames, &watch, &out->off);
            is_made = switch_to(bench, &on, of, true);
        }
        if (is_made) {
            take_turn(&on, of == CASE_asleep, out->frames, &watch, &out->on);
        }
    }
    tlw_scene_close(on.scene);
    tlw_scene_close(own_off.scene);
    out->others = fmin(out->others, tlw_bench_watch_others(&watch));
    return is_made;
}

// The least of all frames, or, of a clip, the mean over groups of frames of the least of each: what
// touches changes with the pose, and the cheapest pose must not stand for all.
static double summary(const double* of, size_t count, bool is_still) {
    const size_t group = is_still || count < GROUP ? count : GROUP;
    double sum = 0.0, low = (double)INFINITY;
    for (size_t i = 0; i < count; ++i) {
        low = fmin(low, of[i]);
        if ((i + 1) % group == 0) {
            sum += low;
            low = (double)INFINITY;
        }
    }
    return sum / (double)(count / group);
}

// The most of all characters.
typedef struct worst {
    double times[CASE_COUNT];
    double idle_contact; // ns of pass contact where there is nothing to touch
    double others;
} worst;

static bool bench_case(tlw_bench* bench, const tlw_actor actors[BLOB_COUNT], const char* name,
                       case_id of, worst* most) {
    static measured now;
    const bool is_quick = tlw_bench_is_quick(bench);
    now.frames = is_quick ? 6 : FRAMES;
    now.others = (double)INFINITY;
    for (size_t i = 0; i < FRAMES; ++i) {
        now.on.step[i] = now.off.step[i] = now.on.contact[i] = now.off.contact[i] =
            (double)INFINITY;
    }
    for (size_t life = 0; life < (is_quick ? 1 : LIVES); ++life) {
        if (!run_life(bench, actors, of, is_quick ? 1 : TURNS, &now)) {
            return false;
        }
    }
    const bool is_still = cases[of].is_still;
    const double off = summary(now.off.step, now.frames, is_still);
    const double on = summary(now.on.step, now.frames, is_still);
    const double pass = summary(now.on.contact, now.frames, is_still);
    const tlw_bench_cell cells[] = {
        {.key = "case", .text = cases[of].name},
        {.key = "character", .text = name},
        {.key = "step_ns", .value = off, .decimals = 2},
        {.key = "with_ns", .value = on, .decimals = 2},
        {.key = "contact_ns", .value = pass, .decimals = 2},
        {.key = "times", .value = on / off, .decimals = 3},
        {.key = "contact_over_step", .value = pass / off, .decimals = 3},
    };
    tlw_bench_table_row(bench, "contact", cells, TLW_COUNT_OF(cells));
    most->times[of] = fmax(most->times[of], on / off);
    most->idle_contact = fmax(most->idle_contact, summary(now.off.contact, now.frames, is_still));
    most->others = fmax(most->others, now.others);
    return true;
}

static bool make_actors(tlw_bench* bench, size_t character, tlw_actor actors[BLOB_COUNT]) {
    bool is_made = true;
    for (int k = 0; k < BLOB_COUNT; ++k) {
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = characters[character].resolution;
        recipe.has_limbs = k == BLOB_LIMBED;
        recipe.rest_gravity[1] = k == BLOB_GRAVE ? -9.81f : 0.0f;
        actors[k] = (tlw_actor){.blob_memory = NULL};
        is_made = tlw_bench_make_actor(bench, characters[character].sample, &recipe, &actors[k]) &&
                  is_made;
    }
    return is_made;
}

static bool bench_character(tlw_bench* bench, size_t character, worst* most) {
    static tlw_actor actors[BLOB_COUNT];
    char name[32];
    snprintf(name, sizeof name, "%s_%u", characters[character].sample,
             characters[character].resolution);
    bool is_made = make_actors(bench, character, actors);
    for (int of = 0; of < CASE_COUNT && is_made; ++of) {
        is_made = bench_case(bench, actors, name, (case_id)of, most);
    }
    for (int k = 0; k < BLOB_COUNT; ++k) {
        tlw_actor_free(&actors[k]);
    }
    return is_made;
}

void tlw_bench_section_contact(tlw_bench* bench) {
    tlw_bench_core core = {0};
    worst most = {.others = 0.0};
    bool is_made = true;
    tlw_bench_pin(&core);
    // A quick run is one that only shows that everything works.
    const size_t count = tlw_bench_is_quick(bench) ? 1 : TLW_COUNT_OF(characters);
    for (size_t i = 0; i < count && is_made; ++i) {
        is_made = bench_character(bench, i, &most);
    }
    tlw_bench_unpin(&core);
    for (int of = 0; of < CASE_COUNT && is_made; ++of) {
        const double target = cases[of].most;
        const tlw_bench_about a = target > 0.0
                                      ? tlw_bench_target(TLW_BENCH_AT_MOST, target, most.others)
                                      : tlw_bench_noise(most.others);
        // Without a target less is better, too, which the unit x would not say.
        tlw_bench_value_about(bench, cases[of].name, target > 0.0 ? "x" : "times", most.times[of],
                              &a);
    }
    if (is_made) { // no shape: the pass does not run at all
        const tlw_bench_about a = tlw_bench_target(TLW_BENCH_AT_MOST, 0.0, -1.0);
        tlw_bench_value_about(bench, "contact_ns_without_shapes", "ns", most.idle_contact, &a);
    }
}
