// SPDX-License-Identifier: MIT
// Writes dumps: header, then positions of voxels and vertices for each frame.
#include "tools/scene/dump.h"

#include <stdlib.h>
#include <string.h>

void tlw_dump_word(uint32_t word, uint8_t out[4]) {
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(word >> (8 * i));
    }
}

bool tlw_dump_begin(tlw_dump* dump, const tlw_actor* actor, uint32_t frames,
                    tlw_file_writer* writer) {
    const tlw_blob_info* info = &actor->info;
    const size_t places = (size_t)info->voxel_count + info->vertex_count;
    *dump = (tlw_dump){.actor = actor,
                       .writer = writer,
                       .centres = malloc(((size_t)info->voxel_count + 1) * 3 * sizeof(double)),
                       .frame = malloc((places + 1) * 3 * sizeof(float))};
    if (dump->centres == NULL || dump->frame == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < info->voxel_count; ++v) {
        tlw_actor_voxel_centre(actor, v, dump->centres + (size_t)v * 3);
    }
    uint8_t header[20] = "TLWDUMP1";
    tlw_dump_word(frames, header + 8);
    tlw_dump_word(info->voxel_count, header + 12);
    tlw_dump_word(info->vertex_count, header + 16);
    (void)tlw_file_writer_write(writer, header, sizeof header);
    return true;
}

void tlw_dump_frame(tlw_dump* dump, const tlw_scene* scene) {
    const tlw_scene_character* c = &scene->characters[0];
    const uint32_t voxels = dump->actor->info.voxel_count;
    const uint32_t vertices = dump->actor->info.vertex_count;
    float* out = dump->frame;
    for (uint32_t v = 0; v < voxels; ++v) {
        const double* centre = dump->centres + (size_t)v * 3;
        for (size_t row = 0; row < 3; ++row) {
            const float* m = c->lattice + (size_t)v * 12 + row * 4;
            *out++ = (float)((double)m[0] * centre[0] + (double)m[1] * centre[1] +
                             (double)m[2] * centre[2] + (double)m[3]);
        }
    }
    memcpy(out, c->positions, (size_t)vertices * 3 * sizeof *out);
    const size_t count = ((size_t)voxels + vertices) * 3;
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, &dump->frame[i], sizeof word);
        tlw_dump_word(word, (uint8_t*)&dump->frame[i]);
    }
    (void)tlw_file_writer_write(dump->writer, dump->frame, count * sizeof *dump->frame);
}

void tlw_dump_free(tlw_dump* dump) {
    free(dump->centres);
    free(dump->frame);
    *dump = (tlw_dump){0};
}
