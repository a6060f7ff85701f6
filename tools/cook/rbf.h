// SPDX-License-Identifier: MIT
// Private to stage rbf (RULES 10.10): what its files hand to each other. rbf_domains.c says which
// joint a point belongs to and merges small domains, rbf_centres.c places the centres,
// rbf_solve.c has the basis functions and their inverse, rbf_seams.c the passes where domains meet,
// and rbf.c stores all of it.
#ifndef TLW_TOOLS_COOK_RBF_H
#define TLW_TOOLS_COOK_RBF_H

#include "tools/cook/stages.h"

#define TLW_RBF_NO_DOMAIN   UINT32_MAX
#define TLW_RBF_MERGE_BELOW 16 // centres
#define TLW_RBF_CENTRES_MIN 256
#define TLW_RBF_CENTRES_MAX 512
#define TLW_RBF_TERMS_MAX   4
#define TLW_RBF_STEP        1.25 // from one radius to the next
#define TLW_RBF_STEPS_MAX   32
#define TLW_RBF_CUT         3.0       // phi is 0 from this q on
#define TLW_RBF_CANDIDATES  (1 << 20) // at most

TLW_INLINE double tlw_rbf_squared(tlw_double3 a, tlw_double3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

// Which domain each joint belongs to. A domain has the number of its lowest joint.
typedef struct tlw_rbf_domains {
    tlw_cook_followed* skinning; // per welded vertex
    uint32_t* of_joint;
    uint32_t* of_vertex; // per welded vertex; TLW_RBF_NO_DOMAIN: not skinned
    uint32_t joint_count;
    uint32_t merged; // joints whose domain joined another
    // Pairs of joints whose domains, before any merging, mesh edges join: lower << 16 | upper,
    // ascending, and the number of these edges.
    uint32_t* pairs;
    uint32_t* pair_edges;
    uint32_t pair_count;
    bool* has_neighbour; // per domain: a mesh edge joins it with another
    uint32_t* shared;    // per domain: mesh edges that join it with the one that is being merged
} tlw_rbf_domains;

// Leaves every joint a domain of its own.
tlw_result tlw_rbf_open_domains(tlw_cook* cook, tlw_rbf_domains* domains);
void tlw_rbf_free_domains(tlw_cook* cook, tlw_rbf_domains* domains);
// Undoes all merging.
void tlw_rbf_split_domains(tlw_rbf_domains* domains);
// Merges domains of few centres, and finds the vertices' domains. `counts` has the centres of each
// joint, and is changed; more than TLW_RBF_MERGE_BELOW count as that many.
void tlw_rbf_merge_domains(const tlw_cook* cook, tlw_rbf_domains* domains, uint32_t* counts);
// The domain with the largest share of weight at a point of a triangle whose corners are skinned.
uint32_t tlw_rbf_domain_at(const tlw_rbf_domains* domains, const uint32_t corners[3],
                           const double share[3]);

// Centres by domain, each domain's in the order in which they were accepted.
typedef struct tlw_rbf_centres {
    double radius; // metres
    uint32_t count;
    tlw_double3 position[TLW_RBF_CENTRES_MAX];
    uint32_t domain[TLW_RBF_CENTRES_MAX];
} tlw_rbf_centres;

// Chooses the radius, merges domains for it and places the centres.
tlw_result tlw_rbf_place_centres(tlw_cook* cook, tlw_rbf_domains* domains, tlw_rbf_centres* out);

// The functions of one domain.
typedef struct tlw_rbf_basis {
    const tlw_double3* centres;
    uint32_t centre_count;
    uint32_t term_count; // 1 or 4
    double sigma;
    tlw_double3 mean; // of the centres
} tlw_rbf_basis;

// exp(-x) for x from 0 to 700, by operations whose bits are the same everywhere.
double tlw_rbf_exp_minus(double x);
// phi of the squared q.
double tlw_rbf_phi(double squared);
tlw_rbf_basis tlw_rbf_make_basis(const tlw_double3* centres, uint32_t count, double radius);
// The linear terms at a point.
void tlw_rbf_terms(const tlw_rbf_basis* basis, tlw_double3 at, double out[TLW_RBF_TERMS_MAX]);
// The first centre_count columns of the inverse: element [coefficient * centre_count + centre].
// Null after setting the error.
double* tlw_rbf_invert(tlw_cook* cook, const tlw_rbf_basis* basis);

// Seam vertices, their neighbours and the share that a pass takes. Reads cook->rbf.domain_of.
tlw_result tlw_rbf_make_seams(tlw_cook* cook, double radius);

#endif
