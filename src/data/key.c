/* data/key.c - keys of the form "NAME.part" for a scaler or categories in a dict. */

#include "data/key.h"

#include <stdio.h>
#include <string.h>

#include <heed/error.h>
#include <heed/memory.h>

#define PART ((size_t)24)

bool heed__key_new(heed__key *key, const char *where, const char *name)
{
    if (!name)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name is NULL");
    size_t length = strlen(name);
    *key = (heed__key){.size = length + 1 + PART, .prefix = length + 1};
    key->text = heed_alloc(key->size);
    if (!key->text)
        return false;
    memcpy(key->text, name, length);
    key->text[length] = '.';
    return true;
}

void heed__key_free(heed__key *key)
{
    heed_free(key->text, key->size);
}

const char *heed__key_of(heed__key *key, const char *part)
{
    (void)snprintf(key->text + key->prefix, PART, "%s", part);
    return key->text;
}
