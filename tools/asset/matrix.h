// SPDX-License-Identifier: MIT
// Affine 4x4 matrices of doubles, column-major: element [column * 4 + row]. Functions may assume
// that the bottom row is 0 0 0 1.
#ifndef TLW_TOOLS_ASSET_MATRIX_H
#define TLW_TOOLS_ASSET_MATRIX_H

#include "tools/asset/asset.h"

TLW_EXTERN_C_BEGIN

// Used instead of isfinite, which warns of a conversion to float with mingw.
TLW_INLINE bool tlw_is_finite(double x) {
    return x - x == 0;
}

void tlw_matrix_identity(double out[16]);
// `out` may be a or b.
void tlw_matrix_multiply(double out[16], const double a[16], const double b[16]);
// The determinant of the upper left 3x3.
double tlw_matrix_determinant(const double m[16]);
// The cofactors of the upper left 3x3, column-major: the determinant times the inverse transpose,
// which transforms normals.
void tlw_matrix_cofactors(double out[9], const double m[16]);
// False, with nothing written, if the determinant is negligible compared with the lengths of the
// columns, or the inverse is not finite. `out` may be m.
bool tlw_matrix_invert(double out[16], const double m[16]);
// Sets the bottom row to 0 0 0 1. False, with nothing written, if it differs from that by more than
// 1e-4: such a matrix is not affine.
bool tlw_matrix_make_affine(double m[16]);
bool tlw_matrix_is_finite(const double m[16]);
void tlw_matrix_point(double out[3], const double m[16], const double point[3]);
void tlw_matrix_direction(double out[3], const double m[16], const double direction[3]);

void tlw_matrix_from_transform(double out[16], const tlw_asset_transform* transform);
// The nearest transform: shear is lost, and a mirrored matrix gets a negative x scale.
void tlw_matrix_to_transform(const double m[16], tlw_asset_transform* transform);

TLW_EXTERN_C_END

#endif
