// SPDX-License-Identifier: MIT
// What tallow-inspect knows about a blob: its sections by name, and two things that a blob does not
// store in this form (the voxel in a cell, the links of a voxel). Everything here expects a blob
// that tlw_blob_validate accepted. Even then a small blob may claim a very large grid, so nothing
// here allocates by the size of the grid.
#ifndef TLW_TOOLS_INSPECT_INSPECT_H
#define TLW_TOOLS_INSPECT_INSPECT_H

#include "runtime/blob.h"
#include "tools/render/picture.h"

#include <stdio.h>

typedef struct tlw_inspect_place {
    uint64_t key; // cell: z, then y, then x, the order of voxels
    uint32_t voxel;
} tlw_inspect_place;

typedef struct tlw_inspect {
    const tlw_blob_header* header;
    const tlw_blob_section* table;
    tlw_blob blob;
    // One pointer per section of the blob, by the field name of the table in runtime/blob.h.
    TLW_BLOB_SECTIONS(TLW_BLOB_FIELD)
    uint64_t mesh_count;
    uint64_t bend_count, bend_pair_count;
    uint32_t* window_of;       // [site / 8]; TLW_BLOB_NO_INDEX where there is no window
    tlw_inspect_place* places; // [voxel], sorted by key
} tlw_inspect;

// `bytes` must stay in place until it is closed. False if memory is short, or the blob is not
// valid; close it then too.
bool tlw_inspect_open(tlw_inspect* in, const void* bytes);
void tlw_inspect_close(tlw_inspect* in);

// The voxel in a cell, TLW_BLOB_NO_INDEX if there is none or the cell is outside the grid.
uint32_t tlw_inspect_voxel_at(const tlw_inspect* in, int32_t x, int32_t y, int32_t z);
// The linked voxels in the cells around a voxel, TLW_BLOB_NO_INDEX where there is no link; the
// middle is the voxel itself. Cells as in runtime/lattice.h, with the axes x, y, z.
void tlw_inspect_around(const tlw_inspect* in, uint32_t voxel, uint32_t around[TLW_CELLS_AROUND]);
// The voxel at a site, TLW_BLOB_NO_INDEX if there is none.
uint32_t tlw_inspect_voxel_of_site(const tlw_inspect* in, uint32_t site);
// Whether the lattice's neighbour set has that cell of tlw_inspect_around.
bool tlw_inspect_is_neighbour(const tlw_inspect* in, uint32_t cell);
// A voxel's joints, largest weight first; of equal weights the lower joint first.
typedef struct tlw_inspect_joints {
    uint32_t count;
    uint32_t joint[TLW_BLOB_JOINTS_PER_VOXEL];
    float weight[TLW_BLOB_JOINTS_PER_VOXEL];
} tlw_inspect_joints;

tlw_inspect_joints tlw_inspect_joints_of(const tlw_inspect* in, uint32_t voxel);
// The first of those joints: the joint that the voxel belongs to most.
uint32_t tlw_inspect_part(const tlw_inspect* in, uint32_t voxel);
uint32_t tlw_inspect_layer(const tlw_inspect* in, uint32_t voxel);
// The voxel's part, an index into `parts`: whose materials it has.
uint32_t tlw_inspect_material_part(const tlw_inspect* in, uint32_t voxel);

// A voxel's bends, the largest share first; of equal shares the lower bend first. None in a blob
// without skinned volume.
typedef struct tlw_inspect_bends {
    uint32_t count;
    uint32_t bend[TLW_BLOB_BENDS_PER_VOXEL];
    float share[TLW_BLOB_BENDS_PER_VOXEL];
} tlw_inspect_bends;

tlw_inspect_bends tlw_inspect_bends_of(const tlw_inspect* in, uint32_t voxel);
// The direction in which skinned volume moves a voxel, along x, y, z; 0 without.
void tlw_inspect_field_of(const tlw_inspect* in, uint32_t voxel, float field[3]);
// How many voxels have the bend.
uint32_t tlw_inspect_bend_voxels(const tlw_inspect* in, uint32_t bend);

// The length of a limb's axis, voxels.
double tlw_inspect_limb_length(const tlw_inspect* in, uint32_t limb);
// How many voxels the limb may touch.
uint32_t tlw_inspect_limb_voxels(const tlw_inspect* in, uint32_t limb);
// A vertex of a muscle's action line, and the segment from it to the next: all 0 for the last.
typedef struct tlw_inspect_vertex {
    float place[3]; // x, y, z, in voxels from the grid's lowest corner
    float tangent[3], balance[3], outward[3];
    float radius, flex, arc; // radius and arc in voxels
    uint32_t joint_count;
    uint32_t joint[TLW_BLOB_LINE_JOINTS];
    float weight[TLW_BLOB_LINE_JOINTS];
    float ratio, length, slack;
    bool is_dynamic;
    bool is_belly; // the segment; false: it is a tendon
} tlw_inspect_vertex;

typedef struct tlw_inspect_ellipsoid {
    uint32_t joint;
    float centre[3], inverse[3]; // x, y, z; voxels, and 1/radius in 1/voxels
    float gain;
    float reach; // 0: it repels
} tlw_inspect_ellipsoid;

// What a voxel has of a muscle.
typedef struct tlw_inspect_belly {
    uint32_t muscle;
    float d[3]; // x, y, z, 1/voxels
    float a;
    uint32_t first_vertex, vertex_count;
    float curve[TLW_BLOB_LINE_VERTICES], linear[TLW_BLOB_LINE_VERTICES];
} tlw_inspect_belly;

// Muscles of blobs that have some; their number is lattice->muscle_count.
tlw_inspect_vertex tlw_inspect_vertex_of(const tlw_inspect* in, uint32_t muscle, uint32_t vertex);
// Returns how many fields the muscle has.
uint32_t tlw_inspect_fields_of(const tlw_inspect* in, uint32_t muscle,
                               tlw_inspect_ellipsoid out[TLW_BLOB_LINE_FIELDS]);
// Arc length of the line at rest, voxels.
float tlw_inspect_line_length(const tlw_inspect* in, uint32_t muscle);
// How many voxels the muscle moves.
uint32_t tlw_inspect_muscle_voxels(const tlw_inspect* in, uint32_t muscle);
// Returns how many muscles the voxel has, ascending; 0 in a blob without muscles.
uint32_t tlw_inspect_bellies_of(const tlw_inspect* in, uint32_t voxel,
                                tlw_inspect_belly out[TLW_BLOB_VOXEL_MUSCLES]);
// Whether the shape was modelled under a gravity that is not 0.
bool tlw_inspect_has_rest_gravity(const tlw_inspect* in);

// What an anchor leaves of a deviation in 1/60 s: the delta of recipes (MODEL 3.14).
double tlw_inspect_delta(float anchor_hz);
// The recipe's word for the blob's skinning.
const char* tlw_inspect_skinning(const tlw_inspect* in);

// What is stored for vertices.
typedef struct tlw_inspect_vertices {
    double
        bytes_per_vertex; // of groups and orders; not of meshes, rings and rbf. 0 without vertices
    double voxels_per_group, joints_per_group; // mean lengths of the lists of 8 vertices
    bool has_rings, has_rbf;
} tlw_inspect_vertices;

tlw_inspect_vertices tlw_inspect_vertices_of(const tlw_inspect* in);

// Takes a piece of the output. False: it failed; it is not called again.
typedef tlw_picture_sink tlw_inspect_write;

void tlw_inspect_summary(const tlw_inspect* in, const char* path, FILE* out);
// README.md lists the keys. False if a write failed.
bool tlw_inspect_json(const tlw_inspect* in, tlw_inspect_write* write, void* user);

typedef enum tlw_inspect_drawn {
    TLW_DRAWN,
    TLW_DRAWN_TOO_LARGE, // the grid has more cells along an axis than a picture has pixels
    TLW_DRAWN_NO_MEMORY,
    TLW_DRAWN_NOT_WRITTEN
} tlw_inspect_drawn;

tlw_inspect_drawn tlw_inspect_draw(const tlw_picture* picture, tlw_inspect_write* write,
                                   void* user);

typedef enum tlw_inspect_look {
    TLW_LOOK_LAYERS,
    TLW_LOOK_BENDS,  // whose volume is kept together, and the field
    TLW_LOOK_MUSCLES // what muscles do to voxels, and the action lines
} tlw_inspect_look;

// A PNG of the cells whose index along `axis` (0 to 2) is `index`.
tlw_inspect_drawn tlw_inspect_slice(const tlw_inspect* in, tlw_inspect_look look, uint32_t axis,
                                    uint32_t index, tlw_inspect_write* write, void* user);
// A PNG of the layers side by side, innermost first. Y is up, as in glTF.
tlw_inspect_drawn tlw_inspect_layers(const tlw_inspect* in, tlw_inspect_write* write, void* user);
// A PNG of layers, in a body cut open, and of parts, with a legend and counts. Y is up, and the
// character faces +z. The texts stand above: a title, and a line in smaller letters.
tlw_inspect_drawn tlw_inspect_cooked(const tlw_inspect* in, const char* title, const char* remark,
                                     tlw_inspect_write* write, void* user);

#endif
