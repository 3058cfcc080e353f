/* heed/heed.h - everything at once. The parts are manuals of their own: */
#ifndef HEED_H
#define HEED_H

#include <heed/checkpoint.h>    /* a training run in one file */
#include <heed/comm.h>          /* processes that work together */
#include <heed/data.h>          /* datasets, loaders */
#include <heed/data_parallel.h> /* training on many processes */
#include <heed/debug.h>         /* debug mode */
#include <heed/dict.h>          /* tensors under names */
#include <heed/dlpack.h>        /* tensors from other libraries, and to them */
#include <heed/error.h>         /* how failures travel */
#include <heed/functional.h>    /* derivatives of functions, checkpointing */
#include <heed/generate.h>      /* sequences from models: drawing, beam search */
#include <heed/gradcheck.h>     /* gradients against finite differences */
#include <heed/graph.h>         /* recording, backward, gradients of any order */
#include <heed/inspect.h>       /* looking at what a program does */
#include <heed/io.h>            /* csv, idx, npy, npz, safetensors, gguf */
#include <heed/literals.h>      /* lists and options as arguments */
#include <heed/memory.h>        /* allocator and counters */
#include <heed/module.h>        /* modules: parameters with names, in a tree */
#include <heed/nn.h>            /* layers */
#include <heed/np.h>            /* kernel regression for data: bandwidths, bands */
#include <heed/observe.h>       /* being told of what is computed */
#include <heed/op.h>            /* writing ops */
#include <heed/ops.h>           /* the operations */
#include <heed/optim.h>         /* optimizers, schedules, clipping */
#include <heed/parallel.h>      /* threads */
#include <heed/plot.h>          /* pictures */
#include <heed/precision.h>     /* products of fewer digits */
#include <heed/progress.h>      /* how far a training run is */
#include <heed/random.h>        /* random tensors */
#include <heed/recurrent.h>     /* recurrent layers, sequence to sequence */
#include <heed/scope.h>         /* who owns what functions return */
#include <heed/shape.h>         /* shapes are values */
#include <heed/shards.h>        /* evaluation by many processes */
#include <heed/site.h>          /* the program's lines in errors */
#include <heed/spread.h>        /* kernel regression by many processes */
#include <heed/tensor.h>        /* tensors */

#define HEED_VERSION_MAJOR 0
#define HEED_VERSION_MINOR 2
#define HEED_VERSION_PATCH 0
#define HEED_VERSION "0.2.0"

HEED_BEGIN_DECLS

/* The version of the library that runs, "0.2.0": a static string. HEED_VERSION is that of the header that a program was
 * compiled with; where a shared library was replaced since, the two differ.
 * torch: torch.__version__   numpy: numpy.__version__ */
HEED_API const char *heed_version(void);

HEED_END_DECLS

#ifdef HEED_SITES
#include <heed/sites.h>
#endif

#endif
