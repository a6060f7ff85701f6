// SPDX-License-Identifier: MIT
// Fuzzes the blob's validator (MODEL 9.3). Size and layout hash are corrected first, because no
// mutation would get past them, and the content hash is not asked for, because it costs as much as
// the rest. What the validator lets through is read as a runtime reads it, and then steps as a
// character whose pose moves: every number that is written must be finite. What it rejects must
// have a report with two values that differ.
#include "runtime/tallow.h"
#include "tests/cook/support/blob_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STREAMS = 7, STEPS = 3 };

static void require(bool holds, const char* what) {
    if (!holds) {
        fprintf(stderr, "fuzz_blob: %s\n", what);
        abort();
    }
}

static float* pose_joints(const tlw_blob_info* info) {
    float* joints = calloc(info->joint_count, 16 * sizeof *joints);
    require(joints != NULL, "no memory");
    for (uint32_t j = 0; j < info->joint_count; ++j) {
        for (uint32_t i = 0; i < 4; ++i) {
            joints[16 * j + 5 * i] = 1.0f;
        }
    }
    return joints;
}

// Every joint turns about x by a part of a radian, each by another one, and moves by half a voxel.
static void move_joints(const tlw_blob_info* info, int step, float* joints) {
    for (uint32_t j = 0; j < info->joint_count; ++j) {
        const float angle = 0.3f * (float)step * (float)(j % 3);
        float* m = joints + 16 * j;
        m[5] = m[10] = cosf(angle);
        m[6] = sinf(angle);
        m[9] = -m[6];
        m[12] = (float)(0.5 * info->voxel_metres * step);
    }
}

static void set_output(tlw_world* world, tlw_character_id id, const tlw_blob_info* info, int step,
                       float* streams[STREAMS]) {
    tlw_output output = tlw_default_output();
    tlw_stream* const places[STREAMS] = {&output.positions, &output.normals,      &output.tangents,
                                         &output.deltas,    &output.voxel_deltas, &output.lattice,
                                         &output.voxel_fits};
    for (int i = 0; i < STREAMS; ++i) {
        places[i]->data = streams[i];
    }
    output.embedding = step == 1 ? TLW_EMBED_FRAMES : TLW_EMBED_AUTO;
    output.normals_by =
        info->has_ring_normals && step == 2 ? TLW_NORMALS_BY_RING : TLW_NORMALS_BY_GRADIENT;
    require(tlw_character_set_output(world, id, &output) == TLW_OK, "an output is refused");
}

static void check_finite(const float* numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        require(isfinite(numbers[i]), "a number is not finite");
    }
}

// Streams are blocks of their exact size, so that the address sanitizer sees a write beyond one.
static size_t stream_length(const tlw_blob_info* info, int stream) {
    return stream < 4 ? (size_t)info->vertex_count * 3
                      : (size_t)info->voxel_count * (stream < 5 ? 3 : 12);
}

static void step_character(tlw_world* world, tlw_character_id id, const tlw_blob_info* info) {
    float* joints = pose_joints(info);
    float* streams[STREAMS];
    for (int i = 0; i < STREAMS; ++i) {
        streams[i] = calloc(stream_length(info, i) + 1, sizeof(float));
        require(streams[i] != NULL, "no memory");
    }
    for (int step = 0; step < STEPS; ++step) {
        move_joints(info, step, joints);
        tlw_pose pose = tlw_default_pose();
        pose.joints = joints;
        pose.joint_count = info->joint_count;
        require(tlw_character_set_pose(world, id, &pose) == TLW_OK, "a pose is refused");
        for (uint32_t m = 0; m < info->muscle_count; ++m) {
            require(tlw_character_set_tension(world, id, m, 0.5f) == TLW_OK, "a muscle is missing");
        }
        set_output(world, id, info, step, streams);
        (void)tlw_world_step(world, 1.0 / 60.0);
        for (int i = 0; i < STREAMS; ++i) {
            check_finite(streams[i], stream_length(info, i));
        }
    }
    for (int i = 0; i < STREAMS; ++i) {
        free(streams[i]);
    }
    free(joints);
}

static void step_blob(const tlw_blob* blob) {
    tlw_blob_info info;
    require(tlw_blob_get_info(blob, &info) == TLW_OK, "an open blob says nothing");
    tlw_world_def def = tlw_default_world_def();
    def.character_capacity = 1;
    def.scratch_bytes = info.scratch_bytes;
    tlw_character_def character = tlw_default_character_def();
    character.blob = *blob;
    character.pose_kind = TLW_POSE_SKINNING;
    size_t world_bytes = 0, bytes = 0;
    require(tlw_world_bytes(&def, &world_bytes) == TLW_OK &&
                tlw_character_bytes(&character, &bytes) == TLW_OK,
            "a size is refused");
    uint8_t *world_memory = blob_allocate(world_bytes), *memory = blob_allocate(bytes);
    tlw_world* world = NULL;
    tlw_character_id id = {0, 0};
    require(tlw_world_create(&def, world_memory, world_bytes, &world) == TLW_OK &&
                tlw_character_create(world, &character, memory, bytes, &id) == TLW_OK,
            "a character is refused");
    step_character(world, id, &info);
    tlw_world_destroy(world);
    blob_free(memory);
    blob_free(world_memory);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* bytes = blob_copy(data, size);
    if (size >= sizeof(tlw_blob_header)) {
        ((tlw_blob_header*)bytes)->total_bytes = size;
        ((tlw_blob_header*)bytes)->layout_hash = tlw_blob_layout_hash();
    }
    tlw_blob blob;
    tlw_blob_report report;
    const tlw_result result =
        tlw_blob_open(bytes, size, TLW_BLOB_SKIP_CONTENT_HASH, &blob, &report);
    require(result == report.result, "the report has another result");
    if (result == TLW_OK) {
        const char* problem = blob_unsoundness(bytes);
        require(problem == NULL, problem ? problem : "");
        step_blob(&blob);
    } else {
        require(report.expected != report.found, "a report expects what it found");
    }
    blob_free(bytes);
    return 0;
}
