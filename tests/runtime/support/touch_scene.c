// SPDX-License-Identifier: MIT
// A character and colliders (touch_scene.h).
#include "tests/runtime/support/touch_scene.h"

#include "runtime/blob.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VOXEL_RADIUS 0.25
#define CAP          1.5 // of d_max
#define RADIUS_LEAST 0.5

// ---- Vectors

touch_vec touch_add3(touch_vec a, touch_vec b) {
    return (touch_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

touch_vec touch_sub3(touch_vec a, touch_vec b) {
    return (touch_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

touch_vec touch_times(touch_vec a, double s) {
    return (touch_vec){a.x * s, a.y * s, a.z * s};
}

double touch_dot(touch_vec a, touch_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double touch_length(touch_vec a) {
    return sqrt(touch_dot(a, a));
}

static touch_vec cross(touch_vec a, touch_vec b) {
    return (touch_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static touch_vec rotate(const double q[4], touch_vec v) {
    const touch_vec u = {q[0], q[1], q[2]};
    const touch_vec t = touch_times(cross(u, v), 2);
    return touch_add3(touch_add3(v, touch_times(t, q[3])), cross(u, t));
}

static touch_vec unrotate(const double q[4], touch_vec v) {
    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
    return rotate(back, v);
}

static void rotation_about(touch_vec axis, double angle, double out[4]) {
    const touch_vec u = touch_times(axis, sin(angle / 2) / touch_length(axis));
    out[0] = u.x;
    out[1] = u.y;
    out[2] = u.z;
    out[3] = cos(angle / 2);
}

static touch_vec vec_of(const float a[3]) {
    return (touch_vec){(double)a[0], (double)a[1], (double)a[2]};
}

// ---- Making

static void find_voxels(touch_scene* s) {
    const uint8_t* bytes = s->blob.bytes;
    uint64_t count;
    const uint32_t* slots = tlw_blob_find(bytes, TLW_SECTION_VOXEL_SLOT, &count);
    CHECK_EQ(count, (uint64_t)s->voxel_count);
    const uint8_t* layers = tlw_blob_find(bytes, TLW_SECTION_SLOT_LAYER, &count);
    const float* limits = tlw_blob_find(bytes, TLW_SECTION_SLOT_LIMIT, &count);
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        s->is_bone[v] = layers[slots[v]] == 0;
        s->limit[v] = (double)limits[slots[v]];
    }
}

static void* allocate(size_t count, size_t size) {
    void* memory = calloc(count, size);
    CHECK(memory != NULL);
    return memory;
}

static void write_positions(touch_scene* s) {
    tlw_output output = tlw_default_output();
    s->positions = allocate(s->info.vertex_count, 3 * sizeof(float));
    output.embedding = TLW_EMBED_DELTA;
    output.positions.data = s->positions;
    s->deltas = allocate(s->info.vertex_count, 3 * sizeof(float));
    output.deltas.data = s->deltas;
    CHECK_OK(tlw_character_set_output(s->world, s->id, &output));
}

touch_scene touch_make(const touch_def* def) {
    touch_scene s = {
        .blob = *def->blob, .may_sleep = def->may_sleep, .root = tlw_default_pose().root};
    CHECK_OK(tlw_blob_get_info(&s.blob, &s.info));
    s.root.scale = def->root_scale > 0 ? (float)def->root_scale : 1.0f;
    s.metres = s.info.voxel_metres * (double)s.root.scale;
    s.voxel_count = s.info.voxel_count;
    tlw_world_def world = tlw_default_world_def();
    world.character_capacity = 1;
    world.scratch_bytes = s.info.scratch_bytes;
    world.collider_capacity = TOUCH_COLLIDERS_MAX;
    world.contact_capacity = 4;
    world.substep_seconds = def->substep_seconds > 0 ? def->substep_seconds : TOUCH_SUBSTEP;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(&world, &bytes));
    s.world_memory = sample_allocate(bytes);
    CHECK_OK(tlw_world_create(&world, s.world_memory, bytes, &s.world));
    tlw_character_def character = tlw_default_character_def();
    character.blob = s.blob;
    character.preset = def->preset;
    character.drag_capacity = 1;
    character.has_pose_filter = def->has_pose_filter;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    s.memory = sample_allocate(bytes);
    CHECK_OK(tlw_character_create(s.world, &character, s.memory, bytes, &s.id));
    s.is_bone = allocate(s.voxel_count, sizeof *s.is_bone);
    s.limit = allocate(s.voxel_count, sizeof *s.limit);
    s.state = allocate(s.voxel_count, sizeof *s.state);
    s.last = allocate(s.voxel_count, sizeof *s.last);
    find_voxels(&s);
    if (def->wants_positions) {
        write_positions(&s);
    }
    touch_rest_pose(&s);
    CHECK_OK(tlw_character_set_pose(
        s.world, s.id,
        &(tlw_pose){.joints = &s.joints, .joint_count = s.info.joint_count, .root = s.root}));
    CHECK_OK(tlw_character_reset(s.world, s.id));
    touch_read(&s);
    return s;
}

void touch_free(touch_scene* s) {
    tlw_world_destroy(s->world);
    sample_free(s->memory);
    sample_free(s->world_memory);
    free(s->is_bone);
    free(s->limit);
    free(s->state);
    free(s->last);
    free(s->positions);
    free(s->deltas);
}

// ---- Colliders

touch_shape touch_sphere(double radius) {
    return (touch_shape){.kind = TLW_COLLIDER_CAPSULE, .radii = {radius, radius}};
}

touch_shape touch_capsule_x(double radius, double half_length) {
    return (touch_shape){.kind = TLW_COLLIDER_CAPSULE,
                         .ends = {{-half_length, 0, 0}, {half_length, 0, 0}},
                         .radii = {radius, radius}};
}

touch_shape touch_plane(void) {
    return (touch_shape){.kind = TLW_COLLIDER_PLANE};
}

touch_shape touch_box(double half_extent, double rounding) {
    return (touch_shape){.kind = TLW_COLLIDER_BOX,
                         .half_extents = {half_extent, half_extent, half_extent},
                         .rounding = rounding};
}

static void set_lengths(touch_vec from, double metres, float out[3]) {
    out[0] = (float)(from.x * metres);
    out[1] = (float)(from.y * metres);
    out[2] = (float)(from.z * metres);
}

static tlw_collider_def def_of(const touch_scene* s, const touch_shape* shape) {
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = shape->kind;
    for (int end = 0; end < 2; ++end) {
        set_lengths(shape->ends[end], s->metres, def.ends[end]);
        def.radii[end] = (float)(shape->radii[end] * s->metres);
    }
    set_lengths(shape->half_extents, s->metres, def.half_extents);
    def.rounding = (float)(shape->rounding * s->metres);
    def.friction = (float)shape->friction;
    return def;
}

static tlw_collider_pose pose_of(const touch_scene* s, const touch_collider* collider) {
    tlw_collider_pose pose = tlw_default_collider_pose();
    pose.position[0] = collider->at.x * s->metres;
    pose.position[1] = collider->at.y * s->metres;
    pose.position[2] = collider->at.z * s->metres;
    for (int i = 0; i < 4; ++i) {
        pose.rotation[i] = (float)collider->rotation[i];
    }
    return pose;
}

uint32_t touch_add_turned(touch_scene* s, const touch_shape* shape, touch_vec at, touch_vec axis,
                          double angle) {
    CHECK_LT(s->collider_count, TOUCH_COLLIDERS_MAX);
    touch_collider* collider = &s->colliders[s->collider_count];
    *collider = (touch_collider){.shape = *shape, .at = at};
    rotation_about(axis, angle, collider->rotation);
    const tlw_collider_def def = def_of(s, shape);
    const tlw_collider_pose pose = pose_of(s, collider);
    CHECK_OK(tlw_collider_create(s->world, &def, &pose, &collider->id));
    return s->collider_count++;
}

uint32_t touch_add(touch_scene* s, const touch_shape* shape, touch_vec at) {
    return touch_add_turned(s, shape, at, (touch_vec){0, 1, 0}, 0);
}

void touch_remove(touch_scene* s, uint32_t collider) {
    CHECK_OK(tlw_collider_destroy(s->world, s->colliders[collider].id));
    s->colliders[collider].id = (tlw_collider_id){0, 0};
}

static void set_collider(touch_scene* s, uint32_t collider) {
    const tlw_collider_pose pose = pose_of(s, &s->colliders[collider]);
    CHECK_OK(tlw_collider_set_pose(s->world, s->colliders[collider].id, &pose));
}

void touch_move(touch_scene* s, uint32_t collider, touch_vec at) {
    s->colliders[collider].at = at;
    set_collider(s, collider);
}

void touch_turn(touch_scene* s, uint32_t collider, touch_vec axis, double angle) {
    rotation_about(axis, angle, s->colliders[collider].rotation);
    set_collider(s, collider);
}

void touch_teleport(touch_scene* s, uint32_t collider, touch_vec at) {
    s->colliders[collider].at = at;
    const tlw_collider_pose pose = pose_of(s, &s->colliders[collider]);
    CHECK_OK(tlw_collider_teleport(s->world, s->colliders[collider].id, &pose));
}

void touch_place_turned(touch_scene* s, uint32_t collider, touch_vec at, touch_vec axis,
                        double angle) {
    rotation_about(axis, angle, s->colliders[collider].rotation);
    touch_teleport(s, collider, at);
}

// ---- Poses and settings

void touch_rest_pose(touch_scene* s) {
    const double nowhere[3] = {0, 0, 0};
    bind_pose(&s->blob, TLW_POSE_MATRICES, nowhere, &s->joints);
}

void touch_move_root(touch_scene* s, touch_vec at) {
    s->root.position[0] = at.x * s->metres;
    s->root.position[1] = at.y * s->metres;
    s->root.position[2] = at.z * s->metres;
}

static bool is_below(const tlw_blob_joint* joints, uint32_t joint, uint32_t above) {
    while (joint != above && joints[joint].parent != TLW_BLOB_NO_INDEX) {
        joint = joints[joint].parent;
    }
    return joint == above;
}

void touch_bend(touch_scene* s, const char* name, touch_vec axis, double angle) {
    const tlw_blob* blob = &s->blob;
    uint64_t count;
    const tlw_blob_joint* joints = tlw_blob_find(blob->bytes, TLW_SECTION_JOINTS, &count);
    uint32_t which = 0;
    while (which < count && strcmp(tlw_blob_joint_name(blob, which), name) != 0) {
        which += 1;
    }
    CHECK_LT(which, count);
    double by[4];
    rotation_about(axis, angle, by);
    const touch_vec pivot = vec_of(&s->joints.matrices[which][12]);
    for (uint32_t j = 0; j < count; ++j) {
        for (int column = 0; is_below(joints, j, which) && column < 4; ++column) {
            float* at = &s->joints.matrices[j][4 * column];
            const touch_vec from = column == 3 ? pivot : (touch_vec){0, 0, 0};
            const touch_vec to = touch_add3(from, rotate(by, touch_sub3(vec_of(at), from)));
            set_lengths(to, 1, at);
        }
    }
}

tlw_settings touch_get_settings(const touch_scene* s) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(s->world, s->id, &settings));
    return settings;
}

void touch_settings(touch_scene* s, const tlw_settings* settings) {
    CHECK_OK(tlw_character_set_settings(s->world, s->id, settings));
}

// ---- Time

void touch_read(touch_scene* s) {
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        s->last[v] = touch_place(s, v);
        CHECK_OK(tlw_character_get_voxel(s->world, s->id, v, &s->state[v]));
    }
    memcpy(s->root_at_step, s->root.position, sizeof s->root_at_step);
}

static tlw_step_flags step(touch_scene* s, double dt) {
    tlw_pose pose = tlw_default_pose();
    pose.joints = &s->joints;
    pose.joint_count = s->info.joint_count;
    pose.root = s->root;
    CHECK_OK(tlw_character_set_pose(s->world, s->id, &pose));
    if (!s->may_sleep) { // setting anything wakes a sleeper
        const tlw_settings settings = touch_get_settings(s);
        touch_settings(s, &settings);
    }
    return tlw_world_step(s->world, dt);
}

tlw_step_flags touch_step(touch_scene* s, double dt) {
    const tlw_step_flags flags = step(s, dt);
    touch_read(s);
    return flags;
}

void touch_run(touch_scene* s, int frames) {
    for (int i = 0; i < frames; ++i) {
        step(s, TOUCH_SUBSTEP);
    }
    touch_read(s);
}

uint64_t touch_hash(const touch_scene* s) {
    uint64_t hash;
    CHECK_OK(tlw_character_hash(s->world, s->id, &hash));
    return hash;
}

// ---- Measuring

touch_vec touch_place(const touch_scene* s, uint32_t voxel) {
    const touch_vec root = {s->root_at_step[0], s->root_at_step[1], s->root_at_step[2]};
    return touch_add3(vec_of(s->state[voxel].position), touch_times(root, 1 / s->metres));
}

touch_vec touch_deviation(const touch_scene* s, uint32_t voxel) {
    return touch_sub3(vec_of(s->state[voxel].position), vec_of(s->state[voxel].skinned));
}

uint32_t touch_furthest(const touch_scene* s, touch_vec direction) {
    uint32_t best = 0;
    double most = -HUGE_VAL;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        const double along = touch_dot(vec_of(s->state[v].skinned), direction);
        if (!s->is_bone[v] && along > most) {
            most = along;
            best = v;
        }
    }
    return best;
}

static double raised(double radius) {
    return radius > RADIUS_LEAST ? radius : RADIUS_LEAST;
}

static double depth_in_capsule(const touch_shape* shape, touch_vec at) {
    const touch_vec axis = touch_sub3(shape->ends[1], shape->ends[0]);
    const touch_vec from = touch_sub3(at, shape->ends[0]);
    const double length2 = touch_dot(axis, axis);
    double t = length2 > 0 ? touch_dot(from, axis) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    const double a = raised(shape->radii[0]), b = raised(shape->radii[1]);
    return a + t * (b - a) - touch_length(touch_sub3(from, touch_times(axis, t)));
}

static double depth_in_box(const touch_shape* shape, touch_vec at) {
    const touch_vec over = {fabs(at.x) - shape->half_extents.x, fabs(at.y) - shape->half_extents.y,
                            fabs(at.z) - shape->half_extents.z};
    const touch_vec out = {fmax(over.x, 0), fmax(over.y, 0), fmax(over.z, 0)};
    const double inside = fmin(fmax(over.x, fmax(over.y, over.z)), 0);
    return raised(shape->rounding) - touch_length(out) - inside;
}

double touch_depth_at(const touch_scene* s, uint32_t which, touch_vec place) {
    const touch_collider* collider = &s->colliders[which];
    const touch_vec at = unrotate(collider->rotation, touch_sub3(place, collider->at));
    switch (collider->shape.kind) {
    case TLW_COLLIDER_CAPSULE:
        return depth_in_capsule(&collider->shape, at);
    case TLW_COLLIDER_BOX:
        return depth_in_box(&collider->shape, at);
    case TLW_COLLIDER_PLANE:
        break;
    }
    return -at.y;
}

static bool is_at_cap(const touch_scene* s, uint32_t voxel) {
    return touch_length(touch_deviation(s, voxel)) > CAP * s->limit[voxel] - 1e-3;
}

double touch_inside(const touch_scene* s) {
    double deepest = -HUGE_VAL;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        for (uint32_t i = 0; !s->is_bone[v] && i < s->collider_count; ++i) {
            if (!tlw_collider_id_is_null(s->colliders[i].id) && !is_at_cap(s, v)) {
                deepest = fmax(deepest, touch_depth_at(s, i, touch_place(s, v)) + VOXEL_RADIUS);
            }
        }
    }
    return deepest;
}

double touch_inside_limbs(const touch_scene* s, bool by_skin) {
    uint64_t count;
    const uint32_t* slots = tlw_blob_find(s->blob.bytes, TLW_SECTION_VOXEL_SLOT, &count);
    const tlw_blob_slot_limbs* masks = tlw_blob_find(s->blob.bytes, TLW_SECTION_SLOT_LIMBS, &count);
    const touch_vec root = {s->root_at_step[0], s->root_at_step[1], s->root_at_step[2]};
    double deepest = -HUGE_VAL;
    for (uint32_t i = 0; i < s->info.limb_count; ++i) {
        tlw_limb limb;
        CHECK_OK(tlw_character_get_limb(s->world, s->id, i, &limb));
        touch_shape shape = {.kind = TLW_COLLIDER_CAPSULE};
        for (int end = 0; end < 2; ++end) {
            const touch_vec at = {limb.ends[end][0], limb.ends[end][1], limb.ends[end][2]};
            shape.ends[end] = touch_times(touch_sub3(at, root), 1 / s->metres);
            shape.radii[end] = (double)limb.radii[end] / s->metres;
        }
        for (uint32_t v = 0; v < s->voxel_count; ++v) {
            const tlw_voxel_state* state = &s->state[v];
            const touch_vec at = vec_of(by_skin ? state->skinned : state->position);
            if ((masks[slots[v]].touches >> i & 1) != 0 && !s->is_bone[v] && !is_at_cap(s, v)) {
                deepest = fmax(deepest, depth_in_capsule(&shape, at) + VOXEL_RADIUS);
            }
        }
    }
    return deepest;
}

double touch_largest_speed(const touch_scene* s) {
    double largest = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        largest = fmax(largest, touch_length(vec_of(s->state[v].velocity)));
    }
    return largest;
}

double touch_largest_step(const touch_scene* s) {
    double largest = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        largest = fmax(largest, touch_length(touch_sub3(touch_place(s, v), s->last[v])));
    }
    return largest;
}

double touch_largest_deviation(const touch_scene* s) {
    double largest = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        largest = fmax(largest, touch_length(touch_deviation(s, v)));
    }
    return largest;
}

double touch_largest_of_limit(const touch_scene* s) {
    double largest = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        if (!s->is_bone[v]) {
            largest = fmax(largest, touch_length(touch_deviation(s, v)) / s->limit[v]);
        }
    }
    return largest;
}

bool touch_is_finite(const touch_scene* s) {
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        if (!isfinite(touch_length(touch_place(s, v)))) {
            return false;
        }
    }
    return true;
}
