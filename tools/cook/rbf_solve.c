// SPDX-License-Identifier: MIT
// The functions of one domain (RULES 10.10, point 5) and the inverse of their system. The cut at
// q = 3 is in the matrix and in the rows alike, so that values at centres are reproduced exactly.
#include "tools/cook/rbf.h"

#include <math.h>
#include <string.h>

#define NEAREST 6 // centres that give sigma, and the fewest that have linear terms
// Centres whose covariance is flatter than this along one axis have only a constant term.
#define LEAST_FLATNESS 1e-3

// 2^n for n from -1022 to 0.
static double power_of_two(int n) {
    const uint64_t bits = (uint64_t)(1023 + n) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

// exp(-x) = 2^-n exp(-y) with |y| at most half of log 2, where 14 terms of the series are exact to
// the last bit but one. log 2 is taken off in two parts, of which n times the first is exact.
double tlw_rbf_exp_minus(double x) {
    const double log2_high = 0x1.62e42fefa0000p-1, log2_low = 0x1.cf79abc9e3b3ap-40;
    const double n = floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double y = (x - n * log2_high) - n * log2_low;
    double sum = 1.0;
    for (int i = 14; i > 0; --i) {
        sum = 1.0 - y * sum / (double)i;
    }
    return sum * power_of_two(-(int)n);
}

double tlw_rbf_phi(double squared) {
    if (!(squared < TLW_RBF_CUT * TLW_RBF_CUT)) {
        return 0.0;
    }
    const double left = 1.0 - squared / (TLW_RBF_CUT * TLW_RBF_CUT);
    return tlw_rbf_exp_minus(squared) * (left * left);
}

// The mean distance from a centre to its nearest others.
static double mean_distance(const tlw_double3* centres, uint32_t count, uint32_t own) {
    double nearest[NEAREST];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == own) {
            continue;
        }
        const double squared = tlw_rbf_squared(centres[i], centres[own]);
        if (found == NEAREST && !(squared < nearest[NEAREST - 1])) {
            continue;
        }
        uint32_t at = found < NEAREST ? found++ : NEAREST - 1;
        for (; at > 0 && squared < nearest[at - 1]; --at) {
            nearest[at] = nearest[at - 1];
        }
        nearest[at] = squared;
    }
    double sum = 0.0;
    for (uint32_t i = 0; i < found; ++i) {
        sum += sqrt(nearest[i]);
    }
    return sum / (double)found;
}

// One rotation of Jacobi's method: makes element (p, q) of a symmetric matrix 0.
static void rotate(double a[3][3], int p, int q) {
    if (a[p][q] == 0.0) {
        return;
    }
    const int r = 3 - p - q;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double size = theta < 0.0 ? -theta : theta;
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (size + sqrt(size * size + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    const double rp = a[r][p], rq = a[r][q];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
}

// Whether centres lie nearly in a plane, a line or a point.
static bool is_flat(const tlw_double3* centres, uint32_t count, tlw_double3 mean) {
    double a[3][3] = {{0}};
    for (uint32_t i = 0; i < count; ++i) {
        const double d[3] = {centres[i].x - mean.x, centres[i].y - mean.y, centres[i].z - mean.z};
        for (int k = 0; k < 9; ++k) {
            a[k / 3][k % 3] += d[k / 3] * d[k % 3];
        }
    }
    for (int sweep = 0; sweep < 16; ++sweep) { // each squares what is left
        rotate(a, 0, 1);
        rotate(a, 0, 2);
        rotate(a, 1, 2);
    }
    double least = a[0][0], most = a[0][0];
    for (int i = 1; i < 3; ++i) {
        least = a[i][i] < least ? a[i][i] : least;
        most = a[i][i] > most ? a[i][i] : most;
    }
    return !(least > LEAST_FLATNESS * most);
}

tlw_rbf_basis tlw_rbf_make_basis(const tlw_double3* centres, uint32_t count, double radius) {
    tlw_rbf_basis basis = {.centres = centres, .centre_count = count, .sigma = radius};
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        basis.mean.x += centres[i].x;
        basis.mean.y += centres[i].y;
        basis.mean.z += centres[i].z;
        sum += count > 1 ? mean_distance(centres, count, i) : 0.0;
    }
    basis.mean.x /= (double)count;
    basis.mean.y /= (double)count;
    basis.mean.z /= (double)count;
    if (count > 1) {
        basis.sigma = sum / (double)count;
    }
    basis.term_count =
        count < NEAREST || is_flat(centres, count, basis.mean) ? 1 : TLW_RBF_TERMS_MAX;
    return basis;
}

void tlw_rbf_terms(const tlw_rbf_basis* basis, tlw_double3 at, double out[TLW_RBF_TERMS_MAX]) {
    out[0] = 1.0;
    out[1] = (at.x - basis->mean.x) / basis->sigma;
    out[2] = (at.y - basis->mean.y) / basis->sigma;
    out[3] = (at.z - basis->mean.z) / basis->sigma;
}

// [phi P; P^T 0], row by row.
static void fill_system(const tlw_rbf_basis* basis, double* matrix) {
    const uint32_t n = basis->centre_count, size = n + basis->term_count;
    const double scale = basis->sigma * basis->sigma;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            matrix[(size_t)i * size + j] =
                tlw_rbf_phi(tlw_rbf_squared(basis->centres[i], basis->centres[j]) / scale);
        }
        double terms[TLW_RBF_TERMS_MAX];
        tlw_rbf_terms(basis, basis->centres[i], terms);
        for (uint32_t t = 0; t < basis->term_count; ++t) {
            matrix[(size_t)i * size + n + t] = matrix[(size_t)(n + t) * size + i] = terms[t];
        }
    }
}

static void swap_rows(double* matrix, size_t width, uint32_t a, uint32_t b) {
    for (size_t i = 0; a != b && i < width; ++i) {
        const double kept = matrix[a * width + i];
        matrix[a * width + i] = matrix[b * width + i];
        matrix[b * width + i] = kept;
    }
}

// to -= factor from
static void subtract_row(double* to, const double* from, double factor, size_t width) {
    for (size_t i = 0; factor != 0.0 && i < width; ++i) {
        to[i] -= factor * from[i];
    }
}

// Elimination with partial pivoting, of the right sides along with the matrix. False: singular.
static bool eliminate(double* matrix, uint32_t size, double* right, uint32_t columns) {
    for (uint32_t k = 0; k < size; ++k) {
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < size; ++i) {
            const double value = fabs(matrix[(size_t)i * size + k]);
            pivot = value > fabs(matrix[(size_t)pivot * size + k]) ? i : pivot;
        }
        if (!(fabs(matrix[(size_t)pivot * size + k]) > 1e-12)) {
            return false;
        }
        swap_rows(matrix, size, k, pivot);
        swap_rows(right, columns, k, pivot);
        const double* row = matrix + (size_t)k * size;
        for (uint32_t i = k + 1; i < size; ++i) {
            const double factor = matrix[(size_t)i * size + k] / row[k];
            subtract_row(matrix + (size_t)i * size + k, row + k, factor, size - k);
            subtract_row(right + (size_t)i * columns, right + (size_t)k * columns, factor, columns);
        }
    }
    return true;
}

// Solves the triangular system that elimination left; `right` becomes the solution.
static void substitute(const double* matrix, uint32_t size, double* right, uint32_t columns) {
    for (uint32_t i = size; i-- > 0;) {
        const double* row = matrix + (size_t)i * size;
        double* own = right + (size_t)i * columns;
        for (uint32_t k = i + 1; k < size; ++k) {
            subtract_row(own, right + (size_t)k * columns, row[k], columns);
        }
        for (uint32_t c = 0; c < columns; ++c) {
            own[c] /= row[i];
        }
    }
}

double* tlw_rbf_invert(tlw_cook* cook, const tlw_rbf_basis* basis) {
    const uint32_t n = basis->centre_count, size = n + basis->term_count;
    double* matrix = tlw_cook_allocate(cook, (uint64_t)size * size, sizeof *matrix);
    double* right = tlw_cook_allocate(cook, (uint64_t)size * n, sizeof *right);
    if (cook->error.result != TLW_OK) {
        return NULL;
    }
    fill_system(basis, matrix);
    for (uint32_t c = 0; c < n; ++c) {
        right[(size_t)c * n + c] = 1.0;
    }
    const bool is_solved = eliminate(matrix, size, right, n);
    if (is_solved) {
        substitute(matrix, size, right, n);
    } else {
        tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                      "radial basis functions: the system of %u centres has no solution", n);
    }
    tlw_cook_free(cook, matrix);
    return is_solved ? right : NULL;
}
