/* examples/speller.c - the model of pronunciation.c. */

#include "speller.h"

enum { EMBED = 64, HIDDENS = 128 };

speller *speller_new(const lexicon *lex)
{
    heed_nn_seq2seq_options o = {.dropout = 0.1};
    speller *s = heed_module_new("speller", sizeof *s);
    s->encoder = heed_nn_seq2seq_encoder_new(LEXICON_LETTERS, EMBED, HIDDENS, &o);
    s->decoder = heed_nn_bahdanau_decoder_new(lex->sounds, EMBED, HIDDENS, &o);
    heed_module_child(&s->base, "encoder", &s->encoder->base);
    heed_module_child(&s->base, "decoder", &s->decoder->base);
    return s;
}

heed_tensor *speller_loss(speller *s, const lexicon *lex, heed_tensor *rows)
{
    heed_tensor *letters = heed_index_select(lex->spelling_length, 0, rows), *state = NULL;
    heed_tensor *sounds = heed_index_select(lex->sound_length, 0, rows);
    int64_t steps = lexicon_longest(sounds);
    heed_tensor *memory = heed_nn_seq2seq_encoder_forward(
        s->encoder, lexicon_pick(lex->spelling, rows, lexicon_longest(letters)), &state);
    heed_tensor *logits = heed_nn_bahdanau_decoder_forward(s->decoder, lexicon_pick(lex->sound, rows, steps), memory,
                                                           letters, &state, NULL);
    heed_tensor *targets = heed_slice(lexicon_pick(lex->sound, rows, steps + 1), 1, 1, HEED_END, 1);
    heed_tensor *losses =
        heed_cross_entropy(logits, targets, &(heed_class_loss_options){.reduction = HEED_REDUCTION_NONE});
    return heed_sequence_loss(losses, sounds, HEED_REDUCTION_MEAN);
}

heed_tensor *speller_pronounce(speller *s, heed_tensor *spelling, heed_tensor *lengths, heed_tensor **weights)
{
    enum { STEPS = LEXICON_MAX_SOUNDS + 1 };
    heed_tensor *tokens[STEPS], *looks[STEPS], *state = NULL;
    heed_tensor *memory = heed_nn_seq2seq_encoder_forward(s->encoder, spelling, &state);
    heed_tensor *token = heed_full(HEED_I64, HEED_SHAPE(heed_dim(spelling, 0), 1), LEXICON_BEGIN);
    for (int step = 0; step < STEPS; step++) {
        heed_tensor *logits =
            heed_nn_bahdanau_decoder_forward(s->decoder, token, memory, lengths, &state, weights ? &looks[step] : NULL);
        tokens[step] = token = heed_argmax_axis(logits, -1, false);
    }
    if (weights)
        *weights = heed_concat(looks, STEPS, 1);
    return heed_concat(tokens, STEPS, 1);
}
