// SPDX-License-Identifier: MIT
// 4x4 matrices of doubles, column-major: element [column * 4 + row]. Affine: the bottom row is
// taken to be 0 0 0 1 wherever that saves work.
#ifndef TLW_TOOLS_ASSET_MATRIX_H
#define TLW_TOOLS_ASSET_MATRIX_H

#include "tools/asset/asset.h"

TLW_EXTERN_C_BEGIN

// Not isfinite: mingw's warns of a conversion to float.
TLW_INLINE bool tlw_is_finite(double x) {
    return x - x == 0;
}

void tlw_matrix_identity(double out[16]);
// out may be a or b.
void tlw_matrix_multiply(double out[16], const double a[16], const double b[16]);
// Of the upper left 3x3.
double tlw_matrix_determinant(const double m[16]);
// The cofactors of the upper left 3x3, column-major: determinant times inverse transpose, which
// is how normals go.
void tlw_matrix_cofactors(double out[9], const double m[16]);
// False, and nothing written, where the determinant is 0 beside the lengths of the columns or the
// inverse is not finite. out may be m.
bool tlw_matrix_invert(double out[16], const double m[16]);
bool tlw_matrix_is_finite(const double m[16]);
void tlw_matrix_point(double out[3], const double m[16], const double point[3]);
void tlw_matrix_direction(double out[3], const double m[16], const double direction[3]);

void tlw_matrix_from_transform(double out[16], const tlw_asset_transform* transform);
// The nearest: shear is lost, a mirrored matrix gets a negative x scale.
void tlw_matrix_to_transform(const double m[16], tlw_asset_transform* transform);

TLW_EXTERN_C_END

#endif
