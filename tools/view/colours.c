// SPDX-License-Identifier: MIT
// A number for each vertex, and the colour of each number. Numbers of voxels reach a vertex by the
// weights with which it hangs on them.
#include "tools/view/colours.h"

#include "tools/view/values.h"
#include "tools/view/voxels.h"

#include <math.h>
#include <string.h>

#define RAMP           256
#define MOST_DIFFERENT 0.20f // a stretch or change of volume that has the darkest colour
#define FAIR_SHARE     0.2f  // of a vertex
#define TOUCH_REACH    3.0f  // voxels around a contact that are coloured

const tlw_rgb tlw_view_clay = {0.80f, 0.74f, 0.68f};

static const tlw_rgb kinds[] = {{0.337f, 0.706f, 0.914f}, {0.902f, 0.624f, 0.000f},
                                {0.000f, 0.620f, 0.451f}, {0.941f, 0.894f, 0.259f},
                                {0.800f, 0.475f, 0.655f}, {0.000f, 0.447f, 0.698f},
                                {0.835f, 0.369f, 0.000f}, {0.170f, 0.170f, 0.190f}};

tlw_rgb tlw_view_kind_colour(uint32_t kind) {
    return kinds[kind % TLW_COUNT_OF(kinds)];
}

static tlw_rgb mix(tlw_rgb a, tlw_rgb b, float share) {
    return (tlw_rgb){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                     a.b + share * (b.b - a.b)};
}

// 0 to 1: an amount.
static tlw_rgb amount_colour(float share) {
    return tlw_render_heat_colour(tlw_view_clay, share);
}

// 0 to 1, of which 1/2 is no difference.
static tlw_rgb difference_colour(float share) {
    static const tlw_rgb less = {0.02f, 0.30f, 0.62f}, none = {0.93f, 0.92f, 0.90f},
                         more = {0.80f, 0.33f, 0.00f};
    return share < 0.5f ? mix(less, none, 2.0f * share) : mix(none, more, 2.0f * share - 1.0f);
}

static bool is_difference(tlw_view_colour colour) {
    return colour == TLW_VIEW_COLOUR_STRETCH || colour == TLW_VIEW_COLOUR_VOLUME;
}

static void put(uint8_t* rgba, tlw_rgb colour) {
    const float channels[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; ++k) {
        rgba[k] = (uint8_t)(fminf(fmaxf(channels[k], 0.0f), 1.0f) * 255.0f + 0.5f);
    }
    rgba[3] = 255;
}

// ---- Amounts and differences

typedef struct ramp {
    uint8_t colours[RAMP][4];
} ramp;

static void make_ramp(tlw_view_colour colour, ramp* out) {
    for (int i = 0; i < RAMP; ++i) {
        const float share = (float)i / (RAMP - 1);
        put(out->colours[i],
            is_difference(colour) ? difference_colour(share) : amount_colour(share));
    }
}

static void put_share(const ramp* r, float share, uint8_t* rgba) {
    const float held = share > 0.0f ? fminf(share, 1.0f) : 0.0f; // 0 for a NaN, too
    memcpy(rgba, r->colours[(int)(held * (RAMP - 1) + 0.5f)], 4);
}

// Half for no change, 1 for one that has the darkest colour.
static float share_of_change(float change) {
    return 0.5f + 0.5f * change / MOST_DIFFERENT;
}

static void colour_deviation(const tlw_view_character* c, float hot, uint8_t* rgba) {
    ramp r;
    make_ramp(TLW_VIEW_COLOUR_DEVIATION, &r);
    for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
        put_share(&r, c->deviation[v] / hot, rgba + v * 4);
    }
}

// Takes the mean stretch of the edges that end at a vertex. The edge that changed most would show
// more, but its sign jumps from vertex to vertex where skin is pulled along one axis and pressed
// along the other. Until the end, the colours hold sums of lengths.
static void colour_stretch(const tlw_view_character* c, uint8_t* rgba) {
    const tlw_view_model* model = c->model;
    const uint32_t count = model->actor.info.vertex_count;
    ramp r;
    make_ramp(TLW_VIEW_COLOUR_STRETCH, &r);
    memset(rgba, 0, (size_t)count * 4);
    for (uint32_t e = 0; e < model->edge_count; ++e) {
        const uint32_t ends[2] = {model->edges[e].from, model->edges[e].to};
        const float *a = c->positions + (size_t)ends[0] * 3,
                    *b = c->positions + (size_t)ends[1] * 3;
        const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        const float metres = sqrtf(x * x + y * y + z * z);
        for (int i = 0; i < 2; ++i) {
            float sum;
            memcpy(&sum, rgba + (size_t)ends[i] * 4, sizeof sum);
            sum += metres;
            memcpy(rgba + (size_t)ends[i] * 4, &sum, sizeof sum);
        }
    }
    // Backwards, because welded vertices come first and are still needed.
    for (uint32_t v = count; v-- > 0;) {
        const uint32_t first = model->welded[v];
        float sum;
        memcpy(&sum, rgba + (size_t)first * 4, sizeof sum);
        const float rest = model->around[first];
        put_share(&r, share_of_change(rest > 0.0f ? sum / rest - 1.0f : 0.0f),
                  rgba + (size_t)v * 4);
    }
}

static void colour_volume(const tlw_view_character* c, uint8_t* rgba) {
    ramp r;
    make_ramp(TLW_VIEW_COLOUR_VOLUME, &r);
    for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
        const tlw_vertex_binding* binding = &c->model->bindings[v];
        float change = 0.0f;
        for (int k = 0; k < 8 && binding->weights[k] > 0.0f; ++k) {
            const double volume = tlw_motion_voxel_volume(c->motion, binding->voxels[k], false);
            change += binding->weights[k] * (float)(volume - 1.0);
        }
        put_share(&r, share_of_change(change), rgba + v * 4);
    }
}

static void colour_contact(const tlw_view_character* c, float hot, uint8_t* rgba) {
    const float reach = TOUCH_REACH * (float)c->motion->voxel_metres;
    ramp r;
    make_ramp(TLW_VIEW_COLOUR_CONTACT, &r);
    for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
        float share = 0.0f;
        for (uint32_t i = 0; i < c->contact_count; ++i) {
            const tlw_contact* contact = &c->contacts[i];
            float squared = 0.0f;
            for (size_t axis = 0; axis < 3; ++axis) {
                const float way = c->positions[v * 3 + axis] - (float)contact->position[axis];
                squared += way * way;
            }
            const float near = 1.0f - sqrtf(squared) / reach;
            share = fmaxf(share, near > 0.0f ? near * fmaxf(contact->depth / hot, 0.3f) : 0.0f);
        }
        put_share(&r, share, rgba + v * 4);
    }
}

// ---- Kinds

static tlw_rgb layer_colour(const tlw_view_model* model, uint32_t layer) {
    float rgb[3];
    tlw_view_voxels_colour(layer, model->actor.info.layer_count, rgb);
    return (tlw_rgb){rgb[0], rgb[1], rgb[2]};
}

static tlw_rgb voxel_kind(const tlw_view_character* c, tlw_view_colour colour, uint32_t voxel) {
    const tlw_motion* motion = c->motion;
    if (colour == TLW_VIEW_COLOUR_LAYER) {
        return layer_colour(c->model, motion->layers[voxel]);
    }
    tlw_joint_info joint;
    return tlw_blob_get_joint(&c->model->actor.blob, motion->joints[voxel], &joint) == TLW_OK &&
                   joint.part > 0
               ? tlw_view_kind_colour(joint.part - 1)
               : tlw_view_clay;
}

// Layers and parts keep their own colours: a mixture would have the colour of a third one. Where
// several share a vertex, the part is that of the largest share; the layer is the outermost that
// has a fair share, because most of the surface hangs between skin and fat.
static tlw_rgb main_kind(const tlw_view_character* c, tlw_view_colour colour,
                         const tlw_vertex_binding* binding) {
    uint32_t main = binding->voxels[0];
    float shares[TLW_BLOB_LAYERS_MAX] = {0.0f}, most = binding->weights[0];
    for (int k = 0; k < 8 && binding->weights[k] > 0.0f; ++k) {
        shares[c->motion->layers[binding->voxels[k]]] += binding->weights[k];
        if (binding->weights[k] > most) {
            most = binding->weights[k];
            main = binding->voxels[k];
        }
    }
    if (colour != TLW_VIEW_COLOUR_LAYER) {
        return voxel_kind(c, colour, main);
    }
    uint32_t layer = c->model->actor.info.layer_count - 1;
    while (layer > 0 && shares[layer] < FAIR_SHARE) {
        --layer;
    }
    return layer_colour(c->model, layer);
}

// Muscles fade in with their tension, from a little more than half of their colour.
static tlw_rgb voxel_muscle(const tlw_view_character* c, const float* strengths, uint32_t voxel) {
    const uint64_t muscles = c->model->muscles_of ? c->model->muscles_of[voxel] : 0;
    tlw_rgb colour = tlw_view_clay;
    for (uint32_t m = 0; m < 64 && muscles >> m != 0; ++m) {
        if (muscles >> m & 1) {
            colour = mix(colour, tlw_view_kind_colour(m), strengths[m]);
        }
    }
    return colour;
}

static void colour_kinds(const tlw_view_character* c, tlw_view_colour colour, uint8_t* rgba) {
    float strengths[64] = {0.0f};
    for (uint32_t m = 0; m < c->model->actor.info.muscle_count && m < 64; ++m) {
        tlw_muscle muscle;
        if (tlw_character_get_muscle(c->motion->world, c->motion->id, m, &muscle) == TLW_OK) {
            strengths[m] = 0.55f + 0.45f * muscle.tension;
        }
    }
    for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
        const tlw_vertex_binding* binding = &c->model->bindings[v];
        tlw_rgb sum = {0.0f, 0.0f, 0.0f};
        if (colour != TLW_VIEW_COLOUR_MUSCLE) {
            sum = main_kind(c, colour, binding);
        }
        for (int k = 0; k < 8 && binding->weights[k] > 0.0f && colour == TLW_VIEW_COLOUR_MUSCLE;
             ++k) {
            const tlw_rgb part = voxel_muscle(c, strengths, binding->voxels[k]);
            sum.r += binding->weights[k] * part.r;
            sum.g += binding->weights[k] * part.g;
            sum.b += binding->weights[k] * part.b;
        }
        put(rgba + v * 4, sum);
    }
}

void tlw_view_colour_surface(const tlw_view_character* c, tlw_view_colour colour, float hot,
                             uint8_t* rgba) {
    switch (colour) {
    case TLW_VIEW_COLOUR_DEVIATION:
        colour_deviation(c, hot, rgba);
        break;
    case TLW_VIEW_COLOUR_STRETCH:
        colour_stretch(c, rgba);
        break;
    case TLW_VIEW_COLOUR_VOLUME:
        colour_volume(c, rgba);
        break;
    case TLW_VIEW_COLOUR_CONTACT:
        colour_contact(c, hot, rgba);
        break;
    case TLW_VIEW_COLOUR_LAYER:
    case TLW_VIEW_COLOUR_PART:
    case TLW_VIEW_COLOUR_MUSCLE:
        colour_kinds(c, colour, rgba);
        break;
    default:
        for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
            put(rgba + v * 4, tlw_view_clay);
        }
        break;
    }
}

// ---- Legends

float tlw_view_round_up(float metres) {
    float step = 1e-3f;
    for (int i = 1; step < metres && i < 20; ++i) {
        step *= i % 3 == 2 ? 2.5f : 2.0f;
    }
    return step;
}

static void add_kind(tlw_view_legend* out, const char* name, tlw_rgb colour) {
    if (out->kind_count < TLW_VIEW_LEGEND_KINDS) {
        out->kinds[out->kind_count] = name;
        out->kind_colours[out->kind_count++] = colour;
    }
}

static void add_kinds(const tlw_view_model* model, tlw_view_colour colour, tlw_view_legend* out) {
    const tlw_blob_info* info = &model->actor.info;
    if (colour == TLW_VIEW_COLOUR_LAYER) {
        for (uint32_t l = 0; l < info->layer_count; ++l) {
            add_kind(out, tlw_blob_layer_name(&model->actor.blob, l), layer_colour(model, l));
        }
    } else if (colour == TLW_VIEW_COLOUR_PART) {
        for (uint32_t p = 0; p < info->part_count; ++p) {
            add_kind(out, tlw_view_part_name(model, p),
                     p > 0 ? tlw_view_kind_colour(p - 1) : tlw_view_clay);
        }
    } else {
        for (uint32_t m = 0; m < info->muscle_count; ++m) {
            tlw_muscle_info muscle;
            if (tlw_blob_get_muscle(&model->actor.blob, m, &muscle) == TLW_OK) {
                add_kind(out, muscle.name, tlw_view_kind_colour(m));
            }
        }
    }
}

void tlw_view_make_legend(const tlw_view_model* model, tlw_view_colour colour, float hot,
                          tlw_view_legend* out) {
    *out = (tlw_view_legend){.meaning = tlw_view_colour_meaning(colour)};
    if (colour == TLW_VIEW_COLOUR_PLAIN) {
        return;
    }
    if (colour == TLW_VIEW_COLOUR_LAYER || colour == TLW_VIEW_COLOUR_PART ||
        colour == TLW_VIEW_COLOUR_MUSCLE) {
        add_kinds(model, colour, out);
        return;
    }
    out->is_bar = true;
    if (is_difference(colour)) {
        snprintf(out->low, sizeof out->low, "-%.0f %%", (double)MOST_DIFFERENT * 100.0);
        snprintf(out->high, sizeof out->high, "+%.0f %%", (double)MOST_DIFFERENT * 100.0);
    } else if (hot < 1.0f) {
        snprintf(out->low, sizeof out->low, "0");
        snprintf(out->high, sizeof out->high, "%.0f mm", (double)hot * 1e3);
    } else {
        snprintf(out->low, sizeof out->low, "0");
        snprintf(out->high, sizeof out->high, "%.0f m", (double)hot);
    }
    for (size_t i = 0; i < TLW_COUNT_OF(out->bar); ++i) {
        const float share = ((float)i + 0.5f) / (float)TLW_COUNT_OF(out->bar);
        out->bar[i] = is_difference(colour) ? difference_colour(share) : amount_colour(share);
    }
}
