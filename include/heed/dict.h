/* heed/dict.h - tensors under names, in order, with words about them: what a file of several tensors holds, and the
 * state of a module or an optimizer.
 *
 *     heed_dict *state = heed_module_state(&net->base);
 *     heed_io_safetensors_write("net.safetensors", state);
 *     heed_dict_free(state);
 *
 *     heed_dict *state = heed_io_safetensors_read("net.safetensors", NULL);
 *     heed_module_load_state(&net->base, state, NULL);
 *     heed_dict_free(state);
 */
#ifndef HEED_DICT_H
#define HEED_DICT_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Names with tensors, and names with texts. */
typedef struct heed_dict heed_dict;

/* An empty dict, to be freed by heed_dict_free. NULL with HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_dict *heed_dict_new(void);

/* Gives back the tensors and the dict. NULL is ignored. */
HEED_API void heed_dict_free(heed_dict *dict);

/* -- Tensors: positions are in the order in which the names were first set -----------------------------------------
 * Below, HEED_ERR_ARGUMENT stands for NULL as well. What a dict returns belongs to the dict: a tensor lives until
 * its name is set again or the dict is freed, a name until the dict is freed. */

/* Retains t under that name (copied), in the place of what had it. HEED_ERR_ARGUMENT for NULL, a name that is empty
 * or no UTF-8; HEED_ERR_NOMEM. After a failure the dict is as it was. */
HEED_API heed_status heed_dict_set(heed_dict *dict, const char *name, heed_tensor *t);

/* The tensor of that name, which belongs to the dict. NULL with HEED_ERR_ARGUMENT for NULL, and when there is none:
 * heed_dict_has asks without an error. */
HEED_API heed_tensor *heed_dict_get(const heed_dict *dict, const char *name);

/* Whether there is a tensor of that name. False with HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_dict_has(const heed_dict *dict, const char *name);

/* How many tensors there are; 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dict_size(const heed_dict *dict);

/* The name of the tensor at a position, counted from 0 in the order in which names were first set; it lives until
 * the dict is freed. NULL with HEED_ERR_INDEX, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_name(const heed_dict *dict, int64_t i);

/* The tensor at a position, counted from 0, which belongs to the dict. NULL with HEED_ERR_INDEX, HEED_ERR_ARGUMENT
 * for NULL. */
HEED_API heed_tensor *heed_dict_at(const heed_dict *dict, int64_t i);

/* -- Words: a text under each of some other names, as safetensors' __metadata__ ----------------------------------- */

/* Keeps a text under a key, in the place of what had it; copies both. Errors as heed_dict_set; the text may be
 * empty, and must be UTF-8. */
HEED_API heed_status heed_dict_set_text(heed_dict *dict, const char *key, const char *text);

/* The text under a key, or NULL when there is none, which is no error. It lives until it is set again or the dict
 * is freed. NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_text(const heed_dict *dict, const char *key);

/* How many texts there are; 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dict_text_count(const heed_dict *dict);

/* The key of the text at a position, counted from 0; it lives until the dict is freed. NULL with HEED_ERR_INDEX,
 * HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_text_key(const heed_dict *dict, int64_t i);

/* -- Loading ------------------------------------------------------------------------------------------------------- */

/* What heed_dict_load and heed_dict_check may be told; NULL: all names must agree, and there is no prefix. */
typedef struct heed_dict_load_options {
    bool allow_missing;    /* tensors of `into` whose names `from` lacks keep what they have */
    bool allow_unexpected; /* names of `from` that `into` lacks are passed over */
    const char *prefix;    /* of the names in `from`, "module."; names without it do not count. NULL: "" */
    HEED_RESERVED;
} heed_dict_load_options;

/* Copies the tensors of `from` into those of `into` with the same names: bits, not numbers. HEED_ERR_ARGUMENT when
 * names are missing or unexpected, or dtypes or shapes differ: the message counts them, lists as many as it has
 * room for, and names the option that accepts them. A dict that also holds other things, such as a scaler
 * (heed_scaler_save), is loaded with .allow_unexpected. HEED_ERR_UNSUPPORTED for one of `into`
 * that is expanded, or another view of the elements to copy, and
 * for one of `from` that this call writes under another name, as when two parameters are to be swapped: load from
 * clones. After a failure nothing has changed. It is not recorded, and needs no memory unless tensors of `from`
 * have other owners, too. */
HEED_API heed_status heed_dict_load(heed_dict *into, const heed_dict *from, const heed_dict_load_options *options);

/* What heed_dict_load would fail with, HEED_OK if it would not; copies nothing. */
HEED_API heed_status heed_dict_check(const heed_dict *into, const heed_dict *from,
                                     const heed_dict_load_options *options);

HEED_END_DECLS

#endif
