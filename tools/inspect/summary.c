// SPDX-License-Identifier: MIT
// The summary of a blob as text: counts, memory, layers, parts, profiles, bends, limbs, muscles,
// joints, sections.
#include "tools/inspect/inspect.h"

#include "runtime/tallow.h"

#include <inttypes.h>

// A name comes from the file, so bytes that a terminal would obey are replaced.
static const char* printable(const char* name, char text[64]) {
    size_t i = 0;
    for (; i < 63 && name[i] != 0; ++i) {
        const unsigned char c = (unsigned char)name[i];
        text[i] = c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0) ? '?' : name[i];
    }
    text[i] = 0;
    return text;
}

// Sections that only the meshes need; all others belong to the lattice.
static bool is_of_meshes(uint32_t kind) {
    return kind >= TLW_SECTION_MESHES;
}

static void print_memory(const tlw_inspect* in, FILE* out) {
    uint64_t all = 0, meshes = 0;
    for (uint32_t i = 0; i < in->header->section_count; ++i) {
        const uint64_t bytes = in->table[i].count * in->table[i].element_bytes;
        all += bytes;
        meshes += is_of_meshes(in->table[i].kind) ? bytes : 0;
    }
    const double voxels = in->lattice->voxel_count;
    fprintf(out,
            "memory needed: %" PRIu64 " bytes of blob (%.1f per voxel); without meshes %" PRIu64
            " bytes (%.1f per voxel)\n",
            all, (double)all / voxels, all - meshes, (double)(all - meshes) / voxels);
    tlw_character_def def = tlw_default_character_def();
    tlw_blob_info info;
    size_t bytes;
    def.blob = in->blob;
    if (tlw_blob_get_info(&def.blob, &info) == TLW_OK &&
        tlw_character_bytes(&def, &bytes) == TLW_OK) {
        fprintf(out,
                "  and %zu bytes per character (%.1f per voxel), %zu bytes of scratch per worker "
                "(%.1f per voxel)\n",
                bytes, (double)bytes / voxels, info.scratch_bytes,
                (double)info.scratch_bytes / voxels);
    }
}

static void print_layers(const tlw_inspect* in, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    char name[64];
    fprintf(out, "\nlayers, innermost first%*s%10s %7s %10s %10s %10s %7s\n", 3, "", "voxels",
            "share", "stiffness", "damping", "anchor Hz", "delta");
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        fprintf(out, "  %-24s%10" PRIu32 " %6.1f%% %10.4g %10.4g %10.4g %7.3f\n",
                printable(in->strings + in->layers[i].name, name), in->layers[i].voxel_count,
                100.0 * in->layers[i].voxel_count / l->voxel_count,
                (double)in->materials[i].stiffness, (double)in->materials[i].damping,
                (double)in->materials[i].anchor_hz, tlw_inspect_delta(in->materials[i].anchor_hz));
    }
}

static void print_material(FILE* out, uint32_t layer, float stiffness, float damping,
                           float anchor_hz) {
    fprintf(out, "%s %.4g %.4g %.4g (%.3f)", layer > 0 ? "," : "", (double)stiffness,
            (double)damping, (double)anchor_hz, tlw_inspect_delta(anchor_hz));
}

// Part 0 has what the table of layers says, and is the part of the voxels that have no other.
static void print_parts(const tlw_inspect* in, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    char name[64];
    fprintf(out,
            "\nparts, from joint%*s%10s  %-16s stiffness, damping, anchor Hz (delta) by layer\n", 9,
            "", "voxels", "what made it");
    for (uint32_t p = 0; p < l->part_count; ++p) {
        const tlw_blob_part* part = &in->parts[p];
        fprintf(out, "  %-24s%10" PRIu32 "  %-16s",
                p > 0 ? printable(in->strings + in->joints[part->joint].name, name) : "-",
                part->voxel_count, tlw_part_kind_text((tlw_part_kind)part->kind));
        for (uint32_t i = 0; i < l->layer_count; ++i) {
            const tlw_blob_material* m = &in->materials[p * l->layer_count + i];
            print_material(out, i, m->stiffness, m->damping, m->anchor_hz);
        }
        fprintf(out, "\n");
    }
}

// Layers in physical units, part by part.
static void print_lame(const tlw_inspect* in, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    char name[64], part_name[64];
    if (in->lame == NULL) {
        return;
    }
    fprintf(out, "\nLame layers, from joint%*slayer           kPa  Poisson ratio  kg/m^3\n", 3, "");
    for (uint32_t i = 0; i < l->part_count * l->layer_count; ++i) {
        const tlw_blob_lame* lame = &in->lame[i];
        const tlw_blob_part* part = &in->parts[i / l->layer_count];
        if (lame->density > 0.0f) {
            fprintf(out, "  %-24s%-10s%9.4g%15.4g%8.4g\n",
                    i >= l->layer_count
                        ? printable(in->strings + in->joints[part->joint].name, part_name)
                        : "-",
                    printable(in->strings + in->layers[i % l->layer_count].name, name),
                    (double)lame->young_kpa, (double)lame->poisson, (double)lame->density);
        }
    }
}

// What not every character has: two materials at borders of parts, and painted stiffness.
static void print_mixtures(const tlw_inspect* in, FILE* out) {
    const uint32_t slots = in->lattice->slot_count;
    uint32_t blended = 0, painted = 0;
    float least = 4.0f, most = 0.0f;
    for (uint32_t s = 0; s < slots; ++s) {
        blended += in->slot_blend != NULL && in->slot_blend[s].share > 0;
        if (in->slot_stiffness != NULL && in->slot_voxel[s] != TLW_BLOB_NO_INDEX) {
            const float factor = in->slot_stiffness[s];
            painted += factor != 1.0f;
            least = factor < least ? factor : least;
            most = factor > most ? factor : most;
        }
    }
    if (in->slot_blend != NULL) {
        fprintf(out, "  %" PRIu32 " voxels at borders of parts have two materials\n", blended);
    }
    if (in->slot_stiffness != NULL) {
        fprintf(out,
                "  %" PRIu32 " voxels have painted stiffness, %.3g to %.3g times their layer's\n",
                painted, (double)least, (double)most);
    }
}

// Whether a profile's material is not the one outside of profiles.
static bool is_changed(const tlw_blob_material* m, const tlw_blob_profile_material* n) {
    return m->stiffness != n->stiffness || m->damping != n->damping ||
           m->anchor_hz != n->anchor_hz || n->limit_scale != 1.0f;
}

// Each profile after the first, with the parts in which it changes something.
static void print_profiles(const tlw_inspect* in, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    if (l->profile_count == 1) {
        return;
    }
    fprintf(out, "\nprofiles, and parts that they change    stiffness, damping, anchor Hz (delta), "
                 "limit scale by layer\n");
    for (uint32_t p = 1; p < l->profile_count; ++p) {
        char name[64];
        fprintf(out, "  %s\n", printable(tlw_blob_profile_name(&in->blob, p), name));
        for (uint32_t part = 0; part < l->part_count; ++part) {
            const tlw_blob_material* cooked = &in->materials[part * l->layer_count];
            const tlw_blob_profile_material* materials =
                &in->profile_materials[((size_t)(p - 1) * l->part_count + part) * l->layer_count];
            bool has_changed = false;
            for (uint32_t i = 0; i < l->layer_count; ++i) {
                has_changed = has_changed || is_changed(&cooked[i], &materials[i]);
            }
            if (!has_changed) {
                continue;
            }
            const uint32_t joint = in->parts[part].joint;
            fprintf(out, "    %-36s",
                    part > 0 ? printable(in->strings + in->joints[joint].name, name) : "-");
            for (uint32_t i = 0; i < l->layer_count; ++i) {
                const tlw_blob_profile_material* m = &materials[i];
                print_material(out, i, m->stiffness, m->damping, m->anchor_hz);
                fprintf(out, " x%.4g", (double)m->limit_scale);
            }
            fprintf(out, "\n");
        }
    }
}

static void print_bends(const tlw_inspect* in, FILE* out) {
    if (in->bends == NULL) {
        fprintf(out, "\nno skinned volume\n");
        return;
    }
    fprintf(out, "\nbends of skinned volume%*s%10s %10s %10s %10s\n", 3, "", "voxels", "V0",
            "slope", "reach");
    for (uint32_t b = 0; b < in->bend_count; ++b) {
        const tlw_blob_bend* bend = &in->bends[b];
        char name[64];
        fprintf(out, "  %-24s%10" PRIu32 " %10.4g %10.4g %10.4g\n",
                printable(in->strings + in->joints[bend->joint].name, name),
                tlw_inspect_bend_voxels(in, b), (double)bend->rest_volume, (double)bend->rest_slope,
                (double)bend->reach);
    }
    fprintf(out, "  %" PRIu64 " pairs of bends share voxels\n", in->bend_pair_count);
}

static void print_limbs(const tlw_inspect* in, FILE* out) {
    if (in->limbs == NULL) {
        fprintf(out, "\nno own limbs\n");
        return;
    }
    fprintf(out, "\nown limbs, with radii%*s%10s %10s %10s %10s\n", 5, "", "may touch", "length",
            "at joint", "at its end");
    for (uint32_t i = 0; i < in->lattice->limb_count; ++i) {
        const tlw_blob_limb* limb = &in->limbs[i];
        char name[64];
        fprintf(out, "  %-24s%10" PRIu32 " %10.4g %10.4g %10.4g\n",
                printable(in->strings + in->joints[limb->joint].name, name),
                tlw_inspect_limb_voxels(in, i), tlw_inspect_limb_length(in, i),
                (double)limb->radius[0], (double)limb->radius[1]);
    }
}

static void print_muscles(const tlw_inspect* in, FILE* out) {
    if (in->muscles == NULL) {
        fprintf(out, "\nno muscles\n");
        return;
    }
    fprintf(out, "\nmuscles%*s%8s %8s %7s %8s %8s %7s %7s  %s\n", 19, "", "voxels", "vertices",
            "tendons", "length", "radius", "bulge", "fields", "flexes with");
    for (uint32_t m = 0; m < in->lattice->muscle_count; ++m) {
        const tlw_blob_muscle* muscle = &in->muscles[m];
        tlw_inspect_ellipsoid fields[TLW_BLOB_LINE_FIELDS];
        char name[64], joint[64];
        uint32_t tendons = 0;
        for (uint32_t s = 0; s + 1 < muscle->vertex_count; ++s) {
            tendons += !tlw_inspect_vertex_of(in, m, s).is_belly;
        }
        fprintf(out, "  %-24s%8u %8u %7u %8.4g %8.4g %7.4g %7u  ",
                printable(in->strings + muscle->name, name), tlw_inspect_muscle_voxels(in, m),
                muscle->vertex_count, tendons, (double)tlw_inspect_line_length(in, m),
                (double)muscle->radius, (double)muscle->bulge,
                tlw_inspect_fields_of(in, m, fields));
        if (muscle->flex_joint == TLW_BLOB_NO_INDEX) {
            fprintf(out, "-\n");
        } else {
            fprintf(out, "%s, %.4g to %.4g degrees\n",
                    printable(in->strings + in->joints[muscle->flex_joint].name, joint),
                    (double)muscle->flex_from, (double)muscle->flex_to);
        }
    }
}

static void print_joints(const tlw_inspect* in, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    fprintf(out, "\njoints%*s%8s %10s\n", 20, "", "parent", "voxels");
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        uint32_t voxels = 0;
        for (uint32_t v = 0; v < l->voxel_count && in->joints[j].is_kept; ++v) {
            voxels += tlw_inspect_part(in, v) == j;
        }
        char name[64], parent[16] = "-";
        if (in->joints[j].parent != TLW_BLOB_NO_INDEX) {
            snprintf(parent, sizeof parent, "%" PRIu32, in->joints[j].parent);
        }
        fprintf(out, "  %3" PRIu32 " %-20s%8s %10" PRIu32 "%s\n", j,
                printable(in->strings + in->joints[j].name, name), parent, voxels,
                in->joints[j].is_kept ? "" : "  moves no voxel, but is part of a pose");
    }
}

void tlw_inspect_summary(const tlw_inspect* in, const char* path, FILE* out) {
    const tlw_blob_lattice* l = in->lattice;
    fprintf(out, "%s: format %" PRIu32 ", %" PRIu64 " bytes, content hash %016" PRIx64 "\n", path,
            in->header->format_version, in->header->total_bytes, in->header->content_hash);
    fprintf(out,
            "%" PRIu32 " voxels in %" PRIu32 " x %" PRIu32 " x %" PRIu32
            " cells of %.6g m from (%.6g, %.6g, %.6g)\n",
            l->voxel_count, l->size[0], l->size[1], l->size[2], l->voxel_metres, l->origin[0],
            l->origin[1], l->origin[2]);
    fprintf(out, "%" PRIu32 " sites, %" PRIu32 " windows along %c (%.0f%% of their lanes in use)\n",
            l->site_count, l->window_count, "xyz"[l->lane_axis],
            100.0 * l -> voxel_count / ((double)l->window_count * TLW_BLOB_LANES));
    fprintf(out, "regions of width %" PRIu32 ", %" PRIu32 " neighbours, %s weights, %s skinning\n",
            l->region_width, l->neighbours, l->has_artist_weights ? "the artist's" : "computed",
            tlw_inspect_skinning(in));
    if (tlw_inspect_has_rest_gravity(in)) {
        fprintf(out, "modelled under a gravity of (%.6g, %.6g, %.6g) m/s^2\n",
                (double)l->rest_gravity[0], (double)l->rest_gravity[1], (double)l->rest_gravity[2]);
    }
    const tlw_inspect_vertices vertices = tlw_inspect_vertices_of(in);
    fprintf(out,
            "%" PRIu64 " meshes, %" PRIu32
            " bound vertices of %.1f bytes; eight share %.1f voxels and "
            "%.1f joints; %s ring normals, %s rbf\n",
            in->mesh_count, l->vertex_count, vertices.bytes_per_vertex, vertices.voxels_per_group,
            vertices.joints_per_group, vertices.has_rings ? "with" : "no",
            vertices.has_rbf ? "with" : "no");
    print_memory(in, out);
    print_layers(in, out);
    print_parts(in, out);
    print_mixtures(in, out);
    print_lame(in, out);
    print_profiles(in, out);
    print_bends(in, out);
    print_limbs(in, out);
    print_muscles(in, out);
    print_joints(in, out);
    fprintf(out, "\nsections%*s%10s %8s %12s %12s\n", 14, "", "elements", "of bytes", "bytes",
            "offset");
    for (uint32_t i = 0; i < in->header->section_count; ++i) {
        const tlw_blob_section* s = &in->table[i];
        fprintf(out, "  %-20s%10" PRIu64 " %8" PRIu32 " %12" PRIu64 " %12" PRIu64 "\n",
                tlw_blob_section_name(s->kind), s->count, s->element_bytes,
                s->count * s->element_bytes, s->offset);
    }
}
