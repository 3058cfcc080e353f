/* examples/pronunciation.c - from spelling to sounds: GRUs with Bahdanau attention, a Transformer, or an LSTM with
 * connectionist temporal classification, trained on a pronouncing dictionary. Prints the error rate on held-out
 * words, and draws which letters a sound was made from.
 *
 *     pronunciation --word attention            with Debian's festlex-cmu; or --dict FILE of that format
 *
 * lexicon.c has the data; encoder_decoder.c, which translate.c shares, and ctc.c have the models and their pictures;
 * seq2seq.c has the training.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ctc.h"
#include "encoder_decoder.h"
#include "lexicon.h"
#include "saving.h"

enum { HELD_OUT = 20 /* one word in 20 */ };

static struct {
    const char *dict, *model, *word;
    int64_t epochs, words;
} args = {"/usr/share/festival/dicts/cmu/cmudict-0.4.out", "gru", "attention", 6, 0};

static const training_option options[] = {
    {"dict", "FILE", "dictionary in Festival's format", .text = &args.dict},
    {"model", "NAME", "gru, transformer or ctc", .text = &args.model},
    {"word", "WORD", "word to pronounce and draw at the end", .text = &args.word},
    {"epochs", "N", "passes over the words", .count = &args.epochs, .least = 1},
    {"words", "N", "number of words to use; 0: all", .count = &args.words},
    SAVING_OPTIONS,
};

/* The share of wrong words, and of wrong sounds by edit distance. */
static void evaluate(seq2seq *s, const lexicon *lex, heed_tensor *rows)
{
    lexicon_score score = lexicon_compare(lex, rows, seq2seq_predict(s, &lex->pairs, rows));
    printf("held out: %" PRId64 " words, %.1f %% with an error; %.1f %% of their sounds wrong\n", score.words,
           100.0 * (double)score.wrong_words / (double)score.words,
           100.0 * (double)score.wrong_sounds / (double)score.sounds);
}

/* Pronounces one word, and draws which letters its sounds were made from. */
static void say(seq2seq *s, const lexicon *lex, const char *word, const seq2seq_pairs *pair)
{
    const char *letters[LEXICON_MAX_LETTERS], *sounds[LEXICON_MAX_SOUNDS + 2];
    heed_tensor *heard = seq2seq_predict(s, pair, heed_zeros(HEED_I64, HEED_SHAPE(1)));
    int n = lexicon_name(lex, word, heard, letters, sounds);
    printf("%s:", word);
    for (int i = 1; i <= n; i++)
        printf(" %s", sounds[i]);
    putchar('\n');
    if (n > 0)
        seq2seq_draw(s, pair->source, heed_slice(heard, 1, 0, n, 1), (seq2seq_names){"Spelling", letters},
                     (seq2seq_names){"Sounds", sounds});
}

static seq2seq *new_model(int64_t letters, int64_t sounds)
{
    if (strcmp(args.model, "gru") == 0)
        return encoder_decoder_new_gru(letters, sounds, 1);
    if (strcmp(args.model, "transformer") == 0)
        return encoder_decoder_new_transformer(letters, sounds, 1);
    if (strcmp(args.model, "ctc") == 0)
        return ctc_new(letters, sounds);
    training_refuse("--model %s: must be gru, transformer or ctc", args.model);
}

int main(int argc, char **argv)
{
    lexicon lex;
    seq2seq_pairs word;
    training_begin(argc, argv,
                   "Learns to pronounce words from a dictionary, and draws the letters that every sound attends to.",
                   TRAINING_OPTIONS(options));
    lexicon_spell(args.word, &word);
    lexicon_read(&lex, training_input(args.dict));
    if (lex.n < 2)
        training_refuse("%s: must contain two words or more", args.dict);
    heed_tensor *rows = heed_permutation(lex.n);
    int64_t n = args.words > 0 && args.words < lex.n ? args.words : lex.n, held_out = (n + HELD_OUT - 1) / HELD_OUT;
    seq2seq *s = new_model(LEXICON_LETTERS, lex.sounds);
    seq2seq_train(s, &lex.pairs, heed_slice(rows, 0, held_out, n, 1), args.epochs, "words");
    evaluate(s, &lex, heed_slice(rows, 0, 0, held_out, 1));
    say(s, &lex, args.word, &word);
    heed_module_free(&s->base);
    return 0;
}
