/* heed/heed.h - includes all public headers, which are also the manual.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_H
#define HEED_H

#include <heed/checkpoint.h>             /* saving and resuming a training run */
#include <heed/comm.h>                   /* teams of processes */
#include <heed/data.h>                   /* datasets, loaders */
#include <heed/data_parallel.h>          /* training on several processes */
#include <heed/debug.h>                  /* debug mode */
#include <heed/dict.h>                   /* named tensors */
#include <heed/distributed_regression.h> /* kernel regression on several processes */
#include <heed/dlpack.h>                 /* exchanging tensors with other libraries */
#include <heed/error.h>                  /* errors and messages */
#include <heed/functional.h>             /* derivatives of functions, checkpointing */
#include <heed/generate.h>               /* sequences from models: sampling, beam search */
#include <heed/gradcheck.h>              /* checking gradients by finite differences */
#include <heed/graph.h>                  /* recording, backward, gradients of any order */
#include <heed/inspect.h>                /* anomaly mode, summaries, profiles */
#include <heed/io.h>                     /* csv, idx, npy, npz, safetensors, gguf */
#include <heed/literals.h>               /* lists and options as arguments */
#include <heed/memory.h>                 /* allocator and counters */
#include <heed/module.h>                 /* modules: trees of named parameters */
#include <heed/nn.h>                     /* layers */
#include <heed/np.h>                     /* nonparametric regression: bandwidths, bands */
#include <heed/observe.h>                /* observers of ops, modules and spans */
#include <heed/op.h>                     /* writing ops */
#include <heed/ops.h>                    /* the operations */
#include <heed/optim.h>                  /* optimizers, schedules, clipping */
#include <heed/parallel.h>               /* threads */
#include <heed/plot.h>                   /* plots */
#include <heed/precision.h>              /* precision of matrix products */
#include <heed/progress.h>               /* progress of a training run */
#include <heed/random.h>                 /* random tensors */
#include <heed/recurrent.h>              /* recurrent layers, sequence to sequence */
#include <heed/scope.h>                  /* ownership of returned tensors */
#include <heed/shape.h>                  /* shapes */
#include <heed/shards.h>                 /* evaluation on several processes */
#include <heed/site.h>                   /* lines of calls in errors */
#include <heed/tensor.h>                 /* tensors */

#define HEED_VERSION_MAJOR 0
#define HEED_VERSION_MINOR 2
#define HEED_VERSION_PATCH 0
#define HEED_VERSION "0.2.0"

HEED_BEGIN_DECLS

/* Returns the version of the running library, "0.2.0", as a static string.
 * HEED_VERSION is the version of the header that a program was compiled with; the two differ if a shared library has
 * been replaced since. It cannot fail.
 * torch: torch.__version__   numpy: numpy.__version__ */
HEED_API const char *heed_version(void);

HEED_END_DECLS

#ifdef HEED_SITES
#include <heed/sites.h>
#endif

#endif
