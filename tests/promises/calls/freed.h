/* tests/promises/calls/freed.h - checks calls with freed objects, for the table that freed.py writes.
 *
 *     static void *make_dict(void) { return heed_dict_new(); }    one for each handle
 *     static void begin(void) {}                                  makes objects that the makers need,
 *     static void end(void) {}                                    and frees them
 *     #include "freed_calls.inc"
 *     FREED_MAIN("freed handles")
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FREED_H
#define FREED_H

#include "check_heed.h"

typedef struct freed_call {
    const char *name; /* of the function, without heed_ */
    void (*call)(void *freed);
} freed_call;

typedef struct freed_handle {
    const char *free_name;
    void *(*make)(void);
    void (*end)(void *object);
    const freed_call *calls; /* ends with one without a name */
} freed_handle;

static void begin(void);
static void end(void);

/* One object of every handle, alive for calls that take others in addition to the freed one. */
static void *living[32];

static inline void *live(int handle)
{
    return living[handle];
}

static inline heed_tensor *tensor(void)
{
    return heed_ones(HEED_F64, HEED_SHAPE(4, 2));
}

/* 0, 1, 2, ... */
static inline heed_tensor *numbers(heed_shape shape)
{
    return heed_reshape(heed_arange(HEED_F64, 0.0, (double)heed_shape_numel(shape), 1.0), shape);
}

/* Returns zeroed memory for parameters that a function fills in, and for structures of zeros. */
static inline void *no_numbers(void)
{
    static int64_t numbers[128];
    return memset(numbers, 0, sizeof numbers);
}
#define SCRATCH no_numbers()
#define TENSORS ((heed_tensor *[16]){tensor(), tensor()})

static char failures[1 << 14]; /* a line for every call with a wrong result */

static inline void check_freed(const char *name)
{
    const size_t length = strlen(name), used = strlen(failures);
    const char *message = heed_error_message();
    const bool named = strncmp(message, name, length) == 0 && message[length] == ':';
    if (!named || heed_error_code() != HEED_ERR_STATE || !strstr(message, " was freed"))
        (void)snprintf(failures + used, sizeof failures - used, "\n%s: \"%s\"", name, message);
    heed_error_clear();
}

/* An object that was freed twice must not give its block to two objects: the next two objects have different blocks. */
static void check_next(const freed_handle *handle)
{
    void *one = handle->make(), *other = handle->make();
    ck_assert_msg(one && other && one != other, "%s: %s", handle->free_name, heed_error_message());
    handle->end(one);
    handle->end(other);
    ck_assert_msg(heed_error_code() == HEED_OK, "%s", heed_error_message());
}

static void check_handle(const freed_handle *handle)
{
    void *object = handle->make();
    ck_assert_msg(object != NULL, "%s: %s", handle->free_name, heed_error_message());
    handle->end(object);
    ck_assert_msg(heed_error_code() == HEED_OK, "%s: %s", handle->free_name, heed_error_message());
    handle->end(object);
    check_freed(handle->free_name);
    for (const freed_call *call = handle->calls; call->name; call++) {
        handle->end(object = handle->make());
        call->call(object);
        check_freed(call->name);
    }
    handle->end(object);
    check_freed(handle->free_name);
    check_next(handle);
}

static void check_all(const freed_handle *list, size_t n)
{
    ck_assert_uint_le(n, sizeof living / sizeof *living);
    begin();
    for (size_t i = 0; i < n; i++)
        living[i] = list[i].make();
    for (size_t i = 0; i < n; i++)
        check_handle(&list[i]);
    for (size_t i = 0; i < n; i++)
        list[i].end(living[i]);
    end();
    ck_assert_msg(failures[0] == '\0', "%s", failures);
}

/* AddressSanitizer reports the first read of a freed block, which goes back to the system at once. */
#if defined(__SANITIZE_ADDRESS__)
#define FREED_MAIN(name) HEED_TEST_MAIN(name, no_inspection_under_an_address_sanitizer)
#define FREED_TESTS                                                                                                    \
    START_TEST(no_inspection_under_an_address_sanitizer)                                                               \
    {                                                                                                                  \
        (void)check_all, (void)handles;                                                                                \
    }                                                                                                                  \
    END_TEST
#else
#define FREED_MAIN(name) HEED_TEST_MAIN(name, freed_objects_are_found, freed_objects_are_found_in_debug_mode)
#define FREED_TESTS                                                                                                    \
    START_TEST(freed_objects_are_found)                                                                                \
    {                                                                                                                  \
        check_all(handles, sizeof handles / sizeof *handles);                                                          \
    }                                                                                                                  \
    END_TEST                                                                                                           \
    START_TEST(freed_objects_are_found_in_debug_mode)                                                                  \
    {                                                                                                                  \
        heed_set_debug(true);                                                                                          \
        check_all(handles, sizeof handles / sizeof *handles);                                                          \
        heed_set_debug(false);                                                                                         \
    }                                                                                                                  \
    END_TEST
#endif

#endif
