/* tests/parity/reader.c - reads tensors and arguments from the JSON of a case.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "parity/parity.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 64 };

double parity_number(const json_t *json)
{
    if (json_is_string(json))
        return strtod(json_string_value(json), NULL);
    if (json_is_boolean(json))
        return json_is_true(json) ? 1.0 : 0.0;
    ck_assert_msg(json_is_number(json), "no number");
    return json_number_value(json);
}

heed_shape parity_shape(const json_t *json)
{
    ck_assert(json_is_array(json) && json_array_size(json) <= HEED_MAX_RANK);
    heed_shape shape = {.rank = (int)json_array_size(json)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = json_integer_value(json_array_get(json, (size_t)i));
    return shape;
}

const json_t *parity_values(const json_t *json, heed_dtype dtype, heed_dtype *stored)
{
    *stored = dtype;
    const json_t *values = json_object_get(json, "float");
    for (int d = 0; d < HEED_DTYPE_COUNT && !values; d++) {
        *stored = (heed_dtype)d;
        values = json_object_get(json, heed_dtype_name(*stored));
    }
    ck_assert_msg(json_is_array(values), "a tensor without values");
    return values;
}

heed_tensor *parity_tensor(const json_t *json, heed_dtype dtype)
{
    if (json_is_null(json))
        return NULL;
    double numbers[MAX_ELEMENTS];
    int64_t wholes[MAX_ELEMENTS]; /* a double cannot hold all of them */
    const json_t *values = parity_values(json, dtype, &dtype);
    size_t count = json_array_size(values);
    ck_assert_uint_le(count, MAX_ELEMENTS);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = parity_number(json_array_get(values, i));
        wholes[i] = json_integer_value(json_array_get(values, i));
    }
    heed_shape shape = parity_shape(json_object_get(json, "shape"));
    heed_tensor *t = dtype == HEED_I64 ? heed_from_array(dtype, shape, wholes, (int64_t)count)
                                       : heed_from_values(dtype, shape, numbers, (int64_t)count);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    return t;
}

void parity_begin_arguments(parity_call *c, const json_t *args)
{
    c->args = args;
    c->unread = json_deep_copy(args);
}

void parity_end_arguments(parity_call *c)
{
    const char *unread = json_object_iter_key(json_object_iter(c->unread));
    ck_assert_msg(unread == NULL, "%s: no slot takes the argument \"%s\"", c->where, unread);
    json_decref(c->unread);
}

const json_t *parity_option(parity_call *c, const char *name)
{
    json_object_del(c->unread, name);
    return json_object_get(c->args, name);
}

const json_t *parity_arg(parity_call *c, const char *name)
{
    const json_t *value = parity_option(c, name);
    ck_assert_msg(value != NULL, "%s: no argument \"%s\"", c->where, name);
    return value;
}

unsigned parity_choice(parity_call *c, const char *name, const char *const *names)
{
    const char *value = json_string_value(parity_arg(c, name));
    for (unsigned i = 0; value && names[i]; i++)
        if (strcmp(names[i], value) == 0)
            return i;
    ck_abort_msg("%s: no %s is called %s", c->where, name, value ? value : "so");
    return 0;
}
