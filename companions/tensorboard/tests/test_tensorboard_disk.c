/* tensorboard/tests/test_tensorboard_disk.c - the contents of the file when the disk is full, when it cannot be
 * truncated, when the process is killed, and in a child of fork.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "logs.h"

static bool keeps; /* truncation fails */

/* Replaces the C library's function: the library's call comes here. */
HEED_API int ftruncate(int fd, off_t size)
{
    if (keeps) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_ftruncate, fd, size);
}

/* Limits files to `size` bytes; 0 removes the limit. It also limits Check's files, so Check may not be called in
 * between. */
static void end_disk_at(off_t size)
{
    static rlim_t before;
    struct rlimit limit;
    (void)getrlimit(RLIMIT_FSIZE, &limit);
    if (size > 0) {
        before = limit.rlim_cur;
        (void)signal(SIGXFSZ, SIG_IGN);
    }
    limit.rlim_cur = size > 0 ? (rlim_t)size : before;
    (void)setrlimit(RLIMIT_FSIZE, &limit);
}

static off_t size_of(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

/* The disk is full in the middle of a record: the partial record is removed, and the log continues when there is
 * space. */
START_TEST(a_full_disk)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    ck_assert_int_eq(heed_tensorboard_scalar(log, "a", 1, 1), HEED_OK);
    const off_t size = size_of(heed_tensorboard_path(log));
    for (int free_bytes = 0; free_bytes < 20; free_bytes++) {
        end_disk_at(size + free_bytes);
        const heed_status status = heed_tensorboard_scalar(log, "a", 2, 1);
        end_disk_at(0);
        ck_assert_int_eq(status, HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "tensorboard_scalar: cannot write /tmp/heed-tensorboard-");
        ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 2);
    }
    ck_assert_int_eq(heed_tensorboard_scalar(log, "a", 3, 1), HEED_OK);
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 3);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    remove_folder();
}
END_TEST

/* A log whose last 7 bytes are a partial record, for which the disk was full and which could not be removed. */
static heed_tensorboard *torn_log(void)
{
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    const off_t size = size_of(heed_tensorboard_path(log));
    keeps = true;
    end_disk_at(size + 7);
    const heed_status status = heed_tensorboard_scalar(log, "a", 1, 1);
    end_disk_at(0);
    ck_assert_int_eq(status, HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, ": File too large");
    ck_assert_int_eq(size_of(heed_tensorboard_path(log)), size + 7);
    return log;
}

/* No record follows such bytes. Every function tries again, and the file is complete as soon as a try succeeds. */
START_TEST(a_torn_record)
{
    for (int kind = 0; kind < 3; kind++) {
        make_folder();
        heed_tensorboard *log = torn_log();
        char path[256];
        strcpy(path, heed_tensorboard_path(log));
        const off_t size = size_of(path);
        ck_assert_int_eq(heed_tensorboard_text(log, "a", 2, "a"), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "tensorboard_text: cannot write /tmp/heed-tensorboard-");
        ck_assert_int_eq(heed_tensorboard_flush(log), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, ": Input/output error");
        ck_assert_int_eq(size_of(path), size);
        keeps = false;
        if (kind == 0)
            ck_assert_int_eq(heed_tensorboard_scalar(log, "a", 3, 1), HEED_OK);
        if (kind == 1)
            ck_assert_int_eq(heed_tensorboard_flush(log), HEED_OK);
        if (kind < 2)
            ck_assert_int_eq(count_records(path), kind == 0 ? 2 : 1);
        ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
        ck_assert_int_eq(count_records(path), kind == 0 ? 2 : 1);
        remove_folder();
    }
}
END_TEST

START_TEST(a_torn_record_at_the_end)
{
    make_folder();
    heed_tensorboard *log = torn_log();
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "tensorboard_close: cannot write /tmp/heed-tensorboard-");
    keeps = false;
    remove_folder();
}
END_TEST

/* No space for the first record: there is no file. */
START_TEST(a_disk_that_was_full_before)
{
    make_folder();
    end_disk_at(10);
    const heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    end_disk_at(0);
    ck_assert_ptr_null(log);
    ck_assert_error(HEED_ERR_IO, "tensorboard_open: cannot write /tmp/heed-tensorboard-");
    ck_assert_int_eq(empty_folder(folder), 0);
    remove_folder();
}
END_TEST

/* -- Processes ---------------------------------------------------------------------------------------------------- */

/* Writes events without end, and a byte to `pipe_end` after every one. */
static void write_on(int pipe_end)
{
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    while (heed_tensorboard_scalar(log, "a", 1, 1) == HEED_OK && write(pipe_end, "", 1) == 1)
        ;
    _exit(1);
}

static char *only_file(char path[512])
{
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *it = readdir(dir); it; it = readdir(dir))
        if (it->d_name[0] != '.')
            (void)snprintf(path, 512, "%s/%s", folder, it->d_name);
    ck_assert_int_eq(closedir(dir), 0);
    return path;
}

/* All acknowledged events are in the file. At most one event may be partial. */
START_TEST(a_process_that_is_killed)
{
    for (int round = 0; round < 20; round++) {
        make_folder();
        int pipe_end[2];
        ck_assert_int_eq(pipe(pipe_end), 0);
        const pid_t child = fork();
        if (child == 0)
            write_on(pipe_end[1]);
        (void)close(pipe_end[1]);
        int events = 0;
        for (char byte; events < 10 * round + 1; events++)
            ck_assert_int_eq(read(pipe_end[0], &byte, 1), 1);
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        for (char byte; read(pipe_end[0], &byte, 1) == 1;)
            events++;
        (void)close(pipe_end[0]);
        char path[512];
        size_t rest = 0;
        const int found = count_records_and_rest(only_file(path), &rest) - 1;
        ck_assert_msg(found == events || found == events + 1, "%d of %d events", found, events);
        ck_assert_msg(rest < 100, "%zu bytes are no record", rest);
        remove_folder();
    }
}
END_TEST

START_TEST(a_child_opens_its_own)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    const pid_t child = fork();
    if (child == 0) {
        bool good = heed_tensorboard_scalar(log, "a", 1, 1) == HEED_ERR_STATE &&
                    strstr(heed_error_message(), "and this is its child: open a new log");
        heed_error_clear();
        good = good && heed_tensorboard_flush(log) == HEED_ERR_STATE;
        heed_error_clear();
        good = good && heed_tensorboard_close(log) == HEED_OK;
        heed_tensorboard *own = heed_tensorboard_open(folder, NULL);
        good =
            good && own && heed_tensorboard_scalar(own, "a", 1, 1) == HEED_OK && heed_tensorboard_close(own) == HEED_OK;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(heed_tensorboard_scalar(log, "a", 1, 1), HEED_OK);
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 2);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    ck_assert_int_eq(empty_folder(folder), 2);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("tensorboard and the disk", a_full_disk, a_torn_record, a_torn_record_at_the_end,
               a_disk_that_was_full_before, a_process_that_is_killed, a_child_opens_its_own)
