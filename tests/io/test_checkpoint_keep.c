/* tests/io/test_checkpoint_keep.c - tests of checkpoints that keep their last n files: which files stay, which one is
 * loaded, and how they work while other processes save or load.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "checkpoint_folder.h"

static bool exists(const char *name)
{
    char file[128];
    struct stat status;
    snprintf(file, sizeof file, "%s/%s", folder, name);
    return stat(file, &status) == 0;
}

static void save_step(heed_checkpoint *run, int64_t step, int keep)
{
    run->step = step;
    ck_assert_msg(heed_checkpoint_save(path, run, &(heed_checkpoint_options){.keep = keep}) == HEED_OK, "%s",
                  heed_error_message());
}

static void put_file(const char *name)
{
    char file[128];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    int fd = open(file, O_WRONLY | O_CREAT, 0666);
    ck_assert(fd >= 0 && write(fd, "other", 5) == 5 && close(fd) == 0);
}

START_TEST(keeps_the_last)
{
    static const char *const others[] = {
        "run-00000001.heed",           "run-000000001.hee", "run-000000001.heed~",           "run-0000000001.heed",
        "run-x00000001.heed",          "run000000001.heed", "run-99999999999999999999.heed", "un-000000001.heed",
        "run-9223372036854775808.heed"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    heed_checkpoint run = {.step = 0};
    for (int i = 0; i < OTHERS; i++)
        put_file(others[i]);
    for (int64_t step = 0; step <= 50; step += 10)
        save_step(&run, step, 3);
    ck_assert(!exists("run-000000020.heed") && exists("run-000000030.heed") && exists("run-000000040.heed"));
    ck_assert(exists("run-000000050.heed") && !exists("run.heed"));
    save_step(&run, 12345678901, 2);
    ck_assert(exists("run-12345678901.heed") && exists("run-000000050.heed") && !exists("run-000000040.heed"));
    for (int i = 0; i < OTHERS; i++)
        ck_assert_msg(exists(others[i]), "%s", others[i]);
    ck_assert(heed_checkpoint_exists(path));
    run.step = 0;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 12345678901);
}
END_TEST

/* A new run in a folder with an older run's files does not lose its own files. */
START_TEST(keeps_its_own_files)
{
    heed_checkpoint run = {.step = 0};
    save_step(&run, 0, 2);
    run.step = 1;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 0);
    save_step(&run, 40, 2);
    save_step(&run, 50, 2);
    save_step(&run, 7, 2);
    ck_assert(exists("run-000000007.heed"));
    save_step(&run, 8, 2);
    ck_assert(!exists("run-000000007.heed") && exists("run-000000008.heed"));
    ck_assert(exists("run-000000040.heed") && exists("run-000000050.heed"));
}
END_TEST

/* With four files of an older run in the folder, the first file of a new run counts as one more. */
START_TEST(removes_all_but_the_highest)
{
    heed_checkpoint run = {.step = 0};
    for (int64_t step = 100; step <= 400; step += 100)
        save_step(&run, step, 4);
    save_step(&run, 5, 2);
    ck_assert(!exists("run-000000100.heed") && !exists("run-000000200.heed"));
    ck_assert(exists("run-000000005.heed") && exists("run-000000300.heed") && exists("run-000000400.heed"));
    save_step(&run, INT64_MAX, 1);
    ck_assert(!exists("run-000000400.heed") && !exists("run-000000005.heed"));
    run.step = 0;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert(run.step == INT64_MAX);
}
END_TEST

/* An entry that cannot be removed, here a folder, does not fail the save and does not protect the others. */
START_TEST(keeps_unremovable_entries)
{
    char name[128];
    heed_checkpoint run = {.step = 0};
    snprintf(name, sizeof name, "%s/run-000000001.heed", folder);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    save_step(&run, 2, 1);
    save_step(&run, 3, 1);
    ck_assert(exists("run-000000001.heed") && !exists("run-000000002.heed") && exists("run-000000003.heed"));
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 3);
}
END_TEST

/* A killed save left its temporary file; a save of a later step uses a different name. */
START_TEST(removes_stale_temporary_files)
{
    heed_checkpoint run = {.step = 0};
    save_step(&run, 3, 2);
    put_file(".run.heed.heed-1-0.tmp");
    save_step(&run, 4, 2);
    ck_assert(!exists(".run.heed.heed-1-0.tmp"));
}
END_TEST

/* An unreadable folder must not count as empty: the run would start over. */
START_TEST(unlistable_folder)
{
    struct rlimit old, none;
    heed_checkpoint run = {.step = 0};
    save_step(&run, 3, 2);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool found = heed_checkpoint_exists(path);
    heed_status status = heed_checkpoint_load(path, &run);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &old), 0);
    ck_assert(found);
    ck_assert_int_eq(status, HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "run.heed: Too many open files");
    ck_assert(heed_checkpoint_exists(path));
}
END_TEST

/* The listed name never leads to a file, however often it is tried: here a link to a missing file, and a folder. A
 * checkpoint with a lower step is loaded instead; without one, the file counts as missing. */
START_TEST(listed_name_without_a_file)
{
    char name[128];
    heed_checkpoint run = {.step = 0};
    snprintf(name, sizeof name, "%s/run-000000004.heed", folder);
    ck_assert_int_eq(symlink("nowhere", name), 0);
    snprintf(name, sizeof name, "%s/run-000000008.heed", folder);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    ck_assert(!heed_checkpoint_exists(path));
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "run.heed: No such file or directory");
    ck_assert_int_eq(run.step, 0);
    save_step(&run, 3, 2);
    run.step = 0;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 3);
}
END_TEST

static void save_forever(void)
{
    for (heed_checkpoint run = {.step = 1};; run.step++)
        if (heed_checkpoint_save(path, &run, &(heed_checkpoint_options){.keep = 1}) != HEED_OK)
            _exit(1);
}

/* A second process saves, and removes the file that this process is about to open. */
START_TEST(loads_while_a_process_saves)
{
    heed_checkpoint run = {.step = 0};
    save_step(&run, 0, 1);
    pid_t child = fork();
    if (child == 0)
        save_forever();
    int64_t before = 0;
    for (int i = 0; i < 2000; i++) {
        ck_assert_msg(heed_checkpoint_load(path, &run) == HEED_OK, "%s", heed_error_message());
        ck_assert(run.step >= before);
        before = run.step;
    }
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert(before > 0);
}
END_TEST

/* The last file is damaged, then also the one before it; the newest undamaged file is loaded. */
START_TEST(loads_the_last_undamaged)
{
    heed_checkpoint run = {.step = 0};
    for (int64_t step = 1; step <= 3; step++)
        save_step(&run, step, 3);
    static const int64_t loaded[] = {3, 2, 1};
    for (int i = 0; i < 3; i++) {
        char file[128];
        ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
        ck_assert_int_eq(run.step, loaded[i]);
        snprintf(file, sizeof file, "%s/run-%09d.heed", folder, 3 - i);
        ck_assert_int_eq(truncate(file, 100), 0);
    }
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_ERR_FORMAT);
    ck_assert_error(HEED_ERR_FORMAT, "run.heed: all 3 of its files are damaged");
    ck_assert_int_eq(run.step, 1);
}
END_TEST

START_TEST(names_without_an_extension)
{
    static const char *const names[][2] = {
        {"run", "run-000000007"}, {".run", ".run-000000007"}, {"a.b", "a-000000007.b"}};
    heed_checkpoint run = {.step = 7};
    ck_assert_int_eq(chdir(folder), 0);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(heed_checkpoint_save(names[i][0], &run, &(heed_checkpoint_options){.keep = 1}), HEED_OK);
        ck_assert_msg(exists(names[i][1]), "%s", names[i][1]);
        ck_assert_int_eq(heed_checkpoint_load(names[i][0], &run), HEED_OK);
    }
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

/* -- Several processes -------------------------------------------------------------------------------------------- */

/* More files than one listing collects. */
START_TEST(keeps_many)
{
    char name[32];
    heed_checkpoint run = {.step = 0};
    for (int64_t step = 1; step <= 150; step++)
        save_step(&run, step, 130);
    for (int step = 1; step <= 150; step++) {
        snprintf(name, sizeof name, "run-%09d.heed", step);
        ck_assert_msg(exists(name) == (step > 20), "%s", name);
    }
    save_step(&run, 151, 64);
    ck_assert(!exists("run-000000087.heed") && exists("run-000000088.heed"));
    save_step(&run, 152, INT_MAX);
    ck_assert(exists("run-000000088.heed"));
}
END_TEST

/* Entries named like checkpoints that are not checkpoints; every one has a higher step than the checkpoints. */
START_TEST(names_are_not_trusted)
{
    static const char *const files[] = {"run-000000010.heed", "run-9223372036854775807.heed"};
    char name[128], text[6] = "";
    heed_checkpoint run = {.step = 0};
    put_file(files[0]);
    snprintf(name, sizeof name, "%s/%s", folder, files[1]);
    ck_assert_int_eq(close(open(name, O_WRONLY | O_CREAT, 0666)), 0);
    snprintf(name, sizeof name, "%s/run-000000011.heed", folder);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/run-000000012.heed", folder);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    snprintf(name, sizeof name, "%s/run-000000013.heed", folder);
    ck_assert_int_eq(symlink("nowhere", name), 0);
    for (int64_t step = 1; step <= 4; step++)
        save_step(&run, step, 2);
    ck_assert(!exists("run-000000002.heed") && exists("run-000000003.heed") && exists("run-000000004.heed"));
    run.step = 0;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 4);
    save_step(&run, 20, 1); /* above the foreign file, which keeps its content */
    snprintf(name, sizeof name, "%s/%s", folder, files[0]);
    int fd = open(name, O_RDONLY);
    ck_assert(fd >= 0 && read(fd, text, 5) == 5 && close(fd) == 0);
    ck_assert_str_eq(text, "other");
    ck_assert(exists("run-000000011.heed") && exists("run-000000012.heed") && !exists("run-000000004.heed"));
}
END_TEST

static double seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A different process holds the folder's lock: a stopped process, or a script around the run. */
START_TEST(continues_without_the_lock)
{
    heed_checkpoint run = {.step = 0};
    int fd = open(folder, O_RDONLY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    double begin = seconds();
    for (int64_t step = 1; step <= 3; step++)
        save_step(&run, step, 2);
    ck_assert(heed_checkpoint_exists(path));
    run.step = 0;
    ck_assert_int_eq(heed_checkpoint_load(path, &run), HEED_OK);
    ck_assert_int_eq(run.step, 3);
    ck_assert(!exists("run-000000001.heed") && exists("run-000000002.heed"));
    double elapsed = seconds() - begin; /* eight locks, with a wait of 0.2 s for every one */
    ck_assert_msg(elapsed > 1 && elapsed < 20, "%g s", elapsed);
    ck_assert_int_eq(close(fd), 0);
}
END_TEST

/* -- Paths -------------------------------------------------------------------------------------------------------- */

static void refused(const char *target, const char *message)
{
    heed_checkpoint run = {.step = 1};
    ck_assert_int_eq(heed_checkpoint_save(target, &run, &(heed_checkpoint_options){.keep = 2}), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, message);
}

/* A path that loading would not find is not saved. */
START_TEST(refused_paths)
{
    heed_checkpoint run = {.step = 1};
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("dd", 0700), 0);
    refused("dd", "cannot keep the files of dd: a folder of this name exists, and loading would prefer it");
    refused("dd/", "cannot keep the files of dd/: a folder of this name exists");
    refused(".", "cannot keep the files of .: a folder of this name exists");
    refused("ee/", "cannot write ee/: the path has no file name");
    refused("", "cannot write \"\": the path has no file name");
    refused("no/where", "cannot open the folder of no/where-000000001: No such file or directory");
    ck_assert_int_eq(heed_checkpoint_save("run.heed", &run, NULL), HEED_OK);
    refused("run.heed", "cannot keep the files of run.heed: a file of this name exists, and loading would prefer it");
    refused("run.heed/run", "cannot write run.heed/run: Not a directory");
    ck_assert(exists("dd") && !exists("dd-000000001") && !exists("-000000001"));
    put_file("-000000001");
    ck_assert(!heed_checkpoint_exists(""));
    ck_assert_int_eq(heed_checkpoint_load("", &run), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "No such file or directory");
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

/* The path is just short enough to be opened. The paths of its files are too long, but their names in the opened folder
 * are not. */
START_TEST(the_longest_paths)
{
    static char longest[PATH_MAX + 1];
    char component[201] = "/";
    heed_checkpoint run = {.step = 0};
    memset(component + 1, 'd', 199);
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    size_t length = (size_t)snprintf(longest, sizeof longest, "%s", folder);
    for (; length + 200 < PATH_MAX - 20; length += 200) {
        ck_assert_int_eq(mkdirat(fd, component + 1, 0700), 0);
        int next = openat(fd, component + 1, O_RDONLY | O_DIRECTORY);
        ck_assert_int_eq(close(fd), 0);
        fd = next;
        memcpy(longest + length, component, 201);
    }
    memset(longest + length, 'n', PATH_MAX - 1 - length);
    longest[length] = '/';
    ck_assert_int_eq(close(fd), 0);
    for (run.step = 1; run.step <= 3; run.step++)
        ck_assert_msg(heed_checkpoint_save(longest, &run, &(heed_checkpoint_options){.keep = 2}) == HEED_OK, "%s",
                      heed_error_message());
    ck_assert(heed_checkpoint_exists(longest));
    ck_assert_int_eq(heed_checkpoint_load(longest, &run), HEED_OK);
    ck_assert_int_eq(run.step, 3);
    longest[PATH_MAX - 1] = 'n';
    refused(longest, "File name too long");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {keeps_the_last,
                                  keeps_its_own_files,
                                  removes_all_but_the_highest,
                                  keeps_unremovable_entries,
                                  removes_stale_temporary_files,
                                  unlistable_folder,
                                  listed_name_without_a_file,
                                  loads_while_a_process_saves,
                                  loads_the_last_undamaged,
                                  names_without_an_extension,
                                  keeps_many,
                                  names_are_not_trusted,
                                  continues_without_the_lock,
                                  refused_paths,
                                  the_longest_paths};
    TCase *tcase = heed_test_case("checkpoint_keep");
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    return heed_run_case("checkpoint_keep", tcase);
}
