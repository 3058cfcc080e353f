/* heed/inspect.h - looking at what a program does: where a NaN comes from, what a module is made of, where the time
 * goes, what a tensor is. Made of heed/observe.h, but for heed_explain.
 *
 *     heed_set_anomaly(true);
 *     heed_module_summary(&net->base, x, stdout);
 *     heed_profile_begin("trace.json");
 *     train();
 *     heed_profile_end(stdout);
 *     heed_explain(loss, stdout);
 */
#ifndef HEED_INSPECT_H
#define HEED_INSPECT_H

#include <heed/observe.h>

HEED_BEGIN_DECLS

/* Switches anomaly mode, of the process. While it is on, the op that makes a NaN or an infinity of inputs that had none
 * fails with HEED_ERR_STATE, and so does the backward pass whose rule gives such a gradient:
 *
 *     train.c:42: log: the result (8, 3) has 2 of 24 elements that are not finite, the first -inf at (0, 1);
 *     argument 1 (8, 3) is in [0, 0.97]
 *     train.c:60: backward: sqrt: the gradient of argument 1 (8) has 1 of 8 elements ... (recorded at train.c:51)
 *
 * It looks at the numbers of each result and each gradient, which takes about as long as an elementwise op on them.
 * Numbers that were not finite before do not count, so a mask may be made of -inf; nor does what an op masks: where
 * results and inputs both have such numbers, the op is applied once more to inputs without them, and fails only if
 * they come again. A leaf that requires a gradient, was written in place and has a NaN fails the op that reads it: what
 * an optimizer does is no op. What rules are made of is not looked at, but what they give is; nor is anything
 * while an error is pending (heed/error.h). HEED_ERR_STATE where there are
 * HEED_MAX_OBSERVERS already.
 * torch: torch.autograd.set_detect_anomaly */
HEED_API heed_status heed_set_anomaly(bool on);

/* Applies the module to `input` once and writes a table to `file`: of each module in the tree its path, type, the shape
 * of its result, parameters (elements), multiply-adds of products, and bytes that the graph keeps for a backward pass;
 * sums below. Numbers are of a module itself, without those below it; memory that two modules keep counts where it was
 * kept first, parameters and `input` do not count. "-" is none, or not known. Nothing is changed: the default
 * generator's position, buffers and gradients are what they were; train or eval is as it is.
 * As torchinfo's summary. HEED_ERR_UNSUPPORTED for a module that takes more than one tensor, HEED_ERR_IO when writing
 * fails, or what the forward fails with. */
HEED_API heed_status heed_module_summary(heed_module *m, heed_tensor *input, FILE *file);

/* What heed_module_summary_with calls: runs m with what `user` holds; returns a result, NULL after a failure. */
typedef heed_tensor *(*heed_summary_forward)(heed_module *m, void *user);

/* The same by a function of yours, for modules that take more than one tensor. All that happens in it counts; what
 * belongs to no module of the tree counts for the first row. */
HEED_API heed_status heed_module_summary_with(heed_module *m, heed_summary_forward forward, void *user, FILE *file);

/* Begins to note all threads' ops, gradient rules, modules, spans (heed/observe.h) and shares of the library's threads;
 * heed_profile_end writes them to `path` as a Chrome trace, which ui.perfetto.dev and chrome://tracing show. NULL: no
 * trace, only the table. HEED_ERR_STATE while a profile is under way already, or there are HEED_MAX_OBSERVERS,
 * HEED_ERR_NOMEM. Noting an event takes about 0.15 us.
 * torch: torch.profiler.profile */
HEED_API heed_status heed_profile_begin(const char *path);

typedef struct heed_profile_options {
    int64_t memory; /* bytes for events, about 120 each, taken at once; those that do not fit are counted and dropped.
                       0: 64 MiB. They count in heed_memory_get_stats' peak */
    HEED_RESERVED;
} heed_profile_options;

/* The same with options; NULL: the defaults. HEED_ERR_ARGUMENT for a memory that is negative, or too little for 64 KiB.
 * torch: torch.profiler.profile */
HEED_API heed_status heed_profile_begin_with(const char *path, const heed_profile_options *options);

/* Ends the profile and writes the trace, whole or not at all, and to `table`, unless it is NULL, a table by op: calls,
 * time in all, time without what was nested, the share of that, and the rate of products in GFLOP/s (two operations for
 * each multiply-add) in the time in all. Ops that other threads have not finished are left out. The profile has ended
 * even if this fails: HEED_ERR_STATE when none is under way, HEED_ERR_IO, HEED_ERR_NOMEM.
 * torch: torch.profiler.profile */
HEED_API heed_status heed_profile_end(FILE *table);

/* Writes what t is: dtype, shape, strides, whose elements it looks at and how often they were written in place, whether
 * and why it requires a gradient, and the ops that it was computed by, as a tree down to the leaves, with the lines
 * that recorded them (heed/site.h), 8 levels deep and 64 lines long at most. An op that was shown before is not shown
 * again ("seen above"). HEED_ERR_ARGUMENT for NULL, HEED_ERR_IO when writing fails. */
HEED_API heed_status heed_explain(const heed_tensor *t, FILE *file);

/* Where the elements begin that t's lie among: the same for all views of them, another for each other tensor that is
 * there at the same time. *bytes becomes their size, unless `bytes` is NULL. NULL with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.storage */
HEED_API const void *heed_storage_of(const heed_tensor *t, size_t *bytes);

/* How often the elements that t looks at were written in place, by any view of them. 0 with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor._version */
HEED_API int64_t heed_version_of(const heed_tensor *t);

HEED_END_DECLS

#endif
