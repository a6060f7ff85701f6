// SPDX-License-Identifier: MIT
// Cooks sample characters on demand and evaluates their clips in double precision.
#include "tests/runtime/support/sample_characters.h"
#include "runtime/blob.h"

#include "tests/cook/support/sample_input.h"
#include "tools/sample/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum sample_kind {
    SAMPLE_PLAIN,
    SAMPLE_EMBEDDED, // with rbf and ring normals
    SAMPLE_DUAL,     // the same, with dual quaternions and profiles
    SAMPLE_LIMBED,   // the same, with limbs and rest gravity instead
    SAMPLE_MUSCLED   // the same, with muscles and a Lame layer instead
} sample_kind;

struct sample_character {
    tlw_sample_variant variant;
    uint32_t resolution, region_width;
    sample_kind kind;
    tlw_cook_output cooked;
    tlw_blob blob;
    tlw_blob_info info;
    sample_rig rig;
    sample_clip clips[CLIP_COUNT];
    uint32_t joint_of[SAMPLE_JOINTS_MAX]; // joint of the blob to joint of the sample
    struct sample_character* next;
};

static _Noreturn void fail(const char* what) {
    fprintf(stderr, "sample_characters: %s\n", what);
    abort();
}

void* sample_allocate(size_t bytes) {
    uint8_t* block = calloc(1, bytes + 2 * TLW_MEMORY_ALIGNMENT);
    if (block == NULL) {
        fail("no memory");
    }
    uint8_t* at =
        block + TLW_MEMORY_ALIGNMENT +
        (TLW_MEMORY_ALIGNMENT - (uintptr_t)block % TLW_MEMORY_ALIGNMENT) % TLW_MEMORY_ALIGNMENT;
    memcpy(at - sizeof block, &block, sizeof block);
    return at;
}

void sample_free(void* memory) {
    if (memory) {
        uint8_t* block;
        memcpy(&block, (uint8_t*)memory - sizeof block, sizeof block);
        free(block);
    }
}

static const sample_input* input_of(tlw_sample_variant variant) {
    static sample_input* inputs[TLW_SAMPLE_VARIANT_COUNT];
    if (inputs[variant] == NULL) {
        inputs[variant] = sample_input_make(variant);
    }
    return inputs[variant];
}

static void find_joints(sample_character* sample) {
    if (sample->info.joint_count > SAMPLE_JOINTS_MAX) {
        fail("too many joints");
    }
    for (uint32_t j = 0; j < sample->info.joint_count; ++j) {
        uint32_t found = 0;
        while (found < JOINT_COUNT &&
               strcmp(tlw_sample_joint_names[found], tlw_blob_joint_name(&sample->blob, j)) != 0) {
            ++found;
        }
        if (found == JOINT_COUNT) {
            fail("a joint of the blob is not the sample's");
        }
        sample->joint_of[j] = found;
    }
}

// A stiff profile and a soft one.
static void add_profiles(tlw_cook_recipe* recipe) {
    static tlw_cook_profile_part tense, loose;
    static const tlw_cook_profile profiles[] = {{"tense", &tense, 1}, {"loose", &loose, 1}};
    tense = loose = tlw_default_cook_profile_part(NULL);
    for (uint32_t i = 1; i < recipe->layer_count; ++i) {
        tense.stiffness[i] = 2.5f;
        tense.anchor_hz[i] = 16.0f;
        tense.limit_scale[i] = 0.5f;
        loose.damping[i] = 0.75f;
        loose.anchor_hz[i] = 1.5f;
    }
    recipe->profiles = profiles;
    recipe->profile_count = 2;
}

// Fits the thin sample: a muscle down the front of its trunk, held off the spine by one field and
// drawn to the chest by another, which tenses where the chest bends; all automatic ones; and a
// belly whose fat and skin are lame.
static void add_muscles(tlw_cook_recipe* recipe) {
    static const float along[] = {0.1f, 0.4f, 0.75f, 0.1f, 0.4f, 0.7f};
    static tlw_cook_line_vertex line[TLW_COUNT_OF(along)];
    static tlw_cook_muscle_field fields[2];
    static const uint32_t tendons[] = {0};
    static tlw_cook_muscle muscles[2];
    static tlw_cook_part parts[2];
    for (uint32_t i = 0; i < TLW_COUNT_OF(line); ++i) {
        line[i] = (tlw_cook_line_vertex){.place = {.joint = i < 3 ? "spine" : "chest",
                                                   .along = along[i],
                                                   .offset = {0.0f, 0.0f, 0.06f}},
                                         .radius = TLW_COOK_KEEP,
                                         .is_dynamic = TLW_COOK_KEEP};
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(fields); ++i) {
        const bool attracts = i == 1;
        fields[i] = tlw_default_cook_muscle_field();
        fields[i].place.joint = attracts ? "chest" : "spine";
        fields[i].place.along = 0.5f;
        fields[i].attracts = attracts;
        for (int axis = 0; axis < 3; ++axis) {
            fields[i].radii[axis] = attracts ? 0.04f : 0.055f;
        }
    }
    muscles[0] = tlw_default_cook_muscle("abdominal");
    muscles[0].radius = 0.05f;
    muscles[0].line = line;
    muscles[0].vertex_count = TLW_COUNT_OF(line);
    muscles[0].tendons = tendons;
    muscles[0].tendon_count = TLW_COUNT_OF(tendons);
    muscles[0].fields = fields;
    muscles[0].field_count = TLW_COUNT_OF(fields);
    muscles[0].flex_joint = "chest";
    muscles[0].flex_from = 1.0f;
    muscles[0].flex_to = 15.0f;
    muscles[1] = tlw_default_cook_muscle(NULL);
    recipe->muscles = muscles;
    recipe->muscle_count = TLW_COUNT_OF(muscles);
    parts[0] = tlw_default_cook_part("spine");
    parts[0].lame[2].solver = TLW_SOLVER_LAME;
    parts[1] = tlw_default_cook_part("chest"); // below the spine, and not lame
    recipe->parts = parts;
    recipe->part_count = TLW_COUNT_OF(parts);
}

static const sample_character* get(tlw_sample_variant variant, uint32_t resolution,
                                   uint32_t region_width, sample_kind kind) {
    static sample_character* made;
    for (sample_character* sample = made; sample; sample = sample->next) {
        if (sample->variant == variant && sample->resolution == resolution &&
            sample->region_width == region_width && sample->kind == kind) {
            return sample;
        }
    }
    sample_character* sample = calloc(1, sizeof *sample);
    if (sample == NULL) {
        fail("no memory");
    }
    sample->variant = variant;
    sample->resolution = resolution;
    sample->region_width = region_width;
    sample->kind = kind;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.region_width = region_width;
    recipe.has_ring_normals = kind != SAMPLE_PLAIN;
    recipe.embedding = kind != SAMPLE_PLAIN ? TLW_COOK_EMBED_RBF : TLW_COOK_EMBED_FIT;
    if (kind == SAMPLE_DUAL) {
        recipe.skinning = TLW_SKINNING_DUAL;
        add_profiles(&recipe);
    }
    if (kind == SAMPLE_LIMBED) {
        recipe.has_limbs = true;
        recipe.rest_gravity[1] = -9.81f;
    }
    if (kind == SAMPLE_MUSCLED) {
        add_muscles(&recipe);
    }
    const tlw_cook_options options = tlw_default_cook_options();
    if (tlw_cook_character(sample_input_get(input_of(variant)), &recipe, &options,
                           &sample->cooked) != TLW_OK) {
        fail(sample->cooked.error.message);
    }
    if (tlw_blob_open(sample->cooked.blob, sample->cooked.blob_bytes, TLW_BLOB_CHECK_ALL,
                      &sample->blob, NULL) != TLW_OK ||
        tlw_blob_get_info(&sample->blob, &sample->info) != TLW_OK) {
        fail("the blob is not valid");
    }
    find_joints(sample);
    sample_shape shape;
    tlw_sample_make_shape(variant, &shape);
    tlw_sample_make_rig(&shape, &sample->rig);
    for (int clip = 0; clip < CLIP_COUNT; ++clip) {
        tlw_sample_make_clip(&shape, &sample->rig, (sample_clip_id)clip, &sample->clips[clip]);
    }
    sample->next = made;
    made = sample;
    return sample;
}

const sample_character* sample_get(tlw_sample_variant variant, uint32_t resolution,
                                   uint32_t region_width) {
    return get(variant, resolution, region_width, SAMPLE_PLAIN);
}

const sample_character* sample_get_embedded(tlw_sample_variant variant, uint32_t resolution,
                                            uint32_t region_width) {
    return get(variant, resolution, region_width, SAMPLE_EMBEDDED);
}

const sample_character* sample_get_dual(tlw_sample_variant variant, uint32_t resolution,
                                        uint32_t region_width) {
    return get(variant, resolution, region_width, SAMPLE_DUAL);
}

const sample_character* sample_get_limbed(tlw_sample_variant variant, uint32_t resolution,
                                          uint32_t region_width) {
    return get(variant, resolution, region_width, SAMPLE_LIMBED);
}

const sample_character* sample_get_muscled(uint32_t resolution, uint32_t region_width) {
    return get(TLW_SAMPLE_THIN, resolution, region_width, SAMPLE_MUSCLED);
}

const tlw_blob* sample_blob(const sample_character* sample) {
    return &sample->blob;
}

const tlw_blob_info* sample_info(const sample_character* sample) {
    return &sample->info;
}

// The value of a track at a time. Rotations are blended linearly; the caller normalises them.
static void evaluate(const sample_clip* clip, const sample_track* track, double seconds,
                     double out[4]) {
    const uint32_t width = track->is_rotation ? 4 : 3;
    const uint32_t a_key = (track->interpolation == LERP_CUBIC ? 3 : 1) * width;
    const float* times = clip->times + track->first_time;
    const float* values = clip->values + track->first_value;
    uint32_t k = 0;
    while (k + 1 < track->key_count && (double)times[k + 1] <= seconds) {
        ++k;
    }
    const float* from = values + k * a_key;
    const uint32_t middle = track->interpolation == LERP_CUBIC ? width : 0;
    const bool is_held = k + 1 == track->key_count || track->interpolation == LERP_STEP;
    const double span = is_held ? 1.0 : (double)times[k + 1] - (double)times[k];
    const double t = is_held ? 0.0 : (seconds - (double)times[k]) / span;
    const float* to = is_held ? from : from + a_key;
    for (uint32_t i = 0; i < width; ++i) {
        const double a = (double)from[middle + i], b = (double)to[middle + i];
        out[i] = a + t * (b - a);
        if (track->interpolation == LERP_CUBIC && !is_held) {
            const double t2 = t * t, t3 = t2 * t;
            out[i] = (2 * t3 - 3 * t2 + 1) * a +
                     (t3 - 2 * t2 + t) * span * (double)from[2 * width + i] +
                     (3 * t2 - 2 * t3) * b + (t3 - t2) * span * (double)to[i];
        }
    }
}

static double clip_seconds(const sample_clip* clip) {
    double last = 0.0;
    for (uint32_t i = 0; i < clip->time_count; ++i) {
        last = (double)clip->times[i] > last ? (double)clip->times[i] : last;
    }
    return last;
}

static void set_matrix(quat r, vec3 at, float* m) {
    const double x = r.x, y = r.y, z = r.z, w = r.w;
    const double columns[16] = {1 - 2 * (y * y + z * z),
                                2 * (x * y + z * w),
                                2 * (x * z - y * w),
                                0,
                                2 * (x * y - z * w),
                                1 - 2 * (x * x + z * z),
                                2 * (y * z + x * w),
                                0,
                                2 * (x * z + y * w),
                                2 * (y * z - x * w),
                                1 - 2 * (x * x + y * y),
                                0,
                                at.x,
                                at.y,
                                at.z,
                                1};
    for (int i = 0; i < 16; ++i) {
        m[i] = (float)columns[i];
    }
}

static void set_joint(quat r, vec3 at, tlw_pose_kind kind, uint32_t j, sample_joints* out) {
    if (kind == TLW_POSE_TRANSFORMS) {
        out->transforms[j] = (tlw_transform){{(float)at.x, (float)at.y, (float)at.z},
                                             {(float)r.x, (float)r.y, (float)r.z, (float)r.w},
                                             {1.0f, 1.0f, 1.0f}};
    } else {
        set_matrix(r, at, out->matrices[j]);
    }
}

void sample_pose(const sample_character* sample, sample_motion which, double seconds,
                 tlw_pose_kind kind, sample_joints* out) {
    const sample_clip* clip = &sample->clips[which];
    const double loop = clip_seconds(clip);
    const double at = seconds - loop * floor(seconds / loop);
    quat rotations[JOINT_COUNT];
    vec3 places[JOINT_COUNT];
    for (uint32_t j = 0; j < JOINT_COUNT; ++j) {
        rotations[j] = sample->rig.local_rotation[j];
        places[j] = sample->rig.local_translation[j];
    }
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        double v[4];
        evaluate(clip, &clip->tracks[i], at, v);
        const sample_joint j = clip->tracks[i].joint;
        if (clip->tracks[i].is_rotation) {
            rotations[j] = quat_normalise((quat){v[0], v[1], v[2], v[3]});
        } else {
            places[j] = (vec3){v[0], v[1], v[2]};
        }
    }
    for (uint32_t j = 1; j < JOINT_COUNT; ++j) { // parents come before their children
        const sample_joint parent = tlw_sample_joint_parents[j];
        places[j] = add(places[parent], rotate(rotations[parent], places[j]));
        rotations[j] = quat_normalise(multiply(rotations[parent], rotations[j]));
    }
    for (uint32_t j = 0; j < sample->info.joint_count; ++j) {
        const uint32_t from = sample->joint_of[j];
        quat r = rotations[from];
        vec3 place = places[from];
        if (kind == TLW_POSE_SKINNING) { // the binds of the samples are rigid
            uint64_t count;
            const tlw_blob_joint* joints =
                tlw_blob_find(sample->blob.bytes, TLW_SECTION_JOINTS, &count);
            const double* b = joints[j].bind;
            r = quat_normalise(multiply(r, conjugate(sample->rig.bind[from])));
            place = subtract(place, rotate(r, (vec3){b[12], b[13], b[14]}));
        }
        set_joint(r, place, kind, j, out);
    }
}

void bind_pose(const tlw_blob* blob, tlw_pose_kind kind, const double offset[3],
               sample_joints* out) {
    uint64_t count;
    const tlw_blob_joint* joints = tlw_blob_find(blob->bytes, TLW_SECTION_JOINTS, &count);
    for (uint32_t j = 0; j < count; ++j) {
        const double* b = joints[j].bind;
        for (int i = 0; i < 16 && kind != TLW_POSE_TRANSFORMS; ++i) {
            const double value = kind == TLW_POSE_MATRICES ? b[i] : (double)(i % 5 == 0);
            out->matrices[j][i] = (float)(i >= 12 && i < 15 ? value + offset[i - 12] : value);
        }
        if (kind == TLW_POSE_TRANSFORMS) { // the binds of the scenes have no rotation
            set_joint(QUAT_IDENTITY,
                      (vec3){b[12] + offset[0], b[13] + offset[1], b[14] + offset[2]}, kind, j,
                      out);
        }
    }
}
