/* heed/dict.h - ordered dictionaries of named tensors and texts: the content of a file with several tensors, or the
 * state of a module or an optimizer.
 *
 *     heed_dict *state = heed_module_state(&net->base);
 *     heed_io_safetensors_write("net.safetensors", state);
 *     heed_dict_free(state);
 *
 *     heed_dict *state = heed_io_safetensors_read("net.safetensors", NULL);
 *     heed_module_load_state(&net->base, state, NULL);
 *     heed_dict_free(state);
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DICT_H
#define HEED_DICT_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* A dictionary from names to tensors, and from keys to texts. */
typedef struct heed_dict heed_dict;

/* Returns an empty dict, to be freed by heed_dict_free.
 * Errors: NULL with HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_dict *heed_dict_new(void);

/* Releases the tensors and frees the dict. NULL is ignored. */
HEED_API void heed_dict_free(heed_dict *dict);

/* -- Tensors: positions are in the order in which the names were first set -----------------------------------------
 * A returned tensor belongs to the dict and is valid until its name is set again or the dict is freed; a returned name
 * is valid until the dict is freed. */

/* Stores t under a name, replacing an older tensor of that name; t is retained and the name copied.
 * After a failure the dict is unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL, or an empty or invalid UTF-8 name; HEED_ERR_NOMEM. */
HEED_API heed_status heed_dict_set(heed_dict *dict, const char *name, heed_tensor *t);

/* Returns the tensor of that name, which belongs to the dict.
 * heed_dict_has tests for a name without an error.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL or an unknown name. */
HEED_API heed_tensor *heed_dict_get(const heed_dict *dict, const char *name);

/* Returns true if the dict has a tensor of that name.
 * Errors: false with HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_dict_has(const heed_dict *dict, const char *name);

/* Returns the number of tensors.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dict_size(const heed_dict *dict);

/* Returns the name of the tensor at a position, counted from 0 in the order in which names were first set.
 * It is valid until the dict is freed.
 * Errors: NULL with HEED_ERR_INDEX, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_name(const heed_dict *dict, int64_t i);

/* Returns the tensor at a position, counted from 0, which belongs to the dict.
 * Errors: NULL with HEED_ERR_INDEX, HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_dict_at(const heed_dict *dict, int64_t i);

/* -- Texts: a second dictionary from keys to texts, such as safetensors' __metadata__ ------------------------------ */

/* Stores a text under a key, replacing an older text of that key; copies both.
 * The text may be empty, and must be UTF-8.
 * Errors: as heed_dict_set. */
HEED_API heed_status heed_dict_set_text(heed_dict *dict, const char *key, const char *text);

/* Returns the text of a key, or NULL without an error for an unknown key.
 * It is valid until the key is set again or the dict is freed.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_text(const heed_dict *dict, const char *key);

/* Returns the number of texts.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dict_text_count(const heed_dict *dict);

/* Returns the key of the text at a position, counted from 0; it is valid until the dict is freed.
 * Errors: NULL with HEED_ERR_INDEX, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_dict_text_key(const heed_dict *dict, int64_t i);

/* -- Loading ------------------------------------------------------------------------------------------------------- */

/* Options of heed_dict_load; NULL: all names must agree, without a prefix. */
typedef struct heed_dict_load_options {
    bool allow_missing;    /* tensors of `into` whose names `from` lacks keep their values */
    bool allow_unexpected; /* names of `from` that `into` lacks are ignored */
    bool allow_unlike;     /* tensors of `into` keep their values if their dtype or shape differs in `from` */
    bool check_only;       /* copies nothing, and returns the status that loading would return */
    const char *prefix; /* prefix of the names in `from`, such as "module."; names without it are ignored. NULL: "" */
    heed_dict *skipped; /* receives a text for every skipped entry, under its name without the prefix: "missing",
                           "unexpected", or both dtypes and shapes. After a failure it may have some of the texts.
                           NULL: not requested */
    HEED_RESERVED;
} heed_dict_load_options;

/* Copies the tensors of `from` into the tensors of `into` with the same names; the elements' bits are copied unchanged.
 * A dict with other entries is loaded with .allow_unexpected; the tensors of scalers (heed_scaler_save) are ignored
 * without it. Loading is not recorded, and needs no additional memory unless tensors of `from` have other owners, too.
 * After a failure nothing has changed.
 *
 * Errors: HEED_ERR_ARGUMENT if names are missing or unexpected, or dtypes or shapes differ; the message counts these
 * names, lists as many as fit, and gives the option that accepts them. HEED_ERR_UNSUPPORTED for a tensor of `into` that
 * is expanded, or that shares memory with the tensor to copy as a different view; and for a tensor of `from` that the
 * call would also overwrite, under a different name, as when two parameters are to be swapped: load from clones.
 * HEED_ERR_NOMEM. */
HEED_API heed_status heed_dict_load(heed_dict *into, const heed_dict *from, const heed_dict_load_options *options);

HEED_END_DECLS

#endif
