// SPDX-License-Identifier: MIT
// What touches the tissue: the mouse, which takes hold of it and pulls, and three things that it
// gives way to. All of them are in the worlds of both characters that are shown side by side.
#ifndef TLW_TOOLS_VIEW_HANDS_H
#define TLW_TOOLS_VIEW_HANDS_H

#include "tools/view/character.h"

#define TLW_VIEW_CHARACTERS 2u

// A ray from the eye, and the direction that is square to the picture.
typedef struct tlw_view_ray {
    double origin[3];
    float direction[3], back[3];
} tlw_view_ray;

typedef enum tlw_view_thing_kind {
    TLW_VIEW_BALL,   // flies, falls, and is thrown back by what it hits
    TLW_VIEW_PLANE,  // a floor that is raised
    TLW_VIEW_CAPSULE // an arm's worth of it, which the mouse moves
} tlw_view_thing_kind;

typedef struct tlw_view_thing {
    bool is_there;
    tlw_collider_id ids[TLW_VIEW_CHARACTERS]; // null: that character is not there
    double position[3], velocity[3];
    float radius, half_length, yaw_degrees; // half_length and yaw of the capsule
    double seconds;                         // since the ball was thrown
} tlw_view_thing;

typedef struct tlw_view_hands {
    tlw_view_character* characters[TLW_VIEW_CHARACTERS]; // null: not there
    tlw_view_thing things[TLW_VIEW_COLLIDERS];
    float size;   // of the character, metres
    float ground; // its height
    bool is_pulling;
    uint32_t pulled; // the character whose tissue is pulled
    tlw_drag drag;
    bool is_moving; // a thing, with the mouse
    tlw_view_thing_kind moved;
    double grip[3]; // from its middle to where it was taken
} tlw_view_hands;

// Says which character is where; null: none. Things that are there are put into its world.
void tlw_view_hands_attach(tlw_view_hands* hands, uint32_t side, tlw_view_character* character);
// Sizes and places of things that suit a character of that size and middle.
void tlw_view_hands_lay_out(tlw_view_hands* hands, float size, float ground, const float middle[3]);

// Takes hold of what the ray meets first: a thing, or tissue of that character. False: of nothing.
bool tlw_view_hands_grab(tlw_view_hands* hands, uint32_t side, const tlw_view_ray* ray);
// Moves what was taken hold of to where the ray meets the plane through it, parallel to the
// picture.
void tlw_view_hands_move(tlw_view_hands* hands, const tlw_view_ray* ray);
void tlw_view_hands_let_go(tlw_view_hands* hands);
// Where the pulled voxel is, and where it is pulled to, in the world. False if nothing is pulled.
bool tlw_view_hands_pull(const tlw_view_hands* hands, float from[3], float to[3]);

void tlw_view_hands_show(tlw_view_hands* hands, tlw_view_thing_kind kind, bool is_there);
// Puts a thing where its fields say, for sliders.
void tlw_view_hands_place(tlw_view_hands* hands, tlw_view_thing_kind kind);
// From the eye along the ray.
void tlw_view_hands_throw(tlw_view_hands* hands, const tlw_view_ray* ray);
// Moves the ball for a step that follows.
void tlw_view_hands_advance(tlw_view_hands* hands, double dt);

#endif
