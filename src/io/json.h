/* io/json.h - the JSON of a file's header, by jansson. */
#ifndef HEED_IO_JSON_H
#define HEED_IO_JSON_H

#include <stddef.h>

#include <jansson.h>

/* The object that a text is, from its first byte on, whose names are all different. NULL after heed_fail on behalf of
 * `where` and `source` (a path, or the format's name): HEED_ERR_FORMAT, also where it is nested deeper than any header of
 * ours, or HEED_ERR_NOMEM. The caller's to json_decref. */
json_t *heed__json_parse(const char *where, const char *source, const char *text, size_t size);

/* The text of a tree, compact, with spaces behind it up to a multiple of `unit`: a block of *size bytes from heed_alloc.
 * NULL after heed_fail. */
char *heed__json_print(const char *where, const json_t *tree, size_t unit, size_t *size);

#endif
