// SPDX-License-Identifier: MIT
// What tallow-inspect knows of a blob: its sections by name, and what is not stored as such (links
// by cell, voxels by place). Everything starts from a blob that tlw_blob_validate accepted; the
// grid's size is still the file's word alone, so nothing here allocates by it.
#ifndef TLW_TOOLS_INSPECT_INSPECT_H
#define TLW_TOOLS_INSPECT_INSPECT_H

#include "runtime/blob.h"
#include "tools/render/picture.h"

#include <stdio.h>

typedef struct tlw_inspect_place {
    uint64_t key; // z, y, x: sorts as voxels are ordered
    uint32_t voxel;
} tlw_inspect_place;

typedef struct tlw_inspect {
    const tlw_blob_header* header;
    const tlw_blob_section* table;
    // One pointer per section of the blob, by the field name of the table in runtime/blob.h.
    TLW_BLOB_SECTIONS(TLW_BLOB_FIELD)
    uint64_t mesh_count;
    uint32_t* window_of;       // [site / 8]
    tlw_inspect_place* places; // [voxel], sorted by key
} tlw_inspect;

// False: out of memory. `bytes` must outlive it; close in either case.
bool tlw_inspect_open(tlw_inspect* in, const void* bytes);
void tlw_inspect_close(tlw_inspect* in);

// TLW_BLOB_NO_INDEX where there is none; any numbers will do.
uint32_t tlw_inspect_voxel_at(const tlw_inspect* in, int32_t x, int32_t y, int32_t z);
// Linked voxels at (dx + 1) + 3 (dy + 1) + 9 (dz + 1), TLW_BLOB_NO_INDEX where there is no link;
// the middle is the voxel itself.
void tlw_inspect_around(const tlw_inspect* in, uint32_t voxel, uint32_t around[27]);
// TLW_BLOB_NO_INDEX where none lies at that site.
uint32_t tlw_inspect_voxel_of_site(const tlw_inspect* in, uint32_t site);
// Whether the cooked neighbour set has that step of tlw_inspect_around.
bool tlw_inspect_is_neighbour(const tlw_inspect* in, uint32_t step);
// A voxel's joints, largest weight first, ties to the lower joint.
typedef struct tlw_inspect_joints {
    uint32_t count;
    uint32_t joint[TLW_BLOB_JOINTS_PER_VOXEL];
    float weight[TLW_BLOB_JOINTS_PER_VOXEL];
} tlw_inspect_joints;

tlw_inspect_joints tlw_inspect_joints_of(const tlw_inspect* in, uint32_t voxel);
// The first of them.
uint32_t tlw_inspect_part(const tlw_inspect* in, uint32_t voxel);
uint32_t tlw_inspect_layer(const tlw_inspect* in, uint32_t voxel);

// Where output goes; false: it failed, and need not be called again.
typedef tlw_picture_sink tlw_inspect_write;

void tlw_inspect_summary(const tlw_inspect* in, const char* path, FILE* out);
// README.md lists the keys.
bool tlw_inspect_json(const tlw_inspect* in, tlw_inspect_write* write, void* user);

typedef enum tlw_inspect_drawn {
    TLW_DRAWN,
    TLW_DRAWN_TOO_LARGE, // the grid has more cells along an axis than a picture has pixels
    TLW_DRAWN_NO_MEMORY,
    TLW_DRAWN_NOT_WRITTEN
} tlw_inspect_drawn;

tlw_inspect_drawn tlw_inspect_draw(const tlw_picture* picture, tlw_inspect_write* write,
                                   void* user);

// One layer of cells across `axis` (0 to 2) as PNG.
tlw_inspect_drawn tlw_inspect_slice(const tlw_inspect* in, uint32_t axis, uint32_t index,
                                    tlw_inspect_write* write, void* user);
// Tissue layers side by side, innermost first, as PNG. Y is up, as in glTF.
tlw_inspect_drawn tlw_inspect_layers(const tlw_inspect* in, tlw_inspect_write* write, void* user);

#endif
