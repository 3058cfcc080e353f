/* examples/pronunciation.c - from spelling to sounds: a sequence-to-sequence model with Bahdanau attention, trained on
 * a pronouncing dictionary. Says how often it errs on words it has not seen, and draws where it looked.
 *
 *     pronunciation --word attention            with Debian's festlex-cmu; or --dict FILE of that format
 *
 * The data are in lexicon.c, the model in speller.c. Shares training.c (command line, pictures) and saving.c (stopping
 * and resuming) with other examples.
 */

#include <inttypes.h>
#include <stdio.h>

#include "saving.h"
#include "speller.h"

enum { BATCH = 64, HELD_OUT = 20 /* one word in this many */ };

static struct {
    const char *dict, *word;
    int64_t epochs, words;
} args = {"/usr/share/festival/dicts/cmu/cmudict-0.4.out", "attention", 6, 0};

static const training_option options[] = {
    {"dict", "FILE", "dictionary in Festival's format", .text = &args.dict},
    {"word", "WORD", "word to pronounce at the end, and to draw", .text = &args.word},
    {"epochs", "N", "passes over the words", .count = &args.epochs, .least = 1},
    {"words", "N", "use this many words; 0: all", .count = &args.words},
    SAVING_OPTIONS,
};

/* Wrong words, and wrong sounds by edit distance, as shares. */
static void evaluate(speller *s, const lexicon *lex, heed_tensor *rows)
{
    lexicon_score score = {.words = 0};
    heed_module_eval(&s->base);
    for (int64_t i = 0; i < heed_numel(rows); i += BATCH) {
        heed_scope *scope = heed_no_grad_begin();
        heed_tensor *batch = heed_slice(rows, 0, i, i + BATCH, 1);
        heed_tensor *lengths = heed_index_select(lex->spelling_length, 0, batch);
        heed_tensor *heard =
            speller_pronounce(s, lexicon_pick(lex->spelling, batch, lexicon_longest(lengths)), lengths, NULL);
        lexicon_compare(heard, heed_index_select(lex->sound, 0, batch), &score);
        heed_scope_end(scope);
    }
    heed_module_train(&s->base);
    printf("held out: %" PRId64 " words, %.1f %% with an error; %.1f %% of their sounds wrong\n", score.words,
           100.0 * (double)score.wrong_words / (double)score.words,
           100.0 * (double)score.wrong_sounds / (double)score.sounds);
}

static void train(speller *s, const lexicon *lex, heed_tensor *rows)
{
    int64_t n = heed_numel(rows), steps = (n + BATCH - 1) / BATCH;
    heed_optimizer *adam = heed_optim_adam(&s->base, &(heed_optim_adam_options){.lr = 2e-3});
    heed_schedule *schedule = heed_schedule_new_cosine(adam, args.epochs * steps, 0.0);
    heed_progress_options o = {.epochs = args.epochs, .steps = steps, .unit = "words"};
    heed_progress *progress = heed_progress_new(stdout, &o);
    heed_checkpoint run = {.module = &s->base, .optimizer = adam, .progress = progress};
    saving_extra(&run, "rows", rows);
    for (saving_begin(&run); saving_goes_on(&run, args.epochs * steps); run.step++) {
        heed_scope *scope = heed_scope_begin();
        if (run.step % steps == 0)
            heed_copy_(rows, heed_index_select(rows, 0, heed_permutation(n)));
        heed_tensor *batch = heed_slice(rows, 0, run.step % steps * BATCH, (run.step % steps + 1) * BATCH, 1);
        heed_tensor *loss = speller_loss(s, lex, batch);
        heed_optimizer_zero_grad(adam);
        heed_backward(loss);
        heed_optim_clip_grad_norm_(&s->base, 1.0, NULL);
        heed_optimizer_step(adam);
        heed_schedule_step(schedule);
        heed_progress_step(progress, heed_item(loss), heed_numel(batch));
        heed_scope_end(scope);
    }
    heed_schedule_free(schedule);
    saving_end(&run);
}

/* Says one word, and draws which letters each sound was made from. */
static void say(speller *s, const lexicon *lex, const char *word, heed_tensor *spelling)
{
    const char *letters[LEXICON_MAX_LETTERS], *sounds[LEXICON_MAX_SOUNDS + 1];
    heed_tensor *weights = NULL;
    heed_module_eval(&s->base);
    heed_tensor *heard = speller_pronounce(s, spelling, NULL, &weights);
    int n = lexicon_name(lex, word, heard, letters, sounds);
    heed_plot_heatmap_options o = {.xticks = letters, .yticks = sounds, .xlabel = "Spelling", .ylabel = "Sounds"};
    o.panel_width = o.panel_height = 400;
    printf("%s:", word);
    for (int i = 0; i < n; i++)
        printf(" %s", sounds[i]);
    putchar('\n');
    if (n > 0)
        heed_plot_heatmap(heed_slice(heed_select(weights, 0, 0), 0, 0, n, 1), training_picture("alignment.png"), &o);
}

int main(int argc, char **argv)
{
    lexicon lex;
    training_begin(argc, argv,
                   "Learns to pronounce words from a dictionary, and draws from which letters a sound is made.",
                   TRAINING_OPTIONS(options));
    heed_tensor *spelling = lexicon_spell(args.word);
    lexicon_read(&lex, args.dict);
    if (lex.n < 2)
        training_refuse("%s: wants two words or more", args.dict);
    heed_tensor *rows = heed_permutation(lex.n);
    int64_t n = args.words > 0 && args.words < lex.n ? args.words : lex.n, held_out = (n + HELD_OUT - 1) / HELD_OUT;
    speller *s = speller_new(&lex);
    train(s, &lex, heed_slice(rows, 0, held_out, n, 1));
    evaluate(s, &lex, heed_slice(rows, 0, 0, held_out, 1));
    say(s, &lex, args.word, spelling);
    heed_module_free(&s->base);
    return 0;
}
