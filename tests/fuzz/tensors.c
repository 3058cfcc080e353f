/* tests/fuzz/tensors.c - see tensors.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "tensors.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const void *fuzz_elements(heed_tensor *t)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return heed_data_f32(t);
    case HEED_F64:
        return heed_data_f64(t);
    case HEED_I64:
        return heed_data_i64(t);
    case HEED_BOOL:
        return heed_data_bool(t);
    }
    return NULL;
}

bool fuzz_equal_tensors(heed_tensor *a, heed_tensor *b)
{
    if (heed_dtype_of(a) != heed_dtype_of(b) || !heed_shape_equal(heed_shape_of(a), heed_shape_of(b)))
        return false;
    const void *x = fuzz_elements(a), *y = fuzz_elements(b);
    FUZZ_CHECK(x && y); /* a reader's tensors are contiguous */
    return memcmp(x, y, (size_t)heed_numel(a) * heed_dtype_size(heed_dtype_of(a))) == 0;
}

bool fuzz_equal_dicts(const heed_dict *a, const heed_dict *b)
{
    if (heed_dict_size(a) != heed_dict_size(b) || heed_dict_text_count(a) != heed_dict_text_count(b))
        return false;
    for (int64_t i = 0; i < heed_dict_size(a); i++)
        if (!heed_dict_has(b, heed_dict_name(a, i)) ||
            !fuzz_equal_tensors(heed_dict_at(a, i), heed_dict_get(b, heed_dict_name(a, i))))
            return false;
    for (int64_t i = 0; i < heed_dict_text_count(a); i++) {
        const char *key = heed_dict_text_key(a, i), *text = heed_dict_text(b, key);
        if (!text || strcmp(heed_dict_text(a, key), text) != 0)
            return false;
    }
    return true;
}

size_t fuzz_wrap_header(uint8_t *to, fuzz_input in)
{
    const uint8_t *end = memchr(in.bytes, '\0', in.size);
    size_t text = end ? (size_t)(end - in.bytes) : in.size, skip = end ? 1 : 0;
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)((uint64_t)text >> 8 * i);
    memcpy(to + 8, in.bytes, text);
    memcpy(to + 8 + text, in.bytes + text + skip, in.size - text - skip);
    return 8 + in.size - skip;
}

uint64_t fuzz_hash(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t fuzz_hash_dict(uint64_t hash, const heed_dict *dict)
{
    for (int64_t i = 0; i < heed_dict_size(dict); i++) {
        const char *name = heed_dict_name(dict, i);
        heed_tensor *t = heed_dict_at(dict, i);
        hash = fuzz_hash(hash, name, strlen(name) + 1);
        hash = fuzz_hash(hash, fuzz_elements(t), (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t)));
    }
    return hash;
}

static char folder[64], path[96];

static void remove_folder(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
}

const char *fuzz_path(void)
{
    if (!path[0]) {
        (void)snprintf(folder, sizeof folder, "/dev/shm/heed-fuzz-%ld", (long)getpid());
        (void)snprintf(path, sizeof path, "%s/file", folder);
        FUZZ_CHECK(mkdir(folder, 0700) == 0 && atexit(remove_folder) == 0);
    }
    return path;
}

void fuzz_check_again(const heed_dict *dict, heed_status written, fuzz_read *read)
{
    FUZZ_CHECK(written == HEED_OK || fuzz_refused());
    if (!fuzz_outcome(written == HEED_OK))
        return;
    heed_dict *again = read(fuzz_path(), NULL);
    if (fuzz_try_again(again != NULL))
        again = read(fuzz_path(), NULL);
    FUZZ_CHECK(again || fuzz_refused());
    if (!fuzz_outcome(again != NULL))
        return;
    FUZZ_CHECK(fuzz_equal_dicts(dict, again));
    heed_dict_free(again);
}
