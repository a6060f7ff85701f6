// SPDX-License-Identifier: MIT
// Stage bellies (RULES 9.14): how each muscle moves the soft voxels around its line, after Aubel
// and Thalmann 2000 (MODEL 3.19). Reads the lines of cook->muscles, the skeleton, links, anatomy
// and order; writes the reach of muscles, the voxels that they move and the lists of windows, and
// frees the lines.
#include "tools/cook/limbs.h"
#include "tools/cook/muscles.h"
#include "tools/cook/vectors.h"

#include <string.h>

#define RADIUS_LEAST   0.0625 // voxels: keeps |d| within 16
#define PATH_OVER_LINE 2.0
#define PATH_SPARE     3.0
#define SHARE_LEAST    0.1
#define SMOOTHINGS     2
#define RANK_ONE       1048576.0 // 2^20: |d| is compared in these units

// d along the axes of the grid, then a.
enum { SHAPE_A = 3, SHAPE_NUMBERS };
typedef double belly_shape[SHAPE_NUMBERS];

// A muscle of a voxel, as it will be stored.
typedef struct voxel_muscle {
    uint32_t rank; // 0: none
    uint16_t muscle;
    float d[3]; // lattice axes
    float a;
} voxel_muscle;
typedef voxel_muscle voxel_muscles[TLW_BLOB_VOXEL_MUSCLES]; // largest rank first

typedef struct belly_stage {
    tlw_double3 places[TLW_BLOB_LINE_VERTICES]; // of the line under way, voxels
    uint32_t* path;                             // lengths to the line
    uint32_t* sources;                          // voxels that the line touches
    uint32_t source_count;
    bool* is_source;
    belly_shape *shapes, *smoothed;
    voxel_muscles* of_voxel;
} belly_stage;

// The point of a line that is nearest to a voxel.
typedef struct line_point {
    uint32_t segment;
    double f;
    double distance;
    tlw_double3 place;
} line_point;

static bool is_soft(const tlw_cook* cook, uint32_t voxel) {
    return cook->anatomy.layer[voxel] > 0;
}

static line_point nearest_on_line(const tlw_double3* places, uint32_t vertex_count, tlw_double3 x) {
    line_point best = {.distance = INFINITY};
    for (uint32_t s = 0; s + 1 < vertex_count; ++s) {
        const tlw_axis_point found = tlw_nearest_on_axis(&places[s], x);
        if (found.distance * found.distance < best.distance * best.distance - TLW_SLACK) {
            best.segment = s;
            best.f = found.parameter;
            best.distance = found.distance;
        }
    }
    const tlw_double3 a = places[best.segment];
    best.place = tlw_add3(a, best.f, tlw_minus3(places[best.segment + 1], a));
    return best;
}

static void place_line(const tlw_cook* cook, const tlw_muscle_line* line, tlw_double3* places) {
    for (uint32_t i = 0; i < line->vertex_count; ++i) {
        places[i] = tlw_cook_in_voxels(&cook->grid, line->vertices[i].place);
    }
}

static double radius_at(const tlw_muscle_line* line, const line_point* at) {
    const double a = line->vertices[at->segment].radius, b = line->vertices[at->segment + 1].radius;
    return sqrt((1.0 - at->f) * (a * a) + at->f * (b * b));
}

// Whether a voxel lies beyond an end of the line, by more than the radius there.
static bool is_beyond(const tlw_muscle_line* line, const line_point* at, double along, double r) {
    const bool is_end = (at->segment == 0 && at->f <= 0.0) ||
                        (at->segment + 2 == line->vertex_count && at->f >= 1.0);
    return is_end && fabs(along) > r + TLW_SLACK;
}

// d and a of a voxel, before they are smoothed; 0 where it has nothing of the muscle.
static void shape_voxel(const tlw_cook* cook, const belly_stage* stage, const tlw_muscle_line* line,
                        double largest, uint32_t voxel, belly_shape to) {
    const tlw_double3 x = tlw_centre_in_voxels(cook, voxel);
    const line_point at = nearest_on_line(stage->places, line->vertex_count, x);
    const double r = radius_at(line, &at);
    const double reach = PATH_OVER_LINE * at.distance + PATH_SPARE;
    tlw_double3 t = tlw_minus3(stage->places[at.segment + 1], stage->places[at.segment]), n;
    tlw_normalise3(&t, 0.0);
    const tlw_double3 away = tlw_minus3(x, at.place);
    memset(to, 0, sizeof(belly_shape));
    if (r < RADIUS_LEAST - TLW_SLACK || stage->path[voxel] == TLW_UNREACHED ||
        (double)stage->path[voxel] > reach + TLW_SLACK ||
        is_beyond(line, &at, tlw_dot3(away, t), r) || !tlw_find_outward(cook, at.place, t, &n)) {
        return;
    }
    const tlw_double3 o = tlw_across3(tlw_add3(away, r, n), t);
    const double outwards = tlw_dot3(o, n);
    if (!(outwards > 0.0)) {
        return;
    }
    const double root = 2.0 * r * outwards / tlw_dot3(o, o);
    const double k = root < 1.0 ? root * root : 1.0;
    const double share = k > SHARE_LEAST ? (k - SHARE_LEAST) / (1.0 - SHARE_LEAST) : 0.0;
    const double factor = share / (2.0 * (r * r));
    to[0] = factor * o.x;
    to[1] = factor * o.y;
    to[2] = factor * o.z;
    to[SHAPE_A] = share * r / largest;
}

typedef struct line_touch {
    const tlw_cook* cook;
    belly_stage* stage;
} line_touch;

static void touch_by_line(tlw_int3 cell, void* user) {
    const line_touch* touch = user;
    const uint32_t voxel = tlw_cook_voxel_at(touch->cook, cell);
    if (voxel != TLW_NO_VOXEL && !touch->stage->is_source[voxel]) {
        touch->stage->is_source[voxel] = true;
        touch->stage->sources[touch->stage->source_count++] = voxel;
    }
}

// Path lengths from the voxels that the line touches.
static tlw_result measure_paths(tlw_cook* cook, belly_stage* stage, const tlw_muscle_line* line) {
    line_touch touch = {cook, stage};
    for (uint32_t i = 0; i < stage->source_count; ++i) {
        stage->is_source[stage->sources[i]] = false;
    }
    stage->source_count = 0;
    for (uint32_t s = 0; s + 1 < line->vertex_count; ++s) {
        const tlw_int3 start = tlw_cook_snap(&cook->grid, line->vertices[s].place);
        const tlw_int3 end = tlw_cook_snap(&cook->grid, line->vertices[s + 1].place);
        const tlw_int3 corners[3] = {start, end, end}; // a segment is a triangle without area
        tlw_for_touched_voxels(&cook->grid, corners, touch_by_line, &touch);
    }
    return tlw_cook_path_lengths(cook, cook->links.masks, stage->sources, stage->source_count,
                                 stage->path);
}

static void smooth(const tlw_cook* cook, const belly_shape* from, belly_shape* to) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        uint32_t faces[6], soft = 0;
        const uint32_t count = is_soft(cook, v) ? tlw_cook_linked_faces(cook, v, faces) : 0;
        belly_shape sum = {0.0};
        for (uint32_t k = 0; k < count; ++k) {
            for (int i = 0; is_soft(cook, faces[k]) && i < SHAPE_NUMBERS; ++i) {
                sum[i] += from[faces[k]][i];
            }
            soft += is_soft(cook, faces[k]);
        }
        for (int i = 0; i < SHAPE_NUMBERS; ++i) {
            to[v][i] = soft > 0 ? 0.5 * from[v][i] + 0.5 * (sum[i] / (double)soft) : from[v][i];
        }
    }
}

// Puts a muscle among the four of a voxel. Muscles come in ascending order, so ties stay lower.
static void keep(voxel_muscle* list, const voxel_muscle* muscle) {
    uint32_t at = TLW_BLOB_VOXEL_MUSCLES;
    while (at > 0 && list[at - 1].rank < muscle->rank) {
        at -= 1;
        if (at + 1 < TLW_BLOB_VOXEL_MUSCLES) {
            list[at + 1] = list[at];
        }
    }
    if (at < TLW_BLOB_VOXEL_MUSCLES) {
        list[at] = *muscle;
    }
}

static void keep_shapes(const tlw_cook* cook, belly_stage* stage, uint32_t muscle) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const double* shape = stage->shapes[v];
        const tlw_double3 d = {shape[0], shape[1], shape[2]};
        voxel_muscle found = {.rank = (uint32_t)floor(RANK_ONE * tlw_length3(d) + 0.5),
                              .muscle = (uint16_t)muscle,
                              .a = (float)shape[SHAPE_A]};
        for (uint32_t a = 0; a < 3; ++a) {
            found.d[a] = (float)shape[(cook->order.lane_axis + a) % 3];
        }
        if (found.rank > 0) {
            keep(stage->of_voxel[v], &found);
        }
    }
}

static tlw_result shape_muscle(tlw_cook* cook, belly_stage* stage, uint32_t muscle) {
    const tlw_muscle_line* line = &cook->muscles.lines[muscle];
    double largest = 0.0;
    for (uint32_t i = 0; i < line->vertex_count; ++i) {
        largest = line->vertices[i].radius > largest ? line->vertices[i].radius : largest;
    }
    place_line(cook, line, stage->places);
    if (measure_paths(cook, stage, line) != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        if (is_soft(cook, v)) {
            shape_voxel(cook, stage, line, largest, v, stage->shapes[v]);
        }
    }
    for (int pass = 0; pass < SMOOTHINGS; ++pass) {
        belly_shape* from = stage->shapes;
        smooth(cook, from, stage->smoothed);
        stage->shapes = stage->smoothed;
        stage->smoothed = from;
    }
    keep_shapes(cook, stage, muscle);
    return TLW_OK;
}

// ---- Lists of windows

// What of a muscle the voxels of a window have.
typedef struct window_muscle {
    uint32_t muscle;
    uint32_t first, last; // vertices
} window_muscle;
#define WINDOW_MUSCLES_MAX (TLW_BLOB_LANES * TLW_BLOB_VOXEL_MUSCLES)

static line_point station_of(const tlw_cook* cook, uint32_t muscle, uint32_t voxel) {
    const tlw_muscle_line* line = &cook->muscles.lines[muscle];
    tlw_double3 places[TLW_BLOB_LINE_VERTICES];
    place_line(cook, line, places);
    return nearest_on_line(places, line->vertex_count, tlw_centre_in_voxels(cook, voxel));
}

// Adds a voxel's muscle to the ascending list of its window.
static uint32_t add_to_window(const tlw_cook* cook, window_muscle* list, uint32_t count,
                              uint32_t muscle, uint32_t voxel) {
    const uint32_t segment = station_of(cook, muscle, voxel).segment;
    const uint32_t end = cook->muscles.lines[muscle].vertex_count - 1;
    const uint32_t first = segment > 0 ? segment - 1 : 0;
    const uint32_t last = segment + 2 < end ? segment + 2 : end;
    uint32_t at = 0;
    while (at < count && list[at].muscle < muscle) {
        at += 1;
    }
    if (at == count || list[at].muscle != muscle) {
        memmove(&list[at + 1], &list[at], (count - at) * sizeof *list);
        list[at] = (window_muscle){muscle, first, last};
        return count + 1;
    }
    list[at].first = first < list[at].first ? first : list[at].first;
    list[at].last = last > list[at].last ? last : list[at].last;
    return count;
}

static uint32_t list_window(const tlw_cook* cook, const belly_stage* stage, uint32_t window,
                            window_muscle* list) {
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
        for (uint32_t i = 0; voxel != TLW_NO_VOXEL && i < TLW_BLOB_VOXEL_MUSCLES; ++i) {
            const voxel_muscle* has = &stage->of_voxel[voxel][i];
            if (has->rank > 0) {
                count = add_to_window(cook, list, count, has->muscle, voxel);
            }
        }
    }
    return count;
}

// Weights of vertices, in units of TLW_BLOB_STATION_UNIT, which sum to 1; what rounding leaves over
// goes to the largest.
static void round_weights(const double* weight, uint32_t count, int32_t* to) {
    int32_t left = TLW_BLOB_STATION_ONE;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = (int32_t)floor((double)TLW_BLOB_STATION_ONE * weight[i] + 0.5);
        left -= to[i];
        largest = weight[i] > weight[largest] + TLW_SLACK ? i : largest;
    }
    to[largest] += left;
}

// The two weights of every vertex at a station. `count` vertices from `first` are written.
static void weigh_station(const tlw_cook* cook, uint32_t muscle, uint32_t voxel, uint32_t first,
                          uint32_t lane, tlw_blob_belly_weight* to) {
    const line_point at = station_of(cook, muscle, voxel);
    const uint32_t end = cook->muscles.lines[muscle].vertex_count - 1;
    const uint32_t lowest = at.segment > 0 ? at.segment - 1 : 0;
    const double f = at.f, f2 = f * f, f3 = f2 * f;
    const double curve[4] = {(-f + 2.0 * f2 - f3) / 2.0, (2.0 - 5.0 * f2 + 3.0 * f3) / 2.0,
                             (f + 4.0 * f2 - 3.0 * f3) / 2.0, (-f2 + f3) / 2.0};
    const double linear[4] = {0.0, 1.0 - f, f, 0.0};
    double sums[2][4] = {{0.0}};
    uint32_t count = 0;
    for (uint32_t k = 0; k < 4; ++k) { // vertices segment - 1 to segment + 2
        const uint32_t above = at.segment + k > 0 ? at.segment + k - 1 : 0;
        const uint32_t vertex = above < end ? above : end;
        sums[0][vertex - lowest] += curve[k];
        sums[1][vertex - lowest] += linear[k];
        count = vertex - lowest + 1;
    }
    int32_t rounded[2][4];
    round_weights(sums[0], count, rounded[0]);
    round_weights(sums[1], count, rounded[1]);
    for (uint32_t i = 0; i < count; ++i) {
        to[lowest + i - first].curve[lane] = (int16_t)rounded[0][i];
        to[lowest + i - first].linear[lane] = (int16_t)rounded[1][i];
    }
}

static void raise_reach(tlw_blob_muscle* muscle, const float d[3]) {
    double squared = 0.0;
    for (int a = 0; a < 3; ++a) {
        squared += (double)d[a] * (double)d[a];
    }
    const float length = (float)sqrt(squared);
    muscle->reach = length > muscle->reach ? length : muscle->reach;
}

static void fill_window(tlw_cook* cook, const belly_stage* stage, uint32_t window) {
    tlw_cook_muscles* muscles = &cook->muscles;
    for (uint32_t e = muscles->windows[window]; e < muscles->windows[window + 1]; ++e) {
        const tlw_blob_belly_entry* entry = &muscles->entries[e];
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const uint32_t voxel = cook->order.voxel_of_slot[window * TLW_BLOB_LANES + lane];
            for (uint32_t i = 0; voxel != TLW_NO_VOXEL && i < TLW_BLOB_VOXEL_MUSCLES; ++i) {
                const voxel_muscle* has = &stage->of_voxel[voxel][i];
                if (has->rank == 0 || has->muscle != entry->muscle) {
                    continue;
                }
                for (int a = 0; a < 3; ++a) {
                    muscles->shapes[e].d[a][lane] = has->d[a];
                }
                muscles->shapes[e].a[lane] = has->a;
                muscles->voxels[has->muscle] += 1;
                raise_reach(&muscles->list[has->muscle], has->d);
                weigh_station(cook, has->muscle, voxel, entry->first_vertex, lane,
                              muscles->weights + entry->first_weight);
            }
        }
    }
}

static tlw_result list_windows(tlw_cook* cook, const belly_stage* stage) {
    tlw_cook_muscles* muscles = &cook->muscles;
    const uint32_t windows = cook->order.window_count;
    window_muscle list[WINDOW_MUSCLES_MAX];
    muscles->windows = tlw_cook_allocate(cook, (uint64_t)windows + 1, sizeof *muscles->windows);
    for (uint32_t w = 0; muscles->windows != NULL && w < windows; ++w) {
        muscles->windows[w] = muscles->entry_count;
        muscles->entry_count += list_window(cook, stage, w, list);
    }
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    muscles->windows[windows] = muscles->entry_count;
    muscles->entries = tlw_cook_allocate(cook, muscles->entry_count, sizeof *muscles->entries);
    muscles->shapes = tlw_cook_allocate(cook, muscles->entry_count, sizeof *muscles->shapes);
    for (uint32_t w = 0; w < windows && cook->error.result == TLW_OK; ++w) {
        const uint32_t count = list_window(cook, stage, w, list);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t vertices = list[i].last - list[i].first + 1;
            muscles->entries[muscles->windows[w] + i] =
                (tlw_blob_belly_entry){.first_weight = muscles->weight_count,
                                       .muscle = (uint16_t)list[i].muscle,
                                       .first_vertex = (uint8_t)list[i].first,
                                       .vertex_count = (uint8_t)vertices};
            muscles->weight_count += vertices;
        }
    }
    muscles->weights = tlw_cook_allocate(cook, muscles->weight_count, sizeof *muscles->weights);
    for (uint32_t w = 0; w < windows && cook->error.result == TLW_OK; ++w) {
        fill_window(cook, stage, w);
    }
    return cook->error.result;
}

static tlw_result allocate_stage(tlw_cook* cook, belly_stage* stage) {
    const uint32_t voxels = cook->voxels.count;
    stage->path = tlw_cook_allocate(cook, voxels, sizeof *stage->path);
    stage->sources = tlw_cook_allocate(cook, voxels, sizeof *stage->sources);
    stage->is_source = tlw_cook_allocate(cook, voxels, sizeof *stage->is_source);
    stage->shapes = tlw_cook_allocate(cook, voxels, sizeof *stage->shapes);
    stage->smoothed = tlw_cook_allocate(cook, voxels, sizeof *stage->smoothed);
    stage->of_voxel = tlw_cook_allocate(cook, voxels, sizeof *stage->of_voxel);
    return cook->error.result;
}

tlw_result tlw_cook_make_bellies(tlw_cook* cook) {
    tlw_cook_muscles* muscles = &cook->muscles;
    belly_stage stage = {.source_count = 0};
    if (muscles->count > 0 && allocate_stage(cook, &stage) == TLW_OK) {
        for (uint32_t m = 0; m < muscles->count && cook->error.result == TLW_OK; ++m) {
            shape_muscle(cook, &stage, m);
        }
        if (cook->error.result == TLW_OK) {
            list_windows(cook, &stage);
        }
    }
    void* const freed[] = {stage.path,     stage.sources,  stage.is_source, stage.shapes,
                           stage.smoothed, stage.of_voxel, muscles->lines};
    for (size_t i = 0; i < TLW_COUNT_OF(freed); ++i) {
        tlw_cook_free(cook, freed[i]);
    }
    muscles->lines = NULL;
    return cook->error.result;
}
