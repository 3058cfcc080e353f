/* core/story.c - descriptions of blocks for debug mode's messages. */

#include "core/story.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "core/tensor.h"

void heed__say(heed__words *words, const char *format, ...)
{
    char added[HEED_STORY_MAX];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(added, sizeof added, format, args);
    va_end(args);
    if (length <= 0)
        return;
    (void)heed__escape_copy(added, strlen(added), words->text + words->used, words->size - words->used);
    words->used += strlen(words->text + words->used);
}

void heed__say_bytes(heed__words *words, size_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double amount = (double)bytes / 1e3;
    int unit = 0;
    for (; amount >= 999.95 && unit < 3; unit++)
        amount /= 1e3;
    if (bytes < 1000)
        heed__say(words, "%zu bytes", bytes);
    else
        heed__say(words, "%.1f %s", amount, units[unit]);
}

void heed__say_way(heed__words *words, const heed__block_origin *origin)
{
    const char *call = origin->call, *where = origin->where;
    bool plain = strcmp(where, "alloc") == 0 || strcmp(where, "calloc") == 0;
    if (!*call)
        heed__say(words, "%s", *where ? where : "unknown");
    else if (plain || strcmp(call, where) == 0)
        heed__say(words, "%s", call);
    else
        heed__say(words, "%s: %s", call, where);
}

void heed__say_kind(heed__words *words, const heed__block *block)
{
    if (block->kind == HEED_BLOCK_TENSOR) {
        const heed_tensor *t = block->address;
        heed_dtype dtype = block->gone ? block->dtype : t->dtype;
        heed_shape shape = block->gone ? block->shape : t->shape;
        heed__say(words, "%s %s", heed_dtype_name(dtype), heed_shape_text(shape).s);
    } else {
        heed__say(words, "%s of ", block->kind == HEED_BLOCK_NODE ? "a node" : "a block");
        heed__say_bytes(words, block->bytes);
    }
}

/* Appends the end of a block's history: the scope that ended, and the line that freed it. */
static void say_end(heed__words *words, const heed__block *block)
{
    if (!block->gone && !block->freed)
        return;
    if (block->scope_ended) {
        heed__say(words, "; its scope");
        if (block->begun)
            heed__say(words, ", begun at %s,", block->begun);
        heed__say(words, " ended");
        if (block->ended)
            heed__say(words, " at %s", block->ended);
    }
    if (block->scope_ended && (!block->released || (block->ended && strcmp(block->released, block->ended) == 0)))
        return;
    heed__say(words, "; freed");
    if (block->released)
        heed__say(words, " at %s", block->released);
}

void heed__story(const heed__block *block, char *text, size_t size)
{
    heed__words words = {.text = text, .size = size};
    const heed__block_origin *origin = block->origin;
    heed__say_kind(&words, block);
    if (*origin->where) {
        heed__say(&words, ", made by ");
        heed__say_way(&words, origin);
    }
    if (*origin->site)
        heed__say(&words, " at %s", origin->site);
    if (*origin->module)
        heed__say(&words, " in %s", origin->module);
    say_end(&words, block);
}
