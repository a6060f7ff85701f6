// SPDX-License-Identifier: MIT
// What somebody who cooks a file of others should know, as sentences: what the importer left out or
// changed, which meshes play which part, which joints have no part in the body, what was bound from
// afar. Printed and written to the report alike.
#include "tools/cook/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NAMES_MAX  8  // of one list; the report has all names of joints
#define NAME_BYTES 60 // of one name in a list

typedef struct tlw_remark {
    char text[2048]; // more than three lists of names have
    size_t used;
} tlw_remark;

static void add(tlw_remark* remark, const char* format, ...) TLW_PRINTF(2, 3);
static void add(tlw_remark* remark, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(remark->text + remark->used, sizeof remark->text - remark->used,
                                 format, arguments);
    va_end(arguments);
    const size_t left = sizeof remark->text - 1 - remark->used;
    remark->used += wanted > 0 ? ((size_t)wanted < left ? (size_t)wanted : left) : 0;
}

// How many of at most `most` bytes of a name are shown, never a part of a UTF-8 character: JSON
// refuses that, and the report would lack the whole remark.
static int shown_bytes(const char* name, int most) {
    int bytes = 0;
    while (bytes < most && name[bytes]) {
        ++bytes;
    }
    while (bytes > 0 && ((unsigned char)name[bytes] & 0xC0) == 0x80) {
        --bytes;
    }
    return bytes;
}

// Appends one of `count` names to a text such as "'a', 'b' and 7 more".
static void add_name(tlw_remark* remark, uint32_t index, uint32_t count, const char* name) {
    if (index < NAMES_MAX) {
        add(remark, "%s'%.*s'", index > 0 ? ", " : "", shown_bytes(name, NAME_BYTES), name);
    } else if (index + 1 == count) {
        add(remark, " and %u more", count - NAMES_MAX);
    }
}

static void say_joints(const tlw_cook_run* run, const uint32_t* joints, uint32_t count,
                       const char* what, tlw_cook_remark* hear, void* user) {
    tlw_remark remark = {.used = 0};
    if (count == 0) {
        return;
    }
    add(&remark, "%u %s %s: ", count, count == 1 ? "joint" : "joints", what);
    for (uint32_t i = 0; i < count; ++i) {
        add_name(&remark, i, count, run->from.input.joints[joints[i]].name);
    }
    hear(remark.text, user);
}

// Meshes
// ------------------------------------------------------------------------------------------------

static void add_role(const tlw_cook_run* run, tlw_remark* remark, tlw_cook_role role,
                     const char* one, const char* several) {
    const tlw_cook_input* input = &run->from.input;
    uint32_t count = 0, index = 0;
    for (uint32_t i = 0; i < input->mesh_count; ++i) {
        count += input->meshes[i].role == role;
    }
    if (count > 0) {
        add(remark, "%s%u %s (", remark->used > 0 ? "; " : "meshes: ", count,
            count == 1 ? one : several);
        for (uint32_t i = 0; i < input->mesh_count; ++i) {
            if (input->meshes[i].role == role) {
                add_name(remark, index++, count, input->meshes[i].name);
            }
        }
        add(remark, ")");
    }
}

// Nodes with meshes that the cook has not got: by their role, outside the scene, or on no joint.
static void add_ignored(const tlw_cook_run* run, tlw_remark* remark) {
    const tlw_asset* asset = run->asset;
    // Sources ascend by node.
    uint32_t* nodes = calloc((size_t)asset->node_count + 1, sizeof *nodes);
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; nodes && i < asset->node_count; ++i) {
        while (at < run->from.input.mesh_count && run->from.sources[at].node < i) {
            ++at;
        }
        const bool is_here = at < run->from.input.mesh_count && run->from.sources[at].node == i;
        if (asset->nodes[i].mesh != TLW_ASSET_NONE && !is_here) {
            nodes[count++] = i;
        }
    }
    if (count > 0) {
        add(remark, "%s%u ignored (", remark->used > 0 ? "; " : "meshes: ", count);
        for (uint32_t i = 0; i < count; ++i) {
            const tlw_asset_node* node = &asset->nodes[nodes[i]];
            add_name(remark, i, count, node->name[0] ? node->name : asset->meshes[node->mesh].name);
        }
        add(remark, ")");
    }
    free(nodes);
}

// A single mesh that shapes the body is not worth a remark.
static void say_roles(const tlw_cook_run* run, tlw_cook_remark* hear, void* user) {
    tlw_remark remark = {.used = 0};
    add_role(run, &remark, TLW_ROLE_VOXELISE, "shapes the body", "shape the body");
    const size_t plain = remark.used;
    add_role(run, &remark, TLW_ROLE_RIDE, "rides on it", "ride on it");
    add_ignored(run, &remark);
    if (run->from.input.mesh_count > 1 || remark.used > plain) {
        hear(remark.text, user);
    }
}

static void say_far(const tlw_cook_run* run, tlw_cook_remark* hear, void* user) {
    const tlw_cook_report* r = &run->output.report;
    uint32_t said = 0, more = 0;
    for (uint32_t i = 0; i < r->mesh_count; ++i) {
        const tlw_cook_mesh_report* mesh = &r->meshes[i];
        tlw_remark remark = {.used = 0};
        if (mesh->far_vertices == 0) {
            continue;
        }
        if (said == NAMES_MAX) {
            more += 1;
            continue;
        }
        said += 1;
        add(&remark,
            "mesh '%.*s': %u of %u vertices are more than 2 voxels away from the body, up to "
            "%.3g; ",
            shown_bytes(run->from.input.meshes[i].name, NAME_BYTES), run->from.input.meshes[i].name,
            mesh->far_vertices, run->from.input.meshes[i].vertex_count, mesh->farthest);
        if (mesh->seated_vertices == mesh->far_vertices) {
            add(&remark, "they ride with their joint");
        } else if (mesh->seated_vertices > 0) {
            add(&remark,
                "%u ride with their joint, the others have none and follow the nearest voxel",
                mesh->seated_vertices);
        } else {
            add(&remark, "they have no joint and follow the nearest voxel");
        }
        hear(remark.text, user);
    }
    if (more > 0) {
        tlw_remark remark = {.used = 0};
        add(&remark, "%u more meshes have vertices that far from the body", more);
        hear(remark.text, user);
    }
}

void tlw_cook_tell_remarks(const tlw_cook_run* run, tlw_cook_remark* hear, void* user) {
    const tlw_cook_report* r = &run->output.report;
    say_roles(run, hear, user);
    say_joints(run, r->left_out, r->left_out_joints, "without weight on the body, left out of it",
               hear, user);
    say_joints(run, r->outside, r->outside_joints, "outside the body", hear, user);
    say_far(run, hear, user);
    for (uint32_t i = 0; i < run->asset->note_count; ++i) {
        hear(run->asset->notes[i], user);
    }
    for (uint32_t i = 0; i < run->from.report.note_count; ++i) {
        hear(run->from.report.notes[i], user);
    }
}
