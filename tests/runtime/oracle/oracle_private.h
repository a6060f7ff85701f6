// SPDX-License-Identifier: MIT
// Private to the runtime's oracle: types and functions that its files share.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_PRIVATE_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_PRIVATE_H

#include "tests/runtime/oracle/oracle.h"

struct oracle_joint {
    oracle_mat unbind;      // 3x3 of the inverse bind
    oracle_vec unbind_move; // its translation
    oracle_quat bind_rotation;
};

// The offset of step k of the 26, and the k of an offset.
void oracle_link_step(uint32_t k, int step[3]);
uint32_t oracle_link_of(int dx, int dy, int dz);
// Translation, rotation, signed scale and shear of a 4x4. False if it is not finite or has no
// volume.
bool oracle_decompose(const double matrix[16], oracle_trs* trs);
oracle_vec oracle_skin_point(const oracle* o, const oracle_kept_pose* pose, oracle_vec rest,
                             const uint32_t* joint, const double* weight, uint32_t count,
                             oracle_mat* blended);

#endif
