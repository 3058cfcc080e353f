/* core/description.c - descriptions of blocks for debug mode's messages. */

#include "core/description.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "core/tensor.h"

void heed__append(heed__string_builder *builder, const char *format, ...)
{
    char added[HEED_DESCRIPTION_MAX];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(added, sizeof added, format, args);
    va_end(args);
    if (length <= 0)
        return;
    (void)heed__escape_copy(added, strlen(added), builder->text + builder->used, builder->size - builder->used);
    builder->used += strlen(builder->text + builder->used);
}

void heed__append_bytes(heed__string_builder *builder, size_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double amount = (double)bytes / 1e3;
    int unit = 0;
    for (; amount >= 999.95 && unit < 3; unit++)
        amount /= 1e3;
    if (bytes < 1000)
        heed__append(builder, "%zu bytes", bytes);
    else
        heed__append(builder, "%.1f %s", amount, units[unit]);
}

void heed__append_functions(heed__string_builder *builder, const heed__block_origin *origin)
{
    const char *call = origin->call, *where = origin->where;
    bool plain = strcmp(where, "alloc") == 0 || strcmp(where, "calloc") == 0;
    if (!*call)
        heed__append(builder, "%s", *where ? where : "unknown");
    else if (plain || strcmp(call, where) == 0)
        heed__append(builder, "%s", call);
    else
        heed__append(builder, "%s: %s", call, where);
}

void heed__append_kind(heed__string_builder *builder, const heed__block *block)
{
    if (block->kind == HEED_BLOCK_TENSOR) {
        const heed_tensor *t = block->address;
        heed_dtype dtype = block->tensor_freed ? block->dtype : t->dtype;
        heed_shape shape = block->tensor_freed ? block->shape : t->shape;
        heed__append(builder, "%s %s", heed_dtype_name(dtype), heed_shape_text(shape).s);
    } else {
        heed__append(builder, "%s of ", block->kind == HEED_BLOCK_NODE ? "a node" : "a block");
        heed__append_bytes(builder, block->bytes);
    }
}

/* Appends the end of a block's history: the scope that ended, and the line that freed it. */
static void append_end(heed__string_builder *builder, const heed__block *block)
{
    if (!block->tensor_freed && !block->freed)
        return;
    if (block->scope_ended) {
        heed__append(builder, "; its scope");
        if (block->begun)
            heed__append(builder, ", begun at %s,", block->begun);
        heed__append(builder, " ended");
        if (block->ended)
            heed__append(builder, " at %s", block->ended);
    }
    if (block->scope_ended && (!block->released || (block->ended && strcmp(block->released, block->ended) == 0)))
        return;
    heed__append(builder, "; freed");
    if (block->released)
        heed__append(builder, " at %s", block->released);
}

void heed__describe_block(const heed__block *block, char *text, size_t size)
{
    heed__string_builder builder = {.text = text, .size = size};
    const heed__block_origin *origin = block->origin;
    heed__append_kind(&builder, block);
    if (*origin->where) {
        heed__append(&builder, ", made by ");
        heed__append_functions(&builder, origin);
    }
    if (*origin->site)
        heed__append(&builder, " at %s", origin->site);
    if (*origin->module)
        heed__append(&builder, " in %s", origin->module);
    append_end(&builder, block);
}
