/* tests/test_checkpoint_damage.c - a flip of any bit of a checkpoint is found, and any part of it that is missing. */

#include "check_heed.h"

#include <fcntl.h>
#include <unistd.h>

#include "training_run.h"

static char path[64];
static unsigned char *good;
static size_t size;
static int fd; /* of the file, for writing */

static void read_file(void)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = (size_t)ftell(file);
    rewind(file);
    good = malloc(size);
    ck_assert(good && fread(good, 1, size, file) == size && fclose(file) == 0);
}

/* Writes in place: files that are written anew are flushed by some file systems when they are closed. */
static void write_bytes(const unsigned char *from, size_t at, size_t count)
{
    ck_assert_int_eq(pwrite(fd, from, count, (off_t)at), (ssize_t)count);
}

/* A checkpoint of one layer, 2 to 3 KB, as `path` and in `good`. */
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

static void forget(training *t)
{
    training_free(t);
    free(good);
    ck_assert(close(fd) == 0 && unlink(path) == 0);
}

static void check_found(training *t, const char *what, size_t at)
{
    ck_assert_msg(heed_checkpoint_load(path, &t->run) == HEED_ERR_FORMAT, "%s %zu of %zu was not found", what, at,
                  size);
    ck_assert_error(HEED_ERR_FORMAT, "is no checkpoint, or damaged");
}

START_TEST(each_bit)
{
    training t;
    save(&t);
    ck_assert_int_gt((int)size, 2000);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        unsigned char flipped = (unsigned char)(good[bit / 8] ^ 1u << bit % 8);
        write_bytes(&flipped, bit / 8, 1);
        check_found(&t, "the flip of bit", bit);
        write_bytes(good + bit / 8, bit / 8, 1);
    }
    ck_assert_int_eq(heed_checkpoint_load(path, &t.run), HEED_OK);
    forget(&t);
}
END_TEST

START_TEST(each_length)
{
    training t;
    save(&t);
    for (size_t n = size; n-- > 0;) {
        ck_assert_int_eq(ftruncate(fd, (off_t)n), 0);
        check_found(&t, "the cut at byte", n);
    }
    write_bytes(good, 0, size);
    ck_assert_int_eq(heed_checkpoint_load(path, &t.run), HEED_OK);
    for (size_t n = size + 1; n <= size + 64; n++) {
        ck_assert_int_eq(ftruncate(fd, (off_t)n), 0);
        check_found(&t, "the end at byte", n);
    }
    forget(&t);
}
END_TEST

/* Sectors that were not written, or that are those before them. */
START_TEST(sectors)
{
    training t;
    unsigned char bytes[512];
    save(&t);
    for (size_t begin = 0; begin < size; begin += 512)
        for (int kind = 0; kind < 3; kind++) {
            size_t n = size - begin < 512 ? size - begin : 512;
            memset(bytes, kind == 0 ? 0 : 0xff, n);
            if (kind == 2)
                memcpy(bytes, good + (begin >= 512 ? begin - 512 : size - n), n);
            write_bytes(bytes, begin, n);
            check_found(&t, "the sector at byte", begin);
            write_bytes(good + begin, begin, n);
        }
    forget(&t);
}
END_TEST

HEED_TEST_MAIN("checkpoint_damage", each_bit, each_length, sectors)
