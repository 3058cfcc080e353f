/* tests/io/rows.h - makes files of seven rows and compares tensors bit by bit.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef ROWS_H
#define ROWS_H

#include "files.h"

enum { ROWS = 7 };

static uint64_t random_state = 88172645463325252U;

static inline uint8_t random_byte(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint8_t)(random_state >> 32);
}

static inline void check_same_bits(heed_tensor *a, heed_tensor *b)
{
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    ck_assert_int_eq(heed_dtype_of(a), heed_dtype_of(b));
    a = heed_contiguous(a);
    b = heed_contiguous(b);
    for (int64_t i = 0; i < heed_numel(a); i++) {
        double x = value_at(a, i), y = value_at(b, i);
        ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "element %d: %.17g, not %.17g", (int)i, x, y);
    }
}

static inline void write_npy(const char *name, const char *descr, const char *more, const char *shape, size_t bytes)
{
    uint8_t file[1024];
    int length =
        snprintf((char *)file + 10, 200, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, more, shape);
    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (uint8_t)length;
    file[9] = 0;
    for (size_t i = 0; i < bytes; i++)
        file[10 + (size_t)length + i] = random_byte();
    write_bytes(in_folder(name), file, 10 + (size_t)length + bytes);
}

static inline void write_idx(const char *name, uint8_t type, size_t size)
{
    uint8_t file[16 + 6 * ROWS * 8] = {0, 0, type, 3, 0, 0, 0, ROWS, 0, 0, 0, 3, 0, 0, 0, 2};
    for (size_t i = 0; i < 6 * ROWS * size; i++)
        file[16 + i] = random_byte();
    write_bytes(in_folder(name), file, 16 + 6 * ROWS * size);
}

#endif
