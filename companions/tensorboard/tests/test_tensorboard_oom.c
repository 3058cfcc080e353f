/* tensorboard/tests/test_tensorboard_oom.c - every allocation of a log's functions refused, once and from then on:
 * no memory is lost, and the file has one complete record per successful call.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "fail_alloc.h"
#include "logs.h"

static char figure[96];

static bool program(double *value)
{
    heed_tensorboard *log = heed_tensorboard_open(folder, &(heed_tensorboard_options){.purge = true});
    if (!log)
        return false;
    heed_tensor *x = heed_transpose(heed_eye(HEED_F32, 3, 4), 0, 1);
    int good = 0;
    good += heed_tensorboard_scalar(log, "a", 1, 2) == HEED_OK;
    good += heed_tensorboard_histogram(log, "a", 1, x) == HEED_OK;
    good += heed_tensorboard_image(log, "a", 1, x) == HEED_OK;
    good += heed_tensorboard_figure(log, "a", 1, figure) == HEED_OK;
    good += heed_tensorboard_text(log, "a", 1, "text") == HEED_OK;
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 2 + good);
    heed_tensorboard_close(log);
    (void)empty_folder(folder);
    *value = good;
    return good == 5;
}

START_TEST(without_memory)
{
    make_folder();
    (void)snprintf(figure, sizeof figure, "%s.png", folder);
    fail_alloc_install();
    ck_assert_int_eq(heed_plot_heatmap(heed_eye(HEED_F32, 2, 2), figure, &(heed_plot_heatmap_options){.scale = 0.1}),
                     HEED_OK);
    heed_thread_cleanup();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(figure), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("tensorboard without memory", without_memory)
