/* tests/promises/memory/test_oom_every_state.c - datasets and readers of files without memory, for functions that
 * their own tests do not call directly.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "oom_inputs.h"

#include <unistd.h>

static bool part(double *value)
{
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(oom.plain, oom.w)), *some = NULL;
    heed_tensor *batch[2] = {NULL, NULL};
    heed_tensor *last = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 1);
    bool ok = data && (some = heed_dataset_subset(data, oom.index)) != NULL &&
              heed_dataset_take(some, last, batch) == HEED_OK && oom_take(batch[0], value) &&
              heed_dataset_take_epoch(some, last, 1, batch) == HEED_OK && oom_take(batch[1], value);
    heed_dataset_free(some);
    heed_dataset_free(data);
    return ok;
}

/* -- Archives in memory -------------------------------------------------------------------------------------------- */

static unsigned char bytes[8192];

static heed_status write_npz(const char *path, const heed_dict *dict)
{
    return heed_io_npz_write(path, dict, &(heed_io_npz_options){.compressed = true});
}

/* Fills `bytes` with the output of a writer, before memory is refused. */
static size_t written(heed_status (*writer)(const char *path, const heed_dict *dict))
{
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/heed-oom-%ld", (long)getpid());
    heed_dict *dict = heed_dict_new();
    ck_assert(heed_dict_set(dict, "plain", oom.plain) == HEED_OK && heed_dict_set(dict, "two", oom.two) == HEED_OK);
    ck_assert_int_eq(writer(path, dict), HEED_OK);
    heed_dict_free(dict);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    (void)unlink(path);
    return size;
}

/* Takes ownership of the dict. */
static bool take_dict(heed_dict *dict, double *value)
{
    bool ok = dict && oom_take(heed_dict_at(dict, 0), value) && oom_take(heed_dict_at(dict, 1), value);
    heed_dict_free(dict);
    return ok;
}

/* The first run of a sweep is one without failures. */
static bool npz(double *value)
{
    static size_t size;
    size = size ? size : written(write_npz);
    return take_dict(npz_from_memory(bytes, size, NULL), value);
}

static bool safetensors(double *value)
{
    static size_t size;
    size = size ? size : written(heed_io_safetensors_write);
    return take_dict(safetensors_from_memory(bytes, size, NULL), value);
}

static heed_status sum_of_row(int64_t i, void *user)
{
    heed_tensor *sum = heed_sum(heed_square(heed_select(oom.plain, 0, i)));
    if (sum)
        ((double *)user)[i] = heed_item(sum);
    return heed_error_code();
}

static bool calls(double *value)
{
    double sums[3];
    heed_set_num_threads(1); /* requests come in the same order */
    bool ok = heed_parallel_for(3, sum_of_row, sums) == HEED_OK;
    return ok && oom_take(heed_from_array(HEED_F64, HEED_SHAPE(3), sums, 3), value);
}

OOM_MAIN("oom_every_state", OOM(part), OOM(npz), OOM(safetensors), OOM(calls))
