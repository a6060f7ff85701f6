// SPDX-License-Identifier: MIT
// The cooking library's front (RULES 12): every kind of bad input is an error with place and value
// and gives no blob, nothing leaks, the limit on memory is never passed, progress ascends, and very
// many joints take no more than n log n comparisons.
#include "runtime/blob.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A heap that counts: the linker sends the library's calls here (--wrap).

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* old, size_t size);
void __real_free(void* memory);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* old, size_t size);
void __wrap_free(void* memory);
int __real_strcmp(const char* a, const char* b);
int __wrap_strcmp(const char* a, const char* b);

static struct {
    bool is_on;
    struct {
        void* memory;
        size_t bytes;
    } blocks[256];
    size_t held, most, calls;
} heap;

static void forget(void* memory) {
    for (size_t i = 0; heap.is_on && memory && i < TLW_COUNT_OF(heap.blocks); ++i) {
        if (heap.blocks[i].memory == memory) {
            heap.held -= heap.blocks[i].bytes;
            heap.blocks[i].memory = NULL;
            return;
        }
    }
}

static void* remember(void* memory, size_t bytes) {
    for (size_t i = 0; heap.is_on && memory && i < TLW_COUNT_OF(heap.blocks); ++i) {
        if (heap.blocks[i].memory == NULL) {
            heap.blocks[i].memory = memory;
            heap.blocks[i].bytes = bytes;
            heap.held += bytes;
            heap.most = heap.held > heap.most ? heap.held : heap.most;
            heap.calls += 1;
            break;
        }
    }
    return memory;
}

void* __wrap_malloc(size_t size) {
    return remember(__real_malloc(size), size);
}

void* __wrap_calloc(size_t count, size_t size) {
    return remember(__real_calloc(count, size), count * size);
}

void* __wrap_realloc(void* old, size_t size) {
    forget(old);
    return remember(__real_realloc(old, size), size);
}

void __wrap_free(void* memory) {
    forget(memory);
    __real_free(memory);
}

static uint64_t comparisons;

int __wrap_strcmp(const char* a, const char* b) {
    comparisons += 1;
    return __real_strcmp(a, b);
}

// A tetrahedron on a chain of three joints, whose arrays tests damage.

typedef struct subject {
    float positions[12];
    float weights[8];
    uint32_t mesh_joints[8];
    uint32_t indices[12];
    tlw_cook_joint joints[3];
    tlw_cook_mesh mesh;
    tlw_cook_points points;
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    tlw_cook_options options;
    tlw_cook_part part;
    tlw_cook_cut cut;
    const char* excluded[1];
} subject;

static void make_subject(subject* s) {
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const char* const names[3] = {"hip", "knee", "foot"};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, positions, sizeof positions);
    memcpy(s->indices, indices, sizeof indices);
    for (uint32_t i = 0; i < 4; ++i) {
        s->weights[i * 2] = 0.75f;
        s->weights[i * 2 + 1] = 0.25f;
        s->mesh_joints[i * 2] = i % 3;
        s->mesh_joints[i * 2 + 1] = (i + 1) % 3;
    }
    for (uint32_t j = 0; j < 3; ++j) {
        s->joints[j].name = names[j];
        s->joints[j].parent = j > 0 ? j - 1 : TLW_NO_JOINT;
        for (int i = 0; i < 4; ++i) {
            s->joints[j].bind[i * 5] = 1.0;
        }
        s->joints[j].bind[12] = 0.1 + 0.2 * j;
    }
    s->mesh = (tlw_cook_mesh){.name = "body",
                              .vertex_count = 4,
                              .positions = s->positions,
                              .triangle_count = 4,
                              .indices = s->indices,
                              .influence_count = 2,
                              .joints = s->mesh_joints,
                              .weights = s->weights};
    s->points = (tlw_cook_points){.name = "sockets", .count = 1, .positions = s->positions};
    s->input = (tlw_cook_input){.joints = s->joints,
                                .joint_count = 3,
                                .meshes = &s->mesh,
                                .mesh_count = 1,
                                .points = &s->points,
                                .points_count = 1};
    s->recipe = tlw_default_cook_recipe();
    s->recipe.resolution = 8;
    s->options = tlw_default_cook_options();
    s->part = tlw_default_cook_part("knee");
    s->cut.joint_a = s->cut.joint_b = s->excluded[0] = "knee";
}

typedef void damage(subject* s);

static void same_positions(subject* s) {
    for (int i = 0; i < 12; ++i) {
        s->positions[i] = 0.5f;
    }
}
static void no_vertices(subject* s) {
    s->mesh.vertex_count = 0;
}
static void no_triangles(subject* s) {
    s->mesh.triangle_count = 0;
}
static void no_joints(subject* s) {
    s->input.joint_count = 0;
}
static void too_many_joints(subject* s) {
    s->input.joint_count = 65536; // refused before any joint is read
}
static void no_meshes(subject* s) {
    s->input.mesh_count = 0;
}
static void only_riders(subject* s) {
    s->mesh.role = TLW_ROLE_RIDE;
}
static void only_ignored(subject* s) {
    s->mesh.role = TLW_ROLE_IGNORE;
}
static void index_out_of_range(subject* s) {
    s->indices[7] = 4;
}
static void joint_out_of_range(subject* s) {
    s->mesh_joints[5] = 3;
}
static void joint_twice(subject* s) {
    s->mesh_joints[4] = s->mesh_joints[5] = 2;
    s->weights[4] = s->weights[5] = 0.5f;
}
static void no_weights_array(subject* s) {
    s->mesh.weights = NULL;
}
static void nan_position(subject* s) {
    s->positions[7] = NAN;
}
static void infinite_position(subject* s) {
    s->positions[5] = -INFINITY;
}
static void huge_extent(subject* s) {
    s->positions[0] = -3e38f;
    s->positions[3] = 3e38f;
}
static void nan_normal(subject* s) {
    static const float normals[12] = {0, 0, 1, 0, 0, 1, 0, NAN, 1};
    s->mesh.normals = normals;
}
static void nan_point(subject* s) {
    static const float points[3] = {0, NAN, 0};
    s->points.positions = points;
}
static void no_point_positions(subject* s) {
    s->points.positions = NULL;
}
static void negative_weight(subject* s) {
    s->weights[3] = -0.5f;
}
static void nan_weight(subject* s) {
    s->weights[2] = NAN;
}
static void cyclic_joints(subject* s) {
    s->joints[0].parent = 2;
}
static void own_parent(subject* s) {
    s->joints[1].parent = 1;
}
static void parent_goes_round(subject* s) {
    s->joints[0].parent = 1;
    s->joints[1].parent = 1;
}
static void parent_out_of_range(subject* s) {
    s->joints[1].parent = 7;
}
static void duplicate_joints(subject* s) {
    s->joints[2].name = "hip";
}
static void nameless_joint(subject* s) {
    s->joints[2].name = NULL;
}
static void nan_bind(subject* s) {
    s->joints[2].bind[6] = (double)NAN;
}
static void singular_bind(subject* s) {
    s->joints[2].bind[5] = 0.0;
}
static void projective_bind(subject* s) {
    s->joints[2].bind[3] = 1.0;
}
static void resolution_0(subject* s) {
    s->recipe.resolution = 0;
}
static void resolution_1(subject* s) {
    s->recipe.resolution = 1;
}
static void resolution_100000(subject* s) {
    s->recipe.resolution = 100000;
}
static void resolution_max(subject* s) {
    s->recipe.resolution = UINT32_MAX;
}
static void tiny_voxels(subject* s) {
    s->recipe.resolution = 0;
    s->recipe.voxel_metres = 1e-9;
}
static void huge_voxels(subject* s) {
    s->recipe.resolution = 0;
    s->recipe.voxel_metres = 1e9;
}
static void nan_voxels(subject* s) {
    s->recipe.resolution = 0;
    s->recipe.voxel_metres = (double)NAN;
}
static void few_voxels(subject* s) {
    s->recipe.max_voxels = 20;
}
static void little_memory(subject* s) {
    s->recipe.max_memory_bytes = 2000;
}
static void no_memory(subject* s) {
    s->recipe.max_memory_bytes = 0;
}
static void layers_out_of_order(subject* s) {
    s->recipe.layer_count = 5;
    s->recipe.layers[4] = s->recipe.layers[3];
    s->recipe.layers[1].ratio = (tlw_cook_fraction){6, 10};
    s->recipe.layers[2].ratio = (tlw_cook_fraction){5, 10};
}
static void ratio_above_1(subject* s) {
    s->recipe.layers[1].ratio = (tlw_cook_fraction){3, 2};
}
static void one_layer(subject* s) {
    s->recipe.layer_count = 1;
}
static void nine_layers(subject* s) {
    s->recipe.layer_count = 9;
}
static void negative_stiffness(subject* s) {
    s->recipe.layers[2].stiffness = -1.0f;
}
static void nan_damping(subject* s) {
    s->recipe.layers[2].damping = NAN;
}
static void bone_share_of_nothing(subject* s) {
    s->recipe.bone_share.denominator = 0;
}
static void odd_width(subject* s) {
    s->recipe.region_width = 4;
}
static void odd_neighbours(subject* s) {
    s->recipe.neighbours = 7;
}
static void nan_anchor(subject* s) {
    s->recipe.layers[2].anchor_hz = NAN;
}
static void negative_limit(subject* s) {
    s->recipe.limit_thickness = -1.0f;
}
static void use_part(subject* s) {
    s->recipe.parts = &s->part;
    s->recipe.part_count = 1;
}
static void part_anchor_nan(subject* s) {
    use_part(s);
    s->part.anchor_hz[2] = NAN;
}
static void use_firm(subject* s, const char* const names[2]) {
    s->recipe.is_firm_auto = false;
    s->recipe.firm_joints = names;
    s->recipe.firm_joint_count = 2;
}
static void unknown_firm(subject* s) {
    static const char* const names[] = {"knee", "wing"};
    use_firm(s, names);
}
static void nameless_firm(subject* s) {
    static const char* const names[] = {NULL, "knee"};
    use_firm(s, names);
}
static void firm_twice(subject* s) {
    static const char* const names[] = {"knee", "knee"};
    use_firm(s, names);
}
static void unknown_part(subject* s) {
    s->part.joint = "wing";
    use_part(s);
}
static void nameless_part(subject* s) {
    s->part.joint = NULL;
    use_part(s);
}
static void part_damping_2(subject* s) {
    s->part.damping[2] = 2.0f;
    use_part(s);
}
static void unknown_cut(subject* s) {
    s->cut.joint_b = "tail";
    s->recipe.cuts = &s->cut;
    s->recipe.cut_count = 1;
}
static void cut_of_no_kind(subject* s) {
    s->cut.kind = (tlw_cook_cut_kind)(TLW_CUT_ALL + 1);
    s->recipe.cuts = &s->cut;
    s->recipe.cut_count = 1;
}
static void unknown_excluded(subject* s) {
    s->excluded[0] = "nose";
    s->recipe.excluded_joints = s->excluded;
    s->recipe.excluded_joint_count = 1;
}
static void artist_without_weights(subject* s) {
    s->mesh.influence_count = 0;
    s->recipe.weights = TLW_WEIGHTS_ARTIST;
}
static void recipe_without_cookie(subject* s) {
    s->recipe.cookie = 0;
}
static void options_without_cookie(subject* s) {
    s->options.cookie = 0;
}

static const struct {
    damage* change;
    tlw_result result;
    const char* part; // of the message
} bad_inputs[] = {
    {same_positions, TLW_ERROR_BAD_ARGUMENT, "all 4 triangles of 4 vertices collapse"},
    {no_vertices, TLW_ERROR_BAD_ARGUMENT, "mesh 'body' has no vertices"},
    {no_triangles, TLW_ERROR_BAD_ARGUMENT, "mesh 'body' has no triangles"},
    {no_joints, TLW_ERROR_BAD_ARGUMENT, "there are no joints"},
    {too_many_joints, TLW_ERROR_BAD_ARGUMENT, "65536 joints; at most 65535"},
    {no_meshes, TLW_ERROR_BAD_ARGUMENT, "no mesh to voxelise"},
    {only_riders, TLW_ERROR_BAD_ARGUMENT, "no mesh to voxelise"},
    {only_ignored, TLW_ERROR_BAD_ARGUMENT, "no mesh to voxelise"},
    {index_out_of_range, TLW_ERROR_BAD_ARGUMENT, "corner 1 of triangle 2 is vertex 4; there are 4"},
    {joint_twice, TLW_ERROR_BAD_ARGUMENT, "vertex 2 has joint 2 twice"},
    {joint_out_of_range, TLW_ERROR_BAD_ARGUMENT, "joint 1 of vertex 2 is 3; there are 3"},
    {no_weights_array, TLW_ERROR_BAD_ARGUMENT, "no joints or no weights"},
    {nan_position, TLW_ERROR_BAD_ARGUMENT, "position 2, component 1 is nan"},
    {infinite_position, TLW_ERROR_BAD_ARGUMENT, "position 1, component 2 is -inf"},
    {huge_extent, TLW_ERROR_BAD_ARGUMENT, "the mesh has an extent of 6"},
    {nan_normal, TLW_ERROR_BAD_ARGUMENT, "normal 2, component 1 is nan"},
    {nan_point, TLW_ERROR_BAD_ARGUMENT, "points 'sockets': point 0, component 1"},
    {no_point_positions, TLW_ERROR_BAD_ARGUMENT, "points 'sockets' have no positions"},
    {negative_weight, TLW_ERROR_BAD_ARGUMENT, "weight 1 of vertex 1 is -0.5"},
    {nan_weight, TLW_ERROR_BAD_ARGUMENT, "weight 0 of vertex 1 is nan"},
    {cyclic_joints, TLW_ERROR_BAD_ARGUMENT, "joint 0 'hip' is among its own ancestors"},
    {own_parent, TLW_ERROR_BAD_ARGUMENT, "joint 1 'knee' is among its own ancestors"},
    {parent_goes_round, TLW_ERROR_BAD_ARGUMENT, "joint 1 'knee' is among its own ancestors"},
    {parent_out_of_range, TLW_ERROR_BAD_ARGUMENT, "joint 1 'knee': parent 7; there are 3"},
    {duplicate_joints, TLW_ERROR_BAD_ARGUMENT, "joints 0 and 2 have the same name 'hip'"},
    {nameless_joint, TLW_ERROR_BAD_ARGUMENT, "joint 2 has no name"},
    {nan_bind, TLW_ERROR_BAD_ARGUMENT, "joint 2 'foot': element 6 of its bind matrix is nan"},
    {singular_bind, TLW_ERROR_BAD_ARGUMENT, "joint 2 'foot': its bind matrix has no inverse"},
    {projective_bind, TLW_ERROR_BAD_ARGUMENT, "joint 2 'foot': its bind matrix has no inverse"},
    {resolution_0, TLW_ERROR_BAD_ARGUMENT, "resolution is 0"},
    {resolution_1, TLW_ERROR_BAD_ARGUMENT, "resolution is 1"},
    {resolution_100000, TLW_ERROR_TOO_LARGE, "a resolution of 100000 voxels"},
    {resolution_max, TLW_ERROR_TOO_LARGE, "a resolution of 4294967295 voxels"},
    {tiny_voxels, TLW_ERROR_TOO_LARGE, "voxels (of 1e-09 m along 1 m)"},
    {huge_voxels, TLW_ERROR_TOO_LARGE, "a resolution of 1 voxels"},
    {nan_voxels, TLW_ERROR_BAD_ARGUMENT, "voxel_metres nan"},
    {few_voxels, TLW_ERROR_TOO_LARGE, "voxels; the recipe allows 20"},
    {little_memory, TLW_ERROR_TOO_LARGE, "pass the limit of 2000 bytes"},
    {no_memory, TLW_ERROR_TOO_LARGE, "pass the limit of 0 bytes"},
    {layers_out_of_order, TLW_ERROR_BAD_ARGUMENT, "'fat' (5 / 10) does not come after 'muscle'"},
    {ratio_above_1, TLW_ERROR_BAD_ARGUMENT, "layer 'muscle': ratio is 3 / 2"},
    {one_layer, TLW_ERROR_BAD_ARGUMENT, "1 layers; 2 to 8"},
    {nine_layers, TLW_ERROR_BAD_ARGUMENT, "9 layers; 2 to 8"},
    {negative_stiffness, TLW_ERROR_BAD_ARGUMENT, "layer 'fat': stiffness -1"},
    {nan_damping, TLW_ERROR_BAD_ARGUMENT, "layer 'fat': stiffness 0.03, damping nan"},
    {bone_share_of_nothing, TLW_ERROR_BAD_ARGUMENT, "bone_share is 34 / 0"},
    {odd_width, TLW_ERROR_BAD_ARGUMENT, "region_width is 4"},
    {odd_neighbours, TLW_ERROR_BAD_ARGUMENT, "neighbours is 7"},
    {nan_anchor, TLW_ERROR_BAD_ARGUMENT, "layer 'fat': stiffness 0.03, damping 0.7, anchor_hz nan"},
    {negative_limit, TLW_ERROR_BAD_ARGUMENT, "limit_thickness is -1"},
    {unknown_part, TLW_ERROR_NOT_FOUND, "part 0: there is no joint 'wing'"},
    {nameless_part, TLW_ERROR_NOT_FOUND, "part 0: there is no joint ''"},
    {part_anchor_nan, TLW_ERROR_BAD_ARGUMENT, "damping -1, anchor_hz nan"},
    {unknown_firm, TLW_ERROR_NOT_FOUND, "firm joint 1: there is no joint 'wing'"},
    {nameless_firm, TLW_ERROR_NOT_FOUND, "firm joint 0: there is no joint ''"},
    {firm_twice, TLW_ERROR_BAD_ARGUMENT, "firm joint 1: 'knee' is in the list already"},
    {part_damping_2, TLW_ERROR_BAD_ARGUMENT, "part 0 'knee', layer 'fat'"},
    {unknown_cut, TLW_ERROR_NOT_FOUND, "cut 0: there is no joint 'tail'"},
    {cut_of_no_kind, TLW_ERROR_BAD_ARGUMENT, "cut 0: there is no kind 3"},
    {unknown_excluded, TLW_ERROR_NOT_FOUND, "excluded joint 0: there is no joint 'nose'"},
    {artist_without_weights, TLW_ERROR_BAD_ARGUMENT, "asks for the artist's weights"},
    {recipe_without_cookie, TLW_ERROR_BAD_DEF, "tlw_default_cook_recipe"},
    {options_without_cookie, TLW_ERROR_BAD_DEF, "tlw_default_cook_options"},
};

TLW_TEST(bad_input_is_an_error_with_place_and_value_and_leaves_nothing) {
    for (size_t i = 0; i < TLW_COUNT_OF(bad_inputs); ++i) {
        subject s;
        make_subject(&s);
        bad_inputs[i].change(&s);
        tlw_cook_output out;
        memset(&heap, 0, sizeof heap);
        heap.is_on = true;
        const tlw_result result = tlw_cook_character(&s.input, &s.recipe, &s.options, &out);
        const bool has_blob = out.blob != NULL || out.blob_bytes != 0;
        const tlw_cook_error error = out.error;
        tlw_cook_output_free(&out);
        heap.is_on = false;
        CHECK_CONTAINS(error.message, bad_inputs[i].part);
        CHECK_STRING(tlw_result_name(result), tlw_result_name(bad_inputs[i].result));
        CHECK_EQ(error.result, result);
        CHECK(!has_blob);
        CHECK_EQ(heap.held, 0);
        CHECK_LE(heap.most, s.recipe.max_memory_bytes);
        CHECK_LE(heap.most, 1u << 20); // nothing large is even allocated
    }
}

TLW_TEST(vertices_on_a_line_are_a_rod_one_voxel_thick) {
    subject s;
    make_subject(&s);
    for (uint32_t v = 0; v < 4; ++v) {
        s.positions[v * 3] = (float)v;
        s.positions[v * 3 + 1] = s.positions[v * 3 + 2] = 0.0f;
    }
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    CHECK_EQ(out.report.voxels, 8);
    tlw_cook_output_free(&out);
}

TLW_TEST(points_far_outside_and_no_points_at_all_are_fine) {
    subject s;
    make_subject(&s);
    static const float far_away[3] = {1e6f, -1e6f, 0.0f};
    tlw_cook_output out;
    s.points.positions = far_away;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    tlw_cook_output_free(&out);
    s.points.count = 0;
    s.points.positions = NULL;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    tlw_cook_output_free(&out);
}

// The heap never holds more than the limit, whatever the limit is; peak and blob together are
// enough.
TLW_TEST(memory_limit_is_never_passed_wherever_it_strikes) {
    const size_t uncounted = 4096; // the report of cuts and 16 bytes per block
    subject s;
    make_subject(&s);
    s.recipe.resolution = 12;
    s.recipe.has_limbs = true;
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    const uint64_t enough = out.report.peak_memory_bytes + out.blob_bytes;
    tlw_cook_output_free(&out);
    uint32_t refused = 0;
    for (uint64_t limit = 0; limit <= enough; limit += 1 + enough / 200) {
        s.recipe.max_memory_bytes = limit;
        memset(&heap, 0, sizeof heap);
        heap.is_on = true;
        const tlw_result result = tlw_cook_character(&s.input, &s.recipe, &s.options, &out);
        const tlw_cook_error error = out.error;
        tlw_cook_output_free(&out);
        heap.is_on = false;
        CHECK_EQ(heap.held, 0);
        CHECK_LE(heap.most, limit + uncounted);
        if (result != TLW_OK) {
            CHECK_RESULT(result, TLW_ERROR_TOO_LARGE);
            CHECK_CONTAINS(error.message, "the limit of");
        }
        refused += result != TLW_OK;
    }
    CHECK_LT(10u, refused);
    s.recipe.max_memory_bytes = enough;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    tlw_cook_output_free(&out);
}

typedef struct watcher {
    double last;
    uint32_t calls;
    bool ascends, starts_at_0;
} watcher;

static void watch(const char* stage, double share, void* user) {
    watcher* w = user;
    w->starts_at_0 = w->starts_at_0 || (w->calls == 0 && share == 0.0);
    w->ascends = w->ascends && stage != NULL && stage[0] != 0 && (w->calls == 0 || share > w->last);
    w->last = share;
    w->calls += 1;
}

TLW_TEST(progress_ascends_from_0_to_1_and_stops_short_of_it_on_failure) {
    subject s;
    make_subject(&s);
    watcher w = {.ascends = true};
    s.options.progress = watch;
    s.options.user = &w;
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    tlw_cook_output_free(&out);
    CHECK(w.starts_at_0);
    CHECK(w.ascends);
    CHECK_EQ(w.last, 1.0);
    CHECK_LT(5u, w.calls);
    w = (watcher){.ascends = true};
    s.recipe.max_voxels = 20;
    CHECK_RESULT(tlw_cook_character(&s.input, &s.recipe, &s.options, &out), TLW_ERROR_TOO_LARGE);
    tlw_cook_output_free(&out);
    CHECK(w.ascends);
    CHECK_LT(w.last, 1.0);
}

typedef struct stepper {
    double last, largest_step;
    uint32_t calls;
    bool ascends;
} stepper;

static void step(const char* stage, double share, void* user) {
    stepper* s = user;
    (void)stage;
    s->ascends = s->ascends && (s->calls == 0 || share > s->last);
    s->largest_step = fmax(s->largest_step, share - s->last);
    s->last = share;
    s->calls += 1;
}

// Heat takes longer than all other stages together; without steps inside it, progress would stand
// at a third of the way.
TLW_TEST(progress_moves_inside_stages_that_take_long) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_HEAT, TLW_WEIGHTS_DIFFUSION,
                                             TLW_WEIGHTS_ARTIST};
    for (size_t i = 0; i < TLW_COUNT_OF(modes); ++i) {
        subject s;
        make_subject(&s);
        stepper steps = {.ascends = true};
        s.options.progress = step;
        s.options.user = &steps;
        s.recipe.resolution = 24;
        s.recipe.weights = modes[i];
        tlw_cook_output out;
        CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
        tlw_cook_output_free(&out);
        CHECK(steps.ascends);
        CHECK_LT(steps.largest_step, 0.35);
        CHECK_LT(i == 0 ? 60u : 20u, steps.calls);
    }
}

// One of the joints is far off the body, and one has no weight; a mesh rides far off, with weights
// and without.
TLW_TEST(joints_and_vertices_off_the_body_are_reported) {
    subject s;
    make_subject(&s);
    s.recipe.resolution = 16;
    s.joints[0].bind[13] = -3.0;
    for (uint32_t i = 0; i < 8; ++i) {
        s.mesh_joints[i] = i % 2;
    }
    const float far_off[9] = {0, 0, 0, 0, 5, 0, 0, 6, 0};
    const uint32_t joints[3] = {2, 2, 2}, triangle[3] = {0, 1, 2};
    const float weights[3] = {1, 1, 0};
    tlw_cook_mesh meshes[2] = {s.mesh, s.mesh};
    meshes[1] = (tlw_cook_mesh){.name = "sword",
                                .role = TLW_ROLE_RIDE,
                                .vertex_count = 3,
                                .positions = far_off,
                                .triangle_count = 1,
                                .indices = triangle,
                                .influence_count = 1,
                                .joints = joints,
                                .weights = weights};
    s.input.meshes = meshes;
    s.input.mesh_count = 2;
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
    CHECK_EQ(out.report.outside_joints, 1u);
    CHECK_EQ(out.report.outside[0], 0u);
    CHECK_EQ(out.report.left_out_joints, 1u);
    CHECK_EQ(out.report.left_out[0], 2u);
    CHECK_EQ(out.report.mesh_count, 2u);
    CHECK_EQ(out.report.meshes[0].far_vertices, 0u);
    CHECK_EQ(out.report.meshes[1].far_vertices, 2u);
    CHECK_EQ(out.report.meshes[1].seated_vertices, 1u);
    CHECK_NEAR(out.report.meshes[1].farthest, 5.0 / out.report.voxel_metres, 2.0);
    tlw_cook_output_free(&out);
}

// Very many joints: a search over all pairs, or over all ancestors of each, would take minutes.

#define MANY 60000u
// Sorting, comparing neighbours, and finding every excluded joint: the logarithm of MANY is 16, and
// the sort of a C library may take a quarter more than n log n.
#define MAX_COMPARISONS (MANY * (20 + 1 + 17))

typedef struct crowd {
    tlw_cook_joint* joints;
    char (*names)[16];
    const char** excluded;
} crowd;

// The subject's mesh follows the last three joints. With is_chain each joint hangs on the next,
// otherwise each has eight children.
static void make_crowd(subject* s, crowd* c, bool is_chain) {
    make_subject(s);
    c->joints = calloc(MANY, sizeof *c->joints);
    c->names = calloc(MANY, sizeof *c->names);
    c->excluded = calloc(MANY, sizeof *c->excluded);
    CHECK(c->joints != NULL && c->names != NULL && c->excluded != NULL);
    for (uint32_t j = 0; j < MANY; ++j) {
        c->joints[j] = s->joints[j % 3];
        c->joints[j].name = c->names[j];
        c->joints[j].parent = is_chain ? j + 1 : j == 0 ? TLW_NO_JOINT : (j - 1) / 8;
        // Neither ascending nor descending.
        snprintf(c->names[j], sizeof c->names[j], "joint%05u", j * 7919u % MANY);
        c->excluded[j] = c->names[j];
    }
    c->joints[MANY - 1].parent = is_chain ? TLW_NO_JOINT : 0;
    for (uint32_t i = 0; i < 8; ++i) {
        s->mesh_joints[i] += MANY - 3;
    }
    s->input.joints = c->joints;
    s->input.joint_count = MANY;
    s->recipe.excluded_joints = c->excluded;
    s->recipe.excluded_joint_count = MANY - 3;
    comparisons = 0;
}

static void free_crowd(crowd* c) {
    free(c->joints);
    free(c->names);
    free(c->excluded);
}

static const tlw_blob_joint* joints_of(const tlw_cook_output* out) {
    uint64_t count;
    return tlw_blob_find(out->blob, TLW_SECTION_JOINTS, &count);
}

TLW_TEST(sixty_thousand_joints_and_their_names_in_a_recipe_cook) {
    for (int is_chain = 0; is_chain < 2; ++is_chain) {
        subject s;
        crowd c;
        make_crowd(&s, &c, is_chain);
        const tlw_cook_cut cuts[2] = {{c.names[MANY - 1], c.names[MANY - 2], TLW_CUT_ALL},
                                      {c.names[5], c.names[MANY - 2], TLW_CUT_NEVER}};
        s.recipe.cuts = cuts;
        s.recipe.cut_count = 2;
        s.recipe.has_limbs = true;
        s.part.joint = c.names[1]; // last but one of the chain: the joints above it have part 0
        use_part(&s);
        tlw_cook_output out;
        CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
        CHECK_LE(comparisons, MAX_COMPARISONS);
        CHECK_EQ(out.report.left_out_joints, MANY - 3);
        CHECK_EQ(out.report.cut_pair_count, 1);
        CHECK_EQ(out.report.cuts[0].joint_a, MANY - 2);
        CHECK_EQ(out.report.cuts[0].joint_b, MANY - 1);
        const tlw_blob_joint* joints = joints_of(&out);
        CHECK_EQ(joints[0].part, is_chain ? 1u : 0u);
        CHECK_EQ(joints[1].part, 1);
        CHECK_EQ(joints[2].part, 0);
        CHECK_EQ(joints[MANY - 1].part, 0);
        tlw_cook_output_free(&out);
        free_crowd(&c);
    }
}

// Parents before and after their children, parts inside parts, and a joint that is named twice.
TLW_TEST(joints_have_the_part_of_the_nearest_joint_above_them_that_has_one) {
    enum { JOINTS = 300, PARTS = 24 };
    static tlw_cook_joint joints[JOINTS];
    static char names[JOINTS][16];
    uint64_t seed = 9;
    for (int round = 0; round < 20; ++round) {
        subject s;
        make_subject(&s);
        uint32_t order[JOINTS], part_joint[PARTS];
        for (uint32_t i = 0; i < JOINTS; ++i) {
            const uint32_t k = (uint32_t)(tlw_test_random(&seed) % (i + 1));
            order[i] = order[k];
            order[k] = i;
        }
        for (uint32_t i = 0; i < JOINTS; ++i) {
            const uint32_t j = order[i], nearby = i < 6 ? i : 6; // deep trees
            joints[j] = s.joints[j % 3];
            joints[j].name = names[j];
            snprintf(names[j], sizeof names[j], "joint%u", j);
            joints[j].parent = i % 100 == 0
                                   ? TLW_NO_JOINT
                                   : order[i - 1 - (uint32_t)(tlw_test_random(&seed) % nearby)];
        }
        tlw_cook_part parts[PARTS] = {0};
        for (uint32_t p = 0; p < PARTS; ++p) {
            part_joint[p] =
                p == PARTS - 1 ? part_joint[3] : (uint32_t)(tlw_test_random(&seed) % JOINTS);
            parts[p] = tlw_default_cook_part(names[part_joint[p]]);
        }
        s.input.joints = joints;
        s.input.joint_count = JOINTS;
        s.recipe.parts = parts;
        s.recipe.part_count = PARTS;
        s.recipe.is_firm_auto = false;
        tlw_cook_output out;
        CHECK_OK(tlw_cook_character(&s.input, &s.recipe, &s.options, &out));
        const tlw_blob_joint* cooked = joints_of(&out);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            uint32_t part = 0;
            for (uint32_t up = j; up != TLW_NO_JOINT && part == 0; up = joints[up].parent) {
                for (uint32_t p = PARTS; p > 0; --p) {
                    part = part_joint[p - 1] == up ? p : part;
                }
            }
            CHECK_EQ(cooked[j].part, part);
        }
        tlw_cook_output_free(&out);
    }
}

TLW_TEST(sixty_thousand_joints_are_checked_to_the_last) {
    subject s;
    crowd c;
    tlw_cook_output out;
    make_crowd(&s, &c, true);
    c.excluded[MANY - 4] = "joint60000";
    CHECK_RESULT(tlw_cook_character(&s.input, &s.recipe, &s.options, &out), TLW_ERROR_NOT_FOUND);
    CHECK_CONTAINS(out.error.message, "excluded joint 59996: there is no joint 'joint60000'");
    CHECK_LE(comparisons, MAX_COMPARISONS);
    tlw_cook_output_free(&out);
    c.joints[MANY - 1].name = c.names[7];
    CHECK_RESULT(tlw_cook_character(&s.input, &s.recipe, &s.options, &out), TLW_ERROR_BAD_ARGUMENT);
    CHECK_CONTAINS(out.error.message, "joints 7 and 59999 have the same name 'joint55433'");
    tlw_cook_output_free(&out);
    c.joints[MANY - 1].parent = 0;
    CHECK_RESULT(tlw_cook_character(&s.input, &s.recipe, &s.options, &out), TLW_ERROR_BAD_ARGUMENT);
    CHECK_CONTAINS(out.error.message, "joint 0 'joint00000' is among its own ancestors");
    tlw_cook_output_free(&out);
    free_crowd(&c);
}
