/* core/checkpointed.h - the op of heed_checkpointed. It lacks a backward rule: a backward pass computes it again. */
#ifndef HEED_CORE_CHECKPOINTED_H
#define HEED_CORE_CHECKPOINTED_H

#include "core/pass.h"

extern const heed_op heed__op_checkpointed;

/* Runs the node's function again and continues the pass through the nodes that it records. */
bool heed__recompute(const heed__pass *p, heed__node *node);

#endif
