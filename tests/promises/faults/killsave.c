/* tests/promises/faults/killsave.c - kills processes while they save: the file must be one of the two
 * complete ones.
 *
 *     killsave [KILLS]        per writer; default 60
 *
 * A child writes two contents to a path in turn, again and again, until it gets SIGKILL at a random moment. A naive
 * writer, which truncates the file and writes it in pieces, must leave a torn file: this proves that the check can
 * detect one. Prints a line per writer: the number of torn files, the number of kills that left a temporary file
 * (they hit the middle of a save), and whether the next save removed the leftover files. Exit code 0 if all is well,
 * 1 if not.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <heed/heed.h>

#define PIECE ((size_t)16 << 10)

static char folder[] = "/tmp/heed-killsave-XXXXXX";
static char path[64];

typedef struct content {
    heed_tensor *t;
    heed_dict *dict;
} content;

typedef struct bytes {
    char *at;
    size_t size;
} bytes;

/* -- Writers ------------------------------------------------------------------------------------------------------ */

static bool write_npy(const content *c)
{
    return heed_io_npy_write(path, c->t) == HEED_OK;
}

static bool write_npz(const content *c)
{
    return heed_io_npz_write(path, c->dict, NULL) == HEED_OK;
}

static bool write_safetensors(const content *c)
{
    return heed_io_safetensors_write(path, c->dict) == HEED_OK;
}

static bool write_checkpoint(const content *c)
{
    return heed_checkpoint_save(path, &(heed_checkpoint){.extra = c->dict}, NULL) == HEED_OK;
}

static bool write_png(const content *c)
{
    heed_scope *scope = heed_scope_begin();
    bool good =
        heed_plot_heatmap(heed_reshape(heed_slice(c->t, 0, 0, 100, 1), HEED_SHAPE(10, 10)), path, NULL) == HEED_OK;
    heed_scope_end(scope);
    return good;
}

static bool write_naively(const content *c)
{
    const char *at = (const char *)heed_data_f32(c->t);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return false;
    size_t size = (size_t)heed_numel(c->t) * sizeof(float);
    for (size_t i = 0; i < size; i += PIECE)
        if (write(fd, at + i, PIECE) != (ssize_t)PIECE)
            return false;
    return fsync(fd) == 0 && close(fd) == 0;
}

static const struct writer {
    const char *name;
    bool (*write)(const content *c);
    int milliseconds; /* longest time to the kill: a few saves */
    bool naive;
} writers[] = {
    {"npy", write_npy, 3, false},
    {"npz", write_npz, 3, false},
    {"safetensors", write_safetensors, 3, false},
    {"checkpoint", write_checkpoint, 3, false},
    {"png", write_png, 40, false},
    {"naive", write_naively, 3, true},
};

/* -- Files -------------------------------------------------------------------------------------------------------- */

static bytes read_file(void)
{
    struct stat status;
    bytes b = {0};
    int fd = open(path, O_RDONLY);
    if (fd >= 0 && fstat(fd, &status) == 0) {
        b = (bytes){malloc((size_t)status.st_size + 1), (size_t)status.st_size};
        for (size_t got = 0; b.at && got < b.size;) {
            ssize_t n = read(fd, b.at + got, b.size - got);
            if (n <= 0)
                break;
            got += (size_t)n;
        }
    }
    if (fd >= 0)
        (void)close(fd);
    return b;
}

static bool same(bytes a, bytes b)
{
    return a.at && b.at && a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static int count_temporaries(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *it = d ? readdir(d) : NULL; it; it = readdir(d))
        count += strstr(it->d_name, ".tmp") != NULL;
    if (d)
        (void)closedir(d);
    return count;
}

/* -- Killing ------------------------------------------------------------------------------------------------------ */

/* A byte to `start` signals the start of saving. */
static void save_for_ever(const struct writer *w, const content c[2], int start)
{
    if (write(start, "!", 1) != 1)
        _exit(1);
    for (int i = 0; w->write(&c[i]); i = 1 - i)
        ;
    _exit(1);
}

/* Returns false if the child could not be killed while it saved. */
static bool kill_one(const struct writer *w, const content c[2])
{
    int pipes[2], status;
    char byte;
    if (pipe(pipes) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        save_for_ever(w, c, pipes[1]);
    bool began = child > 0 && read(pipes[0], &byte, 1) == 1;
    (void)nanosleep(&(struct timespec){.tv_nsec = rand() % (w->milliseconds * 1000000)}, NULL);
    bool killed = child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child;
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    return began && killed && WIFSIGNALED(status);
}

static int hits; /* kills in the middle of a save, over all writers */

static bool torture(const struct writer *w, const content c[2], int kills)
{
    bytes whole[2];
    int torn = 0, hit = 0, failed = 0;
    for (int i = 0; i < 2; i++) {
        failed += !w->write(&c[i]);
        whole[i] = read_file();
    }
    for (int i = 0; i < kills; i++) {
        failed += !kill_one(w, c);
        bytes now = read_file();
        torn += !same(now, whole[0]) && !same(now, whole[1]);
        free(now.at);
        hit += count_temporaries() > 0;
    }
    hits += hit;
    failed += !w->write(&c[0]);
    int left = count_temporaries();
    printf("killsave: writer=%s kills=%d torn=%d in_the_middle=%d left_at_the_end=%d failed=%d\n", w->name, kills, torn,
           hit, left, failed);
    free(whole[0].at);
    free(whole[1].at);
    (void)unlink(path);
    return failed == 0 && left == 0 && (w->naive ? torn > 0 : torn == 0);
}

int main(int argc, char **argv)
{
    int kills = argc > 1 ? atoi(argv[1]) : 60;
    content c[2];
    bool good = kills > 0 && mkdtemp(folder) != NULL;
    (void)snprintf(path, sizeof path, "%s/file", folder);
    srand((unsigned)time(NULL));
    for (int i = 0; i < 2; i++) {
        c[i].t = heed_full(HEED_F32, HEED_SHAPE(1 << 18), i + 1);
        c[i].dict = heed_dict_new();
        good = good && heed_dict_set(c[i].dict, "a", c[i].t) == HEED_OK &&
               heed_dict_set(c[i].dict, "b", heed_arange(HEED_F64, 0, 1000 + i, 1)) == HEED_OK;
    }
    for (size_t i = 0; i < sizeof writers / sizeof writers[0] && good; i++)
        good = torture(&writers[i], c, kills) && good;
    for (int i = 0; i < 2; i++)
        heed_dict_free(c[i].dict);
    (void)rmdir(folder);
    return good && hits > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
