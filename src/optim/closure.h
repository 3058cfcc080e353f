/* optim/closure.h - evaluates the loss and its gradients through the user's closure. */
#ifndef HEED_OPTIM_CLOSURE_H
#define HEED_OPTIM_CLOSURE_H

#include "optim/optimizer.h"

/* Drops the gradients, calls the closure with recording on, runs backward from the loss and stores its value in *loss.
 * New tensors belong to the innermost scope. Returns false after heed_fail. */
bool heed__optimizer_evaluate(heed_optimizer *o, heed_closure closure, void *user, double *loss);

#endif
