/* examples/translate.c - from English to French, word by word: a Transformer, or GRUs with Bahdanau attention,
 * trained on the names of emoji, languages and countries. Prints how well it translates held-out phrases, and draws
 * the attention weights.
 *
 *     scripts/phrases > phrases.csv             from Debian's unicode-cldr-core
 *     translate --pairs phrases.csv             or any table of two columns, its words separated by blanks
 *
 * phrases.c has the data, encoder_decoder.c the models and their pictures, and seq2seq.c, which pronunciation.c
 * shares, the training.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "encoder_decoder.h"
#include "phrases.h"
#include "saving.h"

static const char *pairs = "phrases.csv", *model = "transformer";
static const char *text = "woman firefighter with curly hair";
static int64_t epochs = 20, beams = 1;

static const training_option options[] = {
    {"pairs", "FILE", "table of phrases and their translations, made by scripts/phrases", .text = &pairs},
    {"model", "NAME", "transformer or gru", .text = &model},
    {"phrase", "TEXT", "phrase to translate and draw at the end", .text = &text},
    {"epochs", "N", "passes over the phrases", .count = &epochs, .least = 1},
    {"beams", "N", "beams of the search; 1: greedy decoding", .count = &beams, .least = 1},
    SAVING_OPTIONS,
};

static void print_phrase(const heed_categories *words, const int64_t *codes, int n)
{
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? " " : "", phrases_word(words, codes[i]));
}

/* source -> translation made (the right one, if it differs) */
static void print_sample(const phrases *p, int64_t row, const int64_t *made, int n, const int64_t *right, int m,
                         double bleu)
{
    print_phrase(p->source_words, heed_data_i64(p->pairs.source) + row * PHRASES_MAX_WORDS,
                 (int)heed_get(p->pairs.source_length, HEED_INDEX(row)));
    printf(" -> ");
    print_phrase(p->target_words, made, n);
    if (bleu < 1.0) {
        printf("  (");
        print_phrase(p->target_words, right, m);
        putchar(')');
    }
    putchar('\n');
}

/* BLEU and the share of correct translations over the held-out phrases; prints the first few. */
static void evaluate(seq2seq *s, const phrases *p)
{
    enum { SAMPLES = 8 };
    heed_tensor *rows = heed_arange(HEED_I64, 0.0, (double)p->held_out, 1.0);
    heed_tensor *all = seq2seq_predict(s, &p->pairs, rows);
    const int64_t *made = heed_data_i64(all), *right = heed_data_i64(p->pairs.target) + 1;
    int64_t width = heed_dim(all, 1), exact = 0;
    double sum = 0.0;
    for (int64_t i = 0; i < p->held_out; i++, made += width, right += width + 1) {
        int n = seq2seq_length(made, width), m = seq2seq_length(right, width);
        double bleu = phrases_bleu(made, n, right, m);
        sum += bleu;
        exact += n == m && bleu == 1.0;
        if (i < SAMPLES)
            print_sample(p, i, made, n, right, m, bleu);
    }
    printf("held out: %" PRId64 " phrases, BLEU %.3f, %.1f %% without an error\n", p->held_out,
           sum / (double)p->held_out, 100.0 * (double)exact / (double)p->held_out);
}

/* Translates one phrase, and draws which words its words were made from. */
static void say(seq2seq *s, const phrases *p, const seq2seq_pairs *pair)
{
    const char *from[PHRASES_MAX_WORDS], *to[PHRASES_MAX_WORDS + 2];
    heed_tensor *made = seq2seq_predict(s, pair, heed_zeros(HEED_I64, HEED_SHAPE(1)));
    const int64_t *source = heed_data_i64(pair->source), *target = heed_data_i64(made);
    int n = seq2seq_length(target, heed_dim(made, 1));
    for (int64_t i = 0; i < heed_dim(pair->source, 1); i++)
        from[i] = phrases_word(p->source_words, source[i]);
    to[0] = phrases_word(p->target_words, SEQ2SEQ_BEGIN);
    for (int i = 0; i < n; i++)
        to[i + 1] = phrases_word(p->target_words, target[i]);
    printf("%s -> ", text);
    print_phrase(p->target_words, target, n);
    putchar('\n');
    if (n > 0)
        seq2seq_draw(s, pair->source, heed_slice(made, 1, 0, n, 1), (seq2seq_names){"Phrase", from},
                     (seq2seq_names){"Translation", to});
}

static seq2seq *new_model(int64_t source, int64_t target)
{
    if (strcmp(model, "transformer") == 0)
        return encoder_decoder_new_transformer(source, target, beams);
    if (strcmp(model, "gru") == 0)
        return encoder_decoder_new_gru(source, target, beams);
    training_refuse("--model %s: must be gru or transformer", model);
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, "Learns to translate phrases, and draws the words that every word attends to.",
                   TRAINING_OPTIONS(options));
    phrases p = phrases_read(pairs);
    seq2seq_pairs asked = phrases_ask(&p, text);
    int64_t source = phrases_codes(p.source_words), target = phrases_codes(p.target_words);
    seq2seq *s = new_model(source, target);
    printf("%" PRId64 " phrases of %" PRId64 " and %" PRId64 " different words, %" PRId64 " parameters\n", p.n,
           source - PHRASES_FIRST, target - PHRASES_FIRST, heed_module_parameter_numel(&s->base));
    heed_tensor *rows =
        heed_add(heed_permutation(p.n - p.held_out), heed_full(HEED_I64, HEED_SHAPE(1), (double)p.held_out));
    seq2seq_train(s, &p.pairs, rows, epochs, "phrases");
    evaluate(s, &p);
    say(s, &p, &asked);
    heed_module_free(&s->base);
    phrases_free(&p);
    return 0;
}
