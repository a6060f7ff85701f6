// SPDX-License-Identifier: MIT
// The camera of tallow-view: it looks at a target from a direction and a distance, in perspective.
// Needs no GPU. Matrices are column-major, for clip space from -1 to 1; pixels count from the top
// left corner.
#ifndef TLW_TOOLS_VIEW_CAMERA_H
#define TLW_TOOLS_VIEW_CAMERA_H

#include "platform/base.h"

#define TLW_VIEW_FIELD_DEGREES    24.0f // from the top of the picture to its bottom
#define TLW_VIEW_PITCH_LOW        -20.0f
#define TLW_VIEW_PITCH_HIGH       89.0f
#define TLW_VIEW_DISTANCE_LEAST   0.05f
#define TLW_VIEW_DISTANCE_MOST    1000.0f
#define TLW_VIEW_DEGREES_PER_SIDE 180.0f // of an orbit, for a mouse that crosses the picture

typedef struct tlw_view_camera {
    float target[3];     // in the middle of the picture, metres
    float yaw_degrees;   // 0: from +z, 90: from +x
    float pitch_degrees; // above 0: from above
    float distance;      // from the eye to the target, metres
} tlw_view_camera;

// A rectangle of a picture, in pixels.
typedef struct tlw_view_area {
    uint32_t x, y, width, height;
} tlw_view_area;

typedef struct tlw_view_axes {
    float right[3], up[3], back[3]; // of the picture, in the world
    float eye[3];
} tlw_view_axes;

tlw_view_axes tlw_view_camera_axes(const tlw_view_camera* camera);
// From the world to clip space.
void tlw_view_camera_matrix(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                            float matrix[16]);
// Where a point appears. False if it is behind the eye.
bool tlw_view_camera_project(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                             const float point[3], float pixel[2]);
// The ray from the eye through a pixel; the direction has length 1.
void tlw_view_camera_ray(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                         const float pixel[2], double origin[3], float direction[3]);
// The distance from which a sphere about the target fills `share` of the picture's shorter side.
float tlw_view_camera_fit(float radius, uint32_t width, uint32_t height, float share);

// What the mouse does. Movements are in pixels of a picture of that height.
void tlw_view_camera_orbit(tlw_view_camera* camera, uint32_t height, float dx, float dy);
// Moves the target with the mouse.
void tlw_view_camera_pan(tlw_view_camera* camera, uint32_t height, float dx, float dy);
// Each notch above 0 comes a tenth nearer.
void tlw_view_camera_zoom(tlw_view_camera* camera, float notches);

// out = a b; out may be neither.
void tlw_view_multiply(const float a[16], const float b[16], float out[16]);

#endif
