// SPDX-License-Identifier: MIT
// Places the skins of an asset in model space, so that all of them stand in one bind pose. The skin
// with most joints stands as the rest pose has it. Each other one is placed by a joint that it
// shares with a skin that is placed, or by the joint that it hangs on (to_cook.h has the formulas).
// The cost is linear in the nodes and in the joints of all skins together.
#include "tools/asset/place.h"
#include "tools/asset/matrix.h"

typedef struct tlw_placing {
    tlw_asset_memory* memory;
    const tlw_asset* asset;
    const double* globals;
    double metres_per_unit;
    tlw_placed* placed;
    uint32_t* over;  // for each node: the nearest joint above it, or TLW_ASSET_NONE
    uint32_t* begin; // for each node: where its skins begin in `skins`; one more at the end
    uint32_t* skins;
    uint32_t* number_in; // for each of these: which joint of the skin the node is
    uint32_t* order;     // skins in use, those with most joints first
    uint32_t order_count;
    uint32_t* queue;
    bool* is_queued;
} tlw_placing;

// Sorts the skins in use by number of joints, largest first; equal ones keep their order. A
// counting sort.
static bool order_skins(tlw_placing* p) {
    const tlw_asset* asset = p->asset;
    const uint32_t most = asset->node_count; // more joints than nodes count as that many
    uint32_t* begin = tlw_asset_allocate(p->memory, TLW_SCRATCH, (uint64_t)most + 2, sizeof *begin);
    if (!begin) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < asset->skin_count; ++i) {
            const uint32_t joints = asset->skins[i].joint_count;
            const uint32_t row = most - (joints < most ? joints : most);
            if (!p->placed->skins[i].is_used) {
                continue;
            }
            if (pass == 0) {
                begin[row + 1] += 1;
            } else {
                p->order[begin[row]++] = i;
                p->order_count += 1;
            }
        }
        for (uint32_t n = 0; pass == 0 && n <= most; ++n) {
            begin[n + 1] += begin[n];
        }
    }
    return true;
}

// Finds for each node the skins that have it as a joint.
static bool list_skins(tlw_placing* p) {
    const tlw_asset* asset = p->asset;
    uint64_t total = 0;
    for (uint32_t i = 0; i < asset->skin_count; ++i) {
        total += p->placed->skins[i].is_used ? asset->skins[i].joint_count : 0;
    }
    // Lists of more than 2^32 joints do not fit the memory of the asset.
    p->skins = tlw_asset_allocate(p->memory, TLW_SCRATCH, total, sizeof *p->skins);
    p->number_in = tlw_asset_allocate(p->memory, TLW_SCRATCH, total, sizeof *p->number_in);
    if (!p->skins || !p->number_in) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < asset->skin_count; ++i) {
            const tlw_asset_skin* skin = &asset->skins[i];
            for (uint32_t k = 0; p->placed->skins[i].is_used && k < skin->joint_count; ++k) {
                if (pass == 0) {
                    p->begin[skin->joints[k] + 2] += 1;
                } else {
                    const uint32_t at = p->begin[skin->joints[k] + 1]++;
                    p->skins[at] = i;
                    p->number_in[at] = k;
                }
            }
        }
        for (uint32_t n = 0; pass == 0 && n < asset->node_count; ++n) {
            p->begin[n + 2] += p->begin[n + 1];
        }
    }
    return true;
}

// Numbers the nodes so that those below a node follow it without a gap: the first of `nodes`, and
// how many a node has with itself.
static bool number_nodes(const tlw_placing* p, uint32_t* nodes, uint32_t* count) {
    const tlw_asset* asset = p->asset;
    uint32_t total = 0;
    uint32_t* next = // for each node: the number of its next child
        tlw_asset_allocate(p->memory, TLW_SCRATCH, asset->node_count, sizeof *next);
    if (!next) {
        return false;
    }
    for (uint32_t i = asset->node_count; i-- > 0;) {
        const uint32_t node = asset->order[i], parent = asset->nodes[node].parent;
        count[node] += 1;
        if (parent != TLW_ASSET_NONE) {
            count[parent] += count[node];
        }
    }
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const uint32_t node = asset->order[i], parent = asset->nodes[node].parent;
        uint32_t* from = parent != TLW_ASSET_NONE ? &next[parent] : &total;
        nodes[*from] = node;
        next[node] = *from + 1;
        *from += count[node];
    }
    return true;
}

// The root of a skin is its first joint without an ancestor in it. A walk up from each joint would
// cost the depth of the tree for every skin; this reads each joint of each skin once.
static bool find_roots(const tlw_placing* p) {
    const tlw_asset* asset = p->asset;
    const uint64_t nodes = asset->node_count;
    uint32_t* ordered = tlw_asset_allocate(p->memory, TLW_SCRATCH, nodes, sizeof *ordered);
    uint32_t* count = tlw_asset_allocate(p->memory, TLW_SCRATCH, nodes, sizeof *count);
    // For each skin: the number after the nodes below the topmost joint that was met last.
    uint32_t* below_until =
        tlw_asset_allocate(p->memory, TLW_SCRATCH, asset->skin_count, sizeof *below_until);
    if (!ordered || !count || !below_until || !number_nodes(p, ordered, count)) {
        return false;
    }
    for (uint32_t number = 0; number < asset->node_count; ++number) {
        const uint32_t node = ordered[number];
        for (uint32_t i = p->begin[node]; i < p->begin[node + 1]; ++i) {
            const uint32_t skin = p->skins[i];
            uint32_t* root = &p->placed->skins[skin].root;
            if (number >= below_until[skin]) {
                const bool is_first = below_until[skin] == 0 || p->number_in[i] < *root;
                *root = is_first ? p->number_in[i] : *root;
                below_until[skin] = number + count[node];
            }
        }
    }
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const uint32_t node = asset->order[i], parent = asset->nodes[node].parent;
        const bool is_below_joint =
            parent != TLW_ASSET_NONE && p->begin[parent] < p->begin[parent + 1];
        p->over[node] = parent == TLW_ASSET_NONE ? TLW_ASSET_NONE
                        : is_below_joint         ? parent
                                                 : p->over[parent];
    }
    return true;
}

// The bind of a node with the scale to metres in its axes. False: it has none yet, or it cannot be
// inverted, which whoever asks for the bind will find.
static bool placed_bind(const tlw_placing* p, uint32_t node, double bind[16]) {
    if (node == TLW_ASSET_NONE || p->placed->bound_by[node] == 0) {
        return false;
    }
    const uint32_t skin = p->placed->bound_by[node] - 1;
    if (!tlw_matrix_invert(bind, p->asset->skins[skin].inverse_binds +
                                     (size_t)p->placed->bound_at[node] * 16)) {
        return false;
    }
    tlw_matrix_multiply(bind, p->placed->skins[skin].to_model, bind);
    return true;
}

static void place(tlw_placing* p, uint32_t index) {
    const tlw_asset_skin* skin = &p->asset->skins[index];
    tlw_skin_place* out = &p->placed->skins[index];
    uint32_t shared = p->placed->bound_by[skin->joints[out->root]] > 0 ? out->root : 0;
    while (shared < skin->joint_count && p->placed->bound_by[skin->joints[shared]] == 0) {
        ++shared;
    }
    const uint32_t node = skin->joints[out->root], over = p->over[node];
    const double* inverse_bind = skin->inverse_binds + (size_t)out->root * 16;
    double bind[16], back[16];
    if (shared < skin->joint_count && placed_bind(p, skin->joints[shared], bind)) {
        inverse_bind = skin->inverse_binds + (size_t)shared * 16;
        tlw_matrix_multiply(out->to_model, bind, inverse_bind);
    } else if (placed_bind(p, over, bind) &&
               tlw_matrix_invert(back, p->globals + (size_t)over * 16)) {
        tlw_matrix_multiply(bind, bind, back);
        tlw_matrix_multiply(bind, bind, p->globals + (size_t)node * 16);
        tlw_matrix_multiply(out->to_model, bind, inverse_bind);
    } else {
        tlw_matrix_multiply(out->to_model, p->globals + (size_t)node * 16, inverse_bind);
        for (int i = 0; i < 16; ++i) {
            out->to_model[i] *= i % 4 < 3 ? p->metres_per_unit : 1.0;
        }
    }
}

// Gives the joints of a skin that is placed their binds. Skins that share one of them come next.
static void bind_joints(tlw_placing* p, uint32_t index, uint32_t* queued) {
    const tlw_asset_skin* skin = &p->asset->skins[index];
    for (uint32_t k = 0; k < skin->joint_count; ++k) {
        const uint32_t node = skin->joints[k];
        if (p->placed->bound_by[node] > 0) {
            continue;
        }
        p->placed->bound_by[node] = index + 1;
        p->placed->bound_at[node] = k;
        for (uint32_t i = p->begin[node]; i < p->begin[node + 1]; ++i) {
            if (!p->is_queued[p->skins[i]]) {
                p->is_queued[p->skins[i]] = true;
                p->queue[(*queued)++] = p->skins[i];
            }
        }
    }
}

static void place_all(tlw_placing* p) {
    for (uint32_t next = 0, done = 0, queued = 0; next < p->order_count; ++next) {
        if (p->is_queued[p->order[next]]) {
            continue;
        }
        p->is_queued[p->order[next]] = true;
        p->queue[queued++] = p->order[next];
        for (; done < queued; ++done) {
            place(p, p->queue[done]);
            bind_joints(p, p->queue[done], &queued);
        }
    }
}

bool tlw_place_skins(tlw_asset_memory* memory, const tlw_asset* asset, const double* globals,
                     double metres_per_unit, const bool* is_used, tlw_placed* placed) {
    const uint64_t nodes = asset->node_count, skins = asset->skin_count;
    tlw_placing p = {.memory = memory,
                     .asset = asset,
                     .globals = globals,
                     .metres_per_unit = metres_per_unit,
                     .placed = placed};
    placed->skins = tlw_asset_allocate(memory, TLW_SCRATCH, skins, sizeof *placed->skins);
    placed->bound_by = tlw_asset_allocate(memory, TLW_SCRATCH, nodes, sizeof *placed->bound_by);
    placed->bound_at = tlw_asset_allocate(memory, TLW_SCRATCH, nodes, sizeof *placed->bound_at);
    p.over = tlw_asset_allocate(memory, TLW_SCRATCH, nodes, sizeof *p.over);
    p.begin = tlw_asset_allocate(memory, TLW_SCRATCH, nodes + 2, sizeof *p.begin);
    p.order = tlw_asset_allocate(memory, TLW_SCRATCH, skins, sizeof *p.order);
    p.queue = tlw_asset_allocate(memory, TLW_SCRATCH, skins, sizeof *p.queue);
    p.is_queued = tlw_asset_allocate(memory, TLW_SCRATCH, skins, sizeof *p.is_queued);
    if (!placed->skins || !placed->bound_by || !placed->bound_at || !p.over || !p.begin ||
        !p.order || !p.queue || !p.is_queued) {
        return false;
    }
    for (uint32_t i = 0; i < asset->skin_count; ++i) {
        placed->skins[i].is_used = is_used[i];
    }
    if (!order_skins(&p) || !list_skins(&p) || !find_roots(&p)) {
        return false;
    }
    place_all(&p);
    return true;
}
