/* core/script_hint.h - the hint that scripts get about a training loop without a scope (heed_set_hint_handler). */
#ifndef HEED_CORE_SCRIPT_HINT_H
#define HEED_CORE_SCRIPT_HINT_H

/* Counts a backward pass of this thread. The pass number 1,000 without a scope, if the root scope has kept as many
 * tensors, gives the hint; debug mode gives its own notice instead. */
void heed__hint_after_pass(void);

#endif
