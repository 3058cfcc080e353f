/* tests/promises/misuse/test_misuse_every_state.c - every function of heed/dict.h and heed/data.h, and the states of
 * modules, optimizers and progress, with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"
#include "optimizer_of.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

/* After a constructor of an object that has its own free function, unlike modules. */
#define MADE(object)                                                                                                   \
    do {                                                                                                               \
        ck_assert_msg(((object) != NULL) == (heed_error_code() == HEED_OK), "%s: %s", #object, heed_error_message());  \
        judge_error(#object);                                                                                          \
    } while (0)

/* -- Dicts --------------------------------------------------------------------------------------------------------- */

static heed_dict *filled_dict(void)
{
    heed_dict *dict = heed_dict_new();
    MADE(dict);
    STATUS(heed_dict_set(dict, "w", heed_ones(HEED_F32, HEED_SHAPE(2))));
    STATUS(heed_dict_set(dict, any_text(), any_tensor()));
    STATUS(heed_dict_set_text(dict, "kind", "sgd"));
    return dict;
}

static void dicts(void)
{
    heed_dict *dict = filled_dict(), *other = filled_dict(), *some = one_in(4) ? NULL : dict;
    STATUS(heed_dict_set(some, any_text(), any_tensor()));
    POINTER(heed_dict_get(some, any_text()));
    VALUE(heed_dict_has(some, any_text()));
    VALUE(heed_dict_size(some));
    POINTER(heed_dict_name(some, any_count()));
    POINTER(heed_dict_at(some, any_count()));
    STATUS(heed_dict_set_text(some, any_text(), any_text()));
    VALUE(heed_dict_text(some, any_text()));
    VALUE(heed_dict_text_count(some));
    POINTER(heed_dict_text_key(some, any_count()));
    heed_dict_load_options o = {any_flag(), any_flag(), any_flag(), any_flag(), any_text(), one_in(2) ? NULL : dict,
                                {0}};
    STATUS(heed_dict_load(some, one_in(4) ? NULL : one_in(3) ? dict : other, GIVEN(o)));
    heed_dict_free(dict);
    heed_dict_free(other);
    heed_dict_free(NULL);
}

/* -- Data ---------------------------------------------------------------------------------------------------------- */

static heed_tensor *any_numbers(void)
{
    return one_in(2) ? heed_randint(-1, 6, HEED_SHAPE(4)) : any_tensor();
}

static void datasets(void)
{
    heed_tensor *list[] = {one_in(2) ? heed_rand(HEED_F32, HEED_SHAPE(5, 2)) : any_tensor(),
                           one_in(2) ? heed_arange(HEED_I64, 0, 5, 1) : any_tensor()};
    bool present = !one_in(4);
    int k = any_int();
    heed_dataset *drawn = heed_dataset_new(present ? list : NULL, present && k > 2 ? 1 + any_flag() : k);
    MADE(drawn);
    heed_dataset_free(drawn);
    heed_dataset *valid = heed_dataset_new(HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(5, 2)))), *first, *second;
    const heed_dataset *some = one_in(4) ? NULL : valid;
    heed_tensor *batch[2];
    VALUE(heed_dataset_size(some));
    VALUE(heed_dataset_tensors(some));
    STATUS(heed_dataset_take(some, any_numbers(), one_in(4) ? NULL : batch));
    STATUS(heed_dataset_take_epoch(some, any_numbers(), any_count(), one_in(4) ? NULL : batch));
    heed_dataset *part = heed_dataset_subset(some, any_numbers());
    MADE(part);
    bool both = any_flag();
    heed_dataset **to = both ? &first : NULL, **rest = both || one_in(2) ? &second : NULL;
    first = second = NULL;
    STATUS(heed_dataset_split(some, any_real(), one_in(2) ? NULL : heed_generator_default(), to, rest));
    heed_dataset_free(first);
    heed_dataset_free(second);
    heed_dataset_free(part);
    heed_dataset_free(valid);
    heed_dataset_free(NULL);
}

static void folds(void)
{
    heed_dataset *valid = heed_dataset_new(HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(5, 2)))), *first, *second;
    const heed_dataset *some = one_in(4) ? NULL : valid;
    heed_tensor *batch[1];
    STATUS(heed_dataset_all(some, one_in(4) ? NULL : batch));
    bool both = any_flag();
    heed_dataset **to = both ? &first : NULL, **rest = both || one_in(2) ? &second : NULL;
    heed_dataset_fold_options o = {any_flag(), any_u64(), {0}};
    first = second = NULL;
    STATUS(heed_dataset_fold(some, one_in(2) ? 3 : any_count(), one_in(2) ? 1 : any_count(), GIVEN(o), to, rest));
    heed_dataset_free(first);
    heed_dataset_free(second);
    heed_dataset_free(valid);
}

static heed_status give(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    (void)user;
    batch[0] = one_in(4) ? any_live_tensor() : numbers;
    return one_in(8) ? HEED_ERR_IO : HEED_OK;
}

static void sources(void)
{
    heed_dataset_source o = {.samples = any_flag() ? 5 : any_count(),
                             .tensors = any_flag() ? 1 : any_int(),
                             .take = one_in(4) ? NULL : give};
    heed_dataset *drawn = heed_dataset_new_source(GIVEN(o));
    MADE(drawn);
    heed_dataset *valid = heed_dataset_new_source(&(heed_dataset_source){.samples = 5, .tensors = 1, .take = give});
    const heed_dataset *list[] = {one_in(4) ? NULL : valid, one_in(2) ? drawn : valid};
    bool present = !one_in(4);
    int n = any_int();
    heed_dataset *zipped = heed_dataset_zip(present ? list : NULL, present && n > 2 ? 2 : n);
    MADE(zipped);
    heed_tensor *batch[1];
    STATUS(heed_dataset_take(valid, any_numbers(), batch));
    heed_loader *loader = heed_loader_new(valid, &(heed_loader_options){.batch_size = 2, .shuffle = any_flag()});
    heed_loader *some = one_in(4) ? NULL : loader;
    POINTER(heed_loader_next_numbers(some));
    VALUE(heed_loader_dataset(some) != NULL);
    heed_loader_free(loader);
    heed_dataset_free(zipped);
    heed_dataset_free(drawn);
    heed_dataset_free(valid);
}

static void scalers(void)
{
    heed_scaler_options o = {.fill_nan = any_flag(), .axes = one_in(2) ? HEED_SCALAR : any_shape()};
    heed_scaler *drawn = heed_scaler_new(any_tensor(), GIVEN(o));
    MADE(drawn);
    heed_scaler *valid = heed_scaler_new(heed_rand(HEED_F64, HEED_SHAPE(4, 3)), NULL);
    heed_scaler *some = one_in(4) ? NULL : one_in(2) ? drawn : valid;
    heed_dict *dict = heed_dict_new(), *other = filled_dict();
    POINTER(heed_scaler_transform(some, any_tensor()));
    POINTER(heed_scaler_inverse_transform(some, any_tensor()));
    POINTER(heed_scaler_mean(some));
    POINTER(heed_scaler_std(some));
    STATUS(heed_scaler_save(some, one_in(4) ? NULL : dict, any_text()));
    STATUS(heed_scaler_save(valid, other, "w"));
    STATUS(heed_dict_set(other, "w.std", one_in(2) ? heed_scaler_std(valid) : any_tensor()));
    STATUS(heed_dict_set_text(other, "w.axes", any_text()));
    heed_scaler *loaded = heed_scaler_load(one_in(4) ? NULL : other, any_text());
    MADE(loaded);
    heed_scaler_free(loaded);
    heed_scaler_free(drawn);
    heed_scaler_free(valid);
    heed_scaler_free(NULL);
    heed_dict_free(dict);
    heed_dict_free(other);
}

static void categories(void)
{
    const char *texts[] = {any_text(), any_text(), any_text()};
    bool list = !one_in(4);
    int64_t n = any_count();
    heed_categories *drawn = heed_categories_new(list ? texts : NULL, list && n > 3 ? 3 : n);
    MADE(drawn);
    heed_categories *valid = heed_categories_new(HEED_NAMES("b", "a")), *some = one_in(4) ? NULL : drawn;
    heed_dict *dict = filled_dict();
    VALUE(heed_categories_count(some));
    POINTER(heed_categories_name(one_in(2) ? some : valid, any_count()));
    VALUE(heed_categories_find(one_in(2) ? some : valid, any_text()));
    STATUS(heed_categories_save(some, one_in(4) ? NULL : dict, any_text()));
    STATUS(heed_categories_save(valid, dict, "w"));
    STATUS(heed_dict_set_text(dict, one_in(2) ? "w.count" : "w.1", one_in(2) ? "2" : any_text()));
    heed_categories *loaded = heed_categories_load(one_in(4) ? NULL : dict, any_text());
    MADE(loaded);
    heed_categories_free(loaded);
    heed_categories_free(drawn);
    heed_categories_free(valid);
    heed_categories_free(NULL);
    heed_dict_free(dict);
}

static void loaders(void)
{
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(5, 2))));
    heed_loader_options o = {.batch_size = any_count(),
                             .shuffle = any_flag(),
                             .drop_last = any_flag(),
                             .generator = one_in(2) ? NULL : heed_generator_default(),
                             .weights = one_in(2) ? NULL : any_tensor(),
                             .samples = one_in(2) ? 0 : any_count(),
                             .without_replacement = one_in(4),
                             .readers = one_in(2)   ? 0
                                        : one_in(2) ? 2
                                                    : any_int()};
    call_threads_begin();
    heed_loader *drawn = heed_loader_new(one_in(4) ? NULL : data, GIVEN(o));
    MADE(drawn);
    heed_loader *valid = heed_loader_new(data, &(heed_loader_options){.batch_size = 2}), *some = one_in(4)   ? NULL
                                                                                                 : one_in(2) ? drawn
                                                                                                             : valid;
    heed_tensor *batch[1];
    heed_loader_state state = {.epoch = 0};
    VALUE(heed_loader_batches(some));
    STATUS(heed_loader_next(some, one_in(4) ? NULL : batch));
    STATUS(heed_loader_get_state(some, one_in(4) ? NULL : &state));
    state.epoch = one_in(2) ? state.epoch : any_count();
    state.batch = one_in(2) ? state.batch : any_count();
    state.samples = one_in(4) ? any_count() : state.samples;
    STATUS(heed_loader_set_state(some, one_in(4) ? NULL : &state));
    STATUS(heed_loader_next(valid, batch));
    heed_loader_free(drawn);
    call_threads_end();
    heed_loader_free(valid);
    heed_loader_free(NULL);
    heed_dataset_free(data);
}

/* -- States -------------------------------------------------------------------------------------------------------- */

static void modules(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *some = one_in(4) ? NULL : m;
    POINTER(heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2))));
    heed_dict *other = filled_dict(), *state = heed_module_state(some);
    ck_assert((state != NULL) == (some != NULL));
    judge_error("module_state");
    heed_dict_load_options o = {any_flag(), any_flag(), any_flag(), any_flag(), any_text(), one_in(2) ? NULL : other,
                                {0}};
    STATUS(heed_module_load_state(some, one_in(4) ? NULL : one_in(2) ? state : other, GIVEN(o)));
    heed_dict_free(state);
    heed_dict_free(other);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

static void optimizers(void)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    ck_assert_int_eq(heed_set_grad(w, heed_ones(HEED_F64, HEED_SHAPE(2))), HEED_OK);
    heed_optimizer *of[] = {sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 1, .momentum = 0.5}), adam_of(&w, 1, NULL),
                            NULL};
    heed_optimizer *o = ANY_OF(of), *from = ANY_OF(of);
    ck_assert(!o || heed_optimizer_step(o) == HEED_OK);
    heed_dict *other = filled_dict(), *state = heed_optimizer_state(from);
    ck_assert((state != NULL) == (from != NULL));
    judge_error("optimizer_state");
    if (state && one_in(3))
        STATUS(heed_dict_set(state, one_in(2) ? "lr" : "0.step", any_tensor()));
    heed_dict_load_options lenient = {
        any_flag(), any_flag(), any_flag(), any_flag(), one_in(2) ? NULL : any_text(), one_in(2) ? NULL : other, {0}};
    STATUS(heed_optimizer_load_state(of[0] && one_in(4) ? of[1] : o,
                                     one_in(4)   ? NULL
                                     : one_in(4) ? other
                                                 : state,
                                     GIVEN(lenient)));
    heed_dict_free(state);
    heed_dict_free(other);
    for (int i = 0; i < COUNT_OF(of); i++)
        heed_optimizer_free(of[i]);
}

static void progress(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_progress *p = heed_progress_new(file, &(heed_progress_options){.epochs = 3, .steps = 4});
    heed_progress_state state = {.epoch = 1};
    STATUS(heed_progress_get_state(one_in(4) ? NULL : p, one_in(4) ? NULL : &state));
    state = (heed_progress_state){any_count(), any_count(), any_real()};
    STATUS(heed_progress_set_state(one_in(4) ? NULL : p, one_in(4) ? NULL : &state));
    STATUS(heed_progress_step(p, 1, 1));
    heed_progress_free(p);
    (void)fclose(file);
}

ROUNDS_OF(dicts)
ROUNDS_OF(datasets)
ROUNDS_OF(folds)
ROUNDS_OF(sources)
ROUNDS_OF(scalers)
ROUNDS_OF(categories)
ROUNDS_OF(loaders)
ROUNDS_OF(modules)
ROUNDS_OF(optimizers)
ROUNDS_OF(progress)

MISUSE_MAIN("every state misused", rounds_of_dicts, rounds_of_datasets, rounds_of_folds, rounds_of_sources,
            rounds_of_scalers, rounds_of_categories, rounds_of_loaders, rounds_of_modules, rounds_of_optimizers,
            rounds_of_progress)
