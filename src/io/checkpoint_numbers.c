/* io/checkpoint_numbers.c - converts the counts, generators and positions of a run to tensors and back. */

#include "io/checkpoint.h"

static bool put(heed_dict *dict, const char *name, heed_tensor *t)
{
    return t && heed_dict_set(dict, name, t) == HEED_OK;
}

/* Stores one number as a scalar, several as a vector. */
static bool put_numbers(heed_dict *dict, const char *name, const int64_t *numbers, int64_t n)
{
    return put(dict, name, heed_from_array(HEED_I64, n == 1 ? HEED_SCALAR : HEED_SHAPE(n), numbers, n));
}

static bool put_generator(heed_dict *dict, const char *name, heed_generator *generator)
{
    uint64_t seed = 0, position = 0;
    /* this and the two get_state calls below fail only for NULL */
    (void)heed_generator_get_state(generator, &seed, &position);
    return put_numbers(dict, name, (int64_t[]){(int64_t)seed, (int64_t)position}, 2);
}

static bool put_loader(heed_dict *dict, const heed_loader *loader)
{
    heed_loader_state s;
    (void)heed_loader_get_state(loader, &s);
    return put_numbers(dict, "loader", (int64_t[]){(int64_t)s.seed, s.epoch, s.batch, s.samples, s.batch_size}, 5);
}

static bool put_progress(heed_dict *dict, const heed_progress *progress)
{
    heed_progress_state s;
    (void)heed_progress_get_state(progress, &s);
    return put_numbers(dict, "progress", (int64_t[]){s.epoch, s.step}, 2) &&
           put(dict, "progress_loss", heed_from_array(HEED_F64, HEED_SCALAR, &s.loss, 1));
}

heed_dict *heed__checkpoint_numbers(const heed_checkpoint *checkpoint)
{
    heed_dict *dict = heed_dict_new();
    if (dict && put_numbers(dict, "epoch", &checkpoint->epoch, 1) && put_numbers(dict, "step", &checkpoint->step, 1) &&
        put_generator(dict, "default_generator", heed_generator_default()) &&
        (!checkpoint->generator || put_generator(dict, "generator", checkpoint->generator)) &&
        (!checkpoint->loader || put_loader(dict, checkpoint->loader)) &&
        (!checkpoint->progress || put_progress(dict, checkpoint->progress)))
        return dict;
    heed_dict_free(dict);
    return NULL;
}

static const int64_t *numbers_in(const heed_dict *dict, const char *name)
{
    return heed_data_i64(heed_dict_get(dict, name));
}

static void set_generator(heed_generator *generator, const int64_t *numbers)
{
    (void)heed_generator_set_state(generator, (uint64_t)numbers[0], (uint64_t)numbers[1]);
}

bool heed__checkpoint_set_loader(heed_loader *loader, const heed_dict *numbers)
{
    const int64_t *n = numbers_in(numbers, "loader");
    heed_loader_state state = {
        .seed = (uint64_t)n[0], .epoch = n[1], .batch = n[2], .samples = n[3], .batch_size = n[4]};
    return heed_loader_set_state(loader, &state) == HEED_OK;
}

bool heed__checkpoint_set_progress(heed_progress *progress, const heed_dict *numbers)
{
    const int64_t *n = numbers_in(numbers, "progress");
    heed_progress_state state = {
        .epoch = n[0], .step = n[1], .loss = heed_item(heed_dict_get(numbers, "progress_loss"))};
    return heed_progress_set_state(progress, &state) == HEED_OK;
}

void heed__checkpoint_set_rest(heed_checkpoint *checkpoint, const heed_dict *numbers)
{
    checkpoint->epoch = *numbers_in(numbers, "epoch");
    checkpoint->step = *numbers_in(numbers, "step");
    set_generator(heed_generator_default(), numbers_in(numbers, "default_generator"));
    if (checkpoint->generator)
        set_generator(checkpoint->generator, numbers_in(numbers, "generator"));
}
