/* io/json.h - parses the JSON header of a file with jansson, one member of an object at a time, because a full tree
 * takes twenty times the memory of its text. Only an object's braces, commas and colons are parsed here.
 *
 * Functions return false or NULL after heed_fail, with the stream's names in the message: HEED_ERR_FORMAT with the
 * byte offset in the text, HEED_ERR_UNSUPPORTED if the memory limit is exceeded, or HEED_ERR_NOMEM. The caller owns a
 * returned json_t and calls json_decref.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_JSON_H
#define HEED_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "io/stream.h"

typedef struct heed__json {
    const heed__stream *stream; /* for messages and the memory limit: jansson allocates while it reads a string */
    const char *text;
    size_t size, at; /* `at` is the offset of the next unread byte */
} heed__json;

/* A callback that reads the value of the member `name` by calling heed__json_object, heed__json_value or
 * heed__json_string. */
typedef bool heed__json_member(heed__json *json, const char *name, void *user);

/* Parses the whole text and calls `member` for every member. The text must be an object that starts at the first byte
 * and is nested at most 3 levels deep; white space may follow. */
bool heed__json_parse(heed__json *json, heed__json_member *member, void *user);

/* Parses the next object and calls `member` for every member. `member` must detect duplicate names. */
bool heed__json_object(heed__json *json, heed__json_member *member, void *user);

/* Returns the next value, whose text must have at most `max_size` bytes. Fails if an object in it has duplicate
 * names. */
json_t *heed__json_value(heed__json *json, size_t max_size);

/* Returns the next string. */
json_t *heed__json_string(heed__json *json);

/* Returns the compact text of a tree, padded with spaces to a multiple of `unit`: a block of *size bytes from
 * heed_alloc. Returns NULL after heed_fail. */
char *heed__json_print(const char *where, const json_t *tree, size_t unit, size_t *size);

#endif
