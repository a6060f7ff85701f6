// SPDX-License-Identifier: MIT
#include "tests/cook/support/random_muscles.h"

#include "tests/helpers.h"

#include <stdio.h>

float random_between(uint64_t* random, double low, double high) {
    return (float)(low + (high - low) * (double)(tlw_test_random(random) >> 11) * 0x1p-53);
}

static const char* random_joint(const tlw_cook_input* input, uint64_t* random) {
    return input->joints[tlw_test_random(random) % input->joint_count].name;
}

// On one joint, or near two of them. An offset of up to `size` metres.
static tlw_cook_place random_place(const tlw_cook_input* input, const char* joint, double along,
                                   double size, uint64_t* random) {
    tlw_cook_place place = {.joint = joint, .along = (float)along};
    const bool is_free = input->joint_count > 1 && tlw_test_random(random) % 6 == 0;
    for (int a = 0; a < 3; ++a) {
        place.offset[a] = random_between(random, -size, size);
        place.at[a] = (float)input->joints[0].bind[12 + a] + random_between(random, -size, size);
    }
    if (is_free) {
        place.joint = NULL;
        place.joints[0] = input->joints[1].name;
        place.joints[1] = input->joints[0].name;
        place.weights[0] = random_between(random, 0.1, 1);
        place.weights[1] = random_between(random, 0.1, 1);
    }
    return place;
}

void random_muscles_make(random_muscles* r, const tlw_cook_input* input, double size,
                         uint64_t* random) {
    for (uint32_t i = 0; i < RANDOM_MUSCLES; ++i) {
        tlw_cook_muscle* m = &r->list[i];
        snprintf(r->names[i], sizeof r->names[i], "muscle%u", i);
        *m = tlw_default_cook_muscle(r->names[i]);
        m->radius = random_between(random, 0.02 * size, 0.5 * size);
        m->bulge = random_between(random, 0, 10);
        m->line = r->lines[i];
        m->vertex_count = 4 + (uint32_t)(tlw_test_random(random) % (RANDOM_VERTICES - 3));
        const char* joint = random_joint(input, random);
        for (uint32_t v = 0; v < m->vertex_count; ++v) {
            r->lines[i][v] = (tlw_cook_line_vertex){
                .place = random_place(input, joint, (double)v / m->vertex_count, size, random),
                .radius =
                    tlw_test_random(random) % 2 ? TLW_COOK_KEEP : random_between(random, 0, 1),
                .is_dynamic = (int32_t)(tlw_test_random(random) % 3) - 1};
        }
        m->tendons = r->tendons[i];
        m->tendon_count = (uint32_t)(tlw_test_random(random) % 3);
        r->tendons[i][0] = 0;
        r->tendons[i][1] = m->vertex_count - 2;
        m->fields = r->fields[i];
        m->field_count = (uint32_t)(tlw_test_random(random) % (RANDOM_FIELDS + 1));
        for (uint32_t f = 0; f < m->field_count; ++f) {
            r->fields[i][f] = tlw_default_cook_muscle_field();
            r->fields[i][f].place = random_place(input, joint, 0.5, size, random);
            r->fields[i][f].place.joint = joint;
            r->fields[i][f].attracts = tlw_test_random(random) % 2;
            for (int a = 0; a < 3; ++a) {
                r->fields[i][f].radii[a] = random_between(random, 0.3 * size, size);
            }
        }
    }
}

double random_muscles_extent(const tlw_cook_input* input) {
    const tlw_cook_mesh* mesh = &input->meshes[0];
    float low = mesh->positions[0], high = low;
    for (uint32_t i = 0; i < mesh->vertex_count * 3; i += 3) {
        low = mesh->positions[i] < low ? mesh->positions[i] : low;
        high = mesh->positions[i] > high ? mesh->positions[i] : high;
    }
    return (double)(high - low);
}
