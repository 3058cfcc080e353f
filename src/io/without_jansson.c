/* io/without_jansson.c - replacements for the functions that read or write JSON, which fail, for builds without
 * jansson.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/data.h>
#include <heed/io.h>

#include "io/safetensors.h"
#include "io/without_jansson.h"

#if defined(HEED_NO_JANSSON)

heed_dict *heed__safetensors_read(heed__source *source)
{
    return heed_fail_null(HEED_ERR_UNSUPPORTED, source->stream.where, HEED_WITHOUT_JANSSON);
}

heed_status heed__safetensors_write(const char *where, const char *series, const char *path, const heed_dict *dict,
                                    bool checksum)
{
    (void)series, (void)path, (void)dict, (void)checksum;
    return heed_fail(HEED_ERR_UNSUPPORTED, where, HEED_WITHOUT_JANSSON);
}

heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict)
{
    (void)path, (void)dict;
    return heed_fail(HEED_ERR_UNSUPPORTED, "io_safetensors_write", HEED_WITHOUT_JANSSON);
}

heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options)
{
    (void)path, (void)options;
    return heed_fail_null(HEED_ERR_UNSUPPORTED, "io_safetensors_read", HEED_WITHOUT_JANSSON);
}

heed_dataset *heed_io_safetensors_dataset(const char *path, const char *const *names, int k)
{
    (void)path, (void)names, (void)k;
    return heed_fail_null(HEED_ERR_UNSUPPORTED, "io_safetensors_dataset", HEED_WITHOUT_JANSSON);
}

#endif
