/* tests/fuzz/replay.c - a fuzz target as a plain program: replays the files of a corpus, with and without failing
 * allocations, then mutates them.
 *
 *     fuzz_csv FOLDER [ROUNDS [SEED]]
 *
 * ROUNDS inputs are made from the files; the same seed makes the same inputs. An input that ends the process stays
 * in the file "finding"; pass its folder to replay it. Without libFuzzer, coverage does not guide the mutations.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>

#define MAX_FILES 512
#define MAX_SIZE 4096

typedef struct sample {
    size_t size;
    uint8_t bytes[MAX_SIZE];
} sample;

static sample files[MAX_FILES];
static size_t n_files;
static sample at_hand;

/* -- Findings --------------------------------------------------------------------------------------------------- */

static void keep_finding(int number)
{
    int file = open("finding", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0 && write(file, at_hand.bytes, at_hand.size) == (ssize_t)at_hand.size)
        (void)close(file);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void run_at_hand(void)
{
    (void)LLVMFuzzerTestOneInput(at_hand.bytes, at_hand.size);
}

/* Runs the file as it is, and with every failing allocation that a first byte can choose (fuzz.c). */
static void run_file(const sample *file)
{
    at_hand = *file;
    run_at_hand();
    for (int plan = 128; plan < 256 && file->size > 0; plan++) {
        at_hand.bytes[0] = (uint8_t)plan;
        run_at_hand();
    }
}

/* -- Files ------------------------------------------------------------------------------------------------------ */

static bool load(const char *folder, const char *name)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
    if (!file || n_files == MAX_FILES) {
        (void)fprintf(stderr, "%s/%s: cannot be opened, or is one too many\n", folder, name);
        return false;
    }
    files[n_files].size = fread(files[n_files].bytes, 1, MAX_SIZE, file);
    bool read = ferror(file) == 0;
    n_files++;
    return fclose(file) == 0 && read;
}

static bool load_all(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing) {
        perror(folder);
        return false;
    }
    bool loaded = true;
    for (struct dirent *entry; loaded && (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.')
            loaded = load(folder, entry->d_name);
    (void)closedir(listing);
    return loaded;
}

/* The file system chooses the order of a folder; mutations must not depend on it. */
static int by_content(const void *a, const void *b)
{
    const sample *x = a, *y = b;
    int order = memcmp(x->bytes, y->bytes, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* -- Mutations -------------------------------------------------------------------------------------------------- */

static uint64_t state;

/* A random number below n, by Marsaglia's xorshift. */
static size_t below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return n ? (size_t)(state >> 11) % n : 0;
}

static void overwrite(sample *s)
{
    static const uint8_t awkward[] = {0, 1, 0x7f, 0x80, 0xff, '"', '\n', '\r', ',', '-', '.', 'e'};
    if (s->size > 0)
        s->bytes[below(s->size)] = below(2) ? awkward[below(sizeof awkward)] : (uint8_t)below(256);
}

static void flip_bit(sample *s)
{
    if (s->size > 0)
        s->bytes[below(s->size)] ^= (uint8_t)(1u << below(8));
}

static void cut(sample *s)
{
    size_t at = below(s->size), n = below(1 + (s->size - at < 16 ? s->size - at : 16));
    memmove(s->bytes + at, s->bytes + at + n, s->size - at - n);
    s->size -= n;
}

/* Inserts a piece of a file into the sample, or overwrites bytes with it. */
static void splice(sample *s)
{
    const sample *from = &files[below(n_files)];
    size_t begin = below(from->size), n = below(1 + from->size - begin), at = below(s->size + 1);
    size_t after = below(2) ? s->size - at : s->size - at > n ? s->size - at - n : 0;
    if (at + n + after > MAX_SIZE)
        return;
    memmove(s->bytes + at + n, s->bytes + s->size - after, after);
    memcpy(s->bytes + at, from->bytes + begin, n);
    s->size = at + n + after;
}

static void mutate(void)
{
    static void (*const ways[])(sample *) = {overwrite, overwrite, flip_bit, cut, splice};
    at_hand = files[below(n_files)];
    for (size_t i = 1 + below(6); i > 0; i--)
        ways[below(sizeof ways / sizeof ways[0])](&at_hand);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4 || !load_all(argv[1]) || n_files == 0) {
        (void)fprintf(stderr, "usage: %s FOLDER [ROUNDS [SEED]]\n", argv[0]);
        return 2;
    }
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        (void)signal(fatal[i], keep_finding);
    unsigned long long rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    qsort(files, n_files, sizeof files[0], by_content);
    for (size_t i = 0; i < n_files; i++) {
        (void)alarm(60);
        run_file(&files[i]);
    }
    state = 0x9E3779B97F4A7C15 ^ (argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    for (unsigned long long i = 0; i < rounds; i++) {
        mutate();
        if (i % 1024 == 0)
            (void)alarm(60);
        run_at_hand();
    }
    printf("%s: %zu files, %llu mutations, no finding\n", argv[0], n_files, rounds);
    return 0;
}
