// SPDX-License-Identifier: MIT
// Keeps moments (shots) of a scene while it runs and draws them as a contact sheet afterwards. The
// upper row shows skinning alone. The lower row shows the simulated character, coloured by its
// deviation from skinning, with the outline of skinning over it. The camera follows the character;
// size and colours mean the same in every cell.
#ifndef TLW_TOOLS_SCENE_FILM_H
#define TLW_TOOLS_SCENE_FILM_H

#include "tools/render/sheet.h"
#include "tools/scene/lines.h"
#include "tools/scene/scene.h"
#include "tools/scene/solids.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_film {
    const tlw_actor* actor;
    uint32_t shot_count, shot_capacity;
    struct tlw_film_shot* shots;
    bool has_lines;           // muscles' lines are drawn over the lower row; false, as created
    const tlw_solids* solids; // shots keep them as they are then; null, as created: none
    const char* note;         // in the captions of shots taken from now on; null, as created: none
    // Cameras fit what skinning alone puts between these corners, in metres, and the rest is cut
    // off at the edge of a cell; both 0, as created: all.
    float fits_low[3], fits_high[3];
} tlw_film;

// Holds up to shot_capacity shots of character 0, of scenes of this actor that have positions,
// normals and deltas. False if out of memory.
bool tlw_film_create(tlw_film* film, const tlw_actor* actor, uint32_t shot_capacity);
void tlw_film_free(tlw_film* film);
// Keeps the output of the scene's last frame. False if the film is full or there is no memory.
bool tlw_film_shoot(tlw_film* film, const tlw_scene* scene);

// The largest deviation from skinning of any vertex in any shot, in metres.
float tlw_film_farthest(const tlw_film* film);
// Width over height of all shots seen from that side, which is the aspect that cells should have.
float tlw_film_aspect(const tlw_film* film, float yaw_degrees);

// Draws shots [first, first + count) into two rows of a sheet, from column 0 on. A deviation of
// `hot` metres has the hottest colour. False if out of memory, or if there are fewer shots.
bool tlw_film_draw(const tlw_film* film, uint32_t first, uint32_t count, float yaw_degrees,
                   float hot, tlw_sheet* sheet, uint32_t row);
void tlw_film_legend(tlw_sheet* sheet, float hot);

TLW_EXTERN_C_END

#endif
