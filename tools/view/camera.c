// SPDX-License-Identifier: MIT
// The camera's axes, its matrix, rays through pixels, and what the mouse does to it.
#include "tools/view/camera.h"

#include <math.h>
#include <string.h>

#define RADIANS 0.017453293f

static float dot(const float* a, const float* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float clamp(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

static float half_field(void) {
    return tanf(0.5f * TLW_VIEW_FIELD_DEGREES * RADIANS);
}

tlw_view_axes tlw_view_camera_axes(const tlw_view_camera* camera) {
    const float yaw = camera->yaw_degrees * RADIANS, pitch = camera->pitch_degrees * RADIANS;
    tlw_view_axes axes = {.right = {cosf(yaw), 0.0f, -sinf(yaw)},
                          .up = {-sinf(yaw) * sinf(pitch), cosf(pitch), -cosf(yaw) * sinf(pitch)},
                          .back = {sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch)}};
    for (int i = 0; i < 3; ++i) {
        axes.eye[i] = camera->target[i] + camera->distance * axes.back[i];
    }
    return axes;
}

void tlw_view_multiply(const float a[16], const float b[16], float out[16]) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k) {
                sum += a[k * 4 + row] * b[column * 4 + k];
            }
            out[column * 4 + row] = sum;
        }
    }
}

void tlw_view_camera_matrix(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                            float matrix[16]) {
    const tlw_view_axes axes = tlw_view_camera_axes(camera);
    const float* rows[3] = {axes.right, axes.up, axes.back};
    float to_camera[16] = {[15] = 1.0f};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            to_camera[column * 4 + row] = rows[row][column];
        }
        to_camera[12 + row] = -dot(rows[row], axes.eye);
    }
    const float near = 0.02f * camera->distance, far = 20.0f * camera->distance;
    const float zoom = 1.0f / half_field();
    const float to_clip[16] = {[0] = zoom * (float)height / (float)width,
                               [5] = zoom,
                               [10] = -(far + near) / (far - near),
                               [11] = -1.0f,
                               [14] = -2.0f * far * near / (far - near)};
    tlw_view_multiply(to_clip, to_camera, matrix);
}

bool tlw_view_camera_project(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                             const float point[3], float pixel[2]) {
    const tlw_view_axes axes = tlw_view_camera_axes(camera);
    const float from_eye[3] = {point[0] - axes.eye[0], point[1] - axes.eye[1],
                               point[2] - axes.eye[2]};
    const float depth = -dot(from_eye, axes.back);
    const float pixels_per_slope = 0.5f * (float)height / half_field();
    pixel[0] = 0.5f * (float)width + dot(from_eye, axes.right) / depth * pixels_per_slope;
    pixel[1] = 0.5f * (float)height - dot(from_eye, axes.up) / depth * pixels_per_slope;
    return depth > 0.0f;
}

void tlw_view_camera_ray(const tlw_view_camera* camera, uint32_t width, uint32_t height,
                         const float pixel[2], double origin[3], float direction[3]) {
    const tlw_view_axes axes = tlw_view_camera_axes(camera);
    const float slope_per_pixel = half_field() / (0.5f * (float)height);
    const float x = (pixel[0] - 0.5f * (float)width) * slope_per_pixel;
    const float y = (0.5f * (float)height - pixel[1]) * slope_per_pixel;
    const float length = sqrtf(x * x + y * y + 1.0f);
    for (int i = 0; i < 3; ++i) {
        origin[i] = (double)axes.eye[i];
        direction[i] = (x * axes.right[i] + y * axes.up[i] - axes.back[i]) / length;
    }
}

float tlw_view_camera_fit(float radius, uint32_t width, uint32_t height, float share) {
    const float aspect = width < height ? (float)width / (float)height : 1.0f;
    return clamp(radius / (half_field() * aspect * share), TLW_VIEW_DISTANCE_LEAST,
                 TLW_VIEW_DISTANCE_MOST);
}

void tlw_view_camera_orbit(tlw_view_camera* camera, uint32_t height, float dx, float dy) {
    const float degrees = TLW_VIEW_DEGREES_PER_SIDE / (float)height;
    camera->yaw_degrees = fmodf(camera->yaw_degrees - dx * degrees, 360.0f);
    camera->pitch_degrees =
        clamp(camera->pitch_degrees + dy * degrees, TLW_VIEW_PITCH_LOW, TLW_VIEW_PITCH_HIGH);
}

void tlw_view_camera_pan(tlw_view_camera* camera, uint32_t height, float dx, float dy) {
    const tlw_view_axes axes = tlw_view_camera_axes(camera);
    const float metres = 2.0f * half_field() * camera->distance / (float)height;
    for (int i = 0; i < 3; ++i) {
        camera->target[i] += metres * (dy * axes.up[i] - dx * axes.right[i]);
    }
}

void tlw_view_camera_zoom(tlw_view_camera* camera, float notches) {
    camera->distance = clamp(camera->distance * powf(0.9f, notches), TLW_VIEW_DISTANCE_LEAST,
                             TLW_VIEW_DISTANCE_MOST);
}
