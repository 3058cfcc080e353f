/* core/dict.h - looking into a dict from inside the library. */
#ifndef HEED_CORE_DICT_H
#define HEED_CORE_DICT_H

#include <heed/dict.h>

/* heed_dict_has of the name that is `prefix` followed by `name`. */
bool heed__dict_has_joined(const heed_dict *dict, const char *prefix, const char *name);

/* It is a dict: neither NULL nor freed. False after heed_fail. */
bool heed__dict_check(const char *where, const heed_dict *dict);

#endif
