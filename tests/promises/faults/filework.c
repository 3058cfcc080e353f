/* tests/promises/faults/filework.c - runs one reader or writer, for tests/promises/faults/iofault.py to make its
 * system calls fail.
 *
 *     filework write-FORMAT|read-FORMAT PATH [MOST_BYTES]
 *     filework list      their names
 *
 * Prints "ok", or the error's message. Between two calls of access on MARK only the library works. MOST_BYTES is the
 * most that a write or a read of the system does at once. Exit code 0; 3 after an error of the library; 4 if a
 * descriptor was left open; 5 if the contents read are wrong; 2 for wrong arguments.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heed/heed.h>
#ifdef WITH_ONNX
#include <heed/onnx.h>
#endif

#define MARK "/heed-iofault-mark"

static size_t most_bytes = SIZE_MAX;

/* These functions replace the C library's: the library's calls come here. */
ssize_t write(int fd, const void *bytes, size_t size)
{
    return syscall(SYS_write, fd, bytes, size < most_bytes ? size : most_bytes);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return syscall(SYS_read, fd, bytes, size < most_bytes ? size : most_bytes);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return syscall(SYS_pread64, fd, bytes, size < most_bytes ? size : most_bytes, at);
}

/* -- The tensors -------------------------------------------------------------------------------------------------- */

static heed_dict *make_dict(void)
{
    heed_dict *d = heed_dict_new();
    heed_manual_seed(1);                                       /* a checkpoint has the default generator's state */
    heed_dict_set(d, "a", heed_arange(HEED_F32, 0, 20000, 1)); /* larger than the writer's buffer */
    heed_dict_set(d, "b", heed_arange(HEED_I64, 0, 10, 1));
    heed_dict_set_text(d, "key", "text");
    return d;
}

static bool is_row(const heed_tensor *t, int64_t n)
{
    if (!t || heed_numel(t) != n)
        return false;
    for (int64_t i = 0; i < n; i++)
        if (heed_get(t, HEED_INDEX(i)) != (double)i)
            return false;
    return true;
}

static bool is_dict(heed_dict *d)
{
    bool good =
        d && heed_dict_size(d) == 2 && is_row(heed_dict_get(d, "a"), 20000) && is_row(heed_dict_get(d, "b"), 10);
    heed_dict_free(d);
    return good;
}

/* -- The work ----------------------------------------------------------------------------------------------------- */

static heed_dict *dict;

static void prepare(void)
{
    dict = make_dict();
}

static bool write_npy(const char *path)
{
    return heed_io_npy_write(path, heed_dict_get(dict, "a")) == HEED_OK;
}

static bool write_npz(const char *path)
{
    return heed_io_npz_write(path, dict, &(heed_io_npz_options){.compressed = true}) == HEED_OK;
}

static bool write_stored_npz(const char *path)
{
    return heed_io_npz_write(path, dict, NULL) == HEED_OK;
}

static bool write_safetensors(const char *path)
{
    return heed_io_safetensors_write(path, dict) == HEED_OK;
}

static bool write_csv(const char *path)
{
    heed_tensor *a = heed_dict_get(dict, "b");
    return heed_io_csv_write(path, HEED_NAMES("a"), &a, 1, NULL) == HEED_OK;
}

static bool write_png(const char *path)
{
    return heed_plot_heatmap(heed_eye(HEED_F32, 4, 4), path, NULL) == HEED_OK;
}

#ifdef WITH_ONNX
static bool write_onnx(const char *path)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_onnx *model = heed_onnx_new(NULL);
    heed_onnx_input(model, "x", x);
    heed_onnx_output(model, "y", heed_add(x, heed_dict_get(dict, "a"))); /* "a" is in the file */
    const bool written = heed_onnx_save(model, path) == HEED_OK;
    heed_onnx_free(model);
    return written;
}
#endif

static bool write_checkpoint(const char *path)
{
    return heed_checkpoint_save(path, &(heed_checkpoint){.extra = dict, .step = 7}, NULL) == HEED_OK;
}

/* "folder/file-000000007.heed" is the file of step 7 of "folder/file.heed", of which one file is kept. */
static const char *series_of(const char *path)
{
    static const char step[] = "-000000007";
    static char series[1024];
    const char *found = strstr(path, step);
    if (found)
        (void)snprintf(series, sizeof series, "%.*s%s", (int)(found - path), path, found + sizeof step - 1);
    return series;
}

static bool write_kept(const char *path)
{
    return heed_checkpoint_save(series_of(path), &(heed_checkpoint){.extra = dict, .step = 7},
                                &(heed_checkpoint_options){.keep = 1}) == HEED_OK;
}

static bool read_npy(const char *path)
{
    return is_row(heed_io_npy_read(path, NULL), 20000);
}

static bool read_npz(const char *path)
{
    return is_dict(heed_io_npz_read(path, NULL));
}

static bool read_safetensors(const char *path)
{
    return is_dict(heed_io_safetensors_read(path, NULL));
}

static bool read_checkpoint(const char *path)
{
    heed_checkpoint run = {.extra = dict};
    heed_fill_(heed_dict_get(dict, "a"), -1);
    bool loaded = heed_checkpoint_load(path, &run) == HEED_OK, same = is_row(heed_dict_get(dict, "a"), 20000);
    return loaded ? same && run.step == 7 : !same && run.step == 0;
}

static bool read_kept(const char *path)
{
    return read_checkpoint(series_of(path));
}

static bool read_idx(const char *path)
{
    return is_row(heed_io_idx_read(path, NULL), 10);
}

static bool read_csv(const char *path)
{
    heed_io_csv *csv = heed_io_csv_read(path, NULL);
    bool good = csv && is_row(heed_io_csv_column(csv, "a", HEED_F32), 10);
    heed_io_csv_free(csv);
    return good;
}

static const struct {
    const char *name;
    bool (*work)(const char *path);
} works[] = {
    {"write-npy", write_npy},
    {"write-npz", write_npz},
    {"write-stored.npz", write_stored_npz},
    {"write-safetensors", write_safetensors},
    {"write-csv", write_csv},
    {"write-png", write_png},
#ifdef WITH_ONNX
    {"write-onnx", write_onnx},
#endif
    {"write-heed", write_checkpoint},
    {"write-kept.heed", write_kept},
    {"read-npy", read_npy},
    {"read-npz", read_npz},
    {"read-stored.npz", read_npz},
    {"read-safetensors", read_safetensors},
    {"read-heed", read_checkpoint},
    {"read-kept.heed", read_kept},
    {"read-idx", read_idx},
    {"read-csv", read_csv},
};

enum { COUNT = sizeof works / sizeof works[0] };

static int list(void)
{
    for (size_t i = 0; i < COUNT; i++)
        puts(works[i].name);
    return 0;
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *it = folder ? readdir(folder) : NULL; it; it = readdir(folder))
        count++;
    if (folder)
        (void)closedir(folder);
    return count;
}

static int work(bool (*action)(const char *path), const char *path)
{
    prepare();
    int before = count_descriptors();
    (void)access(MARK, F_OK);
    bool good = action(path);
    (void)access(MARK, F_OK);
    int after = count_descriptors();
    most_bytes = SIZE_MAX;
    heed_dict_free(dict);
    if (heed_error_code() != HEED_OK) {
        printf("%s\n", heed_error_message());
        return after == before ? 3 : 4;
    }
    puts(good ? "ok" : "wrong");
    return after != before ? 4 : good ? 0 : 5;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    if (argc == 4)
        most_bytes = (size_t)strtoul(argv[3], NULL, 10);
    for (size_t i = 0; i < COUNT && argc >= 3; i++)
        if (strcmp(works[i].name, argv[1]) == 0)
            return work(works[i].work, argv[2]);
    (void)fprintf(stderr, "usage: filework write-FORMAT|read-FORMAT PATH [MOST_BYTES]\n");
    return 2;
}
