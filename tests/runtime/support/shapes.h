// SPDX-License-Identifier: MIT
// Small shapes as meshes to cook, each on an oracle_pair: rods, plates, boxes, lone voxels, shapes
// with cuts.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SHAPES_H
#define TLW_TESTS_RUNTIME_SUPPORT_SHAPES_H

#include "tests/cook/support/cook_scenes.h"
#include "tests/runtime/support/oracle_pair.h"

// name, resolution, how it is made. soft_box(x, y, z, axis) has these sizes in metres; all of it is
// soft except its low end along `axis`.
#define SHAPES(X)                                    \
    X(lone_voxels, 4, lone_voxels())                 \
    X(pair_of_voxels, 2, soft_box(1, 0.1, 0.1, 0))   \
    X(rod_along_x, 9, soft_box(1, 0.02, 0.02, 0))    \
    X(rod_along_y, 9, soft_box(0.02, 1, 0.02, 1))    \
    X(rod_along_z, 9, soft_box(0.02, 0.02, 1, 2))    \
    X(plate_xy, 9, soft_box(1, 0.7, 0.02, 0))        \
    X(plate_yz, 9, soft_box(0.02, 1, 0.7, 1))        \
    X(plate_zx, 9, soft_box(0.7, 0.02, 1, 2))        \
    X(box_along_x, 9, soft_box(1, 0.5, 0.4, 0))      \
    X(box_along_y, 9, soft_box(0.4, 1, 0.5, 1))      \
    X(box_along_z, 9, soft_box(0.5, 0.4, 1, 2))      \
    X(ell_with_cuts, 12, scene_make(SCENE_ell, 0))   \
    X(legs_with_cuts, 20, scene_make(SCENE_legs, 0)) \
    X(lump, 11, scene_make(SCENE_lump, 3))           \
    X(torus, 13, scene_make(SCENE_torus, 0))

typedef enum shape {
#define SHAPE_ENUM(name, resolution, make) SHAPE_##name,
    SHAPES(SHAPE_ENUM)
#undef SHAPE_ENUM
        SHAPE_COUNT
} shape;

const char* shape_name(shape which);
oracle_pair* shape_pair(shape which, uint32_t region_width, uint32_t neighbours,
                        const oracle_pair_def* def);
// A bar with rows so long that a block's data does not fit the buffer that a task has for it.
oracle_pair* long_bar_pair(const oracle_pair_def* def);
// The `size` for pair_dance, which rotates the shape about the origin: on a small shape less motion
// already counts as a jump.
double shape_liveliness(const oracle_pair* pair);

#endif
