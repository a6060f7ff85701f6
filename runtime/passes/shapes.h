// SPDX-License-Identifier: MIT
// Private to runtime: what tissue gives way to, as one substep of one character sees it
// (MODEL 3.15, 3.16). step/contact.c makes it from colliders and limbs, passes/contact.c reads it.
// In voxels, in world axes, relative to the root. C(0) is where a shape was at the character's last
// substep, C(1) where it is at this one.
#ifndef TLW_RUNTIME_PASSES_SHAPES_H
#define TLW_RUNTIME_PASSES_SHAPES_H

#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// A voxel is a ball of this radius for everything that touches it: the mesh lies there in the mean.
#define TLW_VOXEL_RADIUS 0.25f
// Contact may push tissue this many times d_max away from p_skin.
#define TLW_CONTACT_CAP 1.5f
// What touches is at least as thick as this, or it could slip between two voxels.
#define TLW_SHAPE_RADIUS_MIN 0.5
#define TLW_SHAPES_MAX       64 // of a list, a bit each

typedef struct tlw_shape {
    tlw_collider_kind kind;
    uint32_t place; // of the collider in its world, or of the limb in its blob
    // Capsule: its ends at C(0), and the way that each goes to C(1). Box and plane: the first is
    // the centre, or a point of the plane.
    float from[2][3], way[2][3];
    float rotation[2][4]; // box: at C(0) and C(1), on one side
    float normal[2][3];   // plane: at C(0) and C(1)
    float half[3];        // box: half extents without the rounding
    float radius[2];      // capsule: at each end; box: the first is its rounding
    float look;           // a voxel is looked at each time that it has gone this far, or less
    float across[3];      // capsule: n of a voxel on its axis
    // Capsule at C(1): its first end, the way to the second, and 1 over the square of its length.
    float end[3], axis[3], inverse_length2;
    // How far the material point y goes: u = moved + turn (y - pivot), turn by columns.
    float pivot[3], moved[3], turn[3][3];
    bool turns; // turn is not 0
    float friction;
    // Bounds over C(0) and C(1), radius of a voxel included. Planes have none.
    float low[3], high[3];
} tlw_shape;

// Shapes of one kind of owner: limbs, or colliders.
typedef struct tlw_shapes {
    const tlw_shape* list;
    uint32_t count;
} tlw_shapes;

// The voxel that one shape has pushed deepest.
typedef struct tlw_hit {
    uint32_t shape; // place in its list
    bool is_limb;
    uint32_t slot;
    float depth, speed, normal[3];
} tlw_hit;

// What a block hands on.
#define TLW_BLOCK_HITS 4
typedef struct tlw_block_hits {
    uint32_t count;
    tlw_hit list[TLW_BLOCK_HITS];
} tlw_block_hits;

TLW_EXTERN_C_END

#endif
