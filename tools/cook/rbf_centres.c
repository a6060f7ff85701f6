// SPDX-License-Identifier: MIT
// Centres of radial basis functions (RULES 10.10, points 2 to 4): candidates spread over the
// surface are visited in a mixed order, and each is accepted that has no centre of its own domain
// nearer than r. Domains do not see each other's centres: fingers that touch need their own.
// Reads cook->graph.
#include "tools/cook/rbf.h"

#include <math.h>
#include <string.h>

// The surface that candidates lie on: triangles whose corners are all skinned.
typedef struct surface {
    uint32_t* triangles;
    double* running; // area of the triangle and all before it
    uint32_t count;
    double area;
} surface;

// One sampling of the surface.
typedef struct sampling {
    const tlw_cook* cook;
    const tlw_rbf_domains* domains;
    const surface* from;
    double nearer_than; // squared distance of centres that are too near
    uint64_t candidates;
} sampling;

static double triangle_area(const tlw_cook_graph* graph, const uint32_t corners[3]) {
    const tlw_double3 a = graph->positions[corners[0]], b = graph->positions[corners[1]],
                      c = graph->positions[corners[2]];
    const tlw_double3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    const tlw_double3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    return 0.5 * sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
}

static surface open_surface(tlw_cook* cook, const tlw_rbf_domains* domains) {
    const tlw_cook_graph* graph = &cook->graph;
    surface out = {0};
    out.triangles = tlw_cook_allocate(cook, graph->triangle_count, sizeof *out.triangles);
    out.running = tlw_cook_allocate(cook, graph->triangle_count, sizeof *out.running);
    for (uint32_t t = 0; cook->error.result == TLW_OK && t < graph->triangle_count; ++t) {
        const uint32_t* corners = graph->triangles[t];
        if (domains->skinning[corners[0]].count > 0 && domains->skinning[corners[1]].count > 0 &&
            domains->skinning[corners[2]].count > 0) {
            out.area += triangle_area(graph, corners);
            out.triangles[out.count] = t;
            out.running[out.count++] = out.area;
        }
    }
    return out;
}

// Number `n` of the splitmix64 sequence from state 1, in [0, 1).
static double random_number(uint64_t n) {
    uint64_t z = 1 + (n + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

// The first triangle whose running area exceeds the target, or the last one.
static uint32_t find_triangle(const surface* from, double target) {
    uint32_t low = 0, high = from->count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (from->running[middle] > target) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return from->triangles[low];
}

// Candidate k and its domain. A candidate is computed when it is visited, so that memory does not
// grow with their number.
static uint32_t make_candidate(const sampling* s, uint64_t k, tlw_double3* at) {
    const tlw_cook_graph* graph = &s->cook->graph;
    const double u0 = random_number(3 * k), u1 = sqrt(random_number(3 * k + 1)),
                 u2 = random_number(3 * k + 2);
    const double target = ((double)k + u0) / (double)s->candidates * s->from->area;
    const uint32_t* corners = graph->triangles[find_triangle(s->from, target)];
    const double share[3] = {1.0 - u1, (1.0 - u2) * u1, u2 * u1};
    *at = (tlw_double3){0};
    for (int i = 0; i < 3; ++i) {
        const tlw_double3 corner = graph->positions[corners[i]];
        at->x += share[i] * corner.x;
        at->y += share[i] * corner.y;
        at->z += share[i] * corner.z;
    }
    return tlw_rbf_domain_at(s->domains, corners, share);
}

static sampling open_sampling(const tlw_cook* cook, const tlw_rbf_domains* domains,
                              const surface* from, double radius) {
    const double voxel = cook->grid.voxel;
    // The factor keeps the last bits of the area from deciding: boxes often come out as integers.
    const double wanted = ceil(10.0 * from->area / (radius * radius) * (1.0 - TLW_SLACK));
    return (sampling){.cook = cook,
                      .domains = domains,
                      .from = from,
                      .nearer_than = radius * radius - TLW_SLACK * (voxel * voxel),
                      .candidates = wanted < (double)TLW_RBF_CANDIDATES ? (uint64_t)wanted
                                                                        : TLW_RBF_CANDIDATES};
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The distance in the order of candidates from one that is visited to the next.
static uint64_t visiting_step(uint64_t candidates) {
    uint64_t step = (uint64_t)floor(0.6180339887498949 * (double)candidates) | 1;
    while (greatest_common_divisor(step, candidates) > 1) {
        step += 2;
    }
    return step;
}

// Samples with every joint a domain of its own, and counts each joint's centres. A count ends at
// TLW_RBF_MERGE_BELOW, because merging does not ask for more; that leaves little to compare with.
static void count_centres(const sampling* s, tlw_double3* centres, uint32_t* counts) {
    const uint64_t step = visiting_step(s->candidates);
    for (uint64_t i = 0; i < s->candidates; ++i) {
        tlw_double3 at;
        const uint32_t joint = make_candidate(s, i * step % s->candidates, &at);
        tlw_double3* own = centres + (size_t)joint * TLW_RBF_MERGE_BELOW;
        bool is_free = counts[joint] < TLW_RBF_MERGE_BELOW;
        for (uint32_t c = 0; is_free && c < counts[joint]; ++c) {
            is_free = !(tlw_rbf_squared(own[c], at) < s->nearer_than);
        }
        if (is_free) {
            own[counts[joint]++] = at;
        }
    }
}

static bool add_centre(tlw_rbf_centres* centres, tlw_double3 at, uint32_t domain) {
    if (centres->count == TLW_RBF_CENTRES_MAX) {
        return false;
    }
    centres->position[centres->count] = at;
    centres->domain[centres->count++] = domain;
    return true;
}

// False: there are more centres than the largest number.
static bool accept_centres(const sampling* s, tlw_rbf_centres* out) {
    const uint64_t step = visiting_step(s->candidates);
    for (uint64_t i = 0; i < s->candidates; ++i) {
        tlw_double3 at;
        const uint32_t domain = make_candidate(s, i * step % s->candidates, &at);
        bool is_free = true;
        for (uint32_t c = 0; is_free && c < out->count; ++c) {
            is_free = out->domain[c] != domain ||
                      !(tlw_rbf_squared(out->position[c], at) < s->nearer_than);
        }
        if (is_free && !add_centre(out, at, domain)) {
            return false;
        }
    }
    return true;
}

// What a domain without centres gets one from.
typedef struct lonely_domain {
    tlw_double3 mean; // of its vertices
    double nearest;   // squared distance of the vertex that is nearest to it
    uint32_t vertex_count;
    uint32_t vertex;
    bool has_centre;
} lonely_domain;

static void add_vertices(const tlw_cook* cook, const tlw_rbf_domains* domains,
                         lonely_domain* list) {
    const tlw_cook_graph* graph = &cook->graph;
    for (uint32_t v = 0; v < graph->count; ++v) {
        if (domains->of_vertex[v] != TLW_RBF_NO_DOMAIN) {
            lonely_domain* own = &list[domains->of_vertex[v]];
            own->mean.x += graph->positions[v].x;
            own->mean.y += graph->positions[v].y;
            own->mean.z += graph->positions[v].z;
            own->vertex_count += 1;
        }
    }
    for (uint32_t d = 0; d < domains->joint_count; ++d) {
        const double count = (double)list[d].vertex_count;
        if (list[d].vertex_count > 0) {
            list[d].mean = (tlw_double3){list[d].mean.x / count, list[d].mean.y / count,
                                         list[d].mean.z / count};
        }
        list[d].nearest = INFINITY;
        list[d].vertex = UINT32_MAX;
    }
}

// Gives a centre to every domain that has vertices but no centre: the vertex nearest to their mean,
// the lowest of several. False: there are too many centres.
static bool add_lonely_centres(const tlw_cook* cook, const tlw_rbf_domains* domains,
                               lonely_domain* list, tlw_rbf_centres* out) {
    const tlw_cook_graph* graph = &cook->graph;
    const double slack = TLW_SLACK * (cook->grid.voxel * cook->grid.voxel);
    memset(list, 0, domains->joint_count * sizeof *list);
    add_vertices(cook, domains, list);
    for (uint32_t c = 0; c < out->count; ++c) {
        list[out->domain[c]].has_centre = true;
    }
    for (uint32_t v = 0; v < graph->count; ++v) {
        if (domains->of_vertex[v] != TLW_RBF_NO_DOMAIN) {
            lonely_domain* own = &list[domains->of_vertex[v]];
            const double squared = tlw_rbf_squared(graph->positions[v], own->mean);
            own->nearest = squared < own->nearest ? squared : own->nearest;
        }
    }
    for (uint32_t v = graph->count; v-- > 0;) {
        if (domains->of_vertex[v] != TLW_RBF_NO_DOMAIN) {
            lonely_domain* own = &list[domains->of_vertex[v]];
            const double squared = tlw_rbf_squared(graph->positions[v], own->mean);
            own->vertex = squared <= own->nearest + slack ? v : own->vertex;
        }
    }
    for (uint32_t d = 0; d < domains->joint_count; ++d) {
        if (list[d].vertex_count > 0 && !list[d].has_centre &&
            !add_centre(out, graph->positions[list[d].vertex], d)) {
            return false;
        }
    }
    return true;
}

// By domain; centres of one domain stay in order. There are at most 512.
static void sort_centres(tlw_rbf_centres* centres) {
    for (uint32_t i = 1; i < centres->count; ++i) {
        const tlw_double3 position = centres->position[i];
        const uint32_t domain = centres->domain[i];
        uint32_t at = i;
        for (; at > 0 && centres->domain[at - 1] > domain; --at) {
            centres->position[at] = centres->position[at - 1];
            centres->domain[at] = centres->domain[at - 1];
        }
        centres->position[at] = position;
        centres->domain[at] = domain;
    }
}

// Memory that every radius uses anew, by joint.
typedef struct scratch {
    tlw_double3* centres; // TLW_RBF_MERGE_BELOW per joint
    uint32_t* counts;
    lonely_domain* lonely;
} scratch;

// Merges and samples for one radius. False: there are too many centres.
static bool sample(const tlw_cook* cook, tlw_rbf_domains* domains, const surface* from,
                   const scratch* work, double radius, tlw_rbf_centres* out) {
    const sampling s = open_sampling(cook, domains, from, radius);
    tlw_rbf_split_domains(domains);
    memset(work->counts, 0, domains->joint_count * sizeof *work->counts);
    count_centres(&s, work->centres, work->counts);
    tlw_rbf_merge_domains(cook, domains, work->counts);
    out->radius = radius;
    out->count = 0;
    if (!accept_centres(&s, out) || !add_lonely_centres(cook, domains, work->lonely, out)) {
        return false;
    }
    sort_centres(out);
    return true;
}

// Larger radii until the centres are few enough, or smaller ones until they are enough.
static void choose_radius(tlw_cook* cook, tlw_rbf_domains* domains, const surface* from,
                          const scratch* work, tlw_rbf_centres* out) {
    double radius = cook->grid.voxel;
    bool fits = sample(cook, domains, from, work, radius, out);
    if (fits) {
        for (int i = 0; out->count < TLW_RBF_CENTRES_MIN && i < TLW_RBF_STEPS_MAX; ++i) {
            if (!sample(cook, domains, from, work, radius / TLW_RBF_STEP, out)) {
                (void)sample(cook, domains, from, work, radius, out);
                return;
            }
            radius /= TLW_RBF_STEP;
        }
        return;
    }
    for (int i = 0; !fits && i < TLW_RBF_STEPS_MAX; ++i) {
        radius *= TLW_RBF_STEP;
        fits = sample(cook, domains, from, work, radius, out);
    }
    if (!fits) {
        cook->is_about_recipe = true;
        tlw_cook_blame(cook, "embedding");
        tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                      "radial basis functions need more than %d centres, even %g voxels apart: "
                      "joints that share no mesh edges are too many, or a mesh that rides is far "
                      "larger than the body; use \"fit\"",
                      TLW_RBF_CENTRES_MAX, radius / cook->grid.voxel);
    }
}

tlw_result tlw_rbf_place_centres(tlw_cook* cook, tlw_rbf_domains* domains, tlw_rbf_centres* out) {
    const uint64_t joints = domains->joint_count;
    scratch work = {.centres =
                        tlw_cook_allocate(cook, joints * TLW_RBF_MERGE_BELOW, sizeof *work.centres),
                    .counts = tlw_cook_allocate(cook, joints, sizeof *work.counts),
                    .lonely = tlw_cook_allocate(cook, joints, sizeof *work.lonely)};
    surface from = open_surface(cook, domains);
    if (cook->error.result == TLW_OK) {
        choose_radius(cook, domains, &from, &work, out);
    }
    tlw_cook_free(cook, from.running);
    tlw_cook_free(cook, from.triangles);
    tlw_cook_free(cook, work.lonely);
    tlw_cook_free(cook, work.counts);
    tlw_cook_free(cook, work.centres);
    return cook->error.result;
}
