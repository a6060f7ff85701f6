// SPDX-License-Identifier: MIT
// As much of JSON schema (draft 2020-12) as tools/recipe/schema.c writes, from its specification. A
// keyword that it does not know fails the test.
#ifndef TLW_TESTS_RECIPE_SCHEMA_CHECK_H
#define TLW_TESTS_RECIPE_SCHEMA_CHECK_H

#include "platform/base.h"

#include <jansson.h>

// Whether `value` is valid under `schema`, a part of `root`.
bool schema_check(const json_t* root, const json_t* schema, const json_t* value);

#endif
