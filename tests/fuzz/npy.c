/* tests/fuzz/npy.c - NumPy's .npy: any bytes, and accepted arrays must survive writing and reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "tensors.h"

#include <string.h>

#define MAX_BYTES 4096

/* Makes a file from the text of a header, which ends in the input's first line end, and the elements after it. The
 * length in front is thus right, and mutations reach the fields after it. */
static size_t wrap(uint8_t *to, uint8_t version, fuzz_input in)
{
    const uint8_t *end = memchr(in.bytes, '\n', in.size);
    size_t text = end ? (size_t)(end - in.bytes) + 1 : in.size, at = 0;
    memcpy(to, "\x93NUMPY", 6);
    at = 6;
    to[at++] = version;
    to[at++] = 0;
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        to[at++] = (uint8_t)(text >> 8 * i);
    memcpy(to + at, in.bytes, in.size);
    return at + in.size;
}

static void check_again(heed_tensor *t)
{
    heed_status status = heed_io_npy_write(fuzz_path(), t);
    FUZZ_CHECK(status == HEED_OK || fuzz_refused());
    if (!fuzz_outcome(status == HEED_OK))
        return;
    heed_tensor *again = heed_io_npy_read(fuzz_path(), NULL);
    if (fuzz_try_again(again != NULL))
        again = heed_io_npy_read(fuzz_path(), NULL);
    FUZZ_CHECK(again || fuzz_refused());
    if (fuzz_outcome(again != NULL))
        FUZZ_CHECK(fuzz_equal_tensors(t, again));
}

/* One byte: whether to wrap a header, the version, a limit, whether to write. The file follows. */
void fuzz_target(fuzz_input in)
{
    static uint8_t wrapped[MAX_BYTES + 16];
    uint8_t choice = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    const uint8_t *bytes = in.bytes;
    size_t size = in.size;
    if (choice & 1) {
        size = wrap(wrapped, (uint8_t)(1 + (choice >> 1) % 4), in);
        bytes = wrapped;
    }
    heed_io_read_options options = {.max_bytes = choice & 16 ? 200 : 0};
    heed_tensor *t = npy_from_memory(bytes, size, choice & 32 ? NULL : &options);
    if (fuzz_try_again(t != NULL))
        t = npy_from_memory(bytes, size, choice & 32 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    FUZZ_CHECK(fuzz_peak() <= 8 * size + ((size_t)128 << 10)); /* a byte may become an i64 */
    if (fuzz_outcome(t != NULL) && choice & 128)
        check_again(t);
}
