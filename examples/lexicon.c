/* examples/lexicon.c - reads a dictionary in Festival's format. */

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

/* The number of a sound; a new one for a name that has none. -1 when it is too long, or one too many. */
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

/* ("aaron" nil (((eh) 1) ((r ax n) 0))): the word, its part of speech, and syllables of sounds with their stress. */
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

/* The next new word; false at the end of the file. */
static bool next_entry(lexicon *lex, FILE *file, entry *e)
{
    char line[LINE_SIZE], last[sizeof e->word];
    memcpy(last, e->word, sizeof last);
    while (fgets(line, sizeof line, file))
        if (parse(lex, line, e) && strcmp(e->word, last) != 0)
            return true;
    return false;
}

static bool make_tensors(lexicon *lex)
{
    lex->spelling = heed_zeros(HEED_I64, HEED_SHAPE(lex->n, LEXICON_MAX_LETTERS));
    lex->spelling_length = heed_zeros(HEED_I64, HEED_SHAPE(lex->n));
    lex->sound = heed_zeros(HEED_I64, HEED_SHAPE(lex->n, LEXICON_MAX_SOUNDS + 2));
    lex->sound_length = heed_zeros(HEED_I64, HEED_SHAPE(lex->n));
    return lex->spelling && lex->spelling_length && lex->sound && lex->sound_length;
}

static void fill(lexicon *lex, FILE *file)
{
    int64_t *spelling = heed_mutable_i64(lex->spelling), *spelling_length = heed_mutable_i64(lex->spelling_length);
    int64_t *sound = heed_mutable_i64(lex->sound), *sound_length = heed_mutable_i64(lex->sound_length);
    entry e = {.letters = 0};
    for (int64_t i = 0; i < lex->n && next_entry(lex, file, &e); i++) {
        for (int j = 0; j < e.letters; j++)
            spelling[i * LEXICON_MAX_LETTERS + j] = e.word[j] - 'a' + 1;
        int64_t *row = sound + i * (LEXICON_MAX_SOUNDS + 2);
        *row++ = LEXICON_BEGIN;
        for (int j = 0; j < e.sounds; j++)
            *row++ = e.sound[j];
        *row = LEXICON_END;
        spelling_length[i] = e.letters;
        sound_length[i] = e.sounds + 1;
    }
}

bool lexicon_read(lexicon *lex, const char *path)
{
    *lex = (lexicon){.sounds = 3, .names = {"-", "<", ">"}};
    FILE *file = fopen(path, "r");
    if (!file)
        return heed_fail_false(HEED_ERR_IO, "lexicon_read", "%s: %s", path, strerror(errno));
    for (entry e = {.letters = 0}; next_entry(lex, file, &e);)
        lex->n++;
    bool good = make_tensors(lex);
    rewind(file);
    if (good)
        fill(lex, file);
    fclose(file);
    return good;
}

heed_tensor *lexicon_pick(heed_tensor *table, heed_tensor *rows, int64_t length)
{
    return heed_slice(heed_index_select(table, 0, rows), 1, 0, length, 1);
}

int64_t lexicon_longest(heed_tensor *lengths)
{
    return (int64_t)heed_item(heed_max(heed_to_dtype(lengths, HEED_F64)));
}

heed_tensor *lexicon_spell(const char *word)
{
    size_t length = strlen(word);
    if (length == 0 || length > LEXICON_MAX_LETTERS)
        return heed_fail_null(HEED_ERR_ARGUMENT, "lexicon_spell", "\"%s\": wants 1 to %d letters", word,
                              LEXICON_MAX_LETTERS);
    heed_tensor *row = heed_zeros(HEED_I64, HEED_SHAPE(1, (int64_t)length));
    int64_t *letters = row ? heed_mutable_i64(row) : NULL;
    for (size_t i = 0; letters && i < length; i++) {
        if (word[i] < 'a' || word[i] > 'z')
            return heed_fail_null(HEED_ERR_ARGUMENT, "lexicon_spell", "\"%s\": wants letters from a to z", word);
        letters[i] = word[i] - 'a' + 1;
    }
    return row;
}

int lexicon_name(const lexicon *lex, const char *word, heed_tensor *heard, const char *letters[LEXICON_MAX_LETTERS],
                 const char *sounds[LEXICON_MAX_SOUNDS + 1])
{
    static char single[26][2];
    int n = 0;
    for (int i = 0; word[i] && i < LEXICON_MAX_LETTERS; i++) {
        char *letter = single[word[i] - 'a'];
        letter[0] = word[i];
        letters[i] = letter;
    }
    const int64_t *heard_data = heed_data_i64(heard);
    while (n < heed_dim(heard, 1) && heard_data[n] != LEXICON_END) {
        sounds[n] = lex->names[heard_data[n]];
        n++;
    }
    return n;
}

/* -- Comparing ------------------------------------------------------------------------------------------------- */

static int length_of(const int64_t *sounds, int most)
{
    int n = 0;
    while (n < most && sounds[n] != LEXICON_END)
        n++;
    return n;
}

/* Levenshtein's distance. */
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

void lexicon_compare(heed_tensor *heard, heed_tensor *sound, lexicon_score *score)
{
    const int64_t *a = heed_data_i64(heard), *b = heed_data_i64(sound);
    int width = (int)heed_dim(heard, 1), full = LEXICON_MAX_SOUNDS + 2;
    for (int64_t i = 0; a && b && i < heed_dim(heard, 0); i++, a += width, b += full) {
        int n = length_of(a, width), m = length_of(b + 1, full - 1), wrong = distance(a, n, b + 1, m);
        score->words++;
        score->wrong_words += wrong > 0;
        score->sounds += m;
        score->wrong_sounds += wrong;
    }
}
