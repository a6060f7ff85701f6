// SPDX-License-Identifier: MIT
// Domains of radial basis functions (RULES 10.10, points 1 and 3): the joint of largest weight at a
// point, and the merging of domains that have too few centres for a fit of their own. Reads
// cook->sources and cook->graph.
#include "tools/cook/rbf.h"

#include <stdlib.h>
#include <string.h>

// The domain of largest weight, the lowest of equals. Weights are added up by domain and corner as
// integers first, so that domains of equal weights at the corners are equal in every bit.
static uint32_t largest_domain(const tlw_rbf_domains* domains, const tlw_cook_followed* const* of,
                               const double* share, uint32_t corner_count) {
    struct {
        uint32_t domain;
        uint32_t weight[3];
    } found[24];
    uint32_t count = 0;
    for (uint32_t c = 0; c < corner_count; ++c) {
        for (uint32_t i = 0; i < of[c]->count; ++i) {
            const uint32_t domain = domains->of_joint[of[c]->index[i]];
            uint32_t at = 0;
            while (at < count && found[at].domain != domain) {
                at += 1;
            }
            if (at == count) {
                found[count].domain = domain;
                found[count].weight[0] = found[count].weight[1] = found[count].weight[2] = 0;
                count += 1;
            }
            found[at].weight[c] += of[c]->weight[i];
        }
    }
    double sums[24], most = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        sums[i] = 0.0;
        for (uint32_t c = 0; c < corner_count; ++c) {
            sums[i] += share[c] * ((double)found[i].weight[c] / (double)TLW_BLOB_WEIGHT_ONE);
        }
        most = sums[i] > most ? sums[i] : most;
    }
    uint32_t best = TLW_RBF_NO_DOMAIN;
    for (uint32_t i = 0; i < count; ++i) {
        best = sums[i] >= most - TLW_SLACK && found[i].domain < best ? found[i].domain : best;
    }
    return best;
}

uint32_t tlw_rbf_domain_at(const tlw_rbf_domains* domains, const uint32_t corners[3],
                           const double share[3]) {
    const tlw_cook_followed* of[3];
    for (int i = 0; i < 3; ++i) {
        of[i] = &domains->skinning[corners[i]];
    }
    return largest_domain(domains, of, share, 3);
}

static void find_vertex_domains(const tlw_cook* cook, const tlw_rbf_domains* domains) {
    for (uint32_t v = 0; v < cook->graph.count; ++v) {
        const tlw_cook_followed* of = &domains->skinning[v];
        const double whole = 1.0;
        domains->of_vertex[v] = largest_domain(domains, &of, &whole, 1);
    }
}

static int compare_pairs(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return x < y ? -1 : x > y;
}

// Writes the pair of domains of every mesh edge that joins two, if `to` is not null. Joints are
// below 65,535 (check.c). Returns how many there are.
static uint32_t list_edge_pairs(const tlw_cook* cook, const tlw_rbf_domains* domains,
                                uint32_t* to) {
    const tlw_cook_graph* graph = &cook->graph;
    uint32_t count = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        const uint32_t a = domains->of_vertex[v];
        for (uint32_t e = graph->edge_begin[v]; e < graph->edge_begin[v + 1]; ++e) {
            const uint32_t b = domains->of_vertex[graph->edge_ends[e]];
            if (graph->edge_ends[e] < v || a == b || a == TLW_RBF_NO_DOMAIN ||
                b == TLW_RBF_NO_DOMAIN) {
                continue;
            }
            if (to != NULL) {
                to[count] = a < b ? a << 16 | b : b << 16 | a;
            }
            count += 1;
        }
    }
    return count;
}

static void count_edges(tlw_cook* cook, tlw_rbf_domains* domains) {
    const uint32_t count = list_edge_pairs(cook, domains, NULL);
    domains->pairs = tlw_cook_allocate(cook, count, sizeof *domains->pairs);
    domains->pair_edges = tlw_cook_allocate(cook, count, sizeof *domains->pair_edges);
    if (cook->error.result != TLW_OK) {
        return;
    }
    (void)list_edge_pairs(cook, domains, domains->pairs);
    qsort(domains->pairs, count, sizeof *domains->pairs, compare_pairs);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t pair = domains->pairs[i];
        if (domains->pair_count == 0 || domains->pairs[domains->pair_count - 1] != pair) {
            domains->pairs[domains->pair_count++] = pair;
        }
        domains->pair_edges[domains->pair_count - 1] += 1;
    }
}

tlw_result tlw_rbf_open_domains(tlw_cook* cook, tlw_rbf_domains* domains) {
    const tlw_cook_graph* graph = &cook->graph;
    *domains = (tlw_rbf_domains){.joint_count = cook->input->joint_count};
    domains->skinning = tlw_cook_allocate(cook, graph->count, sizeof *domains->skinning);
    domains->of_vertex = tlw_cook_allocate(cook, graph->count, sizeof *domains->of_vertex);
    domains->of_joint = tlw_cook_allocate(cook, domains->joint_count, sizeof *domains->of_joint);
    domains->has_neighbour =
        tlw_cook_allocate(cook, domains->joint_count, sizeof *domains->has_neighbour);
    domains->shared = tlw_cook_allocate(cook, domains->joint_count, sizeof *domains->shared);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    const tlw_cook_source* source = cook->sources.list;
    for (uint32_t v = 0; v < graph->count; ++v) { // first vertices ascend
        while (graph->first_of[v] - source->first_vertex >= source->mesh.vertex_count) {
            source += 1;
        }
        domains->skinning[v] =
            tlw_cook_skinning(cook, source, graph->first_of[v] - source->first_vertex);
    }
    tlw_rbf_split_domains(domains);
    find_vertex_domains(cook, domains);
    count_edges(cook, domains);
    return cook->error.result;
}

void tlw_rbf_free_domains(tlw_cook* cook, tlw_rbf_domains* domains) {
    tlw_cook_free(cook, domains->pair_edges);
    tlw_cook_free(cook, domains->pairs);
    tlw_cook_free(cook, domains->shared);
    tlw_cook_free(cook, domains->has_neighbour);
    tlw_cook_free(cook, domains->of_joint);
    tlw_cook_free(cook, domains->of_vertex);
    tlw_cook_free(cook, domains->skinning);
}

void tlw_rbf_split_domains(tlw_rbf_domains* domains) {
    for (uint32_t j = 0; j < domains->joint_count; ++j) {
        domains->of_joint[j] = j;
    }
    domains->merged = 0;
}

// The domains of the joints of a pair.
static void domains_of_pair(const tlw_rbf_domains* domains, uint32_t pair, uint32_t out[2]) {
    out[0] = domains->of_joint[domains->pairs[pair] >> 16];
    out[1] = domains->of_joint[domains->pairs[pair] & 0xFFFFu];
}

static void find_neighbours(tlw_rbf_domains* domains) {
    memset(domains->has_neighbour, 0, domains->joint_count * sizeof *domains->has_neighbour);
    for (uint32_t i = 0; i < domains->pair_count; ++i) {
        uint32_t of[2];
        domains_of_pair(domains, i, of);
        if (of[0] != of[1]) {
            domains->has_neighbour[of[0]] = domains->has_neighbour[of[1]] = true;
        }
    }
}

// The domain with which `domain` shares most mesh edges.
static uint32_t nearest_domain(const tlw_rbf_domains* domains, uint32_t domain) {
    memset(domains->shared, 0, domains->joint_count * sizeof *domains->shared);
    uint32_t best = domain;
    for (uint32_t i = 0; i < domains->pair_count; ++i) {
        uint32_t of[2];
        domains_of_pair(domains, i, of);
        if ((of[0] == domain) != (of[1] == domain)) {
            domains->shared[of[0] == domain ? of[1] : of[0]] += domains->pair_edges[i];
        }
    }
    for (uint32_t j = 0; j < domains->joint_count; ++j) {
        best = domains->shared[j] > domains->shared[best] ? j : best;
    }
    return best;
}

// The domain with the fewest centres among those that must join another.
static uint32_t smallest_domain(const tlw_rbf_domains* domains, const uint32_t* counts) {
    uint32_t best = TLW_RBF_NO_DOMAIN, fewest = TLW_RBF_MERGE_BELOW;
    for (uint32_t j = 0; j < domains->joint_count; ++j) {
        if (domains->has_neighbour[j] && counts[j] < fewest) {
            best = j;
            fewest = counts[j];
        }
    }
    return best;
}

void tlw_rbf_merge_domains(const tlw_cook* cook, tlw_rbf_domains* domains, uint32_t* counts) {
    for (;;) {
        find_neighbours(domains);
        const uint32_t domain = smallest_domain(domains, counts);
        if (domain == TLW_RBF_NO_DOMAIN) {
            break;
        }
        const uint32_t other = nearest_domain(domains, domain);
        const uint32_t kept = domain < other ? domain : other;
        counts[kept] = counts[domain] + counts[other];
        for (uint32_t j = 0; j < domains->joint_count; ++j) {
            const uint32_t of = domains->of_joint[j];
            domains->of_joint[j] = of == domain || of == other ? kept : of;
        }
        domains->merged += 1;
    }
    find_vertex_domains(cook, domains);
}
