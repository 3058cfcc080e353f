/* optim/closure.h - the loss and its gradients, from the user's closure. */
#ifndef HEED_OPTIM_CLOSURE_H
#define HEED_OPTIM_CLOSURE_H

#include "optim/optimizer.h"

/* Drops the gradients, calls the closure while recording, and goes back from the loss. What is made is the innermost
 * scope's. False after heed_fail. */
bool heed__optimizer_evaluate(heed_optimizer *o, heed_closure closure, void *user, double *loss);

#endif
