/* heed/tensorboard.h - writes event files, which TensorBoard shows as curves, histograms, images and text during a run.
 * It is a separate library, libheed-tensorboard, so that heed itself does not depend on Protocol Buffers.
 *
 *     heed_tensorboard *log = heed_tensorboard_open("runs/1", NULL);
 *     for (int64_t step = 1; step <= steps; step++) {
 *         ...
 *         heed_tensorboard_scalar(log, "loss/train", step, heed_item(loss));
 *         heed_tensorboard_histogram(log, "weights", step, net->weight);
 *     }
 *     heed_tensorboard_close(log);
 *
 *     tensorboard --logdir runs
 *
 * The functions correspond to PyTorch's SummaryWriter. Names with the same part before a '/' are shown together. Steps
 * may be any numbers, usually training steps; every event stores the time of the call with its step. Names and text are
 * UTF-8.
 *
 * An event is a record (TFRecord: its length, its bytes, and a CRC-32C of both) and is in the file when the function
 * returns: there is no queue and no thread, so a killed process or a child of fork cannot lose or duplicate events. If
 * the disk is full or fails, the function reports the error and removes the incomplete record, so the file consists of
 * whole records; the log continues with the next event. If the removal fails too, the next call tries again. A process
 * that is killed during a write may leave an incomplete last record; a machine that stops may lose all events since the
 * last heed_tensorboard_flush. TensorBoard stops reading a file at an incomplete record; a run that continues writes a
 * new file in the same folder.
 *
 * A log belongs to one thread at a time. Several logs may be written at once, but in different folders: TensorBoard
 * reads the files of a folder one after another to their ends, and does not return to an earlier file unless it runs
 * with --reload_multifile=true. A child of fork cannot write to its parent's log (HEED_ERR_STATE), but it can close it
 * and open its own.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_H
#define HEED_TENSORBOARD_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_tensorboard heed_tensorboard;

typedef struct heed_tensorboard_options {
    const char *suffix; /* appended to the file's name, after its number; NULL: no suffix */
    bool purge;         /* TensorBoard ignores old events of this folder from purge_step on: for a run that continues */
    int64_t purge_step; /* with purge: the first step that this run writes again, as after loading a checkpoint */
    HEED_RESERVED;
} heed_tensorboard_options;

/* Opens a log: makes a new file events.out.tfevents.TIME.HOST.PID.N in `folder`, and the folder and its parents if they
 * do not exist. TensorBoard shows every folder as a run. The file is on disk (fsync) with its first record when the
 * function returns. NULL options: the defaults. Close the log with heed_tensorboard_close.
 *
 * Returns NULL on failure.
 * Errors:
 *     HEED_ERR_ARGUMENT    folder is NULL or empty; a suffix that is not UTF-8, or contains a '/'
 *     HEED_ERR_IO          a folder or the file cannot be made or written: path and cause; no file is left
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_tensorboard *heed_tensorboard_open(const char *folder,
                                                                const heed_tensorboard_options *options);

/* Writes a point of the curve `name`. It is stored as f32, as in PyTorch; a value too large for f32 becomes infinite.
 * NaN and infinities are written unchanged, and TensorBoard shows them as such.
 * Errors: HEED_ERR_ARGUMENT for NULL, an empty name, or a name that is not UTF-8; HEED_ERR_STATE in a child of fork;
 * HEED_ERR_IO with path and cause; HEED_ERR_NOMEM. */
HEED_API heed_status heed_tensorboard_scalar(heed_tensorboard *log, const char *name, int64_t step, double value);

/* Writes a histogram of `values`, of any shape and dtype, with PyTorch's default intervals. Their limits are
 * -1e20 .. -1.1e-12, -1e-12, 0, 1e-12, 1.1e-12 .. 1e20, each 1.1 times the previous one; empty intervals at both ends
 * are left out, and values beyond the limits are counted too, up to the largest number. The event also has the number
 * of values, their minimum, maximum, sum and sum of squares, in f64. NaN and infinities are excluded from all of these;
 * if no values remain, the histogram is empty.
 * Errors: as heed_tensorboard_scalar. */
HEED_API heed_status heed_tensorboard_histogram(heed_tensorboard *log, const char *name, int64_t step,
                                                heed_tensor *values);

/* Writes an image of a tensor (H, W), (H, W, 3) or (H, W, 4) of values in 0 .. 1, as heed_plot_png draws it
 * (heed/plot.h).
 *
 * Errors: as heed_tensorboard_scalar and heed_plot_png; HEED_ERR_UNSUPPORTED for an event of more than 256 MiB. */
HEED_API heed_status heed_tensorboard_image(heed_tensorboard *log, const char *name, int64_t step, heed_tensor *image);

/* Copies the PNG file at `path`, such as a plot of heed_plot_lines or heed_plot_heatmap, into the log.
 *
 * Errors: as heed_tensorboard_scalar, and
 *     HEED_ERR_FORMAT         the file is not a complete PNG file
 *     HEED_ERR_IO             the file cannot be read, or is not a regular file
 *     HEED_ERR_UNSUPPORTED    an event of more than 256 MiB */
HEED_API heed_status heed_tensorboard_figure(heed_tensorboard *log, const char *name, int64_t step, const char *path);

/* Writes text, which TensorBoard shows as Markdown.
 *
 * Errors: as heed_tensorboard_scalar; HEED_ERR_ARGUMENT for text that is not UTF-8; HEED_ERR_UNSUPPORTED for an event
 * of more than 256 MiB. */
HEED_API heed_status heed_tensorboard_text(heed_tensorboard *log, const char *name, int64_t step, const char *text);

/* Flushes the log and frees it, even if flushing fails. NULL is ignored and returns HEED_OK.
 *
 * Errors: HEED_ERR_IO with path and cause. */
HEED_API heed_status heed_tensorboard_close(heed_tensorboard *log);

/* -- Expert calls -------------------------------------------------------------------------------------------------- */

/* Waits until all events are on disk (fsync). TensorBoard sees the events without this call, which only protects them
 * if the machine stops.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE in a child of fork; HEED_ERR_IO with path and cause. */
HEED_API heed_status heed_tensorboard_flush(heed_tensorboard *log);

/* Returns the path of the file, valid while the log is open.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_tensorboard_path(const heed_tensorboard *log);

HEED_END_DECLS

#endif
