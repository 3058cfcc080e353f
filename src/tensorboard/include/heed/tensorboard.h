/* heed/tensorboard.h - event files, which TensorBoard shows as curves, histograms, pictures and text while a run goes
 * on. In a library of its own, libheed-tensorboard, so that heed itself needs no Protocol Buffers.
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
 * The functions are those of PyTorch's SummaryWriter. Names that share what is before a '/' are shown together; steps
 * are any numbers, those of a training; each event has the time of the call beside its step. Names and text are UTF-8.
 *
 * An event is a record (TFRecord: its length, its bytes, and a CRC-32C of each) that is in the file when the function
 * returns: there is no queue, no thread, and nothing that a killed process or a child of fork could lose or write
 * twice. When the disk is full or fails, the error is reported, what was written of the record is taken away, and the
 * file is whole records: the log goes on with the next event. Where that cannot be taken away either, the next call
 * tries again. A process that is killed within a write may leave a part of the last record; a machine that stops may
 * lose all that was written since the last heed_tensorboard_flush. At what is not a whole record TensorBoard stops
 * reading the file; a run that goes on writes another one into the same folder.
 *
 * A log belongs to one thread at a time. Several logs may be written at once, but each into a folder of its own: of the
 * files of one, TensorBoard reads each to its end and then the next, and does not go back (without
 * --reload_multifile=true). A child of fork cannot write to its parent's log (HEED_ERR_STATE), but close it, and open
 * its own.
 *
 * Each function but heed_tensorboard_open, _path and _close returns HEED_OK, or
 *     HEED_ERR_ARGUMENT       log, name or what is to be written is NULL; a name that is empty; what is not UTF-8
 *     HEED_ERR_STATE          in a child of fork
 *     HEED_ERR_UNSUPPORTED    an event of more than 256 MiB
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_NOMEM
 * and those of its own. */
#ifndef HEED_TENSORBOARD_H
#define HEED_TENSORBOARD_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_tensorboard heed_tensorboard;

typedef struct heed_tensorboard_options {
    const char *suffix; /* of the file's name, after its number; NULL: none */
    bool purge;         /* TensorBoard is to forget, of what other files of this folder hold, ... */
    int64_t
        purge_step; /* ... this step and later ones: for a run that goes on from a checkpoint, whose steps come again */
    HEED_RESERVED;
} heed_tensorboard_options;

/* A log: a new file events.out.tfevents.TIME.HOST.PID.N in `folder`, which is made if need be, with the folders that it
 * is in. TensorBoard takes each folder for a run. The file is on the disk (fsync) with its first record. NULL options:
 * the defaults. To be closed by heed_tensorboard_close. NULL with
 *     HEED_ERR_ARGUMENT    folder is NULL or empty; a suffix that is not UTF-8, or has a '/'
 *     HEED_ERR_IO          a folder or the file cannot be made or written: path and cause; then there is no file
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_tensorboard *heed_tensorboard_open(const char *folder,
                                                                const heed_tensorboard_options *options);

/* The file, as long as the log is open. NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_tensorboard_path(const heed_tensorboard *log);

/* A point of the curve `name`. It is stored as an f32, as PyTorch does: what is too large for one is infinite. NaN and
 * infinities are written as they are, and TensorBoard shows them as such. */
HEED_API heed_status heed_tensorboard_scalar(heed_tensorboard *log, const char *name, int64_t step, double value);

/* How many elements of `values`, of any shape and dtype, lie in each of PyTorch's default intervals: between neighbours
 * of -1e20 .. -1.1e-12, -1e-12, 0, 1e-12, 1.1e-12 .. 1e20, each 1.1 times the last, without the empty ones at either
 * end; what lies beyond is counted too, up to the largest number. With them their number, least, greatest, sum and sum
 * of squares, in f64. NaN and infinities are left out of all of these; where nothing is left, the histogram is
 * empty. */
HEED_API heed_status heed_tensorboard_histogram(heed_tensorboard *log, const char *name, int64_t step,
                                                heed_tensor *values);

/* A picture of a tensor (H, W), (H, W, 3) or (H, W, 4) of values in 0 .. 1, as heed_plot_png makes it (heed/plot.h),
 * whose errors it has too. */
HEED_API heed_status heed_tensorboard_image(heed_tensorboard *log, const char *name, int64_t step, heed_tensor *image);

/* A figure: the PNG file at `path`, such as heed_plot_lines and heed_plot_heatmap draw, is copied into the log.
 *     HEED_ERR_FORMAT      not a whole PNG file
 *     HEED_ERR_IO          it cannot be read, or is not a regular file */
HEED_API heed_status heed_tensorboard_figure(heed_tensorboard *log, const char *name, int64_t step, const char *path);

/* Text, which TensorBoard shows as Markdown. */
HEED_API heed_status heed_tensorboard_text(heed_tensorboard *log, const char *name, int64_t step, const char *text);

/* Returns when all that was written is on the disk (fsync): TensorBoard sees it without, and only a machine that stops
 * could lose it. */
HEED_API heed_status heed_tensorboard_flush(heed_tensorboard *log);

/* Flushes the log and frees it, also where that fails: HEED_ERR_IO with path and cause. NULL is ignored, and
 * HEED_OK. */
HEED_API heed_status heed_tensorboard_close(heed_tensorboard *log);

HEED_END_DECLS

#endif
