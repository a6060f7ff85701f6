// SPDX-License-Identifier: MIT
// Private to tools/asset: what the files of the glTF reader share. The load in progress, typed
// access to JSON, and one function per stage.
//
//   glb.c  ->  json.c  ->  buffers.c  ->  accessor.c  ->  nodes, meshes, skins, clips
//   chunks     text        bytes, uri.c   numbers         node.c mesh.c skin.c animation.c
#ifndef TLW_TOOLS_ASSET_GLTF_H
#define TLW_TOOLS_ASSET_GLTF_H

#include "tools/asset/asset.h"
#include "tools/asset/memory.h"
#include "tools/asset/notes.h"
#include "tools/json/json.h"

// Bytes of buffers[i].
typedef struct tlw_gltf_buffer {
    const uint8_t* bytes;
    uint64_t size;
} tlw_gltf_buffer;

typedef struct tlw_gltf_view {
    const uint8_t* bytes;
    uint64_t offset; // in its buffer; alignment is measured from the buffer's start
    uint64_t size;
    uint32_t stride; // 0: none given
    bool has_target; // the file declares it as vertex or index data
    // The accessor that reads it as vertices without a stride, or TLW_ASSET_NONE.
    uint32_t vertex_accessor;
} tlw_gltf_view;

typedef enum tlw_gltf_component {
    TLW_I8 = 5120,
    TLW_U8 = 5121,
    TLW_I16 = 5122,
    TLW_U16 = 5123,
    TLW_U32 = 5125,
    TLW_F32 = 5126
} tlw_gltf_component;

typedef struct tlw_gltf_accessor {
    uint32_t view; // TLW_ASSET_NONE: all elements are zero
    uint64_t offset;
    uint32_t count;
    tlw_gltf_component component;
    bool is_normalised;
    const char* type; // "VEC3"
    uint32_t element_components;
    uint32_t element_bytes;
    uint32_t stride;
    // Sparse: these elements replace the elements with these indices.
    uint32_t sparse_count;
    tlw_gltf_component sparse_component;
    const uint8_t* sparse_indices;
    const uint8_t* sparse_values;
    const float* floats; // read once and shared by all users
    const float* raw;    // the same of tlw_accessor_raw_floats
    uint32_t checks;     // bits of tlw_gltf_check that have succeeded and need no repetition
} tlw_gltf_accessor;

typedef enum tlw_gltf_check {
    TLW_CHECKED_TIMES = 1,
    TLW_CHECKED_ROTATIONS = 2,
    TLW_CHECKED_CUBIC_ROTATIONS = 4
} tlw_gltf_check;

typedef struct tlw_gltf {
    tlw_asset* asset;
    tlw_asset_memory* memory;
    tlw_asset_limits limits;
    tlw_asset_error* error;
    const char* folder; // or null
    json_t* root;
    const uint8_t* bin; // the GLB's own buffer, or null
    uint64_t bin_size;
    tlw_gltf_buffer* buffers;
    tlw_gltf_view* views;
    tlw_gltf_accessor* accessors;
    uint32_t buffer_count, view_count, accessor_count;
    uint64_t unbacked_bytes;
    bool is_quantized; // KHR_mesh_quantization is required
    bool* is_morphed;  // for each mesh: a morph target has weight at rest
    // The asset's own arrays, writable.
    const char** files;
    uint64_t* file_hashes;
    tlw_notes notes;
    tlw_asset_node* nodes;
} tlw_gltf;

// Quaternions may be this far from length 1, because exporters write them with 8 bits.
#define TLW_GLTF_ROTATION_TOLERANCE 0.02

// Errors. All functions return false, so that a check can say `return tlw_gltf_fail(...)`. Only the
// first error is kept.
// ------------------------------------------------------------------------------------------------

bool tlw_gltf_fail(tlw_gltf* g, const tlw_json* at, const char* format, ...) TLW_PRINTF(3, 4);
bool tlw_gltf_cannot_read(tlw_gltf* g, const tlw_json* at, const char* format, ...)
    TLW_PRINTF(3, 4);
// For an allocation that would exceed limits.memory_bytes.
bool tlw_gltf_no_memory(tlw_gltf* g, const tlw_json* at, uint64_t count, size_t element_bytes);
// Adds a note. Notes of one kind are summed up after some (notes.h).
void tlw_gltf_note(tlw_gltf* g, const tlw_json* at, const char* format, ...) TLW_PRINTF(3, 4);
// Null, with an error, beyond the memory limit.
void* tlw_gltf_allocate(tlw_gltf* g, const tlw_json* at, tlw_asset_lifetime lifetime,
                        uint64_t count, size_t element_bytes);

// JSON
// ------------------------------------------------------------------------------------------------

bool tlw_json_parse(tlw_gltf* g, const char* text, size_t size);
tlw_json tlw_json_root(const tlw_gltf* g);

typedef enum tlw_json_need { TLW_OPTIONAL, TLW_REQUIRED } tlw_json_need;

// Each checks the type. An optional value that is absent leaves *out unchanged.
bool tlw_json_object(tlw_gltf* g, const tlw_json* at, tlw_json_need need);
// Requires at least `least` elements; an absent array has 0.
bool tlw_json_array(tlw_gltf* g, const tlw_json* at, uint32_t least, uint32_t* count);
// An array of objects.
bool tlw_json_objects(tlw_gltf* g, const tlw_json* at, uint32_t least, uint32_t* count);
bool tlw_json_uint(tlw_gltf* g, const tlw_json* at, tlw_json_need need, uint64_t* out);
bool tlw_json_index(tlw_gltf* g, const tlw_json* at, tlw_json_need need, uint32_t count,
                    uint32_t* out);
bool tlw_json_bool(tlw_gltf* g, const tlw_json* at, bool* out);
bool tlw_json_string(tlw_gltf* g, const tlw_json* at, tlw_json_need need, const char** out);
// Exactly `count` numbers within the range of float.
bool tlw_json_numbers(tlw_gltf* g, const tlw_json* at, uint32_t count, double* out);
// A copy of the "name" member, "" where there is none.
bool tlw_json_name(tlw_gltf* g, const tlw_json* object, const char** out);

// Stages
// ------------------------------------------------------------------------------------------------

bool tlw_glb_is_glb(const uint8_t* bytes, size_t size);
bool tlw_glb_split(tlw_gltf* g, const uint8_t* bytes, size_t size, const char** json,
                   size_t* json_size);
// Refuses required extensions that change what is read here.
bool tlw_gltf_check_extensions(tlw_gltf* g);
bool tlw_gltf_read_buffers(tlw_gltf* g);
bool tlw_gltf_read_accessors(tlw_gltf* g);
bool tlw_gltf_read_nodes(tlw_gltf* g);
// Finds the meshes whose morph targets have weight at rest. Called before meshes are read.
bool tlw_gltf_find_morphs(tlw_gltf* g);
bool tlw_gltf_read_meshes(tlw_gltf* g);
bool tlw_gltf_read_skins(tlw_gltf* g);
bool tlw_gltf_read_animations(tlw_gltf* g);
// Checks skinned nodes: their mesh has joints, and the skin has all joints that the mesh uses.
bool tlw_gltf_check_skinned_nodes(tlw_gltf* g);

// The morph targets of a primitive, if `is_morphed`; its vertices are counted already.
bool tlw_gltf_read_morphs(tlw_gltf* g, const tlw_json* at, bool is_morphed, tlw_asset_primitive* p);
bool tlw_gltf_read_morph(tlw_gltf* g, const tlw_json* at, uint32_t vertex_count,
                         tlw_asset_morph* out);
// Reads the morph weights of the mesh or node `at`.
bool tlw_gltf_read_morph_weights(tlw_gltf* g, const tlw_json* at, const double** weights,
                                 uint32_t* count);
// Checks that there are as many weights as targets.
bool tlw_gltf_check_morphs(tlw_gltf* g);

// Reads the attributes of a primitive that paint can use; its vertices are counted already.
bool tlw_gltf_read_attributes(tlw_gltf* g, const tlw_json* attributes, tlw_asset_primitive* p);

// Reads a data URI or a file below the asset's folder. Fails if it has fewer than byte_length
// bytes.
bool tlw_uri_read(tlw_gltf* g, const tlw_json* at, const char* uri, uint64_t byte_length,
                  tlw_gltf_buffer* out);
// Lists the files of pictures in asset->pictures. Nothing is opened, and what is wrong with a
// picture is not looked at.
bool tlw_gltf_list_pictures(tlw_gltf* g);
// Reads a whole file into scratch memory and lists it with its hash in asset->files.
bool tlw_gltf_read_file(tlw_gltf* g, const tlw_json* at, const char* path, tlw_gltf_buffer* out);

uint32_t tlw_component_bytes(tlw_gltf_component component);
const char* tlw_component_name(tlw_gltf_component component);
// All elements as floats, normalised where the accessor says so, and finite. Read once and kept.
// `at` is the place in the file that refers to the accessor.
bool tlw_accessor_floats(tlw_gltf* g, const tlw_json* at, uint32_t accessor, const float** out);
// The same, but numbers may be NaN or infinite.
bool tlw_accessor_raw_floats(tlw_gltf* g, const tlw_json* at, uint32_t accessor, const float** out);
// Unsigned integers: component c of element i goes to out[i * out_stride + c].
bool tlw_accessor_uints(tlw_gltf* g, const tlw_json* at, uint32_t accessor, uint32_t* out,
                        uint32_t out_stride);
// Checks the rules for vertex data: alignment to 4 bytes, one stride per bufferView.
bool tlw_accessor_check_vertices(tlw_gltf* g, const tlw_json* at, uint32_t accessor);
// Counts the zeros of an accessor without bufferView against limits.unbacked_bytes.
bool tlw_accessor_charge_unbacked(tlw_gltf* g, const tlw_json* at, const tlw_gltf_accessor* a);

#endif
