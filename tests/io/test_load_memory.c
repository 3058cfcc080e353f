/* tests/io/test_load_memory.c - tests the cost of loading: memory is at most 1.25 times the larger of the file and the
 * loaded data, plus 1 MiB; claims of a file cost nothing; a hundred thousand tensors take less than two seconds; and
 * the counters agree with the memory of the process.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <time.h>

#include "from_memory.h"
#include "memory_use.h"

/* Seconds of CPU time for 100,000 tensors; sanitizers are several times slower. */
#ifdef HEED_SANITIZED
#define SECONDS 20.0
#else
#define SECONDS 2.0
#endif

typedef heed_dict *(*read_function)(const char *path, const heed_io_read_options *options);

/* -- Measuring ---------------------------------------------------------------------------------------------------- */

typedef struct cost {
    int64_t peak, loaded; /* bytes above those in use before: the peak, and at the end */
    double seconds;
} cost;

static cost measure(read_function read, const char *path, int64_t tensors)
{
    begin_measuring();
    clock_t start = clock();
    heed_dict *dict = read(path, NULL);
    cost c = {.seconds = (double)(clock() - start) / CLOCKS_PER_SEC};
    c.peak = end_measuring();
    c.loaded = heed_memory_get_stats().live_bytes - bytes_before;
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(dict), tensors);
    heed_dict_free(dict);
    return c;
}

static int64_t size_of(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

static void check_peak(const char *what, cost c, int64_t size)
{
    double limit = 1.25 * (double)size + (double)(1 << 20);
    printf("load: %s: %" PRId64 " bytes, peak %" PRId64 " = %.3f times, %.3f s\n", what, size, c.peak,
           (double)c.peak / (double)size, c.seconds);
    ck_assert_msg((double)c.peak <= limit, "%s: a peak of %" PRId64 " bytes for %" PRId64, what, c.peak, size);
}

static heed_dict *read_npy(const char *path, const heed_io_read_options *options)
{
    heed_tensor *t = heed_io_npy_read(path, options);
    heed_dict *dict = t ? heed_dict_new() : NULL;
    if (dict)
        heed_dict_set(dict, "t", t);
    return dict;
}

/* -- Ordinary files ----------------------------------------------------------------------------------------------- */

static heed_dict *some_layers(bool noise)
{
    char name[32];
    heed_dict *d = heed_dict_new();
    heed_manual_seed(5);
    for (int i = 0; i < 12; i++) {
        heed_shape shape = HEED_SHAPE(300 + i, 512);
        (void)snprintf(name, sizeof name, "layer.%d.weight", i);
        heed_dict_set(d, name, noise ? heed_randn(HEED_F32, shape) : heed_zeros(HEED_F32, shape));
        (void)snprintf(name, sizeof name, "layer.%d.bias", i);
        heed_dict_set(d, name, heed_zeros(HEED_F32, HEED_SHAPE(512)));
    }
    return d;
}

START_TEST(ordinary_files)
{
    heed_scope *scope = heed_scope_begin();
    heed_dict *d = some_layers(true), *zeros = some_layers(false);
    int64_t n = heed_dict_size(d), bytes = 0;
    for (int64_t i = 0; i < n; i++)
        bytes += heed_numel(heed_dict_at(d, i)) * 4;
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), d), HEED_OK);
    check_peak("safetensors", measure(heed_io_safetensors_read, in_folder("a"), n), size_of(in_folder("a")));
    ck_assert_int_eq(heed_io_npz_write(in_folder("a"), d, NULL), HEED_OK);
    check_peak("npz, stored", measure(heed_io_npz_read, in_folder("a"), n), size_of(in_folder("a")));
    ck_assert_int_eq(heed_io_npz_write(in_folder("a"), zeros, &(heed_io_npz_options){.compressed = true}), HEED_OK);
    ck_assert_int_lt(size_of(in_folder("a")), bytes / 100);
    check_peak("npz, deflated a hundredfold", measure(heed_io_npz_read, in_folder("a"), n), bytes);
    ck_assert_int_eq(heed_io_npy_write(in_folder("a"), heed_dict_at(d, 0)), HEED_OK);
    check_peak("npy", measure(read_npy, in_folder("a"), 1), size_of(in_folder("a")));
    heed_dict_free(d);
    heed_dict_free(zeros);
    heed_scope_end(scope);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* In Fortran order, big-endian: every element is written to its final position, without a second array. */
START_TEST(converted_files)
{
    enum { N = 1000, M = 600 };
    size_t size = 128 + 4 * (size_t)N * M;
    char *bytes = calloc(1, size);
    int n = snprintf(bytes + 10, 118, "{'descr': '>f4', 'fortran_order': True, 'shape': (%d, %d), }", N, M);
    memset(bytes + 10 + n, ' ', 118 - (size_t)n);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    write_bytes(in_folder("a"), bytes, size);
    check_peak("npy, big-endian, Fortran order", measure(read_npy, in_folder("a"), 1), (int64_t)size);
    free(bytes);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* -- A hundred thousand tensors ----------------------------------------------------------------------------------- */

/* A tensor costs its block, its name and its entry in the dict, whatever it holds; in addition there is the header's
 * text or the directory. The limit depends on the loaded data and the file. */
START_TEST(many_tensors)
{
    enum { COUNT = 100000 };
    char name[48];
    heed_scope *scope = heed_scope_begin();
    heed_dict *d = heed_dict_new();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(4));
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof name, "model.layers.%d.attention.weight", i);
        heed_dict_set(d, name, t);
    }
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), d), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("b"), d, NULL), HEED_OK);
    heed_dict_free(d);
    heed_scope_end(scope);
    read_function read[] = {heed_io_safetensors_read, heed_io_npz_read};
    for (int i = 0; i < 2; i++) {
        const char *path = in_folder(i == 0 ? "a" : "b");
        cost c = measure(read[i], path, COUNT);
        printf("load: %d tensors in %" PRId64 " bytes, %" PRId64 " for each\n", COUNT, size_of(path), c.loaded / COUNT);
        check_peak(i == 0 ? "safetensors, file and loaded" : "npz, file and loaded", c, c.loaded + size_of(path));
        ck_assert_msg(c.seconds <= SECONDS, "%.3f s", c.seconds);
        ck_assert_int_le(c.loaded, (int64_t)COUNT * 576);
        ck_assert_int_eq(unlink(path), 0);
    }
    remove_folder();
}
END_TEST

/* Loads a file with many texts in its metadata, instead of many tensors. */
START_TEST(many_texts)
{
    enum { COUNT = 100000 };
    char key[48];
    heed_dict *d = heed_dict_new();
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(key, sizeof key, "key.%d", i);
        heed_dict_set_text(d, key, "text");
    }
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), d), HEED_OK);
    heed_dict_free(d);
    cost c = measure(heed_io_safetensors_read, in_folder("a"), 0);
    check_peak("safetensors, 100,000 texts, file and loaded", c, c.loaded + size_of(in_folder("a")));
    ck_assert_msg(c.seconds <= SECONDS, "%.3f s", c.seconds);
    ck_assert_int_le(c.loaded, (int64_t)COUNT * 160);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* The entries of a dict count towards the limit even if they hold little. */
START_TEST(entries_count_against_the_limit)
{
    enum { COUNT = 100 };
    char key[48];
    heed_dict *d = heed_dict_new();
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(key, sizeof key, "%02d", i);
        heed_dict_set_text(d, key, "text");
    }
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), d), HEED_OK);
    const size_t header = (size_t)size_of(in_folder("a")) - 8;
    heed_io_read_options o = {.max_bytes = COUNT * (160 + 6) + header};
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(key, sizeof key, "%02d", i);
        heed_dict_set(d, key, heed_empty(HEED_F32, HEED_SHAPE(0)));
    }
    ck_assert_int_eq(heed_io_npz_write(in_folder("b"), d, NULL), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("c"), d), HEED_OK);
    heed_dict_free(d);
    d = heed_io_safetensors_read(in_folder("a"), &o);
    ck_assert_int_eq(heed_dict_text_count(d), COUNT);
    heed_dict_free(d);
    o.max_bytes--;
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("a"), &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "but only 165 remain of the limit (max_bytes)");
    o.max_bytes = COUNT * 576;
    ck_assert_ptr_null(heed_io_npz_read(in_folder("b"), &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "remain of the limit (max_bytes)");
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("c"), &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "remain of the limit (max_bytes)");
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(unlink(in_folder((const char *[]){"a", "b", "c"}[i])), 0);
    remove_folder();
}
END_TEST

/* -- Memory of the process ---------------------------------------------------------------------------------------- */

/* Returns the resident bytes of this process, or 0 if the system does not report them. */
static int64_t resident(void)
{
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %lld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void check_resident(size_t size, void **blocks, int64_t count)
{
    int64_t before = resident(), live = heed_memory_get_stats().live_bytes;
    for (int64_t i = 0; i < count; i++)
        blocks[i] = memset(heed_alloc(size), 1, size);
    int64_t used = resident() - before, counted = heed_memory_get_stats().live_bytes - live;
    for (int64_t i = 0; i < count; i++)
        heed_free(blocks[i], size);
    int64_t left = resident() - before;
    printf("load: blocks of %zu: %.3f times what is counted\n", size, (double)used / (double)counted);
    ck_assert_msg((double)used <= 1.15 * (double)counted + (1 << 18), "blocks of %zu: %" PRId64 " for %" PRId64, size,
                  used, counted);
    ck_assert_msg(left <= 1 << 20, "blocks of %zu: %" PRId64 " bytes are left", size, left);
}

START_TEST(counted_bytes_match_resident_bytes)
{
    static const size_t sizes[] = {1, 64, 65, 200, 384, 512, 1000, 1024, 1025, 1500, 5000, 50000};
    enum { BYTES = 16 << 20 };
#ifdef HEED_SANITIZED
    return; /* sanitizers take extra memory for every block */
#endif
    if (resident() == 0)
        return;
    size_t limit = heed_memory_set_cache_limit(0);
    void **blocks = calloc(BYTES / 64, sizeof *blocks);
    for (int64_t i = 0; i < BYTES / 64; i++)
        blocks[i] = &blocks[i]; /* makes the page resident before measuring */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_resident(sizes[i], blocks, BYTES / (sizes[i] < 64 ? 64 : (int64_t)sizes[i]));
    free(blocks);
    heed_memory_set_cache_limit(limit);
}
END_TEST

/* A hostile file: the ranges are in falling order, and every name begins like the one before. */
START_TEST(unsorted_tensors)
{
    enum { COUNT = 50000 };
    size_t capacity = 8 + COUNT * 96 + 16 + COUNT, size = 8;
    char *bytes = calloc(1, capacity);
    for (int i = 0; i < COUNT; i++)
        size += (size_t)snprintf(bytes + size, capacity - size,
                                 "%c\"%x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%d,%d]}",
                                 i > 0 ? ',' : '{', (unsigned)i, COUNT - 1 - i, COUNT - i);
    bytes[size++] = '}';
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)((size - 8) >> 8 * i & 0xFF);
    clock_t start = clock();
    heed_dict *dict = safetensors_from_memory(bytes, size + COUNT, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(dict), COUNT);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds <= SECONDS, "%.3f s", seconds);
    heed_dict_free(dict);
    free(bytes);
}
END_TEST

/* -- Claims ------------------------------------------------------------------------------------------------------- */

static void claim(const char *what, parse_function parse, const void *bytes, size_t size, const char *error)
{
    int64_t limit = (int64_t)(size > (64 << 10) ? size : 0) + (64 << 10);
    begin_measuring();
    ck_assert_msg(parse(bytes, size, NULL) == NULL, "%s", what);
    int64_t peak = end_measuring();
    ck_assert_error(HEED_ERR_FORMAT, error);
    ck_assert_msg(peak < limit, "%s: a peak of %" PRId64 " bytes", what, peak);
}

static heed_dict *parse_npy(const void *bytes, size_t size, const heed_io_read_options *options)
{
    ck_assert_ptr_null(npy_from_memory(bytes, size, options));
    return NULL;
}

START_TEST(claims)
{
    heed_scope_end(heed_scope_begin()); /* allocates this thread's state */
    claim("npy, a header of 4 GiB", parse_npy, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, "a header of 4294967295 bytes");
    static const char gigabytes[] = "\x93NUMPY\x01\x00\x45\x00{'descr': '<f4', 'fortran_order': False, "
                                    "'shape': (1073741824,), }        ";
    claim("npy, 4 GiB of elements", parse_npy, gigabytes, sizeof gigabytes - 1, "needs 4294967296");
    static const char header[] = "\xff\xe0\xf5\x05\0\0\0\0{\"a\":";
    claim("safetensors, a header of 99,999,999 bytes", safetensors_from_memory, header, sizeof header - 1,
          "the size of its header is 99999999");
    static const char elements[] = "\x4c\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1073741824],"
                                   "\"data_offsets\":[0,4294967296]}}    ";
    claim("safetensors, 4 GiB of elements", safetensors_from_memory, elements, sizeof elements - 1,
          "are outside of the file");
    static const char members[] = "PK\5\6\0\0\0\0\xfe\xff\xfe\xff\xfe\xff\xff\xff\0\0\0\0\0\0";
    claim("npz, 65,534 members", npz_from_memory, members, sizeof members - 1,
          "does not end where its end record begins");
}
END_TEST

/* Nested brackets cost neither stack nor memory. */
START_TEST(nesting)
{
    size_t size = (size_t)1 << 20;
    char *bytes = malloc(8 + size);
    memset(bytes + 8, '[', size);
    memcpy(bytes, "\0\0\x10\0\0\0\0\0{\"a\":", 13);
    claim("safetensors, a million brackets", safetensors_from_memory, bytes, 8 + size, "is nested deeper than 3");
    free(bytes);
}
END_TEST

/* The header describes a single tensor with a million sizes. */
START_TEST(a_long_shape)
{
    static const char begin[] = "\0\0\x20\0\0\0\0\0{\"a\":{\"shape\":[0";
    size_t size = 8 + ((size_t)2 << 20);
    char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = i % 2 ? '0' : ',';
    memcpy(bytes, begin, sizeof begin - 1);
    claim("safetensors, a million sizes", safetensors_from_memory, bytes, size, "a value that is too long");
    free(bytes);
}
END_TEST

HEED_TEST_MAIN("load_memory", ordinary_files, converted_files, many_tensors, many_texts,
               entries_count_against_the_limit, counted_bytes_match_resident_bytes, unsorted_tensors, claims, nesting,
               a_long_shape)
