/* tests/promises/faults/savers.c - processes that save to one path and load from it, killed and restarted at random.
 *
 *     savers [ROUNDS [FOLDER]]        per value of `keep`; default 3, and a folder in memory, if possible
 *
 * There are four savers, which act like jobs of a scheduler: they resume from the existing file and save step after
 * step; and four readers. Repeatedly one of the eight is killed (SIGKILL) and restarted, or stopped for a while
 * (SIGSTOP); every other saver is restarted before its predecessor is killed, so that both save at once. A round
 * ends when all are killed.
 *
 * From the first save on heed_checkpoint_exists must be true, and a load must succeed and be complete; if several
 * files are kept, it must not be older than the newest save before its start. This must also hold after the end of a
 * round (or all is lost), and one more save must leave `keep` files. Then all is repeated, as on a file system
 * without locks, where temporary files of killed savers stay, and a reader may sometimes get an older file. Prints a
 * line per configuration; the exit code is 0 if all held, 1 otherwise.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <heed/heed.h>

#define SAVERS 4
#define PROCESSES 8
#define TURNS 20 /* per round */

static char folder[256], path[300];
static int keep;
static bool locks; /* whether the file system supports locks */

/* The counters of all processes, in shared memory. */
static struct totals {
    _Atomic long saves, loads, failed_saves, failed_loads, false_exists, older, wrong;
    _Atomic long long newest; /* the highest step of a completed save */
    char message[256];        /* of a failure */
} * totals;

/* The parent's counters. */
static long rounds, kills, successors, stops, lost, surplus;

/* This function replaces the C library's: the library's calls come here. */
int flock(int fd, int how)
{
    if (locks)
        return (int)syscall(SYS_flock, fd, how);
    errno = ENOLCK;
    return -1;
}

/* -- The work of a process ---------------------------------------------------------------------------------------- */

static void note_failure(_Atomic long *count)
{
    (*count)++;
    (void)snprintf(totals->message, sizeof totals->message, "%s", heed_error_message());
    heed_error_clear();
}

static heed_checkpoint new_run(void)
{
    heed_checkpoint run = {.extra = heed_dict_new()};
    heed_dict_set(run.extra, "steps", heed_zeros(HEED_F64, HEED_SHAPE(1000)));
    return run;
}

/* All elements equal the step. */
static bool is_whole(const heed_checkpoint *run)
{
    const double *steps = heed_data_f64(heed_dict_get(run->extra, "steps"));
    for (int i = 0; i < 1000; i++)
        if (steps[i] != (double)run->step)
            return false;
    return true;
}

static bool load_latest(heed_checkpoint *run)
{
    long long newest = totals->newest;
    totals->false_exists += !heed_checkpoint_exists(path);
    bool loaded = heed_checkpoint_load(path, run) == HEED_OK, whole = loaded && is_whole(run);
    totals->loads++;
    if (!loaded)
        note_failure(&totals->failed_loads);
    totals->wrong += loaded && !whole;
    bool older = keep > 0 && run->step < newest;
    totals->older += loaded && older;
    return whole && !older;
}

static void save(heed_checkpoint *run)
{
    run->step += 1 + rand() % 3;
    heed_fill_(heed_dict_get(run->extra, "steps"), (double)run->step);
    if (heed_checkpoint_save(path, run, &(heed_checkpoint_options){.keep = keep}) != HEED_OK) {
        note_failure(&totals->failed_saves);
        return;
    }
    totals->saves++;
    long long newest = totals->newest;
    while (newest < run->step && !atomic_compare_exchange_weak(&totals->newest, &newest, run->step))
        ;
}

static pid_t start(bool saves)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    srand((unsigned)getpid());
    heed_checkpoint run = new_run();
    (void)load_latest(&run);
    for (;;)
        if (saves)
            save(&run);
        else
            (void)load_latest(&run);
}

/* -- Rounds ------------------------------------------------------------------------------------------------------- */

static void wait_a_while(int milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = rand() % (milliseconds * 1000000)}, NULL);
}

static void end(pid_t child)
{
    kills += kill(child, SIGKILL) == 0;
    (void)waitpid(child, NULL, 0);
}

static void turn(pid_t *children)
{
    int i = rand() % PROCESSES;
    bool saves = i < SAVERS;
    pid_t before = children[i];
    wait_a_while(4);
    if (rand() % 8 == 0) {
        stops += kill(before, SIGSTOP) == 0;
        wait_a_while(20);
        (void)kill(before, SIGCONT);
    } else if (saves && rand() % 2) {
        children[i] = start(saves);
        wait_a_while(8);
        end(before);
        successors++;
    } else {
        end(before);
        children[i] = start(saves);
    }
}

static long count_files(void)
{
    long count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *it = d ? readdir(d) : NULL; it; it = readdir(d))
        count += locks ? strcmp(it->d_name, ".") != 0 && strcmp(it->d_name, "..") != 0 : it->d_name[0] != '.';
    if (d)
        (void)closedir(d);
    return count;
}

static void play_round(heed_checkpoint *run)
{
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        children[i] = start(i < SAVERS);
    for (int i = 0; i < TURNS; i++)
        turn(children);
    for (int i = 0; i < PROCESSES; i++)
        end(children[i]);
    lost += !load_latest(run); /* all savers have ended */
    if (run->step < totals->newest)
        run->step = totals->newest;
    save(run);
    surplus += count_files() != (keep > 0 ? keep : 1);
    rounds++;
}

static bool torture(long n_rounds)
{
    heed_checkpoint run = new_run();
    *totals = (struct totals){0};
    rounds = kills = successors = stops = lost = surplus = 0;
    for (int i = 0; i < 3; i++)
        save(&run);
    while (rounds < n_rounds)
        play_round(&run);
    printf("savers: keep=%d locks=%s rounds=%ld kills=%ld successors=%ld stops=%ld saves=%ld loads=%ld lost=%ld ", keep,
           locks ? "yes" : "no", rounds, kills, successors, stops, totals->saves, totals->loads, lost);
    printf("failed_loads=%ld false_exists=%ld older=%ld wrong=%ld failed_saves=%ld surplus=%ld%s%s\n",
           totals->failed_loads, totals->false_exists, totals->older, totals->wrong, totals->failed_saves, surplus,
           *totals->message ? ": " : "", totals->message);
    heed_dict_free(run.extra);
    long bad = lost + surplus + totals->failed_loads + totals->false_exists + totals->wrong + totals->failed_saves;
    return bad + (locks ? totals->older : 0) == 0;
}

/* Runs in a new folder. */
static bool torture_in(const char *parent, long n_rounds)
{
    char command[300];
    (void)snprintf(folder, sizeof folder, "%s/heed-savers-XXXXXX", parent);
    if (!mkdtemp(folder))
        return false;
    (void)snprintf(path, sizeof path, "%s/run.heed", folder);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    bool good = torture(n_rounds);
    return system(command) == 0 && good;
}

int main(int argc, char **argv)
{
    static const int keeps[] = {1, 3, 0};
    long n_rounds = argc > 1 ? atol(argv[1]) : 3;
    const char *parent = argc > 2 ? argv[2] : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool good = n_rounds > 0 && totals != MAP_FAILED;
    srand((unsigned)time(NULL));
    for (int i = 0; i < 6; i++) {
        keep = keeps[i % 3];
        locks = i < 3;
        good = torture_in(parent, n_rounds) && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
