/* core/script_hint.h - the hint to scripts about a training loop without a scope (heed_set_hint_handler). */
#ifndef HEED_CORE_SCRIPT_HINT_H
#define HEED_CORE_SCRIPT_HINT_H

/* Counts a backward pass of this thread. Gives the hint at pass 1,000 without a scope if the root scope holds at least
 * 1,000 tensors. Debug mode gives its own notice instead. */
void heed__hint_after_pass(void);

#endif
