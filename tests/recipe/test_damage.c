// SPDX-License-Identifier: MIT
// Damaged recipes: every truncation of the example is refused, and no flipped byte does harm. Texts
// are heap blocks of their exact size, so that the sanitizer sees a read beyond the end.
#include "tests/recipe/recipe_fixture.h"

static void check_one_line(const tlw_recipe_error* error) {
    const size_t length = strlen(error->message);
    CHECK_LT(0, length);
    CHECK_LT(length + 1, sizeof error->message);
    for (size_t i = 0; i < length; ++i) {
        CHECK((unsigned char)error->message[i] >= 0x20);
    }
}

static void check_zero(const tlw_recipe* recipe) {
    static const tlw_recipe zero;
    CHECK_BYTES(recipe, &zero, sizeof zero);
}

// What must hold of every recipe that is accepted.
static void use(const tlw_recipe* recipe) {
    const tlw_cook_recipe* cook = &recipe->cook;
    size_t bytes = 0;
    CHECK((cook->resolution >= 2 && cook->resolution <= 1024) ||
          (cook->resolution == 0 && cook->voxel_metres > 0));
    CHECK(cook->layer_count >= 2 && cook->layer_count <= TLW_COOK_LAYERS_MAX);
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        CHECK(cook->layers[i].stiffness >= 0 && cook->layers[i].stiffness <= 1e6f);
        CHECK(cook->layers[i].damping >= 0 && cook->layers[i].damping <= 1);
        CHECK_LE(cook->layers[i].ratio.numerator, cook->layers[i].ratio.denominator);
        CHECK_LT(0, strlen(cook->layers[i].name));
    }
    for (uint32_t i = 0; i < cook->part_count; ++i) {
        bytes += strlen(cook->parts[i].joint);
    }
    for (uint32_t i = 0; i < cook->profile_count; ++i) {
        bytes += strlen(cook->profiles[i].name);
        for (uint32_t k = 1; k < cook->profiles[i].part_count; ++k) {
            bytes += strlen(cook->profiles[i].parts[k].joint);
        }
    }
    CHECK(cook->volume_reach >= 0 && cook->volume_reach <= 10);
    for (int i = 0; i < 3; ++i) {
        CHECK(cook->rest_gravity[i] >= -1e6f && cook->rest_gravity[i] <= 1e6f);
    }
    for (uint32_t i = 0; i < cook->cut_count; ++i) {
        bytes += strlen(cook->cuts[i].joint_a) + strlen(cook->cuts[i].joint_b);
    }
    for (uint32_t i = 0; i < recipe->role_count; ++i) {
        bytes += strlen(recipe->roles[i].name);
    }
    CHECK_LT(bytes, TLW_RECIPE_BYTES_MAX);
}

static tlw_result read_copy(const char* text, size_t size) {
    char* copy = malloc(size > 0 ? size : 1);
    tlw_recipe recipe;
    tlw_recipe_error error;
    CHECK(copy != NULL);
    memcpy(copy, text, size);
    const tlw_result result = tlw_recipe_read(copy, size, &recipe, &error);
    free(copy);
    CHECK_EQ(result, error.result);
    if (result == TLW_OK) {
        CHECK_STRING(error.message, "");
        use(&recipe);
        tlw_recipe_free(&recipe);
    } else {
        check_one_line(&error);
    }
    check_zero(&recipe);
    return result;
}

TLW_TEST(recipe_truncated_at_any_length_is_refused) {
    size_t size;
    char* text = fixture_load("example.json", &size);
    // The last byte is the line end after the last brace.
    CHECK_EQ(text[size - 1], '\n');
    CHECK_EQ(text[size - 2], '}');
    CHECK_OK(read_copy(text, size));
    CHECK_OK(read_copy(text, size - 1));
    for (size_t length = 0; length < size - 1; ++length) {
        CHECK_RESULT(read_copy(text, length), TLW_ERROR_BAD_ARGUMENT);
    }
    free(text);
}

// Every byte with TLW_TEST_FULL, otherwise every third: time grows with the square of the example.
static size_t damage_stride(void) {
    return getenv("TLW_TEST_FULL") != NULL ? 1 : 3;
}

TLW_TEST(recipe_with_any_bit_flipped_does_no_harm) {
    const size_t stride = damage_stride();
    size_t size, refused = 0;
    char* text = fixture_load("example.json", &size);
    for (size_t i = 0; i < size; i += stride) {
        for (int bit = 0; bit < 8; ++bit) {
            text[i] = (char)(text[i] ^ 1 << bit);
            refused += read_copy(text, size) != TLW_OK;
            text[i] = (char)(text[i] ^ 1 << bit);
        }
    }
    // Only digits, letters of names and whitespace can change without an error.
    CHECK_LT(size / stride * 8 / 2, refused);
    free(text);
}

TLW_TEST(recipe_with_any_byte_replaced_does_no_harm) {
    static const char bytes[] = {'\0', '"',  '{', '}', '[',  ']',    ',',
                                 ':',  '\\', '-', '9', '\n', '\xFF', '\xC3'};
    const size_t stride = damage_stride();
    size_t size;
    char* text = fixture_load("example.json", &size);
    for (size_t i = 0; i < size; i += stride) {
        const char old = text[i];
        for (size_t k = 0; k < sizeof bytes; ++k) {
            text[i] = bytes[k];
            read_copy(text, size);
        }
        text[i] = old;
    }
    free(text);
}

TLW_TEST(recipe_of_limit_size_is_read_and_one_byte_more_is_refused) {
    char* text = malloc(TLW_RECIPE_BYTES_MAX + 1);
    CHECK(text != NULL);
    memset(text, ' ', TLW_RECIPE_BYTES_MAX + 1);
    memcpy(text, "{}", 2);
    CHECK_OK(read_copy(text, TLW_RECIPE_BYTES_MAX));
    CHECK_RESULT(read_copy(text, TLW_RECIPE_BYTES_MAX + 1), TLW_ERROR_TOO_LARGE);
    free(text);
}
