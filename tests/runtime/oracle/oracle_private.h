// SPDX-License-Identifier: MIT
// Private to the runtime's oracle: types and functions that its files share.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_PRIVATE_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_PRIVATE_H

#include "tests/runtime/oracle/oracle.h"

struct oracle_joint {
    oracle_mat unbind;      // 3x3 of the inverse bind
    oracle_vec unbind_move; // its translation
    // The same bind as T R U (MODEL 4.1).
    oracle_vec bind_move;
    oracle_quat bind_rotation;
    oracle_mat unbind_stretch; // U^-1
};

bool oracle_is_bone(const oracle* o, uint32_t voxel);
// Adds gain times work_delta to q. Bones never move in the stages from stretch to limit.
void oracle_apply(oracle* o, oracle_vec* q, double gain);
// Settings may have changed since the last substep: multiplies v - v_skin by the old share over the
// new one (MODEL 3.9), so that what moves goes on at its speed.
void oracle_follow_materials(oracle* o);
// Gains of a voxel by its materials, whatever fades.
oracle_gains oracle_material_gains(const oracle* o, uint32_t voxel);
// max(1 - a, 1/2); bone: 1
double oracle_share_of(const oracle* o, uint32_t voxel);
// Gains of this substep, before its passes: those of the materials, or what a fade makes of them.
void oracle_update_gains(oracle* o);
// Volume (MODEL 3.5): the floor of every stencil's denominator, from the rest positions; the stage.
void oracle_measure_rest_volume(oracle* o);
void oracle_keep_volume(oracle* o, oracle_vec* q);

// Lame layers (MODEL 3.20): the stage. p_skin and q are without m.
void oracle_solve_lame(oracle* o, const oracle_skin* skin, const oracle_vec* p_skin, oracle_vec* q);
// g - Rb g0 in voxels per second squared.
oracle_vec oracle_gravity(const oracle* o, double root_scale, oracle_quat Rb);

// Contact (MODEL 3.15). Limbs and colliders at a substep's moment: colliders are at `share` of the
// way from the last call's pose to this one's. Without a sweep C(0) is C(1).
void oracle_place_shapes(oracle* o, const oracle_kept_pose* pose, oracle_vec root_displacement,
                         double share, bool is_swept);
void oracle_end_call_of_colliders(oracle* o);
// The stage, and the bound that it leaves for a voxel's v.
void oracle_contact(oracle* o, const oracle_skin* skin, oracle_vec* q);
oracle_vec oracle_bound_velocity(const oracle* o, uint32_t voxel, oracle_vec v);
// Adds gravity, drags and wind to the predicted q (MODEL 3.17).
void oracle_apply_forces(oracle* o, const oracle_skin* skin, oracle_vec* q);
// The filter of poses (MODEL 4.10): starts on a pose; filters the joints of one, dt seconds later.
void oracle_start_filter(oracle* o, const oracle_kept_pose* pose);
void oracle_filter_pose(oracle* o, double dt, const oracle_kept_pose* set, oracle_kept_pose* out);

// The offset of step k of the 26, and the k of an offset.
void oracle_link_step(uint32_t k, int step[3]);
uint32_t oracle_link_of(int dx, int dy, int dz);
// Translation, rotation, signed scale and shear of a 4x4. False if it is not finite or has no
// volume.
bool oracle_decompose(const double matrix[16], oracle_trs* trs);
// Scale and shear of a joint as a matrix.
oracle_mat oracle_stretch_of(const oracle_trs* trs);
// r of a joint (MODEL 3.2): root rotation, joint rotation, inverse rotation of the bind.
oracle_quat oracle_joint_rotation(const oracle* o, const oracle_kept_pose* pose, uint32_t joint);
// The first of the largest weights.
uint32_t oracle_largest_weight(const double* weight, uint32_t count);
// Rb by up to 4 joints (MODEL 3.2).
oracle_quat oracle_blend_rotations(const oracle* o, const oracle_kept_pose* pose,
                                   const uint32_t joint[4], const double weight[4]);
// A point by linear blends, whatever the skinning; the same as the next otherwise.
oracle_vec oracle_blend_point(const oracle* o, const oracle_kept_pose* pose, oracle_vec rest,
                              const uint32_t* joint, const double* weight, uint32_t count,
                              oracle_mat* blended);
// A skinned point, in voxels; `blended` receives the linear part unless it is null.
oracle_vec oracle_skin_point(const oracle* o, const oracle_kept_pose* pose, oracle_vec rest,
                             const uint32_t* joint, const double* weight, uint32_t count,
                             oracle_mat* blended);
oracle_vec oracle_skin_point_dual(const oracle* o, const oracle_kept_pose* pose, oracle_vec x0,
                                  const uint32_t* joint, const double* weight, uint32_t count,
                                  oracle_mat* blended);
// The ends of an axis in a voxel's stencil (MODEL 3.5). False if it has no linked face along it.
bool oracle_axis_ends(const oracle* o, uint32_t voxel, int axis, uint32_t* low, uint32_t* high,
                      double* coefficient);

// Radial basis functions (MODEL 5.4): u of every row.
void oracle_rbf_deviations(const oracle* o, const oracle_rbf* rbf, oracle_vec* u);
bool oracle_is_skinned(const oracle_bound_point* point);
// Normalised; where it has no length, the vector of rest on the root of the last call.
oracle_vec oracle_direction(const oracle* o, oracle_vec a, oracle_vec rest);
// The normal and the tangent of a point by its ring (MODEL 5.6). L is its skinning, u the deviation
// of every point; without u, nothing deviates.
void oracle_ring_frame(const oracle* o, const oracle_bound_point* points, uint32_t point,
                       const oracle_ring* ring, const oracle_mat* L, const oracle_vec* u,
                       oracle_vec* normal, oracle_vec* tangent);

#endif
