/* tests/io/test_replace.c - tests of the shared file writer: chunks of all sizes, modes, files left by killed
 * processes, refusals. Failing system calls and killed processes are in tests/promises/faults: iofault.py,
 * killsave.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "fail_alloc.h"
#include "files.h"
#include "io/replace.h"

static heed_status write_text(const char *name, const char *text)
{
    return heed__replace_file("test", in_folder(name), &(heed__file_chunk){.bytes = text, .size = strlen(text)}, 1);
}

static void check_text(const char *name, const char *text)
{
    size_t size;
    uint8_t *bytes = read_bytes(in_folder(name), &size);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_mem_eq(bytes, text, size);
    free(bytes);
}

static void make_file(const char *name)
{
    write_bytes(in_folder(name), "left", 4);
}

/* Sizes around the size of the writer's buffer. */
START_TEST(chunks)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 3, 65533, 0, 200000, 65530, 7, 1};
    heed__file_chunk list[COUNT_OF(sizes)];
    uint8_t *all = malloc(1 << 20);
    size_t total = 0;
    for (size_t i = 0; i < 1 << 20; i++)
        all[i] = (uint8_t)((i * 2654435761u) >> 13);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        list[i] = (heed__file_chunk){.bytes = all + total, .size = sizes[i]};
        total += sizes[i];
    }
    for (size_t count = 0; count <= COUNT_OF(sizes); count++) {
        size_t size, expected = 0;
        for (size_t i = 0; i < count; i++)
            expected += sizes[i];
        ck_assert_int_eq(heed__replace_file("test", in_folder("a"), list, count), HEED_OK);
        uint8_t *bytes = read_bytes(in_folder("a"), &size);
        ck_assert_uint_eq(size, expected);
        ck_assert_mem_eq(bytes, all, size);
        free(bytes);
    }
    free(all);
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

static void check_mode(const char *name, mode_t expected)
{
    struct stat status;
    ck_assert_int_eq(stat(in_folder(name), &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, expected);
}

/* A new file gets the umask's permissions; an old file keeps its permissions except the special bits (6000, 1000). */
START_TEST(modes)
{
    const mode_t before = umask(022);
    ck_assert_int_eq(write_text("a", "one"), HEED_OK);
    check_mode("a", 0644);
    ck_assert_int_eq(chmod(in_folder("a"), 06666), 0);
    ck_assert_int_eq(write_text("a", "one and a half"), HEED_OK);
    check_mode("a", 0666);
    ck_assert_int_eq(chmod(in_folder("a"), 01640), 0);
    ck_assert_int_eq(write_text("a", "two"), HEED_OK);
    check_mode("a", 0640);
    (void)umask(before);
    ck_assert_int_eq(link(in_folder("a"), in_folder("hard")), 0);
    ck_assert_int_eq(write_text("a", "three"), HEED_OK);
    check_text("a", "three");
    check_text("hard", "two");
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    ck_assert_int_eq(unlink(in_folder("hard")), 0);
    remove_folder();
}
END_TEST

static void check_link(const char *name, const char *target)
{
    char text[256] = "";
    ck_assert_int_gt(readlink(in_folder(name), text, sizeof text - 1), 0);
    ck_assert_str_eq(text, target);
}

/* A link stays and its target is written: through several links, in a different folder, and if the target is
 * missing. */
START_TEST(links)
{
    struct stat status;
    char absolute[160];
    (void)snprintf(absolute, sizeof absolute, "%s", in_folder("there/b"));
    ck_assert_int_eq(mkdir(in_folder("there"), 0700), 0);
    ck_assert_int_eq(symlink("there/a", in_folder("link")), 0);
    ck_assert_int_eq(symlink("./link", in_folder("again")), 0);
    ck_assert_int_eq(symlink(absolute, in_folder("far")), 0);
    ck_assert_int_eq(write_text("link", "one"), HEED_OK);
    check_text("there/a", "one");
    ck_assert_int_eq(chmod(in_folder("there/a"), 0600), 0);
    make_file("there/.a.heed-99-1.tmp");
    ck_assert_int_eq(write_text("again", "two"), HEED_OK);
    check_text("there/a", "two");
    ck_assert_int_eq(stat(in_folder("there/a"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, 0600);
    ck_assert_int_eq(access(in_folder("there/.a.heed-99-1.tmp"), F_OK), -1);
    ck_assert_int_eq(write_text("far", "three"), HEED_OK);
    check_text("there/b", "three");
    check_link("link", "there/a");
    check_link("again", "./link");
    check_link("far", absolute);
    static const char *const all[] = {"there/a", "there/b", "link", "again", "far"};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        ck_assert_int_eq(unlink(in_folder(all[i])), 0);
    ck_assert_int_eq(rmdir(in_folder("there")), 0);
    remove_folder();
}
END_TEST

START_TEST(links_to_nothing)
{
    static const char *const bad[][2] = {{"loop", "Too many levels of symbolic links"},
                                         {"nowhere/a", "No such file or directory"},
                                         {"new/", "Is a directory"},
                                         {".", "it is not a regular file"},
                                         {"/dev/full", "it is not a regular file"}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_int_eq(symlink(bad[i][0], in_folder("loop")), 0);
        ck_assert_int_eq(write_text("loop", "x"), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, bad[i][1]);
        ck_assert_int_eq(files_in_folder(), 1);
        ck_assert_int_eq(unlink(in_folder("loop")), 0);
    }
    remove_folder();
}
END_TEST

/* A bare name is a file in the working folder. */
START_TEST(bare_names)
{
    char before[1024];
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    (void)in_folder("");
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(heed__replace_file("test", "bare", &(heed__file_chunk){.bytes = "x", .size = 1}, 1), HEED_OK);
    make_file(".bare.heed-99-1.tmp");
    ck_assert_int_eq(heed__replace_file("test", "bare", &(heed__file_chunk){.bytes = "y", .size = 1}, 1), HEED_OK);
    ck_assert_int_eq(chdir(before), 0);
    check_text("bare", "y");
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("bare")), 0);
    remove_folder();
}
END_TEST

/* Names end at 255 bytes, and a temporary name fits even for the longest target. Paths end at 4095 bytes; the path of a
 * temporary file next to the target would be longer. */
START_TEST(long_names)
{
    static char path[PATH_MAX + 1];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", in_folder(""));
    while (length < PATH_MAX - 256) { /* "/././..." */
        memcpy(path + length, "./", 2);
        length += 2;
    }
    memset(path + length, 'n', PATH_MAX - length - 1);
    for (size_t size = PATH_MAX - length - 1; size >= 254; size--) {
        path[length + size] = '\0';
        ck_assert_int_eq(heed__replace_file("test", path, &(heed__file_chunk){.bytes = "x", .size = 1}, 1),
                         size > 255 ? HEED_ERR_IO : HEED_OK);
        if (size > 255)
            ck_assert_error(HEED_ERR_IO, "File name too long");
        else
            ck_assert_int_eq(unlink(path), 0);
    }
    memcpy(path + length, "././", 4);
    memset(path + length + 4, 'n', PATH_MAX - length - 4);
    ck_assert_int_eq(heed__replace_file("test", path, &(heed__file_chunk){.bytes = "x", .size = 1}, 1), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "File name too long");
    remove_folder();
}
END_TEST

/* Files can be renamed in a folder that cannot be listed. */
START_TEST(unreadable_folder)
{
    int status = 1;
    ck_assert_int_eq(write_text("a", "old"), HEED_OK);
    ck_assert_int_eq(chmod(in_folder("a"), 06666), 0);
    ck_assert_int_eq(chmod(folder, 0333), 0);
    pid_t child = fork();
    if (child == 0) { /* root could list it anyway */
        bool other = getuid() != 0 || setuid(65534) == 0;
        _exit(other && write_text("a", "new") == HEED_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(chmod(folder, 0700), 0);
    check_text("a", "new");
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* -- Files left by killed processes ------------------------------------------------------------------------------- */

START_TEST(removes_stale_files)
{
    static const char *const stale[] = {".a.heed-1-0.tmp", ".a.heed-99999999-4294967295.tmp"};
    static const char *const kept[] = {".b.heed-1-0.tmp", ".a.heed-1-0.tmp2", ".a.heed-x-0.tmp", ".a.heed-1.tmp",
                                       ".a.heed-1-.tmp",  ".a.heed--1.tmp",   "a.heed-1-0.tmp",  ".a.heed-1-0"};
    for (size_t i = 0; i < COUNT_OF(stale); i++)
        make_file(stale[i]);
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        make_file(kept[i]);
    ck_assert_int_eq(mkdir(in_folder(".a.heed-2-2.tmp"), 0700), 0);
    ck_assert_int_eq(symlink("b", in_folder(".a.heed-3-3.tmp")), 0);
    ck_assert_int_eq(mkfifo(in_folder(".a.heed-4-4.tmp"), 0600), 0);
    ck_assert_int_eq(write_text("a", "new"), HEED_OK);
    for (size_t i = 0; i < COUNT_OF(stale); i++)
        ck_assert_int_eq(access(in_folder(stale[i]), F_OK), -1);
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        ck_assert_int_eq(unlink(in_folder(kept[i])), 0);
    ck_assert_int_eq(rmdir(in_folder(".a.heed-2-2.tmp")), 0);
    ck_assert_int_eq(unlink(in_folder(".a.heed-3-3.tmp")), 0);
    ck_assert_int_eq(unlink(in_folder(".a.heed-4-4.tmp")), 0);
    check_text("a", "new");
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* A locked file is still being written by its process. */
START_TEST(keeps_locked_files)
{
    make_file(".a.heed-1-0.tmp");
    int fd = open(in_folder(".a.heed-1-0.tmp"), O_RDONLY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert_int_eq(write_text("a", "new"), HEED_OK);
    ck_assert_int_eq(access(in_folder(".a.heed-1-0.tmp"), F_OK), 0);
    (void)close(fd);
    ck_assert_int_eq(write_text("a", "newer"), HEED_OK);
    ck_assert_int_eq(access(in_folder(".a.heed-1-0.tmp"), F_OK), -1);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* All tried names are taken by locked files. */
START_TEST(all_names_are_locked)
{
    enum { NAMES = 300 }; /* 100 names are tried; numbers used by earlier tests of this process count as well */
    int fds[NAMES];
    char name[64];
    for (int i = 0; i < NAMES; i++) {
        (void)snprintf(name, sizeof name, ".a.heed-%ld-%d.tmp", (long)getpid(), i);
        fds[i] = open(in_folder(name), O_WRONLY | O_CREAT, 0600);
        ck_assert_int_eq(flock(fds[i], LOCK_EX), 0);
    }
    ck_assert_int_eq(write_text("a", "new"), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "a: File exists");
    for (int i = 0; i < NAMES; i++)
        (void)close(fds[i]);
    ck_assert_int_eq(write_text("a", "new"), HEED_OK); /* which also removes the unlocked files */
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* Four processes write one file: no process removes a file that a different one is writing. */
START_TEST(concurrent_writers)
{
    enum { WRITERS = 4, TIMES = 100 };
    pid_t children[WRITERS];
    (void)in_folder("");
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            char text[] = "the text of writer 0";
            text[sizeof text - 2] = (char)('0' + i);
            for (int k = 0; k < TIMES; k++)
                if (write_text("a", text) != HEED_OK)
                    _exit(1);
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_int_eq(status, 0);
    }
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("a"), &size);
    ck_assert_uint_eq(size, strlen("the text of writer 0"));
    free(bytes);
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* -- Refusals ----------------------------------------------------------------------------------------------------- */

START_TEST(refusals)
{
    struct stat status;
    heed__file_chunk chunk = {.bytes = "x", .size = 1};
    for (size_t i = 0; i < COUNT_OF(bad_paths); i++) {
        ck_assert_int_eq(heed__replace_file("test", bad_paths[i][0], &chunk, 1), HEED_ERR_IO);
        ck_assert(strstr(heed_error_message(), bad_paths[i][0]) != NULL);
        ck_assert_error(HEED_ERR_IO, bad_paths[i][1]);
    }
    ck_assert_int_eq(stat("/dev/full", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
    ck_assert_int_eq(heed__replace_file("test", NULL, &chunk, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "test: path is NULL");
    ck_assert_int_eq(heed__replace_file("test", "", &chunk, 1), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "test: cannot write \"\": the path has no file name");
    ck_assert_int_eq(write_text("pipe/", "x"), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "/pipe/: the path has no file name");
    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    ck_assert_int_eq(write_text("pipe", "x"), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "it is not a regular file");
    ck_assert_int_eq(unlink(in_folder("pipe")), 0);
    static char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    ck_assert_int_eq(heed__replace_file("test", path, &chunk, 1), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "ppp: File name too long");
    remove_folder();
}
END_TEST

/* The system's limits on the size of files and on descriptors. */
START_TEST(limits)
{
    struct rlimit usual, low;
    ck_assert_int_eq(write_text("a", "old"), HEED_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
    low = usual;
    low.rlim_cur = 2;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &low), 0);
    ck_assert_int_eq(write_text("a", "new"), HEED_ERR_IO);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    ck_assert_error(HEED_ERR_IO, "/a: File too large");
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    int next = dup(0);
    (void)close(next);
    for (int spare = 0; spare < 4; spare++) { /* 3 descriptors suffice: of the folder, temporary file and its lock */
        low = usual;
        low.rlim_cur = (rlim_t)(next + spare);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
        heed_status result = write_text("a", "new");
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0);
        ck_assert_int_eq(result, spare < 3 ? HEED_ERR_IO : HEED_OK);
        if (spare < 3)
            ck_assert_error(HEED_ERR_IO, "/a: Too many open files");
        check_text("a", spare < 3 ? "old" : "new");
        ck_assert_int_eq(files_in_folder(), 1);
    }
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

static bool write_twice(double *value)
{
    *value = 1;
    return write_text("a", "one") == HEED_OK && write_text("a", "two") == HEED_OK;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_twice);
    fail_alloc_uninstall();
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("replace", chunks, modes, links, links_to_nothing, bare_names, long_names, unreadable_folder,
               removes_stale_files, keeps_locked_files, all_names_are_locked, concurrent_writers, refusals, limits,
               out_of_memory)
