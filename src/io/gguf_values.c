/* io/gguf_values.c - the metadata of a .gguf file: key, value type and value. */

#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#include "base/decimal.h"
#include "io/elements.h"
#include "io/gguf.h"

#define DEPTH_MAX 4 /* maximum depth of nested arrays */

/* The types of values, numbered as in the format. BOOL8 is the format's bool; the name BOOL is defined by Windows. */
enum { U8, I8, U16, I16, U32, I32, F32, BOOL8, STRING, ARRAY, U64, I64, F64, VALUE_TYPES };

static const uint8_t sizes[VALUE_TYPES] = {[U8] = 1,  [I8] = 1,    [U16] = 2, [I16] = 2, [U32] = 4, [I32] = 4,
                                           [F32] = 4, [BOOL8] = 1, [U64] = 8, [I64] = 8, [F64] = 8};

static bool fail(const heed__gguf *g, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where, "%s: key \"%s\" %s", g->source->stream.name,
                           heed__excerpt(g->name, strlen(g->name)).s, reason);
}

static bool read_type(heed__gguf *g, uint64_t *type)
{
    return heed__gguf_number(g, 4, type) &&
           (*type < VALUE_TYPES ||
            heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where,
                            "%s: key \"%s\" has value type %" PRIu64 ": must be 0 to %d", g->source->stream.name,
                            heed__excerpt(g->name, strlen(g->name)).s, *type, VALUE_TYPES - 1));
}

/* -- Texts -------------------------------------------------------------------------------------------------------- */

static bool charge_text(heed__gguf *g, size_t size)
{
    return heed__charge_memory(&g->source->stream, &g->remaining, HEED_TEXT_COST + strlen(g->name) + size);
}

static bool check_text(const heed__gguf *g, const char *text, size_t size)
{
    const char *problem = heed__gguf_text_problem(text, size);
    return !problem || heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where, "%s: the text of key \"%s\" %s",
                                       g->source->stream.name, heed__excerpt(g->name, strlen(g->name)).s, problem);
}

static bool read_string(heed__gguf *g)
{
    size_t size;
    if (!heed__gguf_length(g, &size) || !charge_text(g, size))
        return false;
    char *text = heed__charged_alloc(&g->source->stream, &g->remaining, size + 1); /* the dict makes a copy */
    if (!text)
        return false;
    text[size] = '\0';
    bool done = heed__gguf_read(g, text, size) && check_text(g, text, size) &&
                heed_dict_set_text(g->dict, g->name, text) == HEED_OK;
    heed__charged_free(&g->remaining, text, size + 1);
    return done;
}

static int64_t signed_of(uint64_t type, uint64_t bits)
{
    return type == I8 ? (int8_t)bits : type == I16 ? (int16_t)bits : type == I32 ? (int32_t)bits : (int64_t)bits;
}

static double float_of(uint64_t type, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return type == F32 ? (double)f : d;
}

static bool is_alignment(const heed__gguf *g)
{
    return strcmp(g->name, "general.alignment") == 0;
}

static bool read_number(heed__gguf *g, uint64_t type)
{
    char text[40];
    uint64_t bits;
    if (!heed__gguf_number(g, sizes[type], &bits))
        return false;
    if (type == BOOL8 && bits > 1)
        return fail(g, "has a bool that is neither 0 nor 1");
    if (type == BOOL8)
        (void)snprintf(text, sizeof text, "%s", bits ? "true" : "false");
    else if (type == F32 || type == F64)
        heed__decimal_print(text, sizeof text, float_of(type, bits), type == F32);
    else if (type == I8 || type == I16 || type == I32 || type == I64)
        (void)snprintf(text, sizeof text, "%" PRId64, signed_of(type, bits));
    else
        (void)snprintf(text, sizeof text, "%" PRIu64, bits);
    if (is_alignment(g)) {
        if (bits == 0 || bits % 8 != 0)
            return fail(g, "must be a positive multiple of 8");
        g->alignment = (size_t)bits;
    }
    return charge_text(g, strlen(text)) && heed_dict_set_text(g->dict, g->name, text) == HEED_OK;
}

/* -- Arrays ------------------------------------------------------------------------------------------------------- */

/* Records the key of an array, without its values, so that a later duplicate of the key is detected. */
static bool record_array(heed__gguf *g)
{
    return charge_text(g, 0) && heed_dict_set_text(g->arrays, g->name, "") == HEED_OK;
}

/* Skips `count` values of a type other than array. */
static bool skip_values(heed__gguf *g, uint64_t type, uint64_t count)
{
    size_t size;
    uint64_t bytes;
    if (type != STRING)
        return __builtin_mul_overflow(count, sizes[type], &bytes) ? fail(g, "has more values than the file can hold")
                                                                  : heed__gguf_skip(g, bytes);
    for (uint64_t i = 0; i < count; i++)
        if (!heed__gguf_length(g, &size) || !heed__gguf_skip(g, size))
            return false;
    return true;
}

/* Skips an array, which may contain arrays. pending[depth] is the number of arrays still to be skipped at that
 * depth. */
static bool skip_array(heed__gguf *g)
{
    uint64_t pending[DEPTH_MAX] = {1};
    for (int depth = 0; depth >= 0;) {
        uint64_t type, count;
        if (pending[depth] == 0) {
            depth--;
            continue;
        }
        pending[depth]--;
        if (!read_type(g, &type) || !heed__gguf_number(g, 8, &count))
            return false;
        if (type != ARRAY) {
            if (!skip_values(g, type, count))
                return false;
        } else if (++depth < DEPTH_MAX) {
            pending[depth] = count;
        } else {
            return heed_fail_false(HEED_ERR_UNSUPPORTED, g->source->stream.where,
                                   "%s: key \"%s\" has arrays nested deeper than %d", g->source->stream.name,
                                   heed__excerpt(g->name, strlen(g->name)).s, DEPTH_MAX);
        }
    }
    return true;
}

bool heed__gguf_read_value(heed__gguf *g)
{
    uint64_t type;
    if (!heed__gguf_name(g, "key") || !read_type(g, &type))
        return false;
    if (heed_dict_text(g->dict, g->name) || heed_dict_text(g->arrays, g->name))
        return fail(g, "is duplicated");
    if (type != U32 && is_alignment(g))
        return fail(g, "must be a u32");
    return type == STRING ? read_string(g) : type == ARRAY ? record_array(g) && skip_array(g) : read_number(g, type);
}
