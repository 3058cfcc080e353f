/* fuzz/safetensors.c - safetensors: any bytes, and what is read must come back when it is written. */

#include "tensors.h"

#include <string.h>

#define MAX_BYTES 4096

/* The eight bytes of length in front of a header that ends in the input's first NUL, which is left out. */
static size_t wrap(uint8_t *to, fuzz_input in)
{
    const uint8_t *end = memchr(in.bytes, '\0', in.size);
    size_t text = end ? (size_t)(end - in.bytes) : in.size, skip = end ? 1 : 0;
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)((uint64_t)text >> 8 * i);
    memcpy(to + 8, in.bytes, text);
    memcpy(to + 8 + text, in.bytes + text + skip, in.size - text - skip);
    return 8 + in.size - skip;
}

/* One byte: whether to put the length in front, a limit, whether to write. The file. */
void fuzz_target(fuzz_input in)
{
    static uint8_t wrapped[MAX_BYTES + 8];
    uint8_t choice = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    size_t size = choice & 1 ? wrap(wrapped, in) : in.size;
    heed_read_options options = {.max_bytes = choice & 16 ? 200 : 0};
    heed_dict *dict = heed_io_safetensors_parse(choice & 1 ? wrapped : in.bytes, size, choice & 32 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    if (!fuzz_outcome(dict != NULL))
        return;
    if (choice & 128)
        fuzz_check_again(dict, heed_io_safetensors_write(fuzz_path(), dict), heed_io_safetensors_read);
    heed_dict_free(dict);
}
