// SPDX-License-Identifier: MIT
// Part of the stage bends (RULES 9.8): which bends a voxel has, and its shares of them. Reads
// cook->weights, cook->links and the skeleton.
#include "tools/cook/bends.h"

#include <math.h>

// pi of every voxel that has both joints of a bend, bend by bend.
typedef struct bend_products {
    uint64_t* begin; // joint_count + 1 offsets
    uint32_t* voxels;
    double* products;
} bend_products;

// The joint's bend in the voxel: its weight times that of the joint's parent, 0 without either.
static double product_of(const tlw_cook* cook, uint32_t voxel, uint32_t place) {
    const tlw_voxel_weights* weights = &cook->weights[voxel];
    const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[weights->joint[place]];
    if (!joint->is_kept || joint->parent == TLW_NO_JOINT) {
        return 0.0;
    }
    for (uint32_t k = 0; k < TLW_VOXEL_JOINTS; ++k) {
        if (weights->joint[k] == joint->parent && weights->weight[k] > 0.0) {
            return weights->weight[place] * weights->weight[k];
        }
    }
    return 0.0;
}

// Counts the voxels of each bend first, then fills them in.
static tlw_result list_products(tlw_cook* cook, bend_products* list) {
    const uint32_t joints = cook->skeleton.joint_count;
    list->begin = tlw_cook_allocate(cook, (uint64_t)joints + 2, sizeof *list->begin);
    for (int pass = 0; pass < 2 && cook->error.result == TLW_OK; ++pass) {
        for (uint32_t v = 0; v < cook->voxels.count; ++v) {
            for (uint32_t k = 0; k < TLW_VOXEL_JOINTS; ++k) {
                const uint32_t joint = cook->weights[v].joint[k];
                const double product = product_of(cook, v, k);
                if (product > 0.0 && pass == 0) {
                    list->begin[joint + 2] += 1;
                } else if (product > 0.0) {
                    const uint64_t place = list->begin[joint + 1]++;
                    list->voxels[place] = v;
                    list->products[place] = product;
                }
            }
        }
        for (uint32_t j = 0; j < joints && pass == 0; ++j) {
            list->begin[j + 2] += list->begin[j + 1];
        }
        if (pass == 0) {
            const uint64_t count = list->begin[joints + 1];
            list->voxels = tlw_cook_allocate(cook, count, sizeof *list->voxels);
            list->products = tlw_cook_allocate(cook, count, sizeof *list->products);
        }
    }
    return cook->error.result;
}

// One bend at a time: its pi is 0 but for a few voxels, and two passes reach two faces further. So
// the passes only look at voxels of a list, which grows by their neighbours in each pass.
typedef struct sparse_field {
    double *values, *next; // per voxel; 0 outside the list
    bool* is_listed;
    uint32_t* list;
    uint32_t count;
} sparse_field;

static void list_voxel(sparse_field* field, uint32_t voxel) {
    if (!field->is_listed[voxel]) {
        field->is_listed[voxel] = true;
        field->list[field->count++] = voxel;
    }
}

static void smooth(const tlw_cook* cook, sparse_field* field) {
    uint32_t faces[6];
    for (uint32_t i = 0, end = field->count; i < end; ++i) {
        const uint32_t count = tlw_cook_linked_faces(cook, field->list[i], faces);
        for (uint32_t k = 0; k < count; ++k) {
            list_voxel(field, faces[k]);
        }
    }
    for (uint32_t i = 0; i < field->count; ++i) {
        const uint32_t v = field->list[i], count = tlw_cook_linked_faces(cook, v, faces);
        double sum = field->values[v];
        for (uint32_t k = 0; k < count; ++k) {
            sum += field->values[faces[k]];
        }
        field->next[v] = sum / (double)(count + 1);
    }
    double* swapped = field->values;
    field->values = field->next;
    field->next = swapped;
}

// Empties the list and takes its voxels back to 0.
static void clear(sparse_field* field) {
    for (uint32_t i = 0; i < field->count; ++i) {
        const uint32_t v = field->list[i];
        field->values[v] = field->next[v] = 0.0;
        field->is_listed[v] = false;
    }
    field->count = 0;
}

// The two largest pi of a voxel so far.
typedef struct largest_products {
    uint32_t joint[TLW_BLOB_BENDS_PER_VOXEL];
    double product[TLW_BLOB_BENDS_PER_VOXEL]; // 0: none
} largest_products;

// What products are compared by (RULES 5.5), so that the last bits of sums do not decide.
static double steps_of(double product) {
    return floor(1e8 * product + 0.5);
}

// Joints come in ascending order, so a tie leaves the lower joint where it is.
static void offer(largest_products* largest, uint32_t joint, double product) {
    const double steps = steps_of(product);
    if (steps > steps_of(largest->product[0])) {
        largest->joint[1] = largest->joint[0];
        largest->product[1] = largest->product[0];
        largest->joint[0] = joint;
        largest->product[0] = product;
    } else if (steps > steps_of(largest->product[1])) {
        largest->joint[1] = joint;
        largest->product[1] = product;
    }
}

// The first share is rounded, and the second is what is left of 1.
static tlw_voxel_bends shares_of(const largest_products* largest) {
    const double sum = largest->product[0] + largest->product[1];
    const double first =
        sum > 0.0 ? floor(largest->product[0] / sum / (double)TLW_BLOB_BEND_UNIT + 0.5) : 0.0;
    const float shares[TLW_BLOB_BENDS_PER_VOXEL] = {
        (float)first * TLW_BLOB_BEND_UNIT,
        sum > 0.0 ? 1.0f - (float)first * TLW_BLOB_BEND_UNIT : 0.0f};
    tlw_voxel_bends bends;
    for (uint32_t i = 0; i < TLW_BLOB_BENDS_PER_VOXEL; ++i) {
        bends.joint[i] = shares[i] > 0.0f ? largest->joint[i] : TLW_NO_JOINT;
        bends.share[i] = shares[i];
    }
    return bends;
}

// All bends one after another, by ascending joint.
static void find_largest(const tlw_cook* cook, const bend_products* list, sparse_field* field,
                         largest_products* largest, double* pi_sum) {
    for (uint32_t j = 0; j < cook->skeleton.joint_count; ++j) {
        for (uint64_t i = list->begin[j]; i < list->begin[j + 1]; ++i) {
            list_voxel(field, list->voxels[i]);
            field->values[list->voxels[i]] = list->products[i];
            pi_sum[list->voxels[i]] += list->products[i];
        }
        smooth(cook, field);
        smooth(cook, field);
        for (uint32_t i = 0; i < field->count; ++i) {
            offer(&largest[field->list[i]], j, field->values[field->list[i]]);
        }
        clear(field);
    }
}

tlw_result tlw_cook_share_bends(tlw_cook* cook, tlw_voxel_bends* of_voxel, double* pi_sum) {
    const uint32_t count = cook->voxels.count;
    bend_products list = {0};
    sparse_field field = {0};
    largest_products* largest = NULL;
    if (list_products(cook, &list) == TLW_OK) {
        field.values = tlw_cook_allocate(cook, count, sizeof *field.values);
        field.next = tlw_cook_allocate(cook, count, sizeof *field.next);
        field.is_listed = tlw_cook_allocate(cook, count, sizeof *field.is_listed);
        field.list = tlw_cook_allocate(cook, count, sizeof *field.list);
        largest = tlw_cook_allocate(cook, count, sizeof *largest);
    }
    if (cook->error.result == TLW_OK) {
        find_largest(cook, &list, &field, largest, pi_sum);
        for (uint32_t v = 0; v < count; ++v) {
            of_voxel[v] = shares_of(&largest[v]);
        }
    }
    void* const scratch[] = {list.begin, list.voxels,     list.products, field.values,
                             field.next, field.is_listed, field.list,    largest};
    for (size_t i = 0; i < TLW_COUNT_OF(scratch); ++i) {
        tlw_cook_free(cook, scratch[i]);
    }
    return cook->error.result;
}
