/* examples/saving.c - training that can be stopped: saves at intervals and after a signal, and resumes from there.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "saving.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

saving_options saving = {.every = 60.0};

static volatile sig_atomic_t received; /* the signal; 0 before one */
static double saved_at;                /* seconds */
static int64_t saved_step = -1;        /* step of the saved file; -1 before the first */

/* The first signal is recorded, the second one ends the process. */
static void note_signal(int number)
{
    received = number;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

static void catch_signals(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static double seconds_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void saving_begin(heed_checkpoint *run)
{
    if (saving.resume && !saving.file)
        training_refuse("--resume needs --checkpoint FILE");
    if (!saving.file)
        return;
    training_check_output("checkpoint", saving.file);
    training_make_folders("checkpoint", saving.file);
    if (saving.resume && heed_checkpoint_exists(saving.file)) {
        heed_checkpoint_load(saving.file, run);
        saved_step = run->step;
        printf("%s: going on after step %" PRId64 "\n", saving.file, run->step);
    }
    saved_at = seconds_now();
    catch_signals(saving.only_reads ? SIG_IGN : note_signal);
}

static void save(const heed_checkpoint *run)
{
    if (!saving.only_reads)
        heed_checkpoint_save(saving.file, run, NULL);
    saved_step = run->step;
    saved_at = seconds_now();
}

void saving_end(heed_checkpoint *run)
{
    heed_optimizer_free(run->optimizer);
    heed_generator_free(run->generator);
    heed_loader_free(run->loader);
    heed_progress_free(run->progress);
    heed_dict_free(run->extra);
}

static void stop(heed_checkpoint *run, int64_t steps)
{
    saving_end(run); /* ends a partial line on a terminal */
    fflush(stdout);
    training_say("stopped by SIG%s after step %" PRId64 " of %" PRId64 "; --checkpoint %s --resume goes on",
                 received == SIGINT ? "INT" : "TERM", run->step, steps, saving.file);
    exit(128 + received);
}

bool saving_goes_on(heed_checkpoint *run, int64_t steps)
{
    bool ends = run->step >= steps;
    if (!saving.file)
        return !ends;
    bool due = ends || received || seconds_now() - saved_at >= saving.every;
    if (due && run->step != saved_step)
        save(run);
    if (received)
        stop(run, steps);
    if (ends)
        catch_signals(SIG_DFL);
    return !ends;
}

void saving_extra(heed_checkpoint *run, const char *name, heed_tensor *t)
{
    if (!run->extra)
        run->extra = heed_dict_new();
    heed_dict_set(run->extra, name, t);
}
