/* examples/lexicon.c - reads a dictionary in Festival's format.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "lexicon.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 512 };

typedef struct entry {
    char word[LEXICON_MAX_LETTERS + 1];
    int letters, sounds;
    int sound[LEXICON_MAX_SOUNDS];
} entry;

/* The number of a sound; a new name gets a new number. Returns -1 if the name is too long or there are too many
 * names. */
static int number_of(lexicon *lex, const char *name, size_t length)
{
    for (int i = 0; i < lex->sounds; i++)
        if (strlen(lex->names[i]) == length && memcmp(lex->names[i], name, length) == 0)
            return i;
    if (lex->sounds == LEXICON_MAX_NAMES || length >= sizeof lex->names[0])
        return -1;
    memcpy(lex->names[lex->sounds], name, length);
    return lex->sounds++;
}

/* An entry ("aaron" nil (((eh) 1) ((r ax n) 0))) has the word, its part of speech, and syllables of sounds with
 * their stress. */
static bool parse(lexicon *lex, const char *line, entry *e)
{
    *e = (entry){.letters = 0};
    if (strncmp(line, "(\"", 2) != 0)
        return false;
    for (line += 2; *line >= 'a' && *line <= 'z' && e->letters < LEXICON_MAX_LETTERS; line++)
        e->word[e->letters++] = *line;
    if (*line != '"' || e->letters == 0 || !(line = strchr(line, '(')))
        return false;
    for (size_t length; *line; line += length) {
        for (length = 0; isalpha((unsigned char)line[length]);)
            length++;
        if (length == 0) {
            length = 1;
            continue;
        }
        int sound = number_of(lex, line, length);
        if (sound < 0 || e->sounds == LEXICON_MAX_SOUNDS)
            return false;
        e->sound[e->sounds++] = sound;
    }
    return e->sounds > 0;
}

/* Reads the next new word; returns false at the end of the file. */
static bool next_entry(lexicon *lex, FILE *file, entry *e)
{
    char line[LINE_SIZE], last[sizeof e->word];
    memcpy(last, e->word, sizeof last);
    while (fgets(line, sizeof line, file))
        if (parse(lex, line, e) && strcmp(e->word, last) != 0)
            return true;
    return false;
}

static void fill(lexicon *lex, FILE *file)
{
    lex->pairs = seq2seq_pairs_new(lex->n, LEXICON_MAX_LETTERS, LEXICON_MAX_SOUNDS);
    int64_t *spelling = heed_mutable_i64(lex->pairs.source), *letters = heed_mutable_i64(lex->pairs.source_length);
    int64_t *sound = heed_mutable_i64(lex->pairs.target), *sounds = heed_mutable_i64(lex->pairs.target_length);
    entry e = {.letters = 0};
    for (int64_t i = 0; i < lex->n && next_entry(lex, file, &e); i++) {
        for (int j = 0; j < e.letters; j++)
            spelling[i * LEXICON_MAX_LETTERS + j] = e.word[j] - 'a' + 1;
        int64_t *row = sound + i * (LEXICON_MAX_SOUNDS + 2);
        *row++ = SEQ2SEQ_BEGIN;
        for (int j = 0; j < e.sounds; j++)
            *row++ = e.sound[j];
        *row = SEQ2SEQ_END;
        letters[i] = e.letters;
        sounds[i] = e.sounds + 1;
    }
}

bool lexicon_read(lexicon *lex, const char *path)
{
    *lex = (lexicon){.sounds = SEQ2SEQ_FIRST, .names = {"-", "<", ">"}};
    FILE *file = fopen(path, "r");
    if (!file)
        return heed_fail_false(HEED_ERR_IO, "lexicon_read", "%s: %s", path, strerror(errno));
    for (entry e = {.letters = 0}; next_entry(lex, file, &e);)
        lex->n++;
    rewind(file);
    fill(lex, file);
    fclose(file);
    return true;
}

bool lexicon_spell(const char *word, seq2seq_pairs *pair)
{
    size_t length = strlen(word);
    if (length == 0 || length > LEXICON_MAX_LETTERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, "lexicon_spell", "\"%s\": must have 1 to %d letters", word,
                               LEXICON_MAX_LETTERS);
    *pair = seq2seq_pairs_new(1, (int64_t)length, LEXICON_MAX_SOUNDS);
    int64_t *letters = heed_mutable_i64(pair->source);
    for (size_t i = 0; i < length; i++) {
        if (word[i] < 'a' || word[i] > 'z')
            return heed_fail_false(HEED_ERR_ARGUMENT, "lexicon_spell", "\"%s\": must contain only letters from a to z",
                                   word);
        letters[i] = word[i] - 'a' + 1;
    }
    heed_set_(pair->source_length, HEED_INDEX(0), (double)length);
    return true;
}

int lexicon_name(const lexicon *lex, const char *word, heed_tensor *heard, const char *letters[LEXICON_MAX_LETTERS],
                 const char *sounds[LEXICON_MAX_SOUNDS + 2])
{
    static char single[26][2];
    for (int i = 0; word[i] && i < LEXICON_MAX_LETTERS; i++) {
        char *letter = single[word[i] - 'a'];
        letter[0] = word[i];
        letters[i] = letter;
    }
    const int64_t *codes = heed_data_i64(heard);
    int n = seq2seq_length(codes, heed_dim(heard, 1));
    sounds[0] = lex->names[SEQ2SEQ_BEGIN];
    for (int i = 0; i < n; i++)
        sounds[i + 1] = lex->names[codes[i]];
    return n;
}

/* -- Comparing ------------------------------------------------------------------------------------------------- */

/* Levenshtein distance. */
static int distance(const int64_t *a, int n, const int64_t *b, int m)
{
    int row[LEXICON_MAX_SOUNDS + 3];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]), gap = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = change < gap ? change : gap;
        }
    }
    return row[m];
}

lexicon_score lexicon_compare(const lexicon *lex, heed_tensor *rows, heed_tensor *heard)
{
    lexicon_score score = {.words = heed_numel(rows)};
    const int64_t *a = heed_data_i64(heard), *b = heed_data_i64(heed_index_select(lex->pairs.target, 0, rows));
    int64_t width = heed_dim(heard, 1), full = heed_dim(lex->pairs.target, 1);
    for (int64_t i = 0; i < score.words; i++, a += width, b += full) {
        int n = seq2seq_length(a, width), m = seq2seq_length(b + 1, full - 1), wrong = distance(a, n, b + 1, m);
        score.wrong_words += wrong > 0;
        score.sounds += m;
        score.wrong_sounds += wrong;
    }
    return score;
}
