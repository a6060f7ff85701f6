// SPDX-License-Identifier: MIT
// Muscles in tallow-inspect's JSON, compared with what the cooker reports and with the recipe.
#include "tests/tools/inspect_fixture.h"

#include <math.h>

// A cooked arm: two muscles whose line is known, and automatic ones after them.
static void open_muscles(fixture* b, tlw_cook_line_vertex line[3], tlw_cook_muscle_field* field,
                         tlw_cook_muscle muscles[2]) {
    static const float along[3] = {0.1f, 0.5f, 0.9f};
    for (int v = 0; v < 3; ++v) {
        line[v] = (tlw_cook_line_vertex){
            .place = {.joint = "arm_l", .along = along[v], .offset = {0.0f, 0.03f, 0.0f}},
            .radius = TLW_COOK_KEEP,
            .is_dynamic = -1};
    }
    *field = tlw_default_cook_muscle_field();
    field->place.joint = "forearm_l";
    field->radii[0] = field->radii[1] = field->radii[2] = 0.2f;
    field->gain = 7.0f;
    muscles[0] = tlw_default_cook_muscle("upper_l");
    muscles[0].radius = 0.04f;
    muscles[0].line = line;
    muscles[0].vertex_count = 3;
    muscles[0].fields = field;
    muscles[0].field_count = 1;
    muscles[0].flex_joint = "forearm_l";
    muscles[0].flex_from = 10.0f;
    muscles[0].flex_to = 90.0f;
    muscles[0].is_mirrored = true;
    muscles[1] = tlw_default_cook_muscle(NULL);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 32;
    recipe.muscles = muscles;
    recipe.muscle_count = 2;
    const char* failure = sample_blob_cook("bunny", &recipe, &b->output);
    CHECK_STRING(failure ? failure : "", "");
    CHECK(tlw_inspect_open(&b->in, b->output.blob));
    read_json(b);
}

static double number_of(const json_t* object, const char* key) {
    CHECK(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

TLW_TEST(inspect_json_has_muscles_with_lines_and_fields) {
    static fixture b;
    tlw_cook_line_vertex line[3];
    tlw_cook_muscle_field field;
    tlw_cook_muscle muscles[2];
    open_muscles(&b, line, &field, muscles);
    const tlw_cook_report* report = &b.output.report;
    const tlw_blob_lattice* l = b.in.lattice;
    const json_t* list = list_of(&b, "muscles", report->muscle_count);
    CHECK_LT(2, report->muscle_count);
    for (uint32_t m = 0; m < report->muscle_count; ++m) {
        const json_t* muscle = json_array_get(list, m);
        const tlw_cook_muscle_report* wanted = &report->muscles[m];
        const json_t *vertices = json_object_get(muscle, "vertices"),
                     *segments = json_object_get(muscle, "segments");
        CHECK_STRING(json_string_value(json_object_get(muscle, "name")), wanted->name);
        CHECK_EQ(number_of(muscle, "voxels"), wanted->voxels);
        CHECK_EQ(json_array_size(vertices), wanted->vertices);
        CHECK_EQ(json_array_size(segments), wanted->vertices - 1);
        CHECK_NEAR(number_of(muscle, "radius"), wanted->radius, 1e-6);
        double length = 0.0, largest = 0.0;
        for (uint32_t s = 0; s < wanted->vertices - 1; ++s) {
            const json_t* segment = json_array_get(segments, s);
            const json_t *from = json_object_get(json_array_get(vertices, s), "place"),
                         *to = json_object_get(json_array_get(vertices, s + 1), "place");
            double squared = 0.0;
            for (size_t axis = 0; axis < 3; ++axis) {
                const double along = real(to, axis) - real(from, axis);
                squared += along * along;
            }
            CHECK_NEAR(number_of(segment, "length"), sqrt(squared), 1e-4);
            length += number_of(segment, "length");
            const bool is_tendon = json_is_true(json_object_get(segment, "tendon"));
            CHECK_EQ(is_tendon, m >= 2 && (s == 0 || s >= 5)); // RULES 9.13
            CHECK_NEAR(number_of(segment, "slack"),
                       number_of(segment, "length") * (is_tendon ? 0.975 : 0.5), 1e-5);
            largest = fmax(largest, number_of(json_array_get(vertices, s), "radius"));
        }
        CHECK_NEAR(number_of(muscle, "length"), length, 1e-4);
        CHECK_NEAR(largest, wanted->radius, 1e-6);
        CHECK_EQ(json_array_size(json_object_get(muscle, "fields")), 1);
        CHECK_EQ(json_is_null(json_object_get(muscle, "flex")), m >= 2);
    }
    // Half way along the arm, 3 cm above it.
    const json_t *first = json_array_get(list, 0), *vertices = json_object_get(first, "vertices");
    const json_t *middle = json_array_get(vertices, 1), *joints = json_object_get(middle, "joints"),
                 *ellipsoid = json_array_get(json_object_get(first, "fields"), 0);
    const uint32_t arm = (uint32_t)integer(json_array_get(joints, 0), 0),
                   forearm = (uint32_t)number_of(ellipsoid, "joint");
    CHECK_EQ(json_array_size(joints), 1);
    CHECK_STRING(b.in.strings + b.in.joints[arm].name, "arm_l");
    CHECK_STRING(b.in.strings + b.in.joints[forearm].name, "forearm_l");
    for (size_t axis = 0; axis < 3; ++axis) {
        const double half =
            0.5 * (b.in.joints[arm].bind[12 + axis] + b.in.joints[forearm].bind[12 + axis]) +
            (axis == 1 ? 0.03 : 0.0);
        CHECK_NEAR(real(json_object_get(middle, "place"), axis),
                   (half - l->origin[axis]) / l->voxel_metres, 1e-3);
        CHECK_NEAR(real(json_object_get(ellipsoid, "inverse"), axis), l->voxel_metres / 0.2, 1e-5);
    }
    CHECK_EQ(number_of(ellipsoid, "gain"), 7.0);
    CHECK_EQ(number_of(ellipsoid, "reach"), 0.0);
    CHECK(json_is_true(json_object_get(middle, "dynamic")));
    CHECK(json_is_false(json_object_get(json_array_get(vertices, 0), "dynamic")));
    const json_t* flex = json_object_get(first, "flex");
    CHECK_EQ(number_of(flex, "joint"), forearm);
    CHECK_EQ(number_of(flex, "from"), 10.0);
    CHECK_EQ(number_of(flex, "to"), 90.0);
    close_fixture(&b);
}

TLW_TEST(inspect_json_has_the_bellies_of_every_voxel) {
    static fixture b;
    tlw_cook_line_vertex line[3];
    tlw_cook_muscle_field field;
    tlw_cook_muscle muscles[2];
    open_muscles(&b, line, &field, muscles);
    const tlw_cook_report* report = &b.output.report;
    const uint32_t count = b.in.lattice->voxel_count;
    const json_t* bellies = list_of(&b, "bellies", count);
    uint32_t* voxels = calloc(report->muscle_count, sizeof *voxels);
    CHECK(voxels != NULL);
    double upwards = 0.0; // d of the muscle above the arm, by sums
    for (uint32_t v = 0; v < count; ++v) {
        const json_t* list = json_array_get(bellies, v);
        CHECK_LE(json_array_size(list), TLW_BLOB_VOXEL_MUSCLES);
        for (size_t k = 0; k < json_array_size(list); ++k) {
            const json_t* belly = json_array_get(list, k);
            const json_t *d = json_array_get(belly, 1), *curve = json_array_get(belly, 4),
                         *linear = json_array_get(belly, 5);
            const uint32_t muscle = (uint32_t)integer(belly, 0);
            CHECK_LT(muscle, report->muscle_count);
            voxels[muscle] += 1;
            double sums[2] = {0.0, 0.0};
            for (size_t i = 0; i < json_array_size(curve); ++i) {
                sums[0] += real(curve, i);
                sums[1] += real(linear, i);
            }
            CHECK_EQ(json_array_size(curve), json_array_size(linear));
            CHECK_LE((size_t)integer(belly, 3) + json_array_size(linear),
                     report->muscles[muscle].vertices);
            CHECK_NEAR(sums[0], 1.0, 1e-8); // of nine digits each
            CHECK_NEAR(sums[1], 1.0, 1e-8);
            CHECK_LE(0.0, real(belly, 2));
            CHECK_LE(real(belly, 2), 1.0);
            upwards += muscle == 0 ? real(d, 1) : 0.0;
        }
    }
    CHECK_LT(0.0, upwards);
    for (uint32_t m = 0; m < report->muscle_count; ++m) {
        CHECK_EQ(voxels[m], report->muscles[m].voxels);
    }
    free(voxels);
    close_fixture(&b);
}
