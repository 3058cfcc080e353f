/* tests/fuzz/idx.c - the IDX reader: any bytes, plain and compressed; an accepted tensor must survive writing and
 * reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "fuzz.h"

#include <string.h>

#include <zlib.h>

#define MAX_BYTES 4096

/* -- Written again: as f64, which holds all that IDX has ---------------------------------------------------------- */

static size_t put_big_endian(uint8_t *to, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(value >> 8 * (n - 1 - i));
    return n;
}

static size_t write_idx(uint8_t *to, heed_tensor *values)
{
    heed_shape shape = heed_shape_of(values);
    size_t size = put_big_endian(to, UINT64_C(0x0E00) + (uint64_t)shape.rank, 4);
    for (int i = 0; i < shape.rank; i++)
        size += put_big_endian(to + size, (uint64_t)shape.dims[i], 4);
    const double *data = heed_data_f64(values);
    for (int64_t i = 0; i < heed_numel(values); i++) {
        uint64_t bits;
        memcpy(&bits, &data[i], sizeof bits);
        size += put_big_endian(to + size, bits, 8);
    }
    return size;
}

static void expect_equal(heed_tensor *a, heed_tensor *b)
{
    FUZZ_CHECK(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    const double *x = heed_data_f64(a), *y = heed_data_f64(b);
    for (int64_t i = 0; i < heed_numel(a); i++)
        FUZZ_CHECK(fuzz_same(x[i], y[i]));
}

/* Writes a tensor of any dtype as plain IDX of f64, which must be read as the same numbers; so must its gzip. */
static void check_again(heed_tensor *t)
{
    static uint8_t bytes[8 * MAX_BYTES + 64], packed[9 * MAX_BYTES + 128];
    if (heed_numel(t) > MAX_BYTES)
        return;
    heed_tensor *values = heed_to_dtype(t, HEED_F64);
    if (!fuzz_outcome(values != NULL))
        return;
    size_t size = write_idx(bytes, values);
    heed_tensor *again = idx_from_memory(bytes, size, &(heed_io_idx_options){.dtype = HEED_F64});
    FUZZ_CHECK(again || fuzz_refused());
    if (fuzz_outcome(again != NULL))
        expect_equal(values, again);
    z_stream z = {0};
    FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = bytes;
    z.avail_in = (uInt)size;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    again = idx_from_memory(packed, z.total_out, &(heed_io_idx_options){.dtype = HEED_F64});
    (void)deflateEnd(&z);
    FUZZ_CHECK(again || fuzz_refused());
    if (fuzz_outcome(again != NULL))
        expect_equal(values, again);
}

/* Two bytes: the dtype, a limit, whether to write it again; the scale. The file follows. */
void fuzz_target(fuzz_input in)
{
    uint8_t choice = fuzz_byte(&in);
    heed_io_idx_options options = {
        .dtype = (heed_dtype)(choice & 7),
        .max_bytes = choice & 8 ? 256 : 0,
        .scale = fuzz_double(&in),
    };
    if (options.dtype > HEED_BOOL + 1)
        options = (heed_io_idx_options){.dtype = (heed_dtype)(choice & 3)};
    size_t size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    heed_tensor *t = idx_from_memory(in.bytes, size, choice & 64 ? NULL : &options);
    if (fuzz_try_again(t != NULL))
        t = idx_from_memory(in.bytes, size, choice & 64 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    bool gzip = size >= 2 && in.bytes[0] == 0x1f && in.bytes[1] == 0x8b;
    FUZZ_CHECK(gzip || fuzz_peak() <= 8 * size + 4096);
    if (fuzz_outcome(t != NULL) && choice & 16)
        check_again(t);
}
