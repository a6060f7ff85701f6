// SPDX-License-Identifier: MIT
// Shaders as text. What several of them share is a macro that stands in each.
#include "tools/view/shaders.h"

#define GLSL(...) "#version 330 core\n" #__VA_ARGS__
// The same after a text that is shared.
#define GLSL_AFTER(shared, ...) "#version 330 core\n" shared #__VA_ARGS__
#define SHARED(...)             #__VA_ARGS__

// What follows is not C.
// clang-format off

// The backdrop's colour in a row of the picture, counted from 0 at the bottom to 1 at the top.
#define BACKDROP SHARED(                                                              \
    vec3 backdrop(float row) {                                                        \
        const vec3 low = vec3(0.088, 0.104, 0.135), high = vec3(0.020, 0.024, 0.034); \
        return mix(low, high, smoothstep(0.0, 1.0, row));                             \
    })

// The linear value of a colour in sRGB.
#define LINEAR SHARED(                                                                \
    vec3 linear(vec3 c) {                                                             \
        return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92,                    \
                   lessThanEqual(c, vec3(0.04045)));                                  \
    })

// The share of the sky that is open to a place: comparisons on a disc in the map of depth from
// above. `coordinate` is in the map, `radius` that of the disc in it. It changes slowly over a
// surface, so vertices ask for it, not pixels.
#define SKY SHARED(                                                                   \
    const vec2 disc[16] = vec2[16](                                                   \
        vec2(0.177, 0.000), vec2(-0.226, 0.207), vec2(0.035, -0.394),                 \
        vec2(0.284, 0.371), vec2(-0.522, -0.092), vec2(0.495, -0.314),                \
        vec2(-0.166, 0.616), vec2(-0.315, -0.608), vec2(0.684, 0.250),                \
        vec2(-0.712, 0.294), vec2(0.343, -0.734), vec2(0.253, 0.809),                 \
        vec2(-0.763, -0.443), vec2(0.897, -0.197), vec2(-0.547, 0.778),               \
        vec2(-0.127, -0.976));                                                        \
    float open_sky(sampler2DShadow map, vec3 coordinate, float radius) {              \
        float sum = 0.0;                                                              \
        for (int i = 0; i < 16; ++i) {                                                \
            sum += texture(map, coordinate + vec3(disc[i] * radius, 0.0));            \
        }                                                                             \
        return sum / 16.0;                                                            \
    })

// The share of the key light that reaches a place, with a soft edge: five comparisons, each of
// which blends four texels.
#define KEY SHARED(                                                                   \
    float lit(sampler2DShadow map, vec3 at, float radius) {                           \
        return 0.2 * (texture(map, at) +                                              \
                      texture(map, at + vec3(0.4 * radius, radius, 0.0)) +            \
                      texture(map, at + vec3(radius, -0.4 * radius, 0.0)) +           \
                      texture(map, at + vec3(-0.4 * radius, -radius, 0.0)) +          \
                      texture(map, at + vec3(-radius, 0.4 * radius, 0.0)));           \
    })

// A colour in sRGB, of the linear value.
#define ENCODE SHARED(                                                                \
    vec3 encode(vec3 c) {                                                             \
        c = clamp(c, 0.0, 1.0);                                                       \
        return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c,                \
                   lessThanEqual(c, vec3(0.0031308)));                                \
    })

// A pool of light that lies on the ground about the character. It ends before the ground does.
// `inside` is 1 in the middle and 0 at the edge.
#define POOL SHARED(                                                                  \
    vec3 pool(float inside) {                                                         \
        return vec3(0.105, 0.110, 0.120) * inside * inside;                           \
    })

// A key light with a shadow, a fill light from the other side, a rim light from behind, and a sky
// that is darker below and where the body hides it. Diffuse light wraps a little around the edge of
// the key light, as in skin; highlights are broad and weak. `shadow` is the share of the key light
// that arrives, `sky` the share of the sky that is open. In folds, where normals look away although
// the surface is seen, there is no rim.
#define BODY SHARED(                                                                  \
    uniform vec3 key_light;                                                           \
    uniform vec3 fill_light;                                                          \
    uniform vec3 rim_light;                                                           \
    vec3 lit_body(vec3 surface, vec3 n, vec3 to_eye, float shadow, float sky) {       \
        float wrapped = max((dot(n, key_light) + 0.12) / 1.12, 0.0);                  \
        vec3 key = vec3(1.00, 0.95, 0.88) * (0.82 * wrapped * shadow);                \
        vec3 fill = vec3(0.55, 0.68, 0.90) * (0.16 * (0.5 + 0.5 * dot(n, fill_light))); \
        vec3 above = mix(vec3(0.10, 0.085, 0.075), vec3(0.34, 0.38, 0.44), 0.5 + 0.5 * n.y); \
        float faces = dot(n, to_eye);                                                 \
        float edge = 1.0 - max(faces, 0.0);                                           \
        float rim = 0.40 * edge * edge * edge * smoothstep(-0.1, 0.6, dot(n, rim_light)); \
        rim *= 1.0 - smoothstep(0.0, 0.5, -faces);                                    \
        float shine = max(dot(n, normalize(key_light + to_eye)), 0.0);                \
        shine = pow(shine, 22.0) * 0.055 * shadow;                                    \
        vec3 light = surface * (key + fill + above * (0.30 + 0.70 * sky));            \
        return light + vec3(0.80, 0.90, 1.00) * rim + shine;                          \
    })

// Glass, whose edges and highlights hide more of what is behind.
#define GLASS SHARED(                                                                 \
    uniform vec3 key_light;                                                           \
    vec4 lit_glass(vec3 surface, float share, vec3 n, vec3 to_eye) {                  \
        float edge = 1.0 - max(dot(n, to_eye), 0.0);                                  \
        float shine = pow(max(dot(n, normalize(key_light + to_eye)), 0.0), 40.0);     \
        float light = 0.45 + 0.35 * dot(n, key_light) + 0.20 * n.y;                   \
        return vec4(surface * max(light, 0.1) + 0.4 * shine,                          \
                    share + (1.0 - share) * share * (edge * edge + shine));           \
    })

// A ghost's colour, by the cosine of the angle at which one looks at it.
#define GHOST SHARED(                                                                 \
    vec4 lit_ghost(float straight) {                                                  \
        float edge = 1.0 - abs(straight);                                             \
        return vec4(0.52, 0.72, 1.00, 0.03 + 0.85 * edge * edge * edge * edge);       \
    })

const char* const tlw_shader_depth_vertex = GLSL(
    layout(location = 0) in vec3 position;
    uniform mat4 camera;
    void main() {
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_depth_fragment = GLSL(
    void main() {
    });

const char* const tlw_shader_backdrop_vertex = GLSL(
    out float row;
    void main() {
        vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
        row = 0.5 + 0.5 * corner.y;
        gl_Position = vec4(corner, 1.0, 1.0);
    });

const char* const tlw_shader_backdrop_fragment = GLSL_AFTER(BACKDROP,
    in float row;
    out vec4 colour;
    void main() {
        colour = vec4(backdrop(row), 1.0);
    });

// A square of rows * rows cells, a strip of triangles for each row; cells are small in the middle,
// under the character.
const char* const tlw_shader_ground_vertex = GLSL_AFTER(SKY,
    uniform mat4 camera;
    uniform mat4 key_map;
    uniform mat4 sky_map;
    uniform vec3 centre;
    uniform float reach;
    uniform int cells;
    uniform sampler2DShadow sky_depth;
    out vec2 place;
    out vec3 in_key;
    out float sky;
    void main() {
        vec2 cell = vec2(gl_VertexID / 2, gl_InstanceID + gl_VertexID % 2);
        place = cell / float(cells) * 2.0 - 1.0;
        place *= abs(place);
        vec4 position = vec4(centre + reach * vec3(place.x, 0.0, place.y), 1.0);
        vec3 in_sky = (sky_map * position).xyz;
        sky = 0.36 * open_sky(sky_depth, in_sky, 0.035) + 0.64 * open_sky(sky_depth, in_sky, 0.13);
        in_key = (key_map * position).xyz - vec3(0.0, 0.0, 0.0005);
        gl_Position = camera * position;
    });

// The ground has the backdrop's colour, so that it has no horizon, and a pool of light, from which
// shadows take light away.
const char* const tlw_shader_ground_fragment = GLSL_AFTER(BACKDROP POOL KEY,
    in vec2 place;
    in vec3 in_key;
    in float sky;
    uniform vec2 rows; // of the picture: the first of the view, and how many
    uniform sampler2DShadow key_depth;
    out vec4 colour;
    void main() {
        float inside = 1.0 - smoothstep(0.0, 1.0, length(place));
        float light = 0.5 * lit(key_depth, in_key, 0.003) + 0.5 * sky;
        float shaded = mix(1.0, light, min(1.0, 3.0 * inside));
        vec3 bare = backdrop((gl_FragCoord.y - rows.x) / rows.y) + pool(inside);
        colour = vec4(bare * shaded, 1.0);
    });

// Attributes of a mesh; their numbers are those of slots.c.
const char* const tlw_shader_body_vertex = GLSL_AFTER(SKY LINEAR,
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 colour;
    layout(location = 3) in float openness;
    uniform mat4 camera;
    uniform mat4 key_map;
    uniform mat4 sky_map;
    uniform float size;
    uniform sampler2DShadow sky_depth;
    out vec3 place;
    out vec3 facing;
    out vec3 surface;
    out vec3 in_key;
    out float sky;
    void main() {
        place = position;
        facing = normal;
        surface = linear(colour.rgb);
        in_key = (key_map * vec4(position + 0.006 * size * normal, 1.0)).xyz;
        vec3 in_sky = (sky_map * vec4(position + 0.035 * size * normal, 1.0)).xyz;
        sky = openness * open_sky(sky_depth, in_sky, 0.045);
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_body_fragment = GLSL_AFTER(KEY BODY,
    in vec3 place;
    in vec3 facing;
    in vec3 surface;
    in vec3 in_key;
    in float sky;
    uniform vec3 eye;
    uniform sampler2DShadow key_depth;
    out vec4 colour;
    void main() {
        vec3 n = normalize(gl_FrontFacing ? facing : -facing);
        float shadow = lit(key_depth, in_key, 0.0025);
        colour = vec4(lit_body(surface, n, normalize(eye - place), shadow, sky), 1.0);
    });

const char* const tlw_shader_glass_vertex = GLSL_AFTER(LINEAR,
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 colour;
    uniform mat4 camera;
    out vec3 place;
    out vec3 facing;
    out vec4 surface;
    void main() {
        place = position;
        facing = normal;
        surface = vec4(linear(colour.rgb), colour.a);
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_glass_fragment = GLSL_AFTER(GLASS,
    in vec3 place;
    in vec3 facing;
    in vec4 surface;
    uniform vec3 eye;
    uniform float opacity;
    out vec4 colour;
    void main() {
        vec3 n = normalize(gl_FrontFacing ? facing : -facing);
        colour = lit_glass(surface.rgb, opacity * surface.a, n, normalize(eye - place));
    });

const char* const tlw_shader_ghost_vertex = GLSL(
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    uniform mat4 camera;
    out vec3 place;
    out vec3 facing;
    void main() {
        place = position;
        facing = normal;
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_ghost_fragment = GLSL_AFTER(GHOST,
    in vec3 place;
    in vec3 facing;
    uniform vec3 eye;
    out vec4 colour;
    void main() {
        colour = lit_ghost(dot(normalize(facing), normalize(eye - place)));
    });

const char* const tlw_shader_overlay_vertex = GLSL(
    layout(location = 0) in vec2 pixel;
    layout(location = 1) in vec4 display_colour;
    layout(location = 2) in vec2 texel;
    uniform vec2 size;
    uniform sampler2D letters;
    out vec4 shown;
    out vec2 in_letters;
    void main() {
        shown = vec4(pow(display_colour.rgb, vec3(2.2)), display_colour.a);
        in_letters = texel / vec2(textureSize(letters, 0));
        gl_Position = vec4(2.0 * pixel.x / size.x - 1.0, 1.0 - 2.0 * pixel.y / size.y, 0.0, 1.0);
    });

const char* const tlw_shader_overlay_fragment = GLSL(
    in vec4 shown;
    in vec2 in_letters;
    uniform sampler2D letters;
    out vec4 colour;
    void main() {
        colour = vec4(shown.rgb, shown.a * texture(letters, in_letters).r);
    });

// ---- For drivers that draw on the CPU

// The fragment shader of all that vertices have lit.
#define SHOW_VERTEX_COLOUR GLSL(                                                      \
    in vec4 shown;                                                                    \
    out vec4 colour;                                                                  \
    void main() {                                                                     \
        colour = shown;                                                               \
    })

// The backdrop in encoded colours, which differ little from those of full quality.
#define FAST_BACKDROP SHARED(                                                         \
    vec3 backdrop(float row) {                                                        \
        const vec3 low = vec3(0.330, 0.357, 0.403), high = vec3(0.150, 0.166, 0.202); \
        return low + row * row * (3.0 - 2.0 * row) * (high - low);                    \
    })

// A strip of rows of the picture.
const char* const tlw_shader_fast_backdrop_vertex = GLSL_AFTER(FAST_BACKDROP,
    uniform int cells;
    out vec4 shown;
    void main() {
        float row = float(gl_VertexID / 2) / float(cells);
        shown = vec4(backdrop(row), 1.0);
        gl_Position = vec4(float(gl_VertexID % 2) * 2.0 - 1.0, row * 2.0 - 1.0, 1.0, 1.0);
    });

const char* const tlw_shader_fast_backdrop_fragment = SHOW_VERTEX_COLOUR;

// A disc of the ground, as large as its pool of light.
const char* const tlw_shader_fast_ground_vertex = GLSL(
    uniform mat4 camera;
    uniform vec3 centre;
    uniform float reach;
    uniform float shade_reach;
    uniform int corners;
    out vec2 place;
    out vec2 in_shade;
    void main() {
        float turn = 6.2831853 * float(gl_VertexID) / float(corners);
        place = gl_VertexID == 0 ? vec2(0.0) : vec2(sin(turn), cos(turn));
        in_shade = 0.5 + 0.5 * place * reach / shade_reach;
        gl_Position = camera * vec4(centre + reach * vec3(place.x, 0.0, place.y), 1.0);
    });

const char* const tlw_shader_fast_ground_fragment = GLSL_AFTER(FAST_BACKDROP,
    in vec2 place;
    in vec2 in_shade;
    uniform vec2 rows; // of the picture: the first of the view, and one by how many
    uniform sampler2D shade;
    out vec4 colour;
    void main() {
        float inside = max(1.0 - dot(place, place), 0.0);
        float pool = 1.0 + 0.52 * inside * inside * inside;
        vec3 bare = backdrop((gl_FragCoord.y - rows.x) * rows.y);
        colour = vec4(bare * (pool * texture(shade, in_shade).r), 1.0);
    });

// `turns` is 1 for a mesh whose inside may be seen: there the normal is turned to the eye.
const char* const tlw_shader_fast_body_vertex = GLSL_AFTER(BODY LINEAR ENCODE,
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 colour;
    layout(location = 3) in float openness;
    uniform mat4 camera;
    uniform mat4 key_map;
    uniform float size;
    uniform float turns;
    uniform vec3 eye;
    uniform sampler2DShadow key_depth;
    out vec4 shown;
    void main() {
        vec3 to_eye = normalize(eye - position);
        vec3 n = turns * dot(normal, to_eye) < -0.25 ? -normal : normal;
        vec3 at = (key_map * vec4(position + 0.012 * size * n, 1.0)).xyz;
        float shadow = 0.25 * (texture(key_depth, at + vec3(0.002, 0.004, 0.0)) +
                               texture(key_depth, at + vec3(0.004, -0.002, 0.0)) +
                               texture(key_depth, at + vec3(-0.002, -0.004, 0.0)) +
                               texture(key_depth, at + vec3(-0.004, 0.002, 0.0)));
        shown = vec4(encode(lit_body(linear(colour.rgb), n, to_eye, shadow, openness)), 1.0);
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_fast_body_fragment = SHOW_VERTEX_COLOUR;

const char* const tlw_shader_fast_glass_vertex = GLSL_AFTER(GLASS LINEAR ENCODE,
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 colour;
    uniform mat4 camera;
    uniform vec3 eye;
    uniform float opacity;
    out vec4 shown;
    void main() {
        vec3 to_eye = normalize(eye - position);
        vec3 n = dot(normal, to_eye) < 0.0 ? -normal : normal;
        vec4 lit = lit_glass(linear(colour.rgb), opacity * colour.a, n, to_eye);
        shown = vec4(encode(lit.rgb), lit.a);
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_fast_glass_fragment = SHOW_VERTEX_COLOUR;

const char* const tlw_shader_fast_ghost_vertex = GLSL_AFTER(GHOST ENCODE,
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    uniform mat4 camera;
    uniform vec3 eye;
    out vec4 shown;
    void main() {
        vec4 lit = lit_ghost(dot(normal, normalize(eye - position)));
        shown = vec4(encode(lit.rgb), lit.a);
        gl_Position = camera * vec4(position, 1.0);
    });

const char* const tlw_shader_fast_ghost_fragment = SHOW_VERTEX_COLOUR;

const char* const tlw_shader_fast_overlay_vertex = GLSL(
    layout(location = 0) in vec2 pixel;
    layout(location = 1) in vec4 display_colour;
    layout(location = 2) in vec2 texel;
    uniform vec2 size;
    uniform sampler2D letters;
    out vec4 shown;
    out vec2 in_letters;
    void main() {
        shown = display_colour;
        in_letters = texel / vec2(textureSize(letters, 0));
        gl_Position = vec4(2.0 * pixel.x / size.x - 1.0, 1.0 - 2.0 * pixel.y / size.y, 0.0, 1.0);
    });

const char* const tlw_shader_fast_overlay_fragment = GLSL(
    in vec4 shown;
    in vec2 in_letters;
    uniform sampler2D letters;
    out vec4 colour;
    void main() {
        colour = vec4(shown.rgb, shown.a * texture(letters, in_letters).r);
    });
