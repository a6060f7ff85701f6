// SPDX-License-Identifier: MIT
// The recipes of samples: JSON text that a cook of the GLB file reads beside it. Lengths are metres
// and agree with the proportions in shape.c.
#include "tools/sample/sample.h"

#include <stddef.h>

// Biceps and triceps lie in front of and behind the upper arm in its bind pose, on the side to
// which the elbow folds and opposite to it. The pectoralis runs from the breastbone over the ribs
// to the upper arm; its line lies on an ellipsoid that keeps it on the ribs where an arm is raised.
static const char athletic[] =
    // clang-format off
    "{\n"
    "    \"resolution\": 48,\n"
    "    \"preset\": \"athletic\",\n"
    "    \"muscles\": [\n"
    "        {\"name\": \"biceps_l\", \"mirror\": true, \"radius\": 0.04, \"bulge\": 2.5, \"tendons\": [0, 5],\n"
    "         \"flex\": {\"joint\": \"forearm_l\", \"from\": 90, \"to\": 150},\n"
    "         \"line\": [{\"joint\": \"arm_l\", \"along\": 0.12, \"offset\": [0, 0, 0.042]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.34, \"offset\": [0, 0, 0.045], \"radius\": 0.7},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.5, \"offset\": [0, 0, 0.045]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.66, \"offset\": [0, 0, 0.045]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.8, \"offset\": [0, 0, 0.043], \"radius\": 0.75},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.93, \"offset\": [0, 0, 0.04], \"radius\": 0.3},\n"
    "                  {\"joint\": \"forearm_l\", \"along\": 0.12, \"offset\": [0, 0, 0.032]}]},\n"
    "        {\"name\": \"triceps_l\", \"mirror\": true, \"radius\": 0.024, \"bulge\": 1.5, \"tendons\": [0, 5, 6, 7],\n"
    "         \"line\": [{\"joint\": \"arm_l\", \"along\": 0.08, \"offset\": [0, 0, -0.045]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.28, \"offset\": [0, 0, -0.045], \"radius\": 0.8},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.46, \"offset\": [0, 0, -0.045]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.64, \"offset\": [0, 0, -0.045]},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.8, \"offset\": [0, 0, -0.044], \"radius\": 0.75},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.9, \"offset\": [0, 0, -0.042], \"radius\": 0.3},\n"
    "                  {\"joints\": {\"arm_l\": 0.5, \"forearm_l\": 0.5}, \"at\": [0.462, 1.267, -0.06]},\n"
    "                  {\"joint\": \"forearm_l\", \"along\": 0.12, \"offset\": [0, 0, -0.04]},\n"
    "                  {\"joint\": \"forearm_l\", \"along\": 0.25, \"offset\": [0, 0, -0.038]}],\n"
    "         \"fields\": [{\"joint\": \"forearm_l\", \"radii\": [0.038, 0.038, 0.038]}]},\n"
    "        {\"name\": \"pectoralis_l\", \"mirror\": true, \"radius\": 0.026, \"bulge\": 1, \"tendons\": [5],\n"
    "         \"line\": [{\"joint\": \"chest\", \"along\": 0.4, \"offset\": [0.02, 0, 0.10]},\n"
    "                  {\"joint\": \"chest\", \"along\": 0.43, \"offset\": [0.055, 0, 0.10]},\n"
    "                  {\"joint\": \"chest\", \"along\": 0.46, \"offset\": [0.09, 0, 0.0935]},\n"
    "                  {\"joint\": \"chest\", \"along\": 0.5, \"offset\": [0.125, 0, 0.0825]},\n"
    "                  {\"joint\": \"chest\", \"along\": 0.55, \"offset\": [0.16, 0, 0.065], \"radius\": 0.8},\n"
    "                  {\"joints\": {\"chest\": 0.5, \"arm_l\": 0.5}, \"at\": [0.20, 1.28, 0.045], \"radius\": 0.4},\n"
    "                  {\"joint\": \"arm_l\", \"along\": 0.25, \"offset\": [0, -0.01, 0.035]}],\n"
    "         \"fields\": [{\"joint\": \"chest\", \"along\": 0.46, \"radii\": [0.205, 0.2, 0.1035], \"repel\": false, \"reach\": 2}]},\n"
    "        {\"name\": \"quadriceps_l\", \"mirror\": true, \"radius\": 0.042, \"bulge\": 2, \"tendons\": [0, 5, 6],\n"
    "         \"line\": [{\"joint\": \"leg_l\", \"along\": 0.05, \"offset\": [0.01, 0, 0.05]},\n"
    "                  {\"joint\": \"leg_l\", \"along\": 0.2, \"offset\": [0.01, 0, 0.06], \"radius\": 0.75},\n"
    "                  {\"joint\": \"leg_l\", \"along\": 0.38, \"offset\": [0.005, 0, 0.06]},\n"
    "                  {\"joint\": \"leg_l\", \"along\": 0.56, \"offset\": [0, 0, 0.055]},\n"
    "                  {\"joint\": \"leg_l\", \"along\": 0.72, \"offset\": [0, 0, 0.05], \"radius\": 0.75},\n"
    "                  {\"joint\": \"leg_l\", \"along\": 0.88, \"offset\": [0, 0, 0.045], \"radius\": 0.3},\n"
    "                  {\"joints\": {\"leg_l\": 0.5, \"shin_l\": 0.5}, \"at\": [0.14, 0.455, 0.062]},\n"
    "                  {\"joint\": \"shin_l\", \"along\": 0.15, \"offset\": [0, 0, 0.042]}],\n"
    "         \"fields\": [{\"joint\": \"shin_l\", \"radii\": [0.04, 0.04, 0.04]}]}\n"
    "    ]\n"
    "}\n";
// clang-format on

const char* tlw_sample_recipe(tlw_sample_variant variant) {
    return variant == TLW_SAMPLE_ATHLETIC ? athletic : NULL;
}
