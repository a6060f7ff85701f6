// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 7, 8 and 9.6: reads voxels with links, parts and paint, writes path
// lengths, depths, layers and the blends at borders of parts.
#include "tests/cook/oracle/oracle_private.h"

#include <stdlib.h>

uint32_t oracle_linked(const oracle_result* result, uint32_t voxel, uint32_t bit) {
    const oracle_voxel* v = &result->voxels[voxel];
    if ((v->links >> bit & 1) == 0) {
        return ORACLE_NONE;
    }
    int32_t offset[3];
    oracle_offset(bit, offset);
    return oracle_voxel_at(result, v->cell[0] + offset[0], v->cell[1] + offset[1],
                           v->cell[2] + offset[2]);
}

// RULES 7
// -------------------------------------------------------------------------------------------

void oracle_path_lengths(const oracle_result* result, uint32_t* distance, bool counts_links) {
    bool is_more = true;
    for (uint32_t now = 0; is_more; ++now) {
        is_more = false;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            if (distance[v] != ORACLE_FAR && distance[v] > now) {
                is_more = true;
            }
            if (distance[v] != now) {
                continue;
            }
            for (uint32_t bit = 0; bit < 26; ++bit) {
                uint32_t other = oracle_linked(result, v, bit);
                int32_t offset[3];
                oracle_offset(bit, offset);
                uint32_t step =
                    counts_links ? 1 : (uint32_t)(abs(offset[0]) + abs(offset[1]) + abs(offset[2]));
                if (other != ORACLE_NONE && now + step < distance[other]) {
                    distance[other] = now + step;
                    is_more = true;
                }
            }
        }
    }
}

// The bits of the faces, in the order of oracle_voxel.faces.
static const uint32_t face_bits[6] = {12, 13, 10, 15, 4, 21};

static void mark_components(oracle_result* result) {
    uint32_t* distance = oracle_allocate(result->voxel_count, sizeof *distance);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        result->voxels[v].component = ORACLE_NONE;
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        if (result->voxels[v].component != ORACLE_NONE) {
            continue;
        }
        for (uint32_t w = 0; w < result->voxel_count; ++w) {
            distance[w] = w == v ? 0 : ORACLE_FAR;
        }
        oracle_path_lengths(result, distance, false);
        for (uint32_t w = 0; w < result->voxel_count; ++w) {
            if (distance[w] != ORACLE_FAR) {
                result->voxels[w].component = result->component_count;
            }
        }
        result->component_count += 1;
    }
    free(distance);
}

// RULES 8
// -------------------------------------------------------------------------------------------

// By the voxel's own part (RULES 8.5). A part's share goes before the recipe's radius.
static bool is_bone(const oracle_voxel* voxel, const oracle_part* part) {
    // Rigid spots would show on crowns and tips (RULES 8).
    if (voxel->d_seg == ORACLE_FAR || (voxel->is_shell && voxel->h >= 2)) {
        return false;
    }
    if (part->bone_radius_voxels >= 0) {
        return voxel->d_seg <= (uint32_t)part->bone_radius_voxels;
    }
    uint64_t thickness = (uint64_t)voxel->d_seg + voxel->d_skin;
    return voxel->d_seg <= part->bone_share.numerator * thickness / part->bone_share.denominator;
}

// Shell, d_skin, and the depth: the largest d_skin up links that strictly increase it (RULES 9.6).
void oracle_measure_skin(oracle_work* work) {
    oracle_result* result = work->result;
    const uint32_t n = result->voxel_count;
    uint32_t* distance = oracle_allocate(n, sizeof *distance);
    for (uint32_t v = 0; v < n; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->is_shell = false;
        for (int face = 0; face < 6; ++face) {
            voxel->faces[face] = oracle_linked(result, v, face_bits[face]);
            voxel->is_shell = voxel->is_shell || voxel->faces[face] == ORACLE_NONE;
        }
        distance[v] = voxel->is_shell ? 0 : ORACLE_FAR;
    }
    oracle_path_lengths(result, distance, false);
    uint32_t deepest = 0;
    for (uint32_t v = 0; v < n; ++v) {
        result->voxels[v].d_skin = distance[v];
        deepest = distance[v] > deepest ? distance[v] : deepest;
    }
    free(distance);
    // From the deepest voxels outwards, so that a voxel comes after the deeper voxels that it can
    // step to.
    for (uint32_t depth = deepest + 1; depth-- > 0;) {
        for (uint32_t v = 0; v < n; ++v) {
            oracle_voxel* voxel = &result->voxels[v];
            if (voxel->d_skin != depth) {
                continue;
            }
            voxel->h = depth;
            for (uint32_t bit = 0; bit < 26; ++bit) {
                uint32_t to = oracle_linked(result, v, bit);
                if (to != ORACLE_NONE && result->voxels[to].d_skin > depth &&
                    result->voxels[to].h > voxel->h) {
                    voxel->h = result->voxels[to].h;
                }
            }
        }
    }
}

// Whether a voxel between bone and shell is at most as far out as the layer's ratio (RULES 8.3).
// Fat paint leaves only a share of the muscle's ratio (RULES 8.7).
static bool is_within(const oracle_voxel* voxel, const oracle_part* part, uint32_t layer) {
    uint64_t kept = ORACLE_PAINT_ONE - (layer == 1 ? voxel->paint[TLW_PAINT_FAT] : 0);
    return (uint64_t)voxel->d_bone * part->ratio[layer].denominator * ORACLE_PAINT_ONE <=
           part->ratio[layer].numerator * kept * ((uint64_t)voxel->d_bone + voxel->d_skin);
}

void oracle_make_layers(oracle_work* work) {
    oracle_result* result = work->result;
    const tlw_cook_recipe* recipe = work->recipe;
    const uint32_t n = result->voxel_count;
    uint32_t* distance = oracle_allocate(n, sizeof *distance);
    for (uint32_t v = 0; v < n; ++v) {
        distance[v] = ORACLE_FAR;
        for (uint32_t j = 0; j < result->joint_count; ++j) {
            if (result->touched[(size_t)v * result->joint_count + j]) {
                distance[v] = 0;
            }
        }
    }
    oracle_path_lengths(result, distance, false);
    for (uint32_t v = 0; v < n; ++v) {
        result->voxels[v].d_seg = distance[v];
    }

    // Bone first; then whole components that have none.
    mark_components(result);
    bool* has_bone = oracle_allocate(result->component_count, sizeof *has_bone);
    for (uint32_t v = 0; v < n; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->layer = is_bone(voxel, &result->parts[voxel->part]) ? 0 : ORACLE_NONE;
        has_bone[voxel->component] = has_bone[voxel->component] || voxel->layer == 0;
    }
    for (uint32_t c = 0; c < result->component_count; ++c) {
        result->boneless_component_count += !has_bone[c];
    }
    for (uint32_t v = 0; v < n; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        if (!has_bone[voxel->component]) {
            voxel->layer = 0;
            voxel->is_filled_bone = true;
        }
        distance[v] = voxel->layer == 0 ? 0 : ORACLE_FAR;
    }
    free(has_bone);
    oracle_path_lengths(result, distance, false);

    const uint32_t skin = recipe->layer_count - 1;
    for (uint32_t v = 0; v < n; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->d_bone = distance[v];
        if (voxel->layer == 0) {
            continue;
        }
        voxel->layer = skin;
        if (!voxel->is_shell && recipe->layer_count > 2) {
            voxel->layer = skin - 1; // takes the rest
            for (uint32_t layer = skin - 1; layer >= 1; --layer) {
                if (is_within(voxel, &result->parts[voxel->part], layer)) {
                    voxel->layer = layer;
                }
            }
        }
    }
    free(distance);
}

// A second material at borders of parts: that of the voxel's own layer in the part with most linked
// faces, the lowest of several.
void oracle_make_blends(oracle_work* work) {
    oracle_result* result = work->result;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->other_part = ORACLE_NONE;
        uint32_t most = 0;
        for (uint32_t part = 0; voxel->layer != 0 && part < result->part_count; ++part) {
            uint32_t faces = 0;
            for (int face = 0; face < 6; ++face) {
                const uint32_t other = voxel->faces[face];
                faces += other != ORACLE_NONE && result->voxels[other].part == part;
            }
            if (part != voxel->part && faces > most) {
                most = faces;
                voxel->other_part = part;
            }
        }
        voxel->other_share = voxel->other_part == ORACLE_NONE ? 0 : 0.25;
    }
}
