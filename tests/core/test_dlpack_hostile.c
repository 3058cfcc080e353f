/* tests/core/test_dlpack_hostile.c - tests of the DLManagedTensors that heed_from_dlpack refuses: the caller keeps
 * them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "dlpack.h"

static void refuse(const managed *m, heed_status code, const char *text)
{
    managed copy = *m;
    ck_assert_msg(heed_from_dlpack(&copy) == NULL, "not refused: %s", text);
    ck_assert_error(code, text);
    ck_assert_int_eq(deletions, 0);
}

START_TEST(other_elements)
{
    double x[2] = {0};
    managed m = theirs(x, 1, (int64_t[]){1});
    static const int others[][3] = {{2, 16, 1}, {2, 64, 2},  {2, 64, 0},   {0, 32, 1}, {1, 8, 1},
                                    {1, 64, 1}, {4, 16, 1},  {5, 64, 1},   {3, 64, 1}, {6, 1, 1},
                                    {6, 8, 8},  {2, 128, 1}, {255, 255, 1}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        m.tensor.code = (uint8_t)others[i][0];
        m.tensor.bits = (uint8_t)others[i][1];
        m.tensor.lanes = (uint16_t)others[i][2];
        refuse(&m, HEED_ERR_DTYPE, "from_dlpack: the elements have code ");
    }
    m.tensor.code = 1;
    m.tensor.bits = 8;
    refuse(&m, HEED_ERR_DTYPE,
           "the elements have code 1, 8 bits and 1 lanes: must be float of 32 or 64 bits (2), int of 64 (0) or bool "
           "(6), of "
           "1 lane");
    m = theirs(x, 1, (int64_t[]){1});
    m.tensor.device = 2;
    refuse(&m, HEED_ERR_UNSUPPORTED, "from_dlpack: device 2: must be the CPU, 1");
    ck_assert_ptr_null(heed_from_dlpack(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "from_dlpack: the DLManagedTensor is NULL");
}
END_TEST

START_TEST(hostile_shapes)
{
    double x[4] = {0};
    int64_t nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    managed m = theirs(x, 9, nine);
    refuse(&m, HEED_ERR_UNSUPPORTED, "from_dlpack: 9 dims: must be at most 8");
    m.tensor.ndim = INT32_MAX;
    refuse(&m, HEED_ERR_UNSUPPORTED, "2147483647 dims");
    m.tensor.ndim = -1;
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: ndim is -1 and shape is not NULL");
    m = theirs(x, 1, NULL);
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: ndim is 1 and shape is NULL");
    m = theirs(x, 2, (int64_t[]){-1, 2});
    refuse(&m, HEED_ERR_SHAPE, "from_dlpack: (-1, 2) is not a valid shape");
    m = theirs(x, 2, (int64_t[]){INT64_MAX, 3});
    refuse(&m, HEED_ERR_SHAPE, "is not a valid shape");
    m = theirs(x, 3, (int64_t[]){0, INT64_C(1) << 62, INT64_C(1) << 62});
    refuse(&m, HEED_ERR_SHAPE, "is not a valid shape");
    m = theirs(NULL, 1, (int64_t[]){1});
    m.tensor.byte_offset = (uint64_t)(uintptr_t)x;
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: data is NULL, for a shape (1)");
}
END_TEST

START_TEST(hostile_strides)
{
    static double x[4];
    static const char out[] = "from_dlpack: the strides or byte_offset of shape ";
    const int64_t strides[][2] = {{INT64_MAX, 1},           {INT64_MIN, 1},           {1, INT64_MAX / 8},
                                  {INT64_C(1) << 60, 1},    {-(INT64_C(1) << 60), 1}, {INT64_MAX / 2, INT64_MIN / 2},
                                  {-(INT64_C(1) << 59), 1}, {1, INT64_C(1) << 59}};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        managed m = theirs(x, 2, (int64_t[]){3, 2});
        int64_t own[2] = {strides[i][0], strides[i][1]};
        m.tensor.strides = own;
        refuse(&m, HEED_ERR_ARGUMENT, out);
    }
    managed m = theirs(x, 1, (int64_t[]){INT64_MAX / 8});
    refuse(&m, HEED_ERR_ARGUMENT, out);
    m = theirs(x, 1, (int64_t[]){1});
    m.tensor.byte_offset = UINT64_MAX - 7;
    refuse(&m, HEED_ERR_ARGUMENT, out);
    m.tensor.byte_offset = UINT64_MAX - (uint64_t)(uintptr_t)x - 7; /* the last possible element, then half of it */
    m.tensor.byte_offset += 4;
    refuse(&m, HEED_ERR_ARGUMENT, out);
    m.tensor.byte_offset = 4;
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: the address of the elements is not a multiple of 8 bytes");
    m.tensor.byte_offset = 0;
    m.tensor.data = (char *)x + 1;
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: the address of the elements is not a multiple of 8 bytes");
    m = theirs((void *)(uintptr_t)64, 1, (int64_t[]){100}); /* too low an address for 99 elements before it */
    m.tensor.strides = (int64_t[]){-1};
    refuse(&m, HEED_ERR_ARGUMENT, out);
}
END_TEST

/* (2, 2) bools of one byte, starting at `first`. */
static managed bools_of(char *first, int64_t *strides)
{
    static int64_t shape[] = {2, 2};
    managed m = theirs(first, 2, shape);
    m.tensor.code = HEED_DL_BOOL;
    m.tensor.bits = 8;
    m.tensor.strides = strides;
    return m;
}

START_TEST(bools)
{
    char b[] = {1, 0, 2, 1, 1, 2};
    managed m = bools_of(b, (int64_t[]){3, 1}); /* the twos lie between and after the elements */
    ck_assert_int_eq(heed_get_i64(heed_from_dlpack(&m), HEED_INDEX(1, 0)), 1);
    m = bools_of(b + 4, (int64_t[]){-3, -1});
    ck_assert_int_eq(heed_get_i64(heed_from_dlpack(&m), HEED_INDEX(1, 0)), 0);
    const int64_t bad[][2] = {{3, 2}, {4, 1}, {2, 1}, {5, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        m = bools_of(b, (int64_t[]){bad[i][0], bad[i][1]});
        refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: a bool is neither 0 nor 1");
    }
    b[0] = -1;
    m = bools_of(b, (int64_t[]){3, 1});
    refuse(&m, HEED_ERR_ARGUMENT, "from_dlpack: a bool is neither 0 nor 1");
    heed_thread_cleanup(); /* frees the tensors on this function's memory */
}
END_TEST

/* An expanded axis is checked once. A hostile shape that would take too long to check is refused unread. */
START_TEST(many_bools)
{
    static char b[8] = {1, 2, 0, 2, 1, 2};
    managed m = bools_of(b, (int64_t[]){0, 2});
    m.tensor.shape = (int64_t[]){INT64_C(1) << 60, 3};
    ck_assert_int_eq(heed_get_i64(heed_from_dlpack(&m), HEED_INDEX(1 << 30, 2)), 1);
    m = bools_of(b, (int64_t[]){1, 1});
    m.tensor.shape = (int64_t[]){INT64_C(1) << 31, INT64_C(1) << 31};
    refuse(&m, HEED_ERR_UNSUPPORTED, "from_dlpack: the bools of a shape (2147483648, 2147483648) overlap");
    heed_thread_cleanup();
}
END_TEST

HEED_TEST_MAIN("dlpack_hostile", other_elements, hostile_shapes, hostile_strides, bools, many_bools)
