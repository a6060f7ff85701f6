// SPDX-License-Identifier: MIT
// tallow-cook's report, remarks and depfile, from what the importer and the cooking library found.
#include "runtime/asset.h"
#include "runtime/blob.h"
#include "runtime/presets.h"
#include "tools/cook/command.h"
#include "tools/cook/remarks.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

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

// What an anchor leaves of a deviation in 1/60 s: delta of Chen et al. 2013 (MODEL 3.14).
static double delta_of(float anchor_hz) {
    const double turn = 2.0 * PI * (double)anchor_hz / TLW_REFERENCE_HZ;
    return exp(-(turn * turn));
}

// With four digits, as the README of recipes shows deltas.
static json_t* delta_as_json(float anchor_hz) {
    char text[32];
    snprintf(text, sizeof text, "%.4g", delta_of(anchor_hz));
    return json_real(strtod(text, NULL));
}

static json_t* describe_material(float stiffness, float damping, float anchor_hz) {
    return json_pack("{s:o, s:o, s:o, s:o}", "stiffness", real_of(stiffness), "damping",
                     real_of(damping), "anchor_hz", real_of(anchor_hz), "delta",
                     delta_as_json(anchor_hz));
}

static const char* name_of_part(const tlw_asset_cook* from, const tlw_cook_part_report* part) {
    return part->joint == TLW_NO_JOINT ? "-" : from->input.joints[part->joint].name;
}

static json_t* describe_part(const tlw_asset_cook* from, const tlw_cook_recipe* recipe,
                             const tlw_cook_part_report* part) {
    json_t* layers = json_object();
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        json_object_set_new(
            layers, recipe->layers[i].name,
            describe_material(part->stiffness[i], part->damping[i], part->anchor_hz[i]));
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

static json_t* describe_bends(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    json_t* bends = json_array();
    for (uint32_t i = 0; i < r->bend_count; ++i) {
        const tlw_cook_bend_report* bend = &r->bends[i];
        json_array_append_new(bends,
                              json_pack("{s:s, s:i, s:o, s:o}", "joint",
                                        run->from.input.joints[bend->joint].name, "voxels",
                                        (int)bend->voxels, "volume", real_of((float)bend->volume),
                                        "reach", real_of((float)bend->reach)));
    }
    return bends;
}

static json_t* describe_lame(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    json_t* layers = json_array();
    for (uint32_t p = 0; p < r->part_count; ++p) {
        const tlw_cook_part_report* part = &r->parts[p];
        for (uint32_t i = 0; i < run->recipe.cook.layer_count; ++i) {
            if (part->density[i] > 0.0f) {
                json_array_append_new(layers, json_pack("{s:s, s:s, s:o, s:o, s:o}", "part",
                                                        name_of_part(&run->from, part), "layer",
                                                        run->recipe.cook.layers[i].name,
                                                        "young_kpa", real_of(part->young_kpa[i]),
                                                        "poisson", real_of(part->poisson[i]),
                                                        "density", real_of(part->density[i])));
            }
        }
    }
    return layers;
}

static json_t* describe_muscles(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    json_t* muscles = json_array();
    for (uint32_t i = 0; i < r->muscle_count; ++i) {
        const tlw_cook_muscle_report* muscle = &r->muscles[i];
        json_array_append_new(muscles, json_pack("{s:s, s:i, s:i, s:o, s:o}", "name", muscle->name,
                                                 "vertices", (int)muscle->vertices, "voxels",
                                                 (int)muscle->voxels, "length",
                                                 real_of((float)muscle->length), "radius",
                                                 real_of((float)muscle->radius)));
    }
    return muscles;
}

// Null without automatic muscles in the recipe.
static json_t* describe_automatic(const tlw_cook_auto_report* a) {
    return a->is_asked ? json_pack("{s:i, s:i, s:i, s:i}", "joints", (int)a->joints, "too_short",
                                   (int)a->too_short, "too_thin", (int)a->too_thin, "too_close",
                                   (int)a->too_close)
                       : json_null();
}

static json_t* describe_limbs(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    json_t* limbs = json_array();
    for (uint32_t i = 0; i < r->limb_count; ++i) {
        const tlw_cook_limb_report* limb = &r->limbs[i];
        json_array_append_new(
            limbs, json_pack("{s:s, s:i, s:o, s:[o, o]}", "joint",
                             run->from.input.joints[limb->joint].name, "voxels", (int)limb->voxels,
                             "length", real_of((float)limb->length), "radius",
                             real_of((float)limb->radius[0]), real_of((float)limb->radius[1])));
    }
    return limbs;
}

// The materials of the profiles after the first, which only the blob has.
static const tlw_blob_profile_material* profile_materials(const tlw_cook_run* run) {
    const uint8_t* blob = run->output.blob;
    tlw_blob_header header;
    memcpy(&header, blob, sizeof header);
    for (uint32_t i = 0; i < header.section_count; ++i) {
        tlw_blob_section section;
        memcpy(&section, blob + sizeof header + i * sizeof section, sizeof section);
        if (section.kind == TLW_SECTION_PROFILE_MATERIALS) {
            return (const tlw_blob_profile_material*)(const void*)(blob + section.offset);
        }
    }
    return NULL;
}

// The materials of a part in profile 1 + i, one per layer.
static const tlw_blob_profile_material* materials_of(const tlw_cook_run* run, uint32_t i,
                                                     uint32_t part) {
    return profile_materials(run) +
           ((size_t)i * run->output.report.part_count + part) * run->recipe.cook.layer_count;
}

static json_t* describe_profile_part(const tlw_cook_run* run, uint32_t i, uint32_t p) {
    const tlw_cook_recipe* recipe = &run->recipe.cook;
    const tlw_cook_part_report* part = &run->output.report.parts[p];
    const tlw_blob_profile_material* materials = materials_of(run, i, p);
    json_t* layers = json_object();
    for (uint32_t k = 0; k < recipe->layer_count; ++k) {
        json_t* material =
            describe_material(materials[k].stiffness, materials[k].damping, materials[k].anchor_hz);
        json_object_set_new(material, "limit_scale", real_of(materials[k].limit_scale));
        json_object_set_new(layers, recipe->layers[k].name, material);
    }
    return json_pack("{s:o, s:o}", "joint",
                     part->joint == TLW_NO_JOINT ? json_null()
                                                 : json_string(name_of_part(&run->from, part)),
                     "layers", layers);
}

// By name, without the first, whose materials are those of the parts.
static json_t* describe_profiles(const tlw_cook_run* run) {
    json_t* profiles = json_object();
    for (uint32_t i = 0; i + 1 < run->output.report.profile_count; ++i) {
        json_t* parts = json_array();
        for (uint32_t p = 0; p < run->output.report.part_count; ++p) {
            json_array_append_new(parts, describe_profile_part(run, i, p));
        }
        json_object_set_new(profiles, run->recipe.cook.profiles[i].name,
                            json_pack("{s:o}", "parts", parts));
    }
    return profiles;
}

static const char* const skinning_words[] = {
#define SKINNING_WORD(enumerator, text) text,
    TLW_SKINNINGS(SKINNING_WORD)
#undef SKINNING_WORD
};

// Null without ring normals.
static json_t* describe_rings(const tlw_cook_report* r) {
    return r->has_ring_normals ? json_pack("{s:i}", "vertices_without", (int)r->vertices_unringed)
                               : json_null();
}

static json_t* names_of_joints(const tlw_asset_cook* from, const uint32_t* joints, uint32_t count) {
    json_t* names = json_array();
    for (uint32_t i = 0; i < count; ++i) {
        json_array_append_new(names, json_string(from->input.joints[joints[i]].name));
    }
    return names;
}

static const char* const role_words[] = {
    [TLW_ROLE_VOXELISE] = "voxelise", [TLW_ROLE_RIDE] = "ride", [TLW_ROLE_IGNORE] = "ignore"};

static json_t* describe_meshes(const tlw_cook_run* run) {
    json_t* meshes = json_array();
    for (uint32_t i = 0; i < run->output.report.mesh_count; ++i) {
        const tlw_cook_mesh* mesh = &run->from.input.meshes[i];
        const tlw_cook_mesh_report* to = &run->output.report.meshes[i];
        json_array_append_new(meshes, json_pack("{s:s, s:s, s:b, s:i, s:i, s:o}", "name",
                                                mesh->name, "role", role_words[mesh->role],
                                                "is_rigid", run->from.sources[i].is_rigid,
                                                "vertices", (int)mesh->vertex_count, "far_vertices",
                                                (int)to->far_vertices, "farthest_voxels",
                                                real_of((float)to->farthest)));
    }
    return meshes;
}

static void list_remark(const char* text, void* user) {
    json_array_append_new(user, json_string(text));
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
    tlw_cook_tell_remarks(run, list_remark, notes);
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
                  {"left_out_bends", r->left_out_bends},
                  {"lame_voxels", r->lame_voxels},
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
    json_object_set_new(report, "skinning", json_string(skinning_words[recipe->cook.skinning]));
    json_object_set_new(report, "bends", describe_bends(run));
    json_object_set_new(report, "limbs", describe_limbs(run));
    json_object_set_new(report, "muscles", describe_muscles(run));
    json_object_set_new(report, "automatic_muscles", describe_automatic(&r->automatic));
    json_object_set_new(report, "lame", describe_lame(run));
    json_object_set_new(report, "profiles", describe_profiles(run));
    json_object_set_new(report, "ring_normals", describe_rings(r));
    json_object_set_new(report, "rbf", describe_rbf(run));
    json_object_set_new(report, "meshes", describe_meshes(run));
    json_object_set_new(report, "joints_left_out",
                        names_of_joints(from, r->left_out, r->left_out_joints));
    json_object_set_new(report, "joints_outside",
                        names_of_joints(from, r->outside, r->outside_joints));
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
                "tallow-cook: %s: part from '%s': %s, %u voxels; stiffness, damping, anchor Hz "
                "(delta):",
                run->arguments.input, name_of_part(&run->from, part),
                tlw_part_kind_text((tlw_part_kind)part->kind), part->voxels);
        for (uint32_t i = 0; i < recipe->layer_count; ++i) {
            fprintf(stderr, "%s %.4g %.4g %.4g (%.4g)", i > 0 ? "," : "",
                    (double)part->stiffness[i], (double)part->damping[i],
                    (double)part->anchor_hz[i], delta_of(part->anchor_hz[i]));
        }
        fprintf(stderr, "\n");
    }
}

// Layers in physical units, part by part.
static void print_lame(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    const char* before = "";
    if (r->lame_voxels == 0) {
        return;
    }
    fprintf(stderr, "tallow-cook: %s: %u voxels of Lame layers; kPa, Poisson ratio, kg/m^3:",
            run->arguments.input, r->lame_voxels);
    for (uint32_t p = 0; p < r->part_count; ++p) {
        const tlw_cook_part_report* part = &r->parts[p];
        for (uint32_t i = 0; i < run->recipe.cook.layer_count; ++i) {
            if (part->density[i] > 0.0f) {
                fprintf(stderr, "%s '%s' %s %.4g %.4g %.4g", before, name_of_part(&run->from, part),
                        run->recipe.cook.layers[i].name, (double)part->young_kpa[i],
                        (double)part->poisson[i], (double)part->density[i]);
                before = ",";
            }
        }
    }
    fprintf(stderr, "\n");
}

// What was cooked for skinning.
static void print_skinning(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    const char* input = run->arguments.input;
    if (run->recipe.cook.skinning == TLW_SKINNING_DUAL) {
        fprintf(stderr, "tallow-cook: %s: voxels and vertices are skinned by dual quaternions\n",
                input);
    }
    if (r->bend_count + r->left_out_bends > 0) {
        fprintf(stderr,
                "tallow-cook: %s: skinned volume at %u bends, %u were left out; voxels, "
                "volume, reach:",
                input, r->bend_count, r->left_out_bends);
        for (uint32_t i = 0; i < r->bend_count; ++i) {
            const tlw_cook_bend_report* bend = &r->bends[i];
            fprintf(stderr, "%s '%s' %u %.4g %.4g", i > 0 ? "," : "",
                    run->from.input.joints[bend->joint].name, bend->voxels, bend->volume,
                    bend->reach);
        }
        fprintf(stderr, "\n");
    }
}

// What was cooked for contact.
static void print_limbs(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    if (!run->recipe.cook.has_limbs) {
        return;
    }
    fprintf(stderr, "tallow-cook: %s: %u limbs%s", run->arguments.input, r->limb_count,
            r->limb_count > 0 ? "; length, radii, voxels that each may touch:" : "");
    for (uint32_t i = 0; i < r->limb_count; ++i) {
        const tlw_cook_limb_report* limb = &r->limbs[i];
        fprintf(stderr, "%s '%s' %.4g %.4g %.4g %u", i > 0 ? "," : "",
                run->from.input.joints[limb->joint].name, limb->length, limb->radius[0],
                limb->radius[1], limb->voxels);
    }
    fprintf(stderr, "\n");
}

// What was cooked for muscles, and why "auto" found less than a person may have expected.
static void print_muscles(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    const tlw_cook_auto_report* a = &r->automatic;
    if (r->muscle_count > 0) {
        fprintf(stderr, "tallow-cook: %s: %u muscles; vertices, voxels, length, radius:",
                run->arguments.input, r->muscle_count);
        for (uint32_t i = 0; i < r->muscle_count; ++i) {
            const tlw_cook_muscle_report* muscle = &r->muscles[i];
            fprintf(stderr, "%s '%s' %u %u %.4g %.4g", i > 0 ? "," : "", muscle->name,
                    muscle->vertices, muscle->voxels, muscle->length, muscle->radius);
        }
        fprintf(stderr, "\n");
    }
    for (uint32_t i = 0; i < r->muscle_count; ++i) {
        if (r->muscles[i].voxels == 0) {
            fprintf(stderr,
                    "tallow-cook: %s: muscle '%s' moves no voxel: its line runs along a bone, or "
                    "too far from the body\n",
                    run->arguments.input, r->muscles[i].name);
        }
    }
    if (a->is_asked) {
        fprintf(stderr,
                "tallow-cook: %s: automatic muscles at %u joints; of the others that could bend, "
                "%u have too short segments, %u limbs are thinner than 1.2 voxels, %u leave too "
                "little room between vertices\n",
                run->arguments.input, a->joints, a->too_short, a->too_thin, a->too_close);
    }
}

// Whether a profile has other materials in the part than the recipe has outside its profiles.
static bool is_changed(const tlw_cook_run* run, uint32_t i, uint32_t p) {
    const tlw_cook_part_report* part = &run->output.report.parts[p];
    const tlw_blob_profile_material* materials = materials_of(run, i, p);
    bool differs = false;
    for (uint32_t k = 0; k < run->recipe.cook.layer_count; ++k) {
        differs |= materials[k].stiffness != part->stiffness[k] ||
                   materials[k].damping != part->damping[k] ||
                   materials[k].anchor_hz != part->anchor_hz[k] || materials[k].limit_scale != 1.0f;
    }
    return differs;
}

static void print_profile_part(const tlw_cook_run* run, uint32_t i, uint32_t p) {
    const tlw_cook_part_report* part = &run->output.report.parts[p];
    const tlw_blob_profile_material* m = materials_of(run, i, p);
    fprintf(stderr, "tallow-cook: %s: profile '%s', ", run->arguments.input,
            run->recipe.cook.profiles[i].name);
    if (part->joint == TLW_NO_JOINT) {
        fprintf(stderr, "%s", tlw_part_kind_text(TLW_PART_WHOLE));
    } else {
        fprintf(stderr, "part from '%s'", name_of_part(&run->from, part));
    }
    fprintf(stderr, "; stiffness, damping, anchor Hz (delta), limit scale:");
    for (uint32_t k = 0; k < run->recipe.cook.layer_count; ++k) {
        fprintf(stderr, "%s %.4g %.4g %.4g (%.4g) %.4g", k > 0 ? "," : "", (double)m[k].stiffness,
                (double)m[k].damping, (double)m[k].anchor_hz, delta_of(m[k].anchor_hz),
                (double)m[k].limit_scale);
    }
    fprintf(stderr, "\n");
}

// One line per profile and part that it changes.
static void print_profiles(const tlw_cook_run* run) {
    const tlw_cook_report* r = &run->output.report;
    for (uint32_t i = 0; i + 1 < r->profile_count; ++i) {
        uint32_t changed = 0;
        for (uint32_t p = 0; p < r->part_count; ++p) {
            if (is_changed(run, i, p)) {
                print_profile_part(run, i, p);
                changed += 1;
            }
        }
        if (changed == 0) {
            fprintf(stderr, "tallow-cook: %s: profile '%s' changes nothing\n", run->arguments.input,
                    run->recipe.cook.profiles[i].name);
        }
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

static void print_remark(const char* text, void* user) {
    fprintf(stderr, "tallow-cook: %s: %s\n", (const char*)user, text);
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
    print_lame(run);
    print_profiles(run);
    print_skinning(run);
    print_limbs(run);
    print_muscles(run);
    print_embedding(run);
    tlw_cook_tell_remarks(run, print_remark, (void*)arguments->input);
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
