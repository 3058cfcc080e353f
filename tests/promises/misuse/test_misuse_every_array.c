/* tests/promises/misuse/test_misuse_every_array.c - every reader and writer of .npy, .npz, .safetensors and .gguf
 * with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "misuse_draw.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

static char own[64];

/* A file of this test, or a path that cannot be written. */
static const char *any_path(void)
{
    static const char *const paths[] = {NULL, "", "/", ".", "/dev/full", "/dev/null", "/nowhere/at/all", "/proc/x"};
    (void)snprintf(own, sizeof own, "/tmp/heed-misuse-array-%ld", (long)getpid());
    return one_in(2) ? ANY_OF(paths) : own;
}

static const char *any_source(void)
{
    static const char *const sources[] = {NULL,        "",         "/",           "/dev/zero",
                                          "/dev/full", "/nowhere", "/etc/passwd", "/proc/self/mem"};
    return one_in(3) ? ANY_OF(sources) : own;
}

static heed_io_read_options any_limit(void)
{
    static const char *const names[] = {"w", "", NULL};
    const bool named = one_in(3);
    return (heed_io_read_options){.max_bytes = one_in(2) ? 0 : any_size(),
                                  .first = any_flag() ? 0 : any_count(),
                                  .rows = any_flag() ? 0 : any_count(),
                                  .size = one_in(8) ? any_size() : 0,
                                  .names = named ? names : NULL,
                                  .name_count = named       ? (int)(misuse_random() % 4)
                                                : one_in(2) ? 0
                                                            : any_int(),
                                  .skip_unlisted = any_flag()};
}

static void judge_dict(const char *call, heed_dict *dict)
{
    ck_assert_msg((dict != NULL) == (heed_error_code() == HEED_OK), "%s: %s", call, heed_error_message());
    judge_error(call);
    heed_dict_free(dict);
}

#define DICT(call) judge_dict(#call, call)

/* The last writer's output, sometimes with a changed byte. */
static size_t damaged(unsigned char *bytes, size_t capacity)
{
    FILE *file = fopen(own, "rb");
    size_t size = file ? fread(bytes, 1, capacity, file) : 0;
    if (file)
        (void)fclose(file);
    if (size > 0 && any_flag())
        bytes[misuse_random() % size] = (unsigned char)misuse_random();
    return size > 0 && one_in(3) ? misuse_random() % size : size;
}

/* Checks the samples of the dataset, whose file may be anything that could be opened. */
static void judge_dataset(const char *call, heed_dataset *d)
{
    heed_tensor *batch[HEED_DATASET_MAX];
    ck_assert_msg((d != NULL) == (heed_error_code() == HEED_OK), "%s: %s", call, heed_error_message());
    judge_error(call);
    if (d && heed_dataset_size(d) < 1000)
        STATUS(heed_dataset_all(d, batch));
    heed_dataset_free(d);
}

#define DATASET(call) judge_dataset(#call, call)

/* Returns 2 if there is a list, with names of tensors that may exist. */
static int any_names(const char **names, const char *const **list)
{
    int k = any_int();
    names[0] = any_flag() ? "w" : any_text();
    names[1] = any_text();
    *list = one_in(8) ? NULL : names;
    return *list && k > 2 ? 1 + any_flag() : k;
}

static heed_tensor *small_tensor(void)
{
    heed_tensor *t = any_live_tensor();
    return one_in(16) ? drawn_from.animals[ZOO_SIZE] : t && heed_numel(t) > 1000 ? NULL : t;
}

static void npy(void)
{
    static unsigned char bytes[2048];
    heed_io_read_options o = any_limit();
    STATUS(heed_io_npy_write(any_path(), any_tensor()));
    STATUS(heed_io_npy_write(own, small_tensor()));
    POINTER(heed_io_npy_read(any_source(), GIVEN(o)));
    DATASET(heed_io_npy_dataset(any_source()));
    POINTER(npy_from_memory(bytes, damaged(bytes, sizeof bytes), GIVEN(o)));
    POINTER(npy_from_memory(NULL, any_size(), GIVEN(o)));
    (void)unlink(own);
}

static heed_dict *any_dict(void)
{
    heed_dict *dict = heed_dict_new();
    (void)heed_dict_set(dict, "w", small_tensor());
    (void)heed_dict_set(dict, any_text(), small_tensor());
    (void)heed_dict_set_text(dict, any_text(), any_text());
    heed_error_clear();
    return dict;
}

static void npz(void)
{
    static unsigned char bytes[4096];
    heed_dict *dict = any_dict();
    heed_io_read_options o = any_limit();
    heed_io_npz_options packed = {any_flag(), {0}};
    STATUS(heed_io_npz_write(any_path(), one_in(4) ? NULL : dict, GIVEN(packed)));
    STATUS(heed_io_npz_write(own, dict, GIVEN(packed)));
    DICT(heed_io_npz_read(any_source(), GIVEN(o)));
    const char *names[2], *const *list;
    int k = any_names(names, &list);
    DATASET(heed_io_npz_dataset(any_source(), list, k));
    DICT(npz_from_memory(bytes, damaged(bytes, sizeof bytes), GIVEN(o)));
    DICT(npz_from_memory(NULL, any_size(), GIVEN(o)));
    heed_dict_free(dict);
    (void)unlink(own);
}

/* Writes the index of a file that may not exist, often cut, and reads it. */
static void safetensors_index(void)
{
    char path[sizeof own + 8];
    (void)snprintf(path, sizeof path, "%s.json", own);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    (void)fprintf(file, "%.*s", (int)(misuse_random() % 40), "{\"weight_map\": {\"a\": \"a.safetensors\"}}");
    (void)fclose(file);
    heed_io_read_options o = any_limit();
    DICT(heed_io_safetensors_read(path, GIVEN(o)));
    (void)unlink(path);
}

static void safetensors(void)
{
    static unsigned char bytes[4096];
    heed_dict *dict = any_dict();
    heed_io_read_options o = any_limit();
    STATUS(heed_io_safetensors_write(any_path(), one_in(4) ? NULL : dict));
    STATUS(heed_io_safetensors_write(own, dict));
    DICT(heed_io_safetensors_read(any_source(), GIVEN(o)));
    const char *names[2], *const *list;
    int k = any_names(names, &list);
    DATASET(heed_io_safetensors_dataset(any_source(), list, k));
    DICT(safetensors_from_memory(bytes, damaged(bytes, sizeof bytes), GIVEN(o)));
    DICT(safetensors_from_memory(NULL, any_size(), GIVEN(o)));
    safetensors_index();
    heed_dict_free(dict);
    (void)unlink(own);
}

/* One key and one tensor, which heed cannot write. */
static void gguf(void)
{
    static const char file[] = "GGUF\3\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                               "\1\0\0\0\0\0\0\0k\4\0\0\0\7\0\0\0"
                               "\1\0\0\0\0\0\0\0w\1\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                               "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40";
    static unsigned char bytes[256];
    heed_io_read_options o = any_limit();
    (void)any_path();
    FILE *out = fopen(own, "wb");
    ck_assert(out && fwrite(file, 1, sizeof file - 1, out) == sizeof file - 1 && fclose(out) == 0);
    DICT(heed_io_gguf_read(any_source(), GIVEN(o)));
    DICT(gguf_from_memory(bytes, damaged(bytes, sizeof bytes), GIVEN(o)));
    DICT(gguf_from_memory(NULL, any_size(), GIVEN(o)));
    (void)unlink(own);
}

ROUNDS_OF(npy)
ROUNDS_OF(npz)
ROUNDS_OF(safetensors)
ROUNDS_OF(gguf)

MISUSE_MAIN("every array file misused", rounds_of_npy, rounds_of_npz, rounds_of_safetensors, rounds_of_gguf)
