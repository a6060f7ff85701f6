// SPDX-License-Identifier: MIT
// Small bodies for the runtime's tests, as meshes to cook: rods, plates, lone voxels, what has
// cuts.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SHAPES_H
#define TLW_TESTS_RUNTIME_SUPPORT_SHAPES_H

#include "tests/cook/support/cook_scenes.h"
#include "tests/runtime/support/oracle_pair.h"

// name, resolution, how it is made. A soft_box is of so many metres, and soft but for the low end
// of the axis that comes last.
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
    X(blob, 11, scene_make(SCENE_blob, 3))           \
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
// A bar whose rows are longer than what a task keeps of a block's fits beside it.
oracle_pair* long_bar_pair(const oracle_pair_def* def);
// For pair_dance: its root turns a body about the origin, and what is small jumps early.
double shape_liveliness(const oracle_pair* pair);

#endif
