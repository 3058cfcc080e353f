/* promises/test_struct_sizes.c - public structures keep the sizes that existing programs were compiled with.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static const struct {
    const char *name;
    size_t size, expected;
} structs[] = {
#define STRUCT(name, expected) {#name, sizeof(name), expected},
#include "promises/struct_sizes.def"
};

START_TEST(sizes)
{
    const size_t count = sizeof(void *) == 8 && sizeof(long) == 8 ? sizeof structs / sizeof *structs : 0;
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(structs[i].size == structs[i].expected, "%s has %zu bytes, and had %zu", structs[i].name,
                      structs[i].size, structs[i].expected);
}
END_TEST

HEED_TEST_MAIN("sizes of structures", sizes)
