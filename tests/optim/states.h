/* tests/optim/states.h - optimizer states that do not fit, for the optimizers' tests.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef STATES_H
#define STATES_H

#include "check_heed.h"

/* Checks that the state with `value` under this name is refused with the message `text`. */
static inline void check_refused(heed_optimizer *o, heed_dict *state, const char *name, heed_tensor *value,
                                 const char *text)
{
    heed_tensor *before = heed_retain(heed_dict_get(state, name));
    heed_dict_set(state, name, value);
    ck_assert_int_eq(heed_optimizer_load_state(o, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
    heed_dict_set(state, name, before);
    heed_release(before);
}

#endif
