// SPDX-License-Identifier: MIT
// The mesh of a character as an embedding shows it (MODEL 5): how creased it is, how far a limb
// moves another one, how good its normals are. Figures and tests take these numbers from here.
//
//     tlw_surface surface;
//     tlw_surface_open(&surface, &actor, &error);
//     tlw_surface_jiggle(motion);                     // the dance, stopped dead
//     tlw_surface_embed(&surface, motion, &look);     // writes surface.positions and the rest
//     printf("%.2f degrees\n", tlw_surface_crease(&surface, TLW_SURFACE_ALL_EDGES));
//     tlw_surface_close(&surface);
#ifndef TLW_TOOLS_MOTION_SURFACE_H
#define TLW_TOOLS_MOTION_SURFACE_H

#include "tools/motion/motion.h"

TLW_EXTERN_C_BEGIN

// A mesh edge with two triangles, which wind around it in opposite directions. Welded vertices.
typedef struct tlw_surface_edge {
    uint32_t ends[2];
    uint32_t corners[2]; // the third ones: of the triangle that runs along the edge, of the other
} tlw_surface_edge;

typedef struct tlw_surface {
    const tlw_actor* actor;
    uint32_t vertex_count, welded_count, triangle_count, edge_count;
    uint32_t* welded_of;      // per vertex of the source: vertices at one position are one
    uint32_t* first_of;       // per welded vertex: its first vertex of the source
    uint32_t* domain_of;      // per welded vertex: its domain of rbf; TLW_NO_INDEX without
    uint32_t* joint_of;       // per welded vertex: the joint of its largest weight
    uint32_t (*triangles)[3]; // of welded vertices, three different ones each
    tlw_surface_edge* edges;
    // What tlw_surface_embed wrote last: 3 per vertex of the source, metres. `skinned` is what
    // skinning alone gives.
    float *positions, *normals, *deltas, *skinned;
} tlw_surface;

// On failure the error, which may be null, says why. Close it also after a failure.
tlw_scene_code tlw_surface_open(tlw_surface* surface, const tlw_actor* actor,
                                tlw_scene_error* error);
void tlw_surface_close(tlw_surface* surface);

// An embedding and its normals.
typedef struct tlw_surface_look {
    tlw_embedding embedding;
    float smoothing; // of fit
    tlw_normal_source normals_by;
} tlw_surface_look;

// Writes the surface for the state that the motion has, without advancing it. False if the blob was
// not cooked for this look.
bool tlw_surface_embed(tlw_surface* surface, tlw_motion* motion, const tlw_surface_look* look);

// What one system of radial basis functions for the whole body would write, with as many centres as
// the blob has: positions and deltas; normals stay as they are. The cooker makes no such system.
// False if out of memory, or if the blob has no radial basis functions.
bool tlw_surface_embed_single(tlw_surface* surface, tlw_motion* motion);

// ---- Fields and motion

// The deviation at a point of the rest pose, both in shares of L; the point is relative to the
// lowest corner of the grid.
typedef void tlw_surface_field(const double rest[3], void* user, double out[3]);
// Puts the character into its bind pose and every voxel at its skinned place plus the field there.
// `is_moved`, one per voxel, may be null; others do not deviate.
void tlw_surface_impose(tlw_motion* motion, tlw_surface_field* field, void* user,
                        const bool* is_moved);

// The liveliest clip plays while the root moves along +z by 0.8 L/s, for 2 s; then both stop dead.
// Leaves the motion TLW_SURFACE_JIGGLE_FRAMES after the stop, while it swings most.
#define TLW_SURFACE_JIGGLE_FRAMES 6
void tlw_surface_jiggle(tlw_motion* motion);

// ---- Numbers of what was embedded last

typedef enum tlw_surface_edges { TLW_SURFACE_ALL_EDGES, TLW_SURFACE_SEAM_EDGES } tlw_surface_edges;

// Root mean square change of the angle between the two triangles at an edge against skinning
// alone, in degrees. Seam edges are those between domains of rbf.
double tlw_surface_crease(const tlw_surface* surface, tlw_surface_edges which);
// Root mean square deviation, metres.
double tlw_surface_rms(const tlw_surface* surface);
// Normals from the positions alone: triangles around a welded vertex, by their areas. 3 per vertex
// of the source. False if out of memory.
bool tlw_surface_geometric_normals(const tlw_surface* surface, const float* positions,
                                   float* normals);

// A sample cooked anew with its legs turned inwards, so that they nearly touch from the knees on:
// characters of games often stand like that, the samples do not. No clips move it. Free `out` also
// after a failure.
tlw_scene_code tlw_surface_close_legs(const tlw_actor* sample, double degrees,
                                      const tlw_cook_recipe* recipe, tlw_actor* out,
                                      tlw_scene_error* error);

// One limb moves another (Figure 2 of Luo et al.): the voxels of joint `limb` and of those below it
// move by 0.05 L along x, nothing else does.
typedef struct tlw_surface_limb {
    bool* is_moved;    // per voxel
    uint8_t* edges_to; // per welded vertex: mesh edges to the nearest one of the limb, at most 255
} tlw_surface_limb;

#define TLW_SURFACE_LIMB_SHIFT 0.05
#define TLW_SURFACE_LIMB_FAR   8 // edges
bool tlw_surface_limb_open(const tlw_surface* surface, const tlw_motion* motion, const char* joint,
                           tlw_surface_limb* out);
void tlw_surface_limb_close(tlw_surface_limb* limb);
void tlw_surface_limb_move(const tlw_surface_limb* limb, tlw_motion* motion);
// The largest deviation of vertices that are more than TLW_SURFACE_LIMB_FAR edges from the limb, as
// a share of the limb's. `deltas` has 3 per vertex of the source, metres.
double tlw_surface_limb_leak(const tlw_surface* surface, const tlw_surface_limb* limb,
                             const float* deltas);

// ---- Normals

// The sine field of wavelength 0.35 L whose strain is about a half.
tlw_surface_field tlw_surface_sines;
// Mean angle in degrees between normals and those that the field gives the rest normals.
double tlw_surface_normal_error(const tlw_surface* surface, const float* normals);

TLW_EXTERN_C_END

#endif
