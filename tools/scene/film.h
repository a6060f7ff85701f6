// SPDX-License-Identifier: MIT
// Moments of a scene, kept while it runs and drawn as a contact sheet afterwards: skinning alone
// above, tissue below, coloured by how far it is off, with the outline of the first over it. The
// camera goes along with the character; size and colours mean the same in every cell of a film.
#ifndef TLW_TOOLS_SCENE_FILM_H
#define TLW_TOOLS_SCENE_FILM_H

#include "tools/render/sheet.h"
#include "tools/scene/scene.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_film {
    const tlw_actor* actor;
    uint32_t shot_count, shot_capacity;
    struct tlw_film_shot* shots;
} tlw_film;

// For so many shots of character 0 of scenes of one actor that have positions, normals and deltas.
bool tlw_film_create(tlw_film* film, const tlw_actor* actor, uint32_t shot_capacity);
void tlw_film_free(tlw_film* film);
// Keeps what the last step wrote. Full or without memory: false.
bool tlw_film_shoot(tlw_film* film, const tlw_scene* scene);

// The farthest that tissue is off in any shot, metres.
float tlw_film_farthest(const tlw_film* film);
// Width over height of what all shots show from there: what cells should have.
float tlw_film_aspect(const tlw_film* film, float yaw_degrees);

// Shots [first, first + count) into two rows of a sheet, from column 0 on; `hot` metres off are as
// red as can be. False: out of memory, or there are not so many shots.
bool tlw_film_draw(const tlw_film* film, uint32_t first, uint32_t count, float yaw_degrees,
                   float hot, tlw_sheet* sheet, uint32_t row);
void tlw_film_legend(tlw_sheet* sheet, float hot);

TLW_EXTERN_C_END

#endif
