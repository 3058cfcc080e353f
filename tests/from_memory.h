/* tests/from_memory.h - readers of files, called with a file in memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FROM_MEMORY_H
#define FROM_MEMORY_H

#include <heed/io.h>

static inline heed_io_read_options file_in_memory(const void *bytes, size_t size, const heed_io_read_options *options)
{
    heed_io_read_options o = options ? *options : (heed_io_read_options){0};
    o.bytes = bytes;
    o.size = size;
    return o;
}

static inline heed_io_csv *csv_from_memory(const void *bytes, size_t size, const heed_io_csv_options *options)
{
    heed_io_csv_options o = options ? *options : (heed_io_csv_options){0};
    o.bytes = bytes;
    o.size = size;
    return heed_io_csv_read(NULL, &o);
}

static inline heed_tensor *idx_from_memory(const void *bytes, size_t size, const heed_io_idx_options *options)
{
    heed_io_idx_options o = options ? *options : (heed_io_idx_options){0};
    o.bytes = bytes;
    o.size = size;
    return heed_io_idx_read(NULL, &o);
}

static inline heed_tensor *npy_from_memory(const void *bytes, size_t size, const heed_io_read_options *options)
{
    const heed_io_read_options o = file_in_memory(bytes, size, options);
    return heed_io_npy_read(NULL, &o);
}

static inline heed_dict *npz_from_memory(const void *bytes, size_t size, const heed_io_read_options *options)
{
    const heed_io_read_options o = file_in_memory(bytes, size, options);
    return heed_io_npz_read(NULL, &o);
}

static inline heed_dict *safetensors_from_memory(const void *bytes, size_t size, const heed_io_read_options *options)
{
    const heed_io_read_options o = file_in_memory(bytes, size, options);
    return heed_io_safetensors_read(NULL, &o);
}

static inline heed_dict *gguf_from_memory(const void *bytes, size_t size, const heed_io_read_options *options)
{
    const heed_io_read_options o = file_in_memory(bytes, size, options);
    return heed_io_gguf_read(NULL, &o);
}

#endif
