// SPDX-License-Identifier: MIT
// Paint for the cook input (RULES 8.7): one component of a vertex attribute as a float from 0 to 1.
// Reads tlw_asset_primitive.attributes. What is not finite is refused, what is outside is clamped.
#include "tools/asset/paint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool refuse(tlw_paint_report* report, tlw_asset_code code, const char* format, ...)
    TLW_PRINTF(3, 4);
static bool refuse(tlw_paint_report* report, tlw_asset_code code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report->code = code;
    vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
    return false;
}

// The length of the attribute's name in `source`, and the component behind it.
static size_t split_source(const char* source, uint32_t* component) {
    static const char letters[] = "rgbaxyzw";
    const size_t length = strlen(source);
    const char* letter =
        length > 2 && source[length - 2] == '.' ? strchr(letters, source[length - 1]) : NULL;
    *component = letter ? (uint32_t)(letter - letters) % 4 : 0;
    return letter ? length - 2 : length;
}

static const tlw_asset_attribute* find_attribute(const tlw_asset_primitive* p, const char* name,
                                                 size_t length) {
    for (uint32_t i = 0; i < p->attribute_count; ++i) {
        const char* own = p->attributes[i].name;
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            return &p->attributes[i];
        }
    }
    return NULL;
}

bool tlw_paint_read(const tlw_asset_primitive* p, const char* source, float* out,
                    tlw_paint_report* report) {
    uint32_t component;
    const size_t length = split_source(source, &component);
    const tlw_asset_attribute* from = find_attribute(p, source, length);
    *report = (tlw_paint_report){.code = TLW_ASSET_OK, .is_found = from != NULL};
    if (!from) {
        return true;
    }
    if (component >= from->component_count) {
        return refuse(report, TLW_ASSET_BAD_OPTION, "'%.80s': the attribute has %u component%s",
                      source, from->component_count, from->component_count > 1 ? "s" : "");
    }
    if (from->is_plain_integer) {
        return refuse(report, TLW_ASSET_BAD,
                      "'%.80s': paint is 0 to 1, and these are integers that are not normalised",
                      source);
    }
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        const float value = from->values[(size_t)v * from->component_count + component];
        if (!isfinite(value)) {
            return refuse(report, TLW_ASSET_BAD, "'%.80s': the value of vertex %u is %s", source, v,
                          isnan(value) ? "NaN"
                          : value > 0  ? "infinite"
                                       : "-infinite");
        }
        out[v] = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
        report->clamped_count += out[v] != value;
    }
    return true;
}

void tlw_paint_list(const tlw_asset* asset, char* text, size_t bytes) {
    size_t used = 0;
    snprintf(text, bytes, "none");
    for (uint32_t m = 0; m < asset->mesh_count; ++m) {
        for (uint32_t i = 0; i < asset->meshes[m].primitive_count; ++i) {
            const tlw_asset_primitive* p = &asset->meshes[m].primitives[i];
            for (uint32_t k = 0; k < p->attribute_count; ++k) {
                const char* name = p->attributes[k].name;
                const size_t length = strlen(name);
                // Names that contain one another may be left out; the list is a hint.
                if (used + length + 8 < bytes && (used == 0 || !strstr(text, name))) {
                    used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                                             used > 0 ? ", " : "", name);
                }
            }
        }
    }
}
