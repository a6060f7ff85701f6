// SPDX-License-Identifier: MIT
// What the table of sections in runtime/blob.h says about each section: name, element size, number
// of elements, place in a blob; and finding sections in a validated blob (MODEL 9.1). Freestanding.
#include "runtime/blob.h"

typedef enum count_rule {
#define COUNT_ENUM(name, elements) COUNT_##name,
    TLW_BLOB_COUNTS(COUNT_ENUM)
#undef COUNT_ENUM
} count_rule;

typedef struct section_rule {
    const char* name;
    uint32_t name_bytes; // constant: gcc would turn a loop that measures it into a call to strlen
    uint32_t element_bytes;
    count_rule count;
} section_rule;

static const section_rule section_rules[TLW_SECTION_COUNT] = {
#define SECTION_RULE(kind, field, type, count) \
    {#kind, sizeof #kind - 1, sizeof(type), COUNT_##count},
    TLW_BLOB_SECTIONS(SECTION_RULE)
#undef SECTION_RULE
};

const char* tlw_blob_section_name(uint32_t kind) {
    return kind < TLW_SECTION_COUNT    ? section_rules[kind].name
           : kind == TLW_SECTION_COUNT ? "header or table"
                                       : "unknown";
}

uint64_t tlw_blob_section_elements(tlw_blob_section_kind kind, const tlw_blob_lattice* lattice) {
    const tlw_blob_lattice* l = lattice; // as the rules call it
    switch (section_rules[kind].count) {
#define COUNT_CASE(name, elements) \
    case COUNT_##name:             \
        return elements;
        TLW_BLOB_COUNTS(COUNT_CASE)
#undef COUNT_CASE
    }
    return TLW_BLOB_ANY_COUNT;
}

uint32_t tlw_blob_element_bytes(tlw_blob_section_kind kind) {
    return section_rules[kind].element_bytes;
}

bool tlw_blob_is_optional(tlw_blob_section_kind kind) {
    const count_rule rule = section_rules[kind].count;
    switch (rule) {
    case COUNT_OPTIONAL:
    case COUNT_OPTIONAL_SLOTS:
    case COUNT_OPTIONAL_MATERIALS:
    case COUNT_OPTIONAL_WINDOWS:
    case COUNT_OPTIONAL_SLOTS_TIMES_3:
    case COUNT_OPTIONAL_GROUPS_TIMES_24:
    case COUNT_OPTIONAL_GROUPS_TIMES_32:
    case COUNT_OPTIONAL_GROUPS_TIMES_48:
    case COUNT_OPTIONAL_GROUPS_TIMES_96:
        return true;
    default:
        return false;
    }
}

uint64_t tlw_blob_lay_out(const uint64_t counts[TLW_SECTION_COUNT],
                          tlw_blob_section table[TLW_SECTION_COUNT], uint32_t* section_count) {
    uint32_t present = 0;
    for (uint32_t kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        present += counts[kind] != TLW_BLOB_ABSENT;
    }
    uint64_t end = sizeof(tlw_blob_header) + (uint64_t)present * sizeof(tlw_blob_section);
    tlw_blob_section* section = table;
    for (uint32_t kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        if (counts[kind] != TLW_BLOB_ABSENT) {
            *section = (tlw_blob_section){.kind = kind,
                                          .offset = tlw_blob_align(end),
                                          .count = counts[kind],
                                          .element_bytes = section_rules[kind].element_bytes};
            end = section->offset + section->count * section->element_bytes;
            section += 1;
        }
    }
    *section_count = present;
    return end;
}

uint64_t tlw_blob_layout_hash(void) {
    uint64_t hash = TLW_BLOB_FORMAT_VERSION;
    for (uint32_t i = 0; i < TLW_SECTION_COUNT; ++i) {
        const section_rule* rule = &section_rules[i];
        hash = tlw_xxh64(rule->name, rule->name_bytes, hash + rule->element_bytes);
    }
    return hash;
}

void tlw_blob_find_all(const void* bytes, tlw_blob_contents* out) {
    const tlw_blob_header* header = bytes;
    const tlw_blob_section* table = (const tlw_blob_section*)(header + 1);
    *out = (tlw_blob_contents){{NULL}, {0}};
    for (uint32_t i = 0; i < header->section_count; ++i) {
        out->first[table[i].kind] = (const uint8_t*)bytes + table[i].offset;
        out->count[table[i].kind] = table[i].count;
    }
}

const void* tlw_blob_find(const void* bytes, tlw_blob_section_kind kind, uint64_t* count) {
    const tlw_blob_header* header = bytes;
    const tlw_blob_section* table = (const tlw_blob_section*)(header + 1);
    for (uint32_t i = 0; i < header->section_count; ++i) {
        if (table[i].kind == (uint32_t)kind) {
            *count = table[i].count;
            return (const uint8_t*)bytes + table[i].offset;
        }
    }
    *count = 0;
    return NULL;
}

// A0/(sum m) = (sum m o o^T)/(sum m) - c0 c0^T, whose determinant is 1/27 of the cube of its trace
// for a full cube of voxels, and 0 for a plate. Moments are integers, so every product here but
// those of the last lines is exact.
void tlw_blob_rest_of(const int16_t moments[TLW_MOMENT_COUNT], float out[TLW_REST_COUNT]) {
    const double mass = moments[TLW_MOMENT_MASS] > 1 ? moments[TLW_MOMENT_MASS] : 1;
    const double x = moments[TLW_MOMENT_LANE], y = moments[TLW_MOMENT_ROW],
                 z = moments[TLW_MOMENT_PLANE];
    // (sum m)^2 times the matrix.
    const double xx = mass * moments[TLW_MOMENT_LANE_LANE] - x * x;
    const double yy = mass * moments[TLW_MOMENT_ROW_ROW] - y * y;
    const double zz = mass * moments[TLW_MOMENT_PLANE_PLANE] - z * z;
    const double xy = mass * moments[TLW_MOMENT_LANE_ROW] - x * y;
    const double xz = mass * moments[TLW_MOMENT_LANE_PLANE] - x * z;
    const double yz = mass * moments[TLW_MOMENT_ROW_PLANE] - y * z;
    const double c_xx = yy * zz - yz * yz, c_yy = xx * zz - xz * xz, c_zz = xx * yy - xy * xy;
    const double c_xy = xz * yz - xy * zz, c_xz = xy * yz - xz * yy, c_yz = xy * xz - xx * yz;
    const double determinant = xx * c_xx + xy * c_xy + xz * c_xz;
    const double third = (xx + yy + zz) / 3.0;
    const bool is_solid = determinant > 1e-3 * (third * third * third);
    const double by = is_solid ? mass * mass / determinant : 0.0;
    out[TLW_REST_LANE_LANE] = (float)(c_xx * by);
    out[TLW_REST_ROW_ROW] = (float)(c_yy * by);
    out[TLW_REST_PLANE_PLANE] = (float)(c_zz * by);
    out[TLW_REST_LANE_ROW] = (float)(c_xy * by);
    out[TLW_REST_LANE_PLANE] = (float)(c_xz * by);
    out[TLW_REST_ROW_PLANE] = (float)(c_yz * by);
}
