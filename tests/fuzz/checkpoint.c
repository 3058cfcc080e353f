/* tests/fuzz/checkpoint.c - checkpoints: the file of a run with changes, or any bytes, loaded into a run.
 *
 * A load that fails leaves the run unchanged. After a load that succeeds, the run is saved and loaded into a second
 * run, which must then be equal to it. A file without changes must restore the saved run.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "tensors.h"

#include <string.h>
#include <unistd.h>

#include <zlib.h>

#define MAX_BYTES 8192

/* -- A training run ----------------------------------------------------------------------------------------------- */

/* The contents of a run: a module of these parameters, one of three optimizers or none, and other parts. */
enum { KIND = 3, SCHEDULE = 4, GENERATOR = 8, LOADER = 16, PROGRESS = 32, EXTRA = 64, NO_MODULE = 128 };

typedef struct training {
    heed_checkpoint run;
    heed_module *net;
    heed_schedule *schedule;
    heed_dataset *data;
} training;

static heed_optimizer *make_optimizer(heed_module *net, uint8_t parts)
{
    switch (parts & KIND) {
    case 1:
        return heed_optim_sgd(net, &(heed_optim_sgd_options){.lr = 0.5, .momentum = 0.5});
    case 2:
        return heed_optim_adam(net, NULL);
    case 3:
        return heed_optim_adamw(net, &(heed_optim_adam_options){.amsgrad = true});
    default:
        return NULL;
    }
}

static heed_progress *make_progress(void)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    FUZZ_CHECK(nowhere);
    return heed_progress_new(nowhere, &(heed_progress_options){.epochs = 9, .steps = 4, .interval = 1e9});
}

static void make_loader(training *t)
{
    heed_tensor *samples = heed_arange(HEED_F32, 0, 5, 1);
    t->data = heed_dataset_new(HEED_TENSORS(samples));
    t->run.loader = heed_loader_new(t->data, &(heed_loader_options){.batch_size = 2, .shuffle = true});
}

static heed_status give_gradient(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_set_grad(visit->tensor, heed_ones(HEED_F32, heed_shape_of(visit->tensor)));
}

static void train(training *t)
{
    heed_tensor *batch[1];
    FUZZ_CHECK(heed_module_walk(t->net, give_gradient, NULL) == HEED_OK);
    if (t->run.optimizer)
        (void)heed_optimizer_step(t->run.optimizer);
    if (t->schedule)
        (void)heed_schedule_step(t->schedule);
    if (t->run.loader)
        (void)heed_loader_next(t->run.loader, batch);
    if (t->run.progress)
        (void)heed_progress_step(t->run.progress, 0.5, 1);
    t->run.step++;
}

/* Runs after different numbers of steps differ in all their parts. */
static training begin(uint8_t parts, int steps)
{
    training t = {.run = {.epoch = steps}};
    heed_scope *scope = heed_scope_begin();
    heed_manual_seed((uint64_t)steps);
    t.net = (heed_module *)heed_nn_linear_new(2, 1, NULL);
    t.run.module = parts & NO_MODULE ? NULL : t.net;
    t.run.optimizer = make_optimizer(t.net, parts);
    if (t.run.optimizer && parts & SCHEDULE)
        t.schedule = heed_schedule_new_step(t.run.optimizer, 1, 0.5);
    if (parts & GENERATOR)
        t.run.generator = heed_generator_new((uint64_t)steps);
    if (parts & LOADER)
        make_loader(&t);
    if (parts & PROGRESS)
        t.run.progress = make_progress();
    if (parts & EXTRA) {
        t.run.extra = heed_dict_new();
        (void)heed_dict_set(t.run.extra, "x", heed_full(HEED_F64, HEED_SHAPE(2), steps));
    }
    for (int i = 0; i < steps; i++)
        train(&t);
    FUZZ_CHECK(heed_scope_end(scope) == HEED_OK && heed_error_code() == HEED_OK);
    return t;
}

static void end(training *t)
{
    FUZZ_CHECK(!t->schedule || heed_schedule_free(t->schedule) == HEED_OK);
    heed_optimizer_free(t->run.optimizer);
    FUZZ_CHECK(heed_module_free(t->net) == HEED_OK);
    heed_generator_free(t->run.generator);
    heed_loader_free(t->run.loader);
    heed_dataset_free(t->data);
    heed_progress_free(t->run.progress);
    heed_dict_free(t->run.extra);
}

static uint64_t hash_generator(uint64_t hash, heed_generator *generator)
{
    uint64_t state[2] = {0};
    FUZZ_CHECK(heed_generator_get_state(generator, &state[0], &state[1]) == HEED_OK);
    return fuzz_hash(hash, state, sizeof state);
}

/* The hash of all parts that a load may change. */
static uint64_t hash_of(const training *t)
{
    heed_dict *module = t->run.module ? heed_module_state(t->run.module) : NULL;
    heed_dict *optimizer = t->run.optimizer ? heed_optimizer_state(t->run.optimizer) : NULL;
    uint64_t hash = FUZZ_HASH_START;
    if (module)
        hash = fuzz_hash_dict(hash, module);
    if (optimizer)
        hash = fuzz_hash_dict(hash, optimizer);
    heed_dict_free(module);
    heed_dict_free(optimizer);
    hash = hash_generator(hash, heed_generator_default());
    if (t->run.generator)
        hash = hash_generator(hash, t->run.generator);
    heed_loader_state place = {0};
    FUZZ_CHECK(!t->run.loader || heed_loader_get_state(t->run.loader, &place) == HEED_OK);
    hash = fuzz_hash(hash, &place, sizeof place);
    heed_progress_state progress = {0};
    FUZZ_CHECK(!t->run.progress || heed_progress_get_state(t->run.progress, &progress) == HEED_OK);
    hash = fuzz_hash(hash, &progress, sizeof progress);
    if (t->run.extra)
        hash = fuzz_hash_dict(hash, t->run.extra);
    hash = fuzz_hash(hash, &t->run.epoch, sizeof t->run.epoch);
    return fuzz_hash(hash, &t->run.step, sizeof t->run.step);
}

/* -- Its file, changed -------------------------------------------------------------------------------------------- */

typedef struct content {
    size_t size, header; /* the header's length */
    uint64_t run;        /* the hash of the run that was saved */
    uint8_t bytes[MAX_BYTES];
} content;

static void read_content(content *c)
{
    FILE *file = fopen(fuzz_path(), "rb");
    FUZZ_CHECK(file);
    c->size = fread(c->bytes, 1, MAX_BYTES, file);
    FUZZ_CHECK(fclose(file) == 0 && c->size > 8 && c->size < MAX_BYTES);
    c->header = 0;
    for (int i = 7; i >= 0; i--)
        c->header = c->header << 8 | c->bytes[i];
}

/* The file that the library writes, made once per set of parts. */
static const content *saved(uint8_t parts)
{
    static content files[256];
    if (files[parts].size == 0) {
        training t = begin(parts, 2);
        FUZZ_CHECK(heed_checkpoint_save(fuzz_path(), &t.run, NULL) == HEED_OK);
        read_content(&files[parts]);
        files[parts].run = hash_of(&t);
        end(&t);
    }
    return &files[parts];
}

/* Reads a position, the number of bytes to remove and the number to insert there, at most 15 each, and the new
 * bytes. */
static void change(content *c, fuzz_input *in)
{
    size_t at = fuzz_byte(in), room = MAX_BYTES - c->size;
    at = (at << 8 | fuzz_byte(in)) % (c->size + 1);
    size_t both = fuzz_byte(in), cut = both % 16, put = both / 16;
    cut = cut < c->size - at ? cut : c->size - at;
    put = put < room ? put : room;
    memmove(c->bytes + at + put, c->bytes + at + cut, c->size - at - cut);
    for (size_t i = 0; i < put; i++)
        c->bytes[at + i] = fuzz_byte(in);
    c->size += put - cut;
    if (at >= 8 && at + cut <= 8 + c->header)
        c->header += put - cut;
}

static void put_length(content *c)
{
    for (size_t i = 0; i < 8 && i < c->size; i++)
        c->bytes[i] = (uint8_t)((uint64_t)c->header >> 8 * i);
}

/* Corrects the eight digits after the first key. */
static void put_checksum(content *c)
{
    static const char key[] = "\"checksum\":\"";
    char digits[9];
    for (size_t at = sizeof key - 1; at + 8 <= c->size; at++)
        if (memcmp(c->bytes + at - (sizeof key - 1), key, sizeof key - 1) == 0) {
            memcpy(c->bytes + at, "00000000", 8);
            (void)snprintf(digits, sizeof digits, "%08lx", crc32(0, c->bytes, (uInt)c->size));
            memcpy(c->bytes + at, digits, 8);
            return;
        }
}

static void write_content(const content *c)
{
    FILE *file = fopen(fuzz_path(), "wb");
    FUZZ_CHECK(file);
    FUZZ_CHECK(fwrite(c->bytes, 1, c->size, file) == c->size && fclose(file) == 0);
}

/* -- Loading ------------------------------------------------------------------------------------------------------ */

static int64_t live_bytes(void)
{
    heed_thread_cleanup();
    return heed_memory_get_stats().live_bytes;
}

/* Checks that a failure changes no part. */
static heed_status load_once(training *t)
{
    uint64_t before = hash_of(t);
    int64_t live = live_bytes();
    fuzz_go_on();
    heed_status status = heed_checkpoint_load(fuzz_path(), &t->run);
    fuzz_pause();
    FUZZ_CHECK(status == heed_error_code());
    FUZZ_CHECK(status == HEED_OK || hash_of(t) == before);
    FUZZ_CHECK(status == HEED_OK || live_bytes() <= live); /* a loader may have dropped its order, to draw it again */
    return status;
}

static heed_status load(training *t)
{
    heed_status status = load_once(t);
    return fuzz_try_again(status == HEED_OK) ? load_once(t) : status;
}

/* Loads from the last of the files that a `keep` leaves, here the only one. */
static heed_status load_kept(training *t)
{
    char kept[128];
    (void)snprintf(kept, sizeof kept, "%s-%09d", fuzz_path(), 1);
    FUZZ_CHECK(rename(fuzz_path(), kept) == 0);
    heed_status status = load(t);
    FUZZ_CHECK(unlink(kept) == 0);
    return status;
}

/* Saves the loaded run, and loads the file into a run with a different state. */
static void check_again(training *t, uint8_t parts)
{
    fuzz_go_on();
    heed_status status = heed_checkpoint_save(fuzz_path(), &t->run, NULL);
    if (fuzz_try_again(status == HEED_OK))
        status = heed_checkpoint_save(fuzz_path(), &t->run, NULL);
    fuzz_pause();
    FUZZ_CHECK(fuzz_outcome(status == HEED_OK));
    uint64_t wanted = hash_of(t);
    training other = begin(parts, 1);
    FUZZ_CHECK(fuzz_outcome(load(&other) == HEED_OK) && hash_of(&other) == wanted);
    end(&other);
}

/* Three bytes: the parts of the saved run; how the parts of the loading run differ; and flags: which lengths and
 * checksums stay wrong, whether the file is one of a `keep`, whether to take the bytes as a file, the number of
 * steps, which allocation fails. The changes, or the file, follow. */
void fuzz_target(fuzz_input in)
{
    static content file;
    uint8_t parts = fuzz_byte(&in), own = parts ^ fuzz_byte(&in), way = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES / 2 ? in.size : MAX_BYTES / 2;
    bool unchanged = !(way & 16) && parts == own && in.size == 0;
    fuzz_fail_later(way / 64 * 64L);
    fuzz_pause();
    if (way & 16) {
        file.size = fuzz_wrap_header(file.bytes, in);
    } else {
        file = *saved(parts);
        while (in.size > 0)
            change(&file, &in);
        if (way % 8 != 7)
            put_length(&file);
    }
    if (way % 8 != 6)
        put_checksum(&file);
    write_content(&file);
    training t = begin(own, way & 32 ? 3 : 0);
    heed_status status = way & 8 ? load_kept(&t) : load(&t);
    FUZZ_CHECK(!unchanged || (status == HEED_OK && hash_of(&t) == file.run));
    if (fuzz_outcome(status == HEED_OK))
        check_again(&t, own);
    end(&t);
}
