/* heed/inspect.h - inspection tools: anomaly detection, module summaries, profiles, and descriptions of tensors. Except
 * for heed_explain, they are built on heed/observe.h.
 *
 *     heed_set_anomaly(true);
 *     heed_module_summary(&net->base, x, stdout);
 *     heed_profile_begin("trace.json", NULL);
 *     train();
 *     heed_profile_end(stdout);
 *     heed_explain(loss, stdout);
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_INSPECT_H
#define HEED_INSPECT_H

#include <heed/observe.h>

HEED_BEGIN_DECLS

/* Switches the process's anomaly mode, which detects where NaN and infinity first appear.
 * While it is on, an op that produces NaN or infinity from finite inputs fails with HEED_ERR_STATE, and so does a
 * backward pass if a gradient rule produces such a gradient:
 *
 *     train.c:42: log: the result (8, 3) has 2 of 24 elements that are not finite, the first -inf at (0, 1);
 *     argument 1 (8, 3) is in [0, 0.97]
 *     train.c:60: backward: sqrt: the gradient of argument 1 (8) has 1 of 8 elements ... (recorded at train.c:51)
 *
 * It checks the elements of every result and gradient, which takes about as long as an elementwise op on them.
 * Elements that were not finite in the inputs do not count, so a mask may contain -inf. To decide this, if both inputs
 * and results have elements that are not finite, the op is applied again to inputs without them, and fails only if the
 * results still have them. An optimizer's update is not an op and is not checked. Therefore an op also fails if it
 * reads a leaf that requires a gradient, was written in place and contains NaN. The results of gradient rules are
 * checked, their intermediate ops are not. Checks are suspended while an error is pending (heed/error.h).
 * Errors: HEED_ERR_STATE if HEED_MAX_OBSERVERS are already installed.
 * torch: torch.autograd.set_detect_anomaly */
HEED_API heed_status heed_set_anomaly(bool on);

/* Applies the module to `input` once and writes a table of the tree's modules to `file`, like torchinfo's summary.
 * A row has the module's path, type, the shape of its result, the elements of its parameters, multiply-adds of
 * products, and bytes that the graph keeps for a backward pass; the last row has the sums. The numbers of a module
 * exclude its children. Memory that two modules keep counts for the first of them. The memory of parameters and of
 * `input` does not count. "-" means zero or unknown. The generator's position, buffers, gradients, and train or
 * eval mode do not change.
 * Errors: HEED_ERR_UNSUPPORTED for a module that needs more than one tensor, HEED_ERR_IO if writing fails, errors of
 * the forward. */
HEED_API heed_status heed_module_summary(heed_module *m, heed_tensor *input, FILE *file);

/* Options of heed_profile_begin; NULL: the default. */
typedef struct heed_profile_options {
    int64_t memory; /* bytes for events, about 120 per event, allocated at the start; they count in the peak of
                       heed_memory_get_stats. Events that do not fit are counted and dropped. 0: 64 MiB */
    HEED_RESERVED;
} heed_profile_options;

/* Begins a profile of all threads' ops, gradient rules, modules, spans (heed/observe.h) and the tasks of the
 * library's threads.
 * heed_profile_end writes it to `path` as a Chrome trace, for ui.perfetto.dev and chrome://tracing; NULL writes only
 * the table. Recording an event takes about 0.15 us.
 * Errors: HEED_ERR_STATE if a profile is already running or HEED_MAX_OBSERVERS are installed; HEED_ERR_ARGUMENT for a
 * negative memory or less than 64 KiB; HEED_ERR_NOMEM.
 * torch: torch.profiler.profile */
HEED_API heed_status heed_profile_begin(const char *path, const heed_profile_options *options);

/* Ends the profile, writes the trace atomically, and writes a table with a row per op to `table` unless `table` is
 * NULL.
 * The table has the number of calls, the total time, the time without nested events and its share, and the rate of
 * products in GFLOP/s (two operations per multiply-add) over the total time. Unfinished ops of other threads are
 * omitted. The profile ends even if this fails.
 * Errors: HEED_ERR_STATE if no profile is running, HEED_ERR_IO, HEED_ERR_NOMEM.
 * torch: torch.profiler.profile */
HEED_API heed_status heed_profile_end(FILE *table);

/* Writes a description of t to `file`: its dtype, shape, strides, storage, and the ops that computed it.
 * It also says how often the storage was written in place, and whether and why t requires a gradient. The ops are a
 * tree down to the leaves, with the lines that recorded them (heed/site.h), at most 8 levels deep and 64 lines long. An
 * op is shown once, then as "seen above".
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_IO if writing fails. */
HEED_API heed_status heed_explain(const heed_tensor *t, FILE *file);

/* -- Expert calls -------------------------------------------------------------------------------------------------- */

/* The callback of heed_module_summary_with: runs m on data in `user` and returns a result, NULL on failure. */
typedef heed_tensor *(*heed_summary_forward)(heed_module *m, void *user);

/* Writes the table of heed_module_summary for a forward that your callback runs, for modules that need more than one
 * tensor.
 * Everything that the callback computes counts; work outside the modules of the tree counts for the first row.
 * Errors: as heed_module_summary. */
HEED_API heed_status heed_module_summary_with(heed_module *m, heed_summary_forward forward, void *user, FILE *file);

/* The storage of a tensor, which its views share. */
typedef struct heed_storage {
    const void *address; /* unique among storages that exist at the same time */
    size_t bytes;
    int64_t version; /* the number of times that the storage was written in place, through any view */
} heed_storage;

/* Returns a description of t's storage.
 * Errors: zeros with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.storage, torch.Tensor._version */
HEED_API heed_storage heed_storage_of(const heed_tensor *t);

HEED_END_DECLS

#endif
