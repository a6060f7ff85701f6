// SPDX-License-Identifier: MIT
// Writes a run of a character as a file that other programs show: the positions of all vertices,
// frame by frame. Reads a blob and the positions and normals of an output in source order.
//
//     tlw_export_def def = tlw_default_export_def();
//     def.blob = &blob;
//     def.path = "dance.glb";
//     def.frame_count = 240;
//     tlw_export_begin(&def, &file, &error);
//     for each of the 240 frames: tlw_export_add(file, positions, normals);
//     tlw_export_commit(file, &error);
//
// The ending of the path says the kind. README.md says what is in each.
#ifndef TLW_TOOLS_EXPORT_EXPORT_H
#define TLW_TOOLS_EXPORT_EXPORT_H

#include "runtime/asset.h"
#include "tools/command/exit_code.h"

TLW_EXTERN_C_BEGIN

// kind, the same in lower case, ending, whether frames have normals; and all endings, as errors and
// usage list them
#define TLW_EXPORT_KINDS(X)    \
    X(PC2, pc2, ".pc2", false) \
    X(GLB, glb, ".glb", true)
#define TLW_EXPORT_ENDINGS ".pc2 or .glb"

typedef enum tlw_export_kind {
#define TLW_EXPORT_KIND_ENUM(kind, name, ending, has_normals) TLW_EXPORT_##kind,
    TLW_EXPORT_KINDS(TLW_EXPORT_KIND_ENUM)
#undef TLW_EXPORT_KIND_ENUM
        TLW_EXPORT_KIND_COUNT
} tlw_export_kind;

// TLW_EXPORT_KIND_COUNT for a path that has none of the endings, in upper or lower case.
tlw_export_kind tlw_export_kind_of(const char* path);
// Whether frames of that kind have normals.
bool tlw_export_has_normals(tlw_export_kind kind);

// name, exit code of a command that ends with it, what it means
#define TLW_EXPORT_CODE_TABLE(X)                                                       \
    X(TLW_EXPORT_OK, TLW_EXIT_OK, "ok")                                                \
    X(TLW_EXPORT_BAD_ARGUMENT, TLW_EXIT_USAGE, "the def has a value out of its range") \
    X(TLW_EXPORT_NO_MESH, TLW_EXIT_BAD_ASSET, "the character has no mesh to write")    \
    X(TLW_EXPORT_CANNOT_WRITE, TLW_EXIT_CANNOT_WRITE,                                  \
      "a file cannot be written, is too large for its format, or there is no memory")

typedef enum tlw_export_code {
#define TLW_EXPORT_CODE_ENUM(name, exit_code, meaning) name,
    TLW_EXPORT_CODE_TABLE(TLW_EXPORT_CODE_ENUM)
#undef TLW_EXPORT_CODE_ENUM
        TLW_EXPORT_CODE_COUNT
} tlw_export_code;

tlw_exit_code tlw_export_exit_code(tlw_export_code code);

typedef struct tlw_export_error {
    tlw_export_code code;
    char message[768]; // one line: which file, and what
} tlw_export_error;

typedef struct tlw_export_def {
    uint32_t cookie;
    const tlw_blob* blob; // opened; it outlives the export
    const char* path;     // its ending says the kind
    const char* clip;     // name of the animation in a GLB; "tallow"
    uint32_t frame_count; // frames that will be added, 1 or more; 1
    uint32_t every;       // of these, frames 0, every, 2 every ... are written; 1
    double hz;            // frames per second; 60
    uint64_t limit_bytes; // of a GLB, whose header cannot say more; 4,294,967,295
} tlw_export_def;

tlw_export_def tlw_default_export_def(void);

typedef struct tlw_export tlw_export;

// Begins the files and takes all memory, so that what cannot be written is said before anything is
// stepped. Nothing is at the path before the commit, or the old file still is. On failure *out is
// null. `error` may be null here and below.
tlw_export_code tlw_export_begin(const tlw_export_def* def, tlw_export** out,
                                 tlw_export_error* error);
// Adds the next frame: 3 floats for each vertex of the blob, in source order, in metres. `normals`
// may be null for kinds without them. A write that fails is reported by the commit.
void tlw_export_add(tlw_export* file, const float* positions, const float* normals);
// Ends and frees the export after all frames were added. Each file is replaced as one step.
tlw_export_code tlw_export_commit(tlw_export* file, tlw_export_error* error);
// Frees the export, and leaves old files as they are. `file` may be null.
void tlw_export_abandon(tlw_export* file);

TLW_EXTERN_C_END

#endif
