/* io/json.h - the JSON of a file's header, by jansson, one member of an object at a time: a tree takes twenty times the
 * memory of its text. Only an object's braces, commas and colons are parsed here.
 *
 * Functions return false or NULL after heed_fail on behalf of `where` and `source`: HEED_ERR_FORMAT with the byte,
 * counted from the first of the text, HEED_ERR_UNSUPPORTED without room, or HEED_ERR_NOMEM. A json_t is the caller's to
 * json_decref.
 */
#ifndef HEED_IO_JSON_H
#define HEED_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

typedef struct heed__json {
    const char *where, *source; /* for messages: the function, and the path or the format's name */
    const char *text;
    size_t size, at; /* what is read next begins at `at` */
    const size_t
        *room; /* bytes that may still be taken in memory, as jansson takes some for a string while it reads it */
} heed__json;

/* Reads the value of a member, by one of the functions below. */
typedef bool heed__json_member(heed__json *json, const char *name, void *user);

/* The whole text, from its first byte on: an object, nested no deeper than any header of ours, and white space. */
bool heed__json_whole(heed__json *json, heed__json_member *member, void *user);

/* The object that comes next. Whether two of its names are the same is for `member` to see. */
bool heed__json_object(heed__json *json, heed__json_member *member, void *user);

/* The value that comes next, of at most so many bytes of text; the names in an object of it are all different. */
json_t *heed__json_value(heed__json *json, size_t most);

/* The string that comes next. */
json_t *heed__json_string(heed__json *json);

/* The text of a tree, compact, with spaces behind it up to a multiple of `unit`: a block of *size bytes from
 * heed_alloc. NULL after heed_fail. */
char *heed__json_print(const char *where, const json_t *tree, size_t unit, size_t *size);

#endif
