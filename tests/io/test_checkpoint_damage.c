/* tests/io/test_checkpoint_damage.c - tests that checkpoint loading detects any flipped bit, any missing range, and a
 * file that changes after it was checked.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "training_run.h"

static char path[64];
static unsigned char *original;
static size_t size;
static int fd; /* the file, open for writing */

static void read_file(void)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = (size_t)ftell(file);
    rewind(file);
    original = malloc(size);
    ck_assert(original && fread(original, 1, size, file) == size && fclose(file) == 0);
}

/* Writes in place, since some file systems flush newly written files on close. */
static void write_bytes(const unsigned char *from, size_t at, size_t count)
{
    ck_assert_int_eq(pwrite(fd, from, count, (off_t)at), (ssize_t)count);
}

/* Saves a checkpoint of one layer, 2 to 3 KB, as `path` and in `original`. */
static void save(training *t)
{
    *t = training_new(HEED_F32, false);
    training_step(t);
    snprintf(path, sizeof path, "/tmp/heed-damage-%ld", (long)getpid());
    ck_assert_int_eq(heed_checkpoint_save(path, &t->run, NULL), HEED_OK);
    read_file();
    fd = open(path, O_WRONLY);
    ck_assert_int_ge(fd, 0);
}

static void clean_up(training *t)
{
    training_free(t);
    free(original);
    ck_assert(close(fd) == 0 && unlink(path) == 0);
}

static void check_detected(training *t, const char *what, size_t at)
{
    ck_assert_msg(heed_checkpoint_load(path, &t->run) == HEED_ERR_FORMAT, "%s %zu of %zu was not found", what, at,
                  size);
    ck_assert_error(HEED_ERR_FORMAT, "is not a checkpoint, or is damaged");
}

START_TEST(every_flipped_bit)
{
    training t;
    save(&t);
    ck_assert_int_gt((int)size, 2000);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        unsigned char flipped = (unsigned char)(original[bit / 8] ^ 1u << bit % 8);
        write_bytes(&flipped, bit / 8, 1);
        check_detected(&t, "the flip of bit", bit);
        write_bytes(original + bit / 8, bit / 8, 1);
    }
    ck_assert_int_eq(heed_checkpoint_load(path, &t.run), HEED_OK);
    clean_up(&t);
}
END_TEST

START_TEST(every_length)
{
    training t;
    save(&t);
    for (size_t n = size; n-- > 0;) {
        ck_assert_int_eq(ftruncate(fd, (off_t)n), 0);
        check_detected(&t, "the cut at byte", n);
    }
    write_bytes(original, 0, size);
    ck_assert_int_eq(heed_checkpoint_load(path, &t.run), HEED_OK);
    for (size_t n = size + 1; n <= size + 64; n++) {
        ck_assert_int_eq(ftruncate(fd, (off_t)n), 0);
        check_detected(&t, "the end at byte", n);
    }
    clean_up(&t);
}
END_TEST

/* Sectors that were not written, or that repeat the sectors before them. */
START_TEST(sectors)
{
    training t;
    unsigned char bytes[512];
    save(&t);
    for (size_t begin = 0; begin < size; begin += 512)
        for (int pattern = 0; pattern < 3; pattern++) {
            size_t n = size - begin < 512 ? size - begin : 512;
            memset(bytes, pattern == 0 ? 0 : 0xff, n);
            if (pattern == 2)
                memcpy(bytes, original + (begin >= 512 ? begin - 512 : size - n), n);
            write_bytes(bytes, begin, n);
            check_detected(&t, "the sector at byte", begin);
            write_bytes(original + begin, begin, n);
        }
    clean_up(&t);
}
END_TEST

/* -- The checksum by its definition ------------------------------------------------------------------------------- */

/* Computes a CRC-32 bit by bit: polynomial 0xEDB88320; all bits of the initial value and of the final XOR are ones. */
static unsigned long crc_of(const unsigned char *data, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return crc ^ UINT32_MAX;
}

/* Copies the checksum's digits out of `original` and replaces them by zeros. */
static char *clear_digits(char digits[9])
{
    static const char key[] = "\"checksum\":\"";
    char *position = (char *)original;
    while (memcmp(position, key, sizeof key - 1) != 0)
        position++;
    position += sizeof key - 1;
    memcpy(digits, position, 8);
    digits[8] = '\0';
    memset(position, '0', 8);
    return position;
}

START_TEST(is_a_crc_32)
{
    training t;
    char digits[9], expected[9];
    save(&t);
    clear_digits(digits);
    snprintf(expected, sizeof expected, "%08lx", crc_of(original, size));
    ck_assert_str_eq(digits, expected);
    clean_up(&t);
}
END_TEST

/* Writes a file with this version and step and a correct checksum. */
static void write_file(const char *version, int64_t step)
{
    char digits[9];
    heed_dict *dict = heed_dict_new();
    static const char *const names[] = {"run.epoch", "run.step", "run.default_generator"};
    ck_assert_int_eq(heed_dict_set_text(dict, "checksum", "00000000"), HEED_OK);
    if (version)
        ck_assert_int_eq(heed_dict_set_text(dict, "heed.checkpoint", version), HEED_OK);
    for (int i = 0; i < 3; i++) {
        heed_tensor *t = heed_zeros(HEED_I64, i < 2 ? HEED_SCALAR : HEED_SHAPE(2));
        if (i == 1)
            *heed_mutable_i64(t) = step;
        ck_assert_int_eq(heed_dict_set(dict, names[i], t), HEED_OK);
    }
    ck_assert_int_eq(heed_io_safetensors_write(path, dict), HEED_OK);
    heed_dict_free(dict);
    read_file();
    char *position = clear_digits(digits);
    snprintf(digits, sizeof digits, "%08lx", crc_of(original, size));
    memcpy(position, digits, 8);
    fd = open(path, O_WRONLY);
    write_bytes(original, 0, size);
    ck_assert_int_eq(close(fd), 0);
    free(original);
}

static void check_load(heed_status code, const char *text)
{
    heed_checkpoint run = {.step = 77};
    ck_assert_int_eq(heed_checkpoint_load(path, &run), code);
    if (code != HEED_OK)
        ck_assert_error(code, text);
    ck_assert_int_eq(run.step, code == HEED_OK ? 5 : 77);
}

START_TEST(correct_checksum_wrong_content)
{
    snprintf(path, sizeof path, "/tmp/heed-damage-%ld", (long)getpid());
    write_file("1", 5);
    check_load(HEED_OK, "");
    write_file("2", 5);
    check_load(HEED_ERR_FORMAT, " is a checkpoint of version 2: must be 1");
    write_file(NULL, 5);
    check_load(HEED_ERR_FORMAT, " is not a checkpoint: it has no text \"heed.checkpoint\"");
    write_file("1", -5);
    check_load(HEED_ERR_ARGUMENT, "epoch 0, step -5: must be 0 or more");
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

/* -- A file that changes while it is read -------------------------------------------------------------------------- */

/* The files of a run after one step and after two steps, of the same size. */
static struct {
    char path[80];
    unsigned char *bytes;
    uint64_t hash;
} runs[2];

static void save_runs(void)
{
    training t = training_new(HEED_F32, false);
    snprintf(path, sizeof path, "/tmp/heed-damage-%ld", (long)getpid());
    for (int i = 0; i < 2; i++) {
        training_step(&t);
        runs[i].hash = training_hash(&t);
        snprintf(runs[i].path, sizeof runs[i].path, "%s-%d", path, i);
        ck_assert_int_eq(heed_checkpoint_save(path, &t.run, NULL), HEED_OK);
        size_t before = size;
        read_file();
        ck_assert(i == 0 || size == before);
        runs[i].bytes = original;
        ck_assert_int_eq(rename(path, runs[i].path), 0);
    }
    training_free(&t);
}

/* Replaces the file by file i, by rename or by overwriting its bytes. */
static void rename_file(int i)
{
    char next[80];
    snprintf(next, sizeof next, "%s-next", path);
    ck_assert(link(runs[i].path, next) == 0 && rename(next, path) == 0);
}

static void overwrite_file(int i)
{
    fd = open(path, O_WRONLY | O_CREAT, 0666);
    write_bytes(runs[i].bytes, 0, size);
    ck_assert_int_eq(close(fd), 0);
}

/* Replaces the first file by the second at heed's allocation number `at`. */
static struct {
    long count, at;
    void (*replace)(int i);
} replacer;

static void *replacing_alloc(size_t bytes, size_t alignment, void *user)
{
    (void)user;
    if (++replacer.count == replacer.at)
        replacer.replace(1);
    return aligned_alloc(alignment, bytes);
}

static void replacing_free(void *block, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(block);
}

/* Writes the first file, with the same time stamp as the second. */
static void write_first(void)
{
    const struct timespec old_times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    (void)unlink(path);
    replacer.replace(0);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, old_times, 0), 0);
    ck_assert_int_eq(utimensat(AT_FDCWD, runs[1].path, old_times, 0), 0);
}

/* Loads while the file is changed at allocation k. Returns 0 or 1, the file whose run was loaded completely, or 2 if
 * the file was refused and the run is unchanged. */
static int load_with_replacement(long k, bool *changed)
{
    write_first();
    training t = training_new(HEED_F32, false);
    uint64_t before = training_hash(&t);
    replacer.count = 0;
    replacer.at = k;
    heed_status status = heed_checkpoint_load(path, &t.run);
    *changed = replacer.count >= k;
    replacer.at = 0;
    uint64_t after = training_hash(&t);
    int64_t step = t.run.step;
    training_free(&t);
    if (status == HEED_OK) {
        ck_assert_msg(step == 1 || step == 2, "allocation %ld: step %d", k, (int)step);
        ck_assert_msg(after == runs[step - 1].hash, "allocation %ld: a mixture", k);
        return (int)step - 1;
    }
    char message[160];
    snprintf(message, sizeof message, "checkpoint_load: %s was changed while it was read", path);
    ck_assert_error(HEED_ERR_IO, message);
    ck_assert_msg(after == before && step == 0, "allocation %ld: refused, and the run has changed", k);
    return 2;
}

/* A replacement by rename after opening goes unnoticed; bytes overwritten in the open file are noticed. */
static void check_replacement(void (*replace)(int i), bool is_detected)
{
    int outcomes[3] = {0};
    bool changed = true;
    replacer.replace = replace;
    for (long k = 1; changed; k++)
        outcomes[load_with_replacement(k, &changed)]++;
    ck_assert_msg(outcomes[0] > (is_detected ? 1 : 20) && outcomes[1] > 1 &&
                      (is_detected ? outcomes[2] > 20 : outcomes[2] == 0),
                  "first %d, second %d, refused %d", outcomes[0], outcomes[1], outcomes[2]);
}

START_TEST(changes_while_it_is_read)
{
    size_t limit = heed_memory_set_cache_limit(0);
    ck_assert_int_eq(heed_set_allocator(&(heed_allocator){replacing_alloc, replacing_free, NULL}), HEED_OK);
    save_runs();
    check_replacement(rename_file, false);
    check_replacement(overwrite_file, true);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(unlink(runs[i].path), 0);
        free(runs[i].bytes);
    }
    ck_assert_int_eq(unlink(path), 0);
    heed_thread_cleanup();
    ck_assert_int_eq(heed_set_allocator(NULL), HEED_OK);
    heed_memory_set_cache_limit(limit);
}
END_TEST

HEED_TEST_MAIN("checkpoint_damage", every_flipped_bit, every_length, sectors, is_a_crc_32,
               correct_checksum_wrong_content, changes_while_it_is_read)
