/* data/key.h - keys of the form "NAME.part" for a scaler or categories in a dict.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DATA_KEY_H
#define HEED_DATA_KEY_H

#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#define HEED_KEY_PART ((size_t)24) /* capacity for `part` and a NUL */

typedef struct heed__key {
    char *text;
    size_t size, prefix; /* bytes of the block, and length of "NAME." */
} heed__key;

/* Initialises the key for `name`. Returns false after heed_fail, also for a NULL name. */
static inline bool heed__key_new(heed__key *key, const char *where, const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    *key = (heed__key){.size = length + 1 + HEED_KEY_PART, .prefix = length + 1};
    if (!name)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name is NULL");
    key->text = heed_alloc(key->size);
    if (!key->text)
        return false;
    memcpy(key->text, name, length);
    key->text[length] = '.';
    return true;
}

static inline void heed__key_free(heed__key *key)
{
    heed_free(key->text, key->size);
}

/* Returns the text "NAME.part"; `part` has at most 23 characters. The text is valid until the next call. */
static inline const char *heed__key_of(heed__key *key, const char *part)
{
    (void)snprintf(key->text + key->prefix, HEED_KEY_PART, "%s", part);
    return key->text;
}

#endif
