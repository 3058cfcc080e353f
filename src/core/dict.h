/* core/dict.h - internal lookups in a dict.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_DICT_H
#define HEED_CORE_DICT_H

#include <heed/dict.h>

/* Returns heed_dict_has for the name made of `prefix` and `name`. */
bool heed__dict_has_joined(const heed_dict *dict, const char *prefix, const char *name);

/* Returns true if the name is STEM.mean or STEM.std and the dict has the text STEM.fill_nan, as after
 * heed_scaler_save. */
bool heed__dict_is_of_scaler(const heed_dict *dict, const char *name);

/* Returns true if the dict is neither NULL nor freed. Otherwise calls heed_fail and returns false. */
bool heed__dict_check(const char *where, const heed_dict *dict);

#endif
