/* data/key.h - "NAME.part": the keys under which a scaler or categories lie in a dict. */
#ifndef HEED_DATA_KEY_H
#define HEED_DATA_KEY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heed__key {
    char *text;
    size_t size, prefix; /* of the block; of "NAME." */
} heed__key;

/* False after heed_fail, which says so for a NULL name. */
bool heed__key_new(heed__key *key, const char *where, const char *name);
void heed__key_free(heed__key *key);

/* The key of a part, of at most 23 characters; until the next. */
const char *heed__key_of(heed__key *key, const char *part);

#endif
