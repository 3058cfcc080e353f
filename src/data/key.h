/* data/key.h - keys of the form "NAME.part" for a scaler or categories in a dict. */
#ifndef HEED_DATA_KEY_H
#define HEED_DATA_KEY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heed__key {
    char *text;
    size_t size, prefix; /* bytes of the block, and length of "NAME." */
} heed__key;

/* Initialises the key for `name`. Returns false after heed_fail, also for a NULL name. */
bool heed__key_new(heed__key *key, const char *where, const char *name);
void heed__key_free(heed__key *key);

/* Returns the text "NAME.part"; `part` has at most 23 characters. The text is valid until the next call. */
const char *heed__key_of(heed__key *key, const char *part);

#endif
