// SPDX-License-Identifier: MIT
// Which files the cooks of a command read and which they write, so that none writes over what it or
// another reads, and no two outputs are one file. Files are told apart as the system does, not by
// how their paths are spelled: a symbolic or a hard link to the art is the art.
#ifndef TLW_TOOLS_COOK_CLAIMS_H
#define TLW_TOOLS_COOK_CLAIMS_H

#include "tools/cook/command.h"

// Zeroed at first. One command has one, for all its cooks; not to be used by two threads at a time.
typedef struct tlw_cook_claims {
    struct tlw_cook_claim* claims; // those that are written come first
    size_t count, capacity, written;
} tlw_cook_claims;

// Each returns TLW_EXIT_OK; TLW_EXIT_USAGE after saying which two files are one; or
// TLW_EXIT_CANNOT_READ without memory. What was claimed stays claimed.

// The files that the arguments of a run name. Before anything is read.
tlw_exit_code tlw_cook_claim_arguments(tlw_cook_claims* claims, const tlw_cook_run* run);
// The files that its recipe extends and that its asset names, buffers and pictures, once both were
// read.
tlw_exit_code tlw_cook_claim_sources(tlw_cook_claims* claims, const tlw_cook_run* run);
// Calls a function for each of those files, until it returns another code than TLW_EXIT_OK, which
// is returned.
typedef tlw_exit_code tlw_cook_source(const char* what, const char* path, void* user);
tlw_exit_code tlw_cook_each_source(const tlw_cook_run* run, tlw_cook_source* call, void* user);
void tlw_cook_claims_free(tlw_cook_claims* claims);

#endif
