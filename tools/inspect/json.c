// SPDX-License-Identifier: MIT
// --json: the content of a blob as JSON, so that a second implementation can compare itself with
// it. Plain lists in the order of voxels; numbers read back to the same bits. README.md lists the
// keys.
#include "tools/inspect/inspect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

typedef struct json_out {
    tlw_inspect_write* write;
    void* user;
    bool has_failed;
    size_t used;
    char text[1 << 16];
} json_out;

static void flush(json_out* out) {
    if (!out->has_failed && out->used > 0 && !out->write(out->text, out->used, out->user)) {
        out->has_failed = true;
    }
    out->used = 0;
}

static void add(json_out* out, const char* format, ...) TLW_PRINTF(2, 3);

// At most 511 characters per call.
static void add(json_out* out, const char* format, ...) {
    if (sizeof out->text - out->used < 512) {
        flush(out);
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out->text + out->used, 512, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= 512) {
        out->has_failed = true;
        return;
    }
    out->used += (size_t)length;
}

// Number of bytes of the UTF-8 sequence at `text`; 0 if it is not valid UTF-8. Overlong forms and
// surrogates are not valid.
static int utf8_length(const unsigned char* text) {
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        int length;
    } forms[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < TLW_COUNT_OF(forms); ++i) {
        if (text[0] < forms[i].first_low || text[0] > forms[i].first_high) {
            continue;
        }
        if (forms[i].length > 1 &&
            (text[1] < forms[i].second_low || text[1] > forms[i].second_high)) {
            return 0;
        }
        for (int k = 2; k < forms[i].length; ++k) {
            if ((text[k] & 0xC0) != 0x80) { // this also stops at the terminating 0
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

// A name comes from the file, so it may contain any bytes.
static void add_string(json_out* out, const char* string) {
    add(out, "\"");
    const unsigned char* at = (const unsigned char*)string;
    while (*at != 0) {
        const int length = utf8_length(at);
        if (length == 0) {
            add(out, "\\ufffd");
            at += 1;
        } else if (*at == '"' || *at == '\\') {
            add(out, "\\%c", *at++);
        } else if (*at < 0x20 || *at == 0x7F) {
            add(out, "\\u%04x", *at++);
        } else {
            add(out, "%.*s", length, (const char*)at);
            at += length;
        }
    }
    add(out, "\"");
}

#define ELEMENTS_PER_LINE 16u

static const char* separator(uint64_t i) {
    return i == 0 ? "\n    " : i % ELEMENTS_PER_LINE == 0 ? ",\n    " : ", ";
}

// Sorts the list first.
static void add_indices(json_out* out, uint32_t* list, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) { // 27 at most
        const uint32_t moved = list[i];
        uint32_t at = i;
        for (; at > 0 && list[at - 1] > moved; --at) {
            list[at] = list[at - 1];
        }
        list[at] = moved;
    }
    add(out, "[");
    for (uint32_t i = 0; i < count; ++i) {
        add(out, "%s%" PRIu32, i ? ", " : "", list[i]);
    }
    add(out, "]");
}

static void add_material(json_out* out, uint32_t layer, float stiffness, float damping,
                         float anchor_hz) {
    add(out, "%s{\"stiffness\": %.9g, \"damping\": %.9g, \"anchor_hz\": %.9g, \"delta\": %.17g",
        layer ? ", " : "", (double)stiffness, (double)damping, (double)anchor_hz,
        tlw_inspect_delta(anchor_hz));
}

// Only where the material is lame.
static void add_lame(json_out* out, const tlw_inspect* in, uint32_t material) {
    if (in->lame != NULL && in->lame[material].density > 0.0f) {
        const tlw_blob_lame* lame = &in->lame[material];
        add(out, ", \"young_kpa\": %.9g, \"poisson\": %.9g, \"density\": %.9g",
            (double)lame->young_kpa, (double)lame->poisson, (double)lame->density);
    }
}

static void add_parts(json_out* out, const tlw_inspect* in) {
    const tlw_blob_lattice* l = in->lattice;
    add(out, "  \"parts\": [");
    for (uint32_t p = 0; p < l->part_count; ++p) {
        const tlw_blob_part* part = &in->parts[p];
        add(out, "%s\n    {\"joint\": %" PRId64 ", \"voxels\": %u, \"kind\": \"%s\", ",
            p ? "," : "", part->joint == TLW_BLOB_NO_INDEX ? -1 : (int64_t)part->joint,
            part->voxel_count, tlw_part_kind_text((tlw_part_kind)part->kind));
        add(out, "\"materials\": [");
        for (uint32_t i = 0; i < l->layer_count; ++i) {
            const tlw_blob_material* m = &in->materials[p * l->layer_count + i];
            add_material(out, i, m->stiffness, m->damping, m->anchor_hz);
            add_lame(out, in, p * l->layer_count + i);
            add(out, "}");
        }
        add(out, "]}");
    }
    add(out, "\n  ],\n");
}

static void add_profiles(json_out* out, const tlw_inspect* in) {
    const tlw_blob_lattice* l = in->lattice;
    const tlw_blob_profile_material* m = in->profile_materials;
    add(out, "  \"profiles\": [");
    for (uint32_t p = 1; p < l->profile_count; ++p) {
        add(out, "%s\n    {\"name\": ", p > 1 ? "," : "");
        add_string(out, tlw_blob_profile_name(&in->blob, p));
        add(out, ", \"parts\": [");
        for (uint32_t part = 0; part < l->part_count; ++part) {
            add(out, "%s[", part ? ", " : "");
            for (uint32_t i = 0; i < l->layer_count; ++i, ++m) {
                add_material(out, i, m->stiffness, m->damping, m->anchor_hz);
                add(out, ", \"limit_scale\": %.9g}", (double)m->limit_scale);
            }
            add(out, "]");
        }
        add(out, "]}");
    }
    add(out, "\n  ],\n");
}

static void add_bends(json_out* out, const tlw_inspect* in) {
    add(out, "  \"bends\": [");
    for (uint32_t b = 0; b < in->bend_count; ++b) {
        const tlw_blob_bend* bend = &in->bends[b];
        add(out,
            "%s\n    {\"joint\": %u, \"voxels\": %u, \"rest_volume\": %.9g, "
            "\"rest_slope\": %.9g, \"reach\": %.9g}",
            b ? "," : "", bend->joint, tlw_inspect_bend_voxels(in, b), (double)bend->rest_volume,
            (double)bend->rest_slope, (double)bend->reach);
    }
    add(out, "\n  ],\n  \"bend_pairs\": [");
    for (uint64_t i = 0; i < in->bend_pair_count; ++i) {
        add(out, "%s[%u, %u]", separator(i), in->bend_pairs[i].first, in->bend_pairs[i].second);
    }
    add(out, "\n  ],\n");
}

// Ends are along x, y, z, like all places.
static void add_limbs(json_out* out, const tlw_inspect* in) {
    const uint32_t lane_axis = in->lattice->lane_axis;
    add(out, "  \"limbs\": [");
    for (uint32_t i = 0; i < in->lattice->limb_count; ++i) {
        const tlw_blob_limb* limb = &in->limbs[i];
        add(out, "%s\n    {\"joint\": %u, \"voxels\": %u, \"ends\": [", i ? "," : "", limb->joint,
            tlw_inspect_limb_voxels(in, i));
        for (uint32_t k = 0; k < 2; ++k) {
            float end[3];
            for (uint32_t axis = 0; axis < 3; ++axis) {
                end[(lane_axis + axis) % 3] = limb->ends[k][axis];
            }
            add(out, "%s[%.9g, %.9g, %.9g]", k ? ", " : "", (double)end[0], (double)end[1],
                (double)end[2]);
        }
        add(out, "], \"length\": %.17g, \"radius\": [%.9g, %.9g]}", tlw_inspect_limb_length(in, i),
            (double)limb->radius[0], (double)limb->radius[1]);
    }
    add(out, "\n  ],\n");
}

static void add_vector(json_out* out, const char* key, const float v[3]) {
    add(out, "\"%s\": [%.9g, %.9g, %.9g], ", key, (double)v[0], (double)v[1], (double)v[2]);
}

static void add_vertex(json_out* out, const tlw_inspect_vertex* vertex) {
    add(out, "{");
    add_vector(out, "place", vertex->place);
    add_vector(out, "tangent", vertex->tangent);
    add_vector(out, "balance", vertex->balance);
    add_vector(out, "outward", vertex->outward);
    add(out, "\"radius\": %.9g, \"flex\": %.9g, \"dynamic\": %s, \"joints\": [",
        (double)vertex->radius, (double)vertex->flex, vertex->is_dynamic ? "true" : "false");
    for (uint32_t k = 0; k < vertex->joint_count; ++k) {
        add(out, "%s[%u, %.9g]", k ? ", " : "", vertex->joint[k], (double)vertex->weight[k]);
    }
    add(out, "]}");
}

static void add_line(json_out* out, const tlw_inspect* in, uint32_t muscle) {
    const uint32_t count = in->muscles[muscle].vertex_count;
    add(out, "\"vertices\": [");
    for (uint32_t v = 0; v < count; ++v) {
        const tlw_inspect_vertex vertex = tlw_inspect_vertex_of(in, muscle, v);
        add(out, "%s\n      ", v ? "," : "");
        add_vertex(out, &vertex);
    }
    add(out, "], \"segments\": [");
    for (uint32_t s = 0; s + 1 < count; ++s) {
        const tlw_inspect_vertex v = tlw_inspect_vertex_of(in, muscle, s);
        add(out, "%s\n      {\"length\": %.9g, \"slack\": %.9g, \"ratio\": %.9g, \"tendon\": %s}",
            s ? "," : "", (double)v.length, (double)v.slack, (double)v.ratio,
            v.is_belly ? "false" : "true");
    }
    add(out, "]");
}

static void add_fields(json_out* out, const tlw_inspect* in, uint32_t muscle) {
    tlw_inspect_ellipsoid fields[TLW_BLOB_LINE_FIELDS];
    const uint32_t count = tlw_inspect_fields_of(in, muscle, fields);
    add(out, ", \"fields\": [");
    for (uint32_t f = 0; f < count; ++f) {
        add(out, "%s\n      {\"joint\": %u, ", f ? "," : "", fields[f].joint);
        add_vector(out, "centre", fields[f].centre);
        add_vector(out, "inverse", fields[f].inverse);
        add(out, "\"gain\": %.9g, \"reach\": %.9g}", (double)fields[f].gain,
            (double)fields[f].reach);
    }
    add(out, "]");
}

static void add_muscles(json_out* out, const tlw_inspect* in) {
    add(out, "  \"muscles\": [");
    for (uint32_t m = 0; m < in->lattice->muscle_count; ++m) {
        const tlw_blob_muscle* muscle = &in->muscles[m];
        add(out, "%s\n    {\"name\": ", m ? "," : "");
        add_string(out, in->strings + muscle->name);
        add(out, ", \"voxels\": %u, \"bulge\": %.9g, \"radius\": %.9g, \"length\": %.9g, ",
            tlw_inspect_muscle_voxels(in, m), (double)muscle->bulge, (double)muscle->radius,
            (double)tlw_inspect_line_length(in, m));
        if (muscle->flex_joint == TLW_BLOB_NO_INDEX) {
            add(out, "\"flex\": null, ");
        } else {
            add(out, "\"flex\": {\"joint\": %u, \"from\": %.9g, \"to\": %.9g}, ",
                muscle->flex_joint, (double)muscle->flex_from, (double)muscle->flex_to);
        }
        add_line(out, in, m);
        add_fields(out, in, m);
        add(out, "}");
    }
    add(out, "\n  ],\n");
}

static void add_head(json_out* out, const tlw_inspect* in) {
    const tlw_blob_lattice* l = in->lattice;
    add(out, "{\n  \"format\": %u,\n  \"content_hash\": \"%016" PRIx64 "\",\n",
        in->header->format_version, in->header->content_hash);
    add(out, "  \"voxel_size\": %.17g,\n  \"origin\": [%.17g, %.17g, %.17g],\n", l->voxel_metres,
        l->origin[0], l->origin[1], l->origin[2]);
    add(out, "  \"size\": [%u, %u, %u],\n  \"extent_voxels\": %.17g,\n", l->size[0], l->size[1],
        l->size[2], l->extent_voxels);
    add(out, "  \"region_width\": %u,\n  \"neighbour_set\": %u,\n  \"artist_weights\": %s,\n",
        l->region_width, l->neighbours, l->has_artist_weights ? "true" : "false");
    add(out, "  \"skinning\": \"%s\",\n", tlw_inspect_skinning(in));
    if (tlw_inspect_has_rest_gravity(in)) {
        add(out, "  \"rest_gravity\": [%.9g, %.9g, %.9g],\n", (double)l->rest_gravity[0],
            (double)l->rest_gravity[1], (double)l->rest_gravity[2]);
    }
    add(out, "  \"layers\": [");
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        add(out, "%s", i ? ", " : "");
        add_string(out, in->strings + in->layers[i].name);
    }
    add(out, "],\n");
    add_parts(out, in);
    if (in->profiles != NULL) {
        add_profiles(out, in);
    }
    if (in->bends != NULL) {
        add_bends(out, in);
    }
    if (in->limbs != NULL) {
        add_limbs(out, in);
    }
    if (in->muscles != NULL) {
        add_muscles(out, in);
    }
    add(out, "  \"joints\": [");
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        const tlw_blob_joint* joint = &in->joints[j];
        add(out, "%s\n    {\"name\": ", j ? "," : "");
        add_string(out, in->strings + joint->name);
        add(out, ", \"parent\": %" PRId64 ", \"kept\": %s, \"bind\": [",
            joint->parent == TLW_BLOB_NO_INDEX ? -1 : (int64_t)joint->parent,
            joint->is_kept ? "true" : "false");
        for (int i = 0; i < 16; ++i) {
            add(out, "%s%.17g", i ? ", " : "", joint->bind[i]);
        }
        add(out, "]}");
    }
    add(out, "\n  ],\n");
}

typedef int32_t voxel_number(const tlw_inspect* in, uint32_t voxel);

static int32_t path_length(uint16_t distance) {
    return distance == UINT16_MAX ? -1 : distance;
}
static int32_t layer_of(const tlw_inspect* in, uint32_t voxel) {
    return (int32_t)tlw_inspect_layer(in, voxel);
}
static int32_t part_of(const tlw_inspect* in, uint32_t voxel) {
    return (int32_t)tlw_inspect_part(in, voxel);
}
static int32_t d_bone_of(const tlw_inspect* in, uint32_t voxel) {
    return path_length(in->voxel_cell[voxel].d_bone);
}
static int32_t d_skin_of(const tlw_inspect* in, uint32_t voxel) {
    return path_length(in->voxel_cell[voxel].d_skin);
}
static int32_t d_seg_of(const tlw_inspect* in, uint32_t voxel) {
    return path_length(in->voxel_cell[voxel].d_seg);
}

// Begins inside the list before, as the other lists of voxels do.
static void add_shares_and_field(json_out* out, const tlw_inspect* in) {
    add(out, "\n  ],\n  \"bend_shares\": [");
    for (uint32_t v = 0; v < in->lattice->voxel_count; ++v) {
        const tlw_inspect_bends bends = tlw_inspect_bends_of(in, v);
        add(out, "%s[", separator(v));
        for (uint32_t k = 0; k < bends.count; ++k) {
            add(out, "%s[%u, %.9g]", k > 0 ? ", " : "", bends.bend[k], (double)bends.share[k]);
        }
        add(out, "]");
    }
    add(out, "\n  ],\n  \"field\": [");
    for (uint32_t v = 0; v < in->lattice->voxel_count; ++v) {
        float field[3];
        tlw_inspect_field_of(in, v, field);
        add(out, "%s[%.9g, %.9g, %.9g]", separator(v), (double)field[0], (double)field[1],
            (double)field[2]);
    }
}

// Begins inside the list before, too.
static void add_touching_limbs(json_out* out, const tlw_inspect* in) {
    add(out, "\n  ],\n  \"touching_limbs\": [");
    for (uint32_t v = 0; v < in->lattice->voxel_count; ++v) {
        const tlw_blob_slot_limbs* limbs = &in->slot_limbs[in->voxel_slot[v]];
        bool is_first = true;
        add(out, "%s[", separator(v));
        for (uint32_t i = 0; i < in->lattice->limb_count; ++i) {
            if (limbs->touches >> i & 1) {
                add(out, "%s[%u, %s]", is_first ? "" : ", ", i,
                    limbs->halves >> i & 1 ? "0.5" : "1");
                is_first = false;
            }
        }
        add(out, "]");
    }
}

static void add_numbers(json_out* out, const float* numbers, uint32_t count) {
    add(out, ", [");
    for (uint32_t k = 0; k < count; ++k) {
        add(out, "%s%.9g", k ? ", " : "", (double)numbers[k]);
    }
    add(out, "]");
}

// Begins inside the list before, too.
static void add_bellies(json_out* out, const tlw_inspect* in) {
    add(out, "\n  ],\n  \"bellies\": [");
    for (uint32_t v = 0; v < in->lattice->voxel_count; ++v) {
        tlw_inspect_belly bellies[TLW_BLOB_VOXEL_MUSCLES];
        const uint32_t count = tlw_inspect_bellies_of(in, v, bellies);
        add(out, "%s[", separator(v));
        for (uint32_t k = 0; k < count; ++k) {
            const tlw_inspect_belly* belly = &bellies[k];
            add(out, "%s[%u", k ? ", " : "", belly->muscle);
            add_numbers(out, belly->d, 3);
            add(out, ", %.9g, %u", (double)belly->a, belly->first_vertex);
            add_numbers(out, belly->curve, belly->vertex_count);
            add_numbers(out, belly->linear, belly->vertex_count);
            add(out, "]");
        }
        add(out, "]");
    }
}

static void add_voxels(json_out* out, const tlw_inspect* in) {
    static const struct {
        const char* key;
        voxel_number* number;
    } integers[] = {{"layer", layer_of},
                    {"part", part_of},
                    {"d_bone", d_bone_of},
                    {"d_skin", d_skin_of},
                    {"d_seg", d_seg_of}};
    const uint32_t count = in->lattice->voxel_count;
    add(out, "  \"voxels\": [");
    for (uint32_t v = 0; v < count; ++v) {
        add(out, "%s[%d, %d, %d]", separator(v), in->voxel_cell[v].x, in->voxel_cell[v].y,
            in->voxel_cell[v].z);
    }
    for (size_t k = 0; k < TLW_COUNT_OF(integers); ++k) {
        add(out, "\n  ],\n  \"%s\": [", integers[k].key);
        for (uint32_t v = 0; v < count; ++v) {
            add(out, "%s%d", separator(v), integers[k].number(in, v));
        }
    }
    const struct {
        const char* key;
        const float* slots;
    } reals[] = {{"limit", in->slot_limit}, {"volume_weight", in->slot_volume_weight}};
    for (size_t k = 0; k < TLW_COUNT_OF(reals); ++k) {
        add(out, "\n  ],\n  \"%s\": [", reals[k].key);
        for (uint32_t v = 0; v < count; ++v) {
            add(out, "%s%.9g", separator(v), (double)reals[k].slots[in->voxel_slot[v]]);
        }
    }
    if (in->slot_blend != NULL) {
        add(out, "\n  ],\n  \"second_material\": [");
        for (uint32_t v = 0; v < count; ++v) {
            const tlw_blob_blend* blend = &in->slot_blend[in->voxel_slot[v]];
            add(out, "%s", separator(v));
            if (blend->share > 0) {
                add(out, "[%u, %.9g]", blend->material, (double)blend->share / TLW_BLOB_SHARE_ONE);
            } else {
                add(out, "null");
            }
        }
    }
    if (in->slot_stiffness != NULL) {
        add(out, "\n  ],\n  \"stiffness_factor\": [");
        for (uint32_t v = 0; v < count; ++v) {
            add(out, "%s%.9g", separator(v), (double)in->slot_stiffness[in->voxel_slot[v]]);
        }
    }
    if (in->bends != NULL) {
        add_shares_and_field(out, in);
    }
    if (in->limbs != NULL) {
        add_touching_limbs(out, in);
    }
    if (in->muscles != NULL) {
        add_bellies(out, in);
    }
    add(out, "\n  ],\n  \"weights\": [");
    for (uint32_t v = 0; v < count; ++v) {
        add(out, "%s[", v ? ",\n    " : "\n    ");
        const tlw_inspect_joints joints = tlw_inspect_joints_of(in, v);
        for (uint32_t k = 0; k < joints.count; ++k) {
            add(out, "%s[%u, %.9g]", k > 0 ? ", " : "", joints.joint[k], (double)joints.weight[k]);
        }
        add(out, "]");
    }
    add(out, "\n  ],\n");
}

// The voxels that are linked to one, with itself or, if only neighbours are asked for, without it.
static uint32_t list_around(const tlw_inspect* in, uint32_t voxel, bool neighbours_only,
                            uint32_t list[TLW_CELLS_AROUND]) {
    uint32_t around[TLW_CELLS_AROUND], count = 0;
    tlw_inspect_around(in, voxel, around);
    for (uint32_t i = 0; i < TLW_CELLS_AROUND; ++i) {
        if (around[i] != TLW_BLOB_NO_INDEX &&
            (!neighbours_only || tlw_inspect_is_neighbour(in, i))) {
            list[count++] = around[i];
        }
    }
    return count;
}

static void add_index_row(json_out* out, uint64_t row, uint32_t* list, uint32_t count) {
    add(out, "%s", row ? ",\n    " : "\n    ");
    add_indices(out, list, count);
}

static void add_regions(json_out* out, const tlw_inspect* in) {
    const bool is_listed = in->lattice->region_width == 2;
    const uint64_t count = is_listed ? in->lattice->region_count : in->lattice->voxel_count;
    const uint64_t stride = tlw_blob_region_stride(in->lattice);
    add(out, "  \"regions\": [");
    for (uint64_t r = 0; r < count; ++r) {
        uint32_t members[TLW_CELLS_AROUND], member_count = 0;
        if (is_listed) {
            for (uint64_t k = 0; k < TLW_BLOB_REGION_MEMBERS; ++k) {
                const uint32_t site = in->region_site[k * stride + r];
                if (site != 0) {
                    members[member_count++] = tlw_inspect_voxel_of_site(in, site);
                }
            }
        } else {
            member_count = list_around(in, (uint32_t)r, false, members);
        }
        add_index_row(out, r, members, member_count);
    }
    add(out, "\n  ],\n");
}

static void add_neighbours(json_out* out, const tlw_inspect* in) {
    add(out, "  \"neighbours\": [");
    for (uint32_t v = 0; v < in->lattice->voxel_count; ++v) {
        uint32_t members[TLW_CELLS_AROUND];
        add_index_row(out, v, members, list_around(in, v, true, members));
    }
    add(out, "\n  ],\n");
}

static void add_meshes(json_out* out, const tlw_inspect* in) {
    add(out, "  \"meshes\": [");
    for (uint64_t m = 0; m < in->mesh_count; ++m) {
        add(out, "%s\n    {\"name\": ", m ? "," : "");
        add_string(out, in->strings + in->meshes[m].name);
        add(out, ", \"first_vertex\": %u, \"vertex_count\": %u, \"points\": %s}",
            in->meshes[m].first_vertex, in->meshes[m].vertex_count,
            in->meshes[m].is_points ? "true" : "false");
    }
    const tlw_inspect_vertices vertices = tlw_inspect_vertices_of(in);
    add(out,
        "\n  ],\n  \"vertices\": {\"count\": %u, \"bytes_per_vertex\": %.17g, "
        "\"voxels_per_group\": %.17g, \"joints_per_group\": %.17g, ",
        in->lattice->vertex_count, vertices.bytes_per_vertex, vertices.voxels_per_group,
        vertices.joints_per_group);
    add(out, "\"ring_normals\": %s, \"rbf\": %s},\n", vertices.has_rings ? "true" : "false",
        vertices.has_rbf ? "true" : "false");
    add(out, "  \"bindings\": [");
    for (uint32_t x = 0; x < in->lattice->vertex_count; ++x) {
        tlw_vertex_binding binding;
        if (tlw_blob_get_bindings(&in->blob, TLW_ORDER_SOURCE, x, 1, &binding) != TLW_OK) {
            out->has_failed = true;
            return;
        }
        add(out, "%s[", x ? ",\n    " : "\n    ");
        for (int i = 0; i < 8 && binding.weights[i] != 0.0f; ++i) {
            add(out, "%s[%" PRIu32 ", %.9g]", i > 0 ? ", " : "", binding.voxels[i],
                (double)binding.weights[i]);
        }
        add(out, "]");
    }
    add(out, "\n  ]\n}\n");
}

bool tlw_inspect_json(const tlw_inspect* in, tlw_inspect_write* write, void* user) {
    static json_out out; // 64 KiB; the command has one thread
    out = (json_out){.write = write, .user = user};
    add_head(&out, in);
    add_voxels(&out, in);
    add_regions(&out, in);
    add_neighbours(&out, in);
    add_meshes(&out, in);
    flush(&out);
    return !out.has_failed;
}
