/* examples/phrases.c - reads phrases from a table, and compares translations.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "phrases.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "training.h"

enum { TEXT_SIZE = 512, HELD_OUT = 10 /* one phrase in 10 */ };

typedef struct phrase {
    char text[TEXT_SIZE];
    int n;
    const char *words[PHRASES_MAX_WORDS];
} phrase;

static void split(const char *text, phrase *p)
{
    snprintf(p->text, sizeof p->text, "%s", text);
    char *rest;
    p->n = 0;
    for (char *word = strtok_r(p->text, " ", &rest); word && p->n < PHRASES_MAX_WORDS;
         word = strtok_r(NULL, " ", &rest))
        p->words[p->n++] = word;
}

/* Returns a column of the table, its rows in the given order. The caller frees it. */
static phrase *split_column(const heed_io_csv *csv, int column, heed_tensor *order)
{
    const int64_t n = heed_numel(order), *rows = heed_data_i64(order);
    phrase *all = malloc((size_t)n * sizeof *all);
    if (!all)
        training_refuse("out of memory for %d phrases", (int)n);
    for (int64_t i = 0; i < n; i++)
        split(heed_io_csv_field(csv, rows[i], column), &all[i]);
    return all;
}

/* The words that occur at least twice in n phrases. */
static heed_categories *frequent(const phrase *all, int64_t n)
{
    const char **words = malloc((size_t)n * PHRASES_MAX_WORDS * sizeof *words);
    if (!words)
        training_refuse("out of memory for the words of %d phrases", (int)n);
    int64_t count = 0, twice = 0;
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < all[i].n; j++)
            words[count++] = all[i].words[j];
    heed_categories *once = heed_categories_new(words, count);
    heed_tensor *seen = heed_zeros(HEED_I64, HEED_SHAPE(heed_categories_count(once)));
    int64_t *times = heed_mutable_i64(seen);
    for (int64_t i = 0; i < count; i++)
        if (++times[heed_categories_find(once, words[i])] == 2)
            words[twice++] = words[i];
    heed_categories *result = heed_categories_new(words, twice);
    heed_categories_free(once);
    free(words);
    return result;
}

/* Replaces -1, the code of an unknown word, with PHRASES_UNKNOWN. */
static void encode(const heed_categories *words, const phrase *p, int64_t *codes)
{
    for (int i = 0; i < p->n; i++)
        codes[i] = PHRASES_FIRST + heed_categories_find(words, p->words[i]);
}

static void fill(phrases *p, const phrase *from, const phrase *to)
{
    int64_t *source = heed_mutable_i64(p->pairs.source), *source_length = heed_mutable_i64(p->pairs.source_length);
    int64_t *target = heed_mutable_i64(p->pairs.target), *target_length = heed_mutable_i64(p->pairs.target_length);
    for (int64_t i = 0; i < p->n; i++, source += PHRASES_MAX_WORDS, target += PHRASES_MAX_WORDS + 2) {
        encode(p->source_words, &from[i], source);
        source_length[i] = from[i].n;
        target[0] = SEQ2SEQ_BEGIN;
        encode(p->target_words, &to[i], target + 1);
        target[to[i].n + 1] = SEQ2SEQ_END;
        target_length[i] = to[i].n + 1;
    }
}

phrases phrases_read(const char *path)
{
    if (access(path, R_OK) != 0)
        training_refuse("%s: %s; scripts/phrases writes such a table", path, strerror(errno));
    heed_io_csv *csv = heed_io_csv_read(training_input(path), NULL);
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    phrases p = {.n = facts.rows};
    if (facts.rows < 2 || facts.columns < 2)
        training_refuse("%s: must have two columns and at least two rows", path);
    p.held_out = (p.n + HELD_OUT - 1) / HELD_OUT;
    heed_tensor *order = heed_permutation(p.n);
    phrase *from = split_column(csv, 0, order), *to = split_column(csv, 1, order);
    p.source_words = frequent(from + p.held_out, p.n - p.held_out);
    p.target_words = frequent(to + p.held_out, p.n - p.held_out);
    p.pairs = seq2seq_pairs_new(p.n, PHRASES_MAX_WORDS, PHRASES_MAX_WORDS);
    fill(&p, from, to);
    free(from);
    free(to);
    heed_io_csv_free(csv);
    return p;
}

void phrases_free(phrases *p)
{
    heed_categories_free(p->source_words);
    heed_categories_free(p->target_words);
}

int64_t phrases_codes(const heed_categories *words)
{
    return PHRASES_FIRST + heed_categories_count(words);
}

const char *phrases_word(const heed_categories *words, int64_t code)
{
    static const char *const names[PHRASES_FIRST] = {"-", "<", ">", "?"};
    return code < PHRASES_FIRST ? names[code] : heed_categories_name(words, code - PHRASES_FIRST);
}

seq2seq_pairs phrases_ask(const phrases *p, const char *text)
{
    phrase asked;
    split(text, &asked);
    if (asked.n == 0)
        training_refuse("\"%s\": has no words to translate", text);
    seq2seq_pairs pair = seq2seq_pairs_new(1, asked.n, PHRASES_MAX_WORDS);
    encode(p->source_words, &asked, heed_mutable_i64(pair.source));
    heed_set_(pair.source_length, HEED_INDEX(0), asked.n);
    return pair;
}

/* -- Comparing ---------------------------------------------------------------------------------------------------- */

static bool same(const int64_t *a, const int64_t *b, int k)
{
    for (int i = 0; i < k; i++)
        if (a[i] != b[i] || a[i] == PHRASES_UNKNOWN)
            return false;
    return true;
}

/* The number of k-grams of a that match a k-gram of b, which matches only once. */
static int matches(const int64_t *a, int n, const int64_t *b, int m, int k)
{
    bool taken[PHRASES_MAX_WORDS + 1] = {false};
    int count = 0;
    for (int i = 0; i + k <= n; i++)
        for (int j = 0; j + k <= m; j++)
            if (!taken[j] && same(a + i, b + j, k)) {
                taken[j] = true;
                count++;
                break;
            }
    return count;
}

double phrases_bleu(const int64_t *made, int n, const int64_t *translation, int m)
{
    double bleu = n > 0 ? exp(fmin(0.0, 1.0 - (double)m / n)) : 0.0;
    for (int k = 1; k <= 2 && k <= n; k++)
        bleu *= pow((double)matches(made, n, translation, m, k) / (n - k + 1), pow(0.5, k));
    return bleu;
}
