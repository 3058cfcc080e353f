/* io/json.h - the JSON (RFC 8259) of a header: objects, strings, arrays, and numbers from 0 up, taken one after another.
 *
 * A general parser builds a tree: it recurses as deep as the text says, and takes many times the text's memory. Here a
 * reader knows what must come next, strings are decoded in place, and nothing is allocated. (jansson, besides, goes on
 * when its buffer cannot grow, and calls a lack of memory a fault of the text.)
 */
#ifndef HEED_IO_JSON_H
#define HEED_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed_json {
    const char *where, *source; /* for messages: the function, and the path or "safetensors" */
    char *at, *end;             /* what is left of the text; strings in front of it may have been overwritten */
} heed_json;

/* Whether c comes next, but for spaces; then it is taken. */
bool heed__json_take(heed_json *json, char c);

/* c must come next. False after heed_fail with HEED_ERR_FORMAT, as below. */
bool heed__json_expect(heed_json *json, char c);

/* A string, decoded where it stands and ended by a NUL: UTF-8 without a NUL in it. NULL after heed_fail. */
const char *heed__json_string(heed_json *json);

/* A string and the ':' behind it. */
const char *heed__json_key(heed_json *json);

/* A whole number from 0 to 2^63 - 1. */
bool heed__json_count(heed_json *json, int64_t *count);

/* Nothing but spaces may be left. */
bool heed__json_end(heed_json *json);

#endif
