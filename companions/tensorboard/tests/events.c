/* tensorboard/tests/events.c - writes a log with events of every kind, for test_events.py to read.
 *
 *     events FOLDER
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include <heed/heed.h>
#include <heed/tensorboard.h>

static void write_scalars(heed_tensorboard *log)
{
    const double values[] = {0,     0.5,    -1,     (double)NAN, (double)INFINITY, -(double)INFINITY,
                             1e300, -1e300, 1e-300, 3.4e38};
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        heed_tensorboard_scalar(log, "loss/train", i, values[i]);
    heed_tensorboard_scalar(log, "größe \xf0\x9f\x98\x80", INT64_MIN, 1);
    heed_tensorboard_scalar(log, "steps", INT64_MAX, 2);
}

/* Values of many magnitudes, encoded in the tags so that the reader can compute the same values. */
static void write_histograms(heed_tensorboard *log)
{
    heed_tensor *i = heed_arange(HEED_F64, -1000, 1001, 1);
    heed_tensorboard_histogram(log, "cubes", 1, heed_mul(heed_mul(i, i), i));
    heed_tensorboard_histogram(log, "f32", 2, heed_to_dtype(i, HEED_F32));
    heed_tensorboard_histogram(log, "turned", 3,
                               heed_transpose(heed_reshape(heed_arange(HEED_I64, 0, 12, 1), HEED_SHAPE(3, 4)), 0, 1));
    heed_tensorboard_histogram(log, "zeros", 4, heed_zeros(HEED_F32, HEED_SHAPE(7)));
    heed_tensorboard_histogram(log, "bool", 5, heed_eye(HEED_BOOL, 3, 3));
    heed_tensorboard_histogram(log, "scalar", 6, heed_full(HEED_F64, HEED_SCALAR, -2.5));
    heed_tensorboard_histogram(log, "long", 7, heed_arange(HEED_F32, 0, 200000, 1));
    heed_tensorboard_histogram(log, "edges", 8,
                               HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 1e-12, -1e-12, 1e-13, -1e-13, 0, 1, -1e20, 9e19));
    heed_tensorboard_histogram(log, "vast", 9, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1e300, -1e300, 1));
    heed_tensorboard_histogram(
        log, "not finite", 10,
        HEED_TENSOR(HEED_F64, HEED_SHAPE(5), (double)NAN, (double)INFINITY, 3, -(double)INFINITY, 4));
    heed_tensorboard_histogram(log, "nothing finite", 11,
                               HEED_TENSOR(HEED_F64, HEED_SHAPE(2), (double)NAN, (double)INFINITY));
    heed_tensorboard_histogram(log, "empty", 12, heed_zeros(HEED_F32, HEED_SHAPE(0, 3)));
}

static heed_tensor *ramp(heed_shape shape)
{
    return heed_mul_scalar(heed_reshape(heed_arange(HEED_F64, 0, (double)heed_shape_numel(shape), 1), shape),
                           1.0 / 255);
}

int main(int argc, char **argv)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    if (argc < 2)
        return 2;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/figure.png", argv[1]);
    heed_tensorboard *log = heed_tensorboard_open(argv[1], &(heed_tensorboard_options){.purge = true, .purge_step = 5});
    write_scalars(log);
    write_histograms(log);
    heed_tensorboard_image(log, "gray", 1, ramp(HEED_SHAPE(5, 7)));
    heed_tensorboard_image(log, "rgb", 2, ramp(HEED_SHAPE(5, 7, 3)));
    heed_tensorboard_image(log, "rgba", 3, ramp(HEED_SHAPE(5, 7, 4)));
    heed_plot_heatmap(heed_eye(HEED_F32, 4, 4), path, NULL);
    heed_tensorboard_figure(log, "figure", 4, path);
    heed_tensorboard_text(log, "note", 5, "**fett** \xf0\x9f\x98\x80\n");
    heed_tensorboard_text(log, "note", 6, "");
    heed_tensorboard_flush(log);
    (void)printf("%s\n", heed_tensorboard_path(log));
    return heed_tensorboard_close(log) == HEED_OK ? 0 : 1;
}
