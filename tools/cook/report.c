// SPDX-License-Identifier: MIT
// tallow-cook's report, remarks and depfile, from what the importer and the cooking library found.
#include "runtime/asset.h"
#include "tools/cook/command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t* names_of_cut(const tlw_asset_cook* from, const tlw_cook_cut_report* cut) {
    return json_pack("{s:s, s:s, s:i}", "joint_a", from->input.joints[cut->joint_a].name, "joint_b",
                     from->input.joints[cut->joint_b].name, "links", (int)cut->link_count);
}

// A float as the shortest decimal number, so that 0.1 does not become 0.100000001.
static json_t* real_of(float value) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", (double)value);
    return json_real(strtod(text, NULL));
}

static const char* name_of_part(const tlw_asset_cook* from, const tlw_cook_part_report* part) {
    return part->joint == TLW_NO_JOINT ? "-" : from->input.joints[part->joint].name;
}

static json_t* describe_part(const tlw_asset_cook* from, const tlw_cook_recipe* recipe,
                             const tlw_cook_part_report* part) {
    json_t* layers = json_object();
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        json_object_set_new(layers, recipe->layers[i].name,
                            json_pack("{s:o, s:o, s:o}", "stiffness", real_of(part->stiffness[i]),
                                      "damping", real_of(part->damping[i]), "anchor_hz",
                                      real_of(part->anchor_hz[i])));
    }
    return json_pack(
        "{s:o, s:i, s:s, s:o}", "joint",
        part->joint == TLW_NO_JOINT ? json_null() : json_string(name_of_part(from, part)), "voxels",
        (int)part->voxels, "kind", tlw_part_kind_text((tlw_part_kind)part->kind), "layers", layers);
}

static const char* const weights_words[] = {[TLW_WEIGHTS_ARTIST] = "artist",
                                            [TLW_WEIGHTS_HEAT] = "heat",
                                            [TLW_WEIGHTS_DIFFUSION] = "diffusion",
                                            [TLW_WEIGHTS_GEODESIC] = "geodesic"};

// Null without radial basis functions.
static json_t* describe_rbf(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    json_t* domains = json_array();
    for (uint32_t i = 0; i < r->domain_count; ++i) {
        json_array_append_new(domains, json_pack("{s:s, s:i}", "joint",
                                                 run->from.input.joints[r->domains[i].joint].name,
                                                 "centres", (int)r->domains[i].centres));
    }
    if (r->domain_count == 0) {
        json_decref(domains);
        return json_null();
    }
    return json_pack("{s:f, s:i, s:i, s:o}", "radius", r->rbf_radius_metres, "merged_joints",
                     (int)r->merged_joints, "seam_vertices", (int)r->seam_vertices, "domains",
                     domains);
}

// Null without ring normals.
static json_t* describe_rings(const tlw_cook_report* r) {
    return r->has_ring_normals ? json_pack("{s:i}", "vertices_without", (int)r->vertices_unringed)
                               : json_null();
}

char* tlw_cook_make_report(const tlw_cook_run* run) {
    const tlw_asset_cook* from = &run->from;
    const tlw_recipe* recipe = &run->recipe;
    const tlw_cook_output* output = &run->output;
    const tlw_cook_report* r = &output->report;
    json_t* layers = json_object();
    for (uint32_t i = 0; i < recipe->cook.layer_count; ++i) {
        json_object_set_new(layers, recipe->cook.layers[i].name,
                            json_integer((json_int_t)r->layer_voxels[i]));
    }
    json_t* cuts = json_array();
    for (uint32_t i = 0; i < r->cut_pair_count; ++i) {
        json_array_append_new(cuts, names_of_cut(from, &r->cuts[i]));
    }
    json_t* parts = json_array();
    for (uint32_t i = 0; i < r->part_count; ++i) {
        json_array_append_new(parts, describe_part(from, &recipe->cook, &r->parts[i]));
    }
    json_t* notes = json_array();
    for (uint32_t i = 0; i < from->report.note_count; ++i) {
        json_array_append_new(notes, json_string(from->report.notes[i]));
    }
    const struct {
        const char* key;
        uint64_t value;
    } counts[] = {{"welded_vertices", r->welded_vertices},
                  {"triangles", r->triangles},
                  {"collapsed_triangles", r->collapsed_triangles},
                  {"open_edges", r->open_edges},
                  {"non_manifold_edges", r->non_manifold_edges},
                  {"normalised_vertices", from->report.normalised_count},
                  {"unweighted_vertices", from->report.unweighted_count},
                  {"voxels", r->voxels},
                  {"voxels_touched", r->voxels_touched},
                  {"voxels_enclosed", r->voxels_enclosed},
                  {"voxels_voted", r->voxels_voted},
                  {"left_out_joints", r->left_out_joints},
                  {"boneless_components", r->boneless_components},
                  {"boneless_voxels", r->boneless_voxels},
                  {"cut_links", r->cut_links},
                  {"weight_sweeps", r->weight_sweeps},
                  {"blended_voxels", r->blended_voxels},
                  {"voxels_painted_fat", r->painted_voxels[TLW_PAINT_FAT]},
                  {"voxels_painted_stiffness", r->painted_voxels[TLW_PAINT_STIFFNESS]},
                  {"windows", r->windows},
                  {"slots", r->slots},
                  {"blob_bytes", output->blob_bytes},
                  {"peak_memory_bytes", r->peak_memory_bytes}};
    json_t* report = json_object();
    for (size_t i = 0; i < TLW_COUNT_OF(counts); ++i) {
        json_object_set_new(report, counts[i].key, json_integer((json_int_t)counts[i].value));
    }
    json_object_set_new(report, "voxel_size", json_real(r->voxel_metres));
    json_object_set_new(report, "weights", json_string(weights_words[r->weights]));
    json_object_set_new(report, "layers", layers);
    json_object_set_new(report, "parts", parts);
    json_object_set_new(report, "cuts", cuts);
    json_object_set_new(report, "ring_normals", describe_rings(r));
    json_object_set_new(report, "rbf", describe_rbf(run));
    json_object_set_new(report, "notes", notes);
    char* text = json_dumps(report, JSON_INDENT(2));
    json_decref(report);
    return text;
}

// One line per part: what made it, and what its layers have.
static void print_parts(const tlw_cook_run* run) {
    const tlw_cook_recipe* recipe = &run->recipe.cook;
    const tlw_cook_report* r = &run->output.report;
    for (uint32_t p = 1; p < r->part_count; ++p) {
        const tlw_cook_part_report* part = &r->parts[p];
        fprintf(stderr,
                "tallow-cook: %s: part from '%s': %s, %u voxels; stiffness, damping, anchor Hz:",
                run->arguments.input, name_of_part(&run->from, part),
                tlw_part_kind_text((tlw_part_kind)part->kind), part->voxels);
        for (uint32_t i = 0; i < recipe->layer_count; ++i) {
            fprintf(stderr, "%s %.4g %.4g %.4g", i > 0 ? "," : "", (double)part->stiffness[i],
                    (double)part->damping[i], (double)part->anchor_hz[i]);
        }
        fprintf(stderr, "\n");
    }
}

// What was cooked for the embedding.
static void print_embedding(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    const char* input = run->arguments.input;
    if (run->recipe.cook.has_ring_normals && !r->has_ring_normals) {
        fprintf(stderr,
                "tallow-cook: %s: ring normals are left out: no vertex has artist weights\n",
                input);
    }
    if (r->domain_count > 0) {
        fprintf(stderr,
                "tallow-cook: %s: radial basis functions %.4g m apart; %u joints were merged, %u "
                "vertices lie at seams; centres:",
                input, r->rbf_radius_metres, r->merged_joints, r->seam_vertices);
        for (uint32_t i = 0; i < r->domain_count; ++i) {
            fprintf(stderr, "%s '%s' %u", i > 0 ? "," : "",
                    run->from.input.joints[r->domains[i].joint].name, r->domains[i].centres);
        }
        fprintf(stderr, "\n");
    }
}

void tlw_cook_print_remarks(const tlw_cook_run* run) {
    const tlw_cook_arguments* arguments = &run->arguments;
    const tlw_asset_cook* from = &run->from;
    const tlw_cook_report* r = &run->output.report;
    const struct {
        uint64_t count;
        const char* what;
    } remarks[] = {
        {r->open_edges, "open edges: voxels inside were found by a vote of rays"},
        {r->non_manifold_edges, "edges with more than two triangles"},
        {from->report.normalised_count, "vertices whose weights did not sum to 1 were normalised"},
        {from->report.unweighted_count, "vertices without weights follow the root"},
        {r->boneless_voxels, "voxels of pieces without bone became bone"},
        {r->vertices_unringed,
         "vertices have no ring coefficients: no normal, or neighbours in a line"},
    };
    if (arguments->is_quiet) {
        return;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(remarks); ++i) {
        if (remarks[i].count > 0) {
            fprintf(stderr, "tallow-cook: %s: %llu %s\n", arguments->input,
                    (unsigned long long)remarks[i].count, remarks[i].what);
        }
    }
    print_parts(run);
    print_embedding(run);
    for (uint32_t i = 0; i < from->report.note_count; ++i) {
        fprintf(stderr, "tallow-cook: %s: %s\n", arguments->input, from->report.notes[i]);
    }
}

// As Make and Ninja both read it: a backslash before a space or a hash, a dollar twice.
static void add_path(tlw_text* text, const char* path) {
    for (; *path; ++path) {
        const char* escape = *path == ' ' || *path == '#' ? "\\" : *path == '$' ? "$" : "";
        tlw_text_add(text, "%s%c", escape, *path);
    }
}

tlw_text tlw_cook_make_depfile(const tlw_cook_run* run) {
    tlw_text text = {0};
    const tlw_asset* asset = run->asset;
    add_path(&text, run->arguments.output ? run->arguments.output : "");
    tlw_text_add(&text, ":");
    for (uint32_t i = 0; i < asset->file_count; ++i) {
        tlw_text_add(&text, " \\\n  ");
        add_path(&text, asset->files[i]);
    }
    for (uint32_t i = 0; i < run->recipe.file_count; ++i) {
        tlw_text_add(&text, " \\\n  ");
        add_path(&text, run->recipe.files[i]);
    }
    tlw_text_add(&text, "\n");
    return text;
}
