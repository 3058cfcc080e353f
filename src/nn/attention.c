/* nn/attention.c - see attention.h. */

#include "nn/attention.h"

/* i64 (B): the most keys that a query of the batch element sees; valid_lens (B), (B, Q), or NULL. */
static heed_tensor *longest(heed_tensor *valid_lens, int64_t batch, int64_t most)
{
    heed_tensor *given = valid_lens ? heed_contiguous(valid_lens) : NULL;
    heed_tensor *result = heed_zeros(HEED_I64, HEED_SHAPE(batch));
    const int64_t *lens = given ? heed_data_i64(given) : NULL;
    int64_t *out = result ? heed_mutable_i64(result) : NULL;
    if (!out || (valid_lens && !lens))
        return NULL;
    int64_t rows = lens && heed_rank(given) == 2 ? heed_dim(given, 1) : 1;
    for (int64_t i = 0; i < batch * rows; i++) {
        int64_t length = lens && lens[i] < most ? lens[i] : most;
        if (length > out[i / rows])
            out[i / rows] = length;
    }
    return result;
}

static bool lens_fit(const heed_tensor *lens, int64_t batch, int64_t queries)
{
    heed_shape shape = heed_shape_of(lens);
    return heed_dtype_of(lens) == HEED_I64 && shape.rank >= 1 && shape.rank <= 2 && shape.dims[0] == batch &&
           (shape.rank == 1 || shape.dims[1] == queries);
}

heed_tensor *heed__nn_attention_seen(heed_tensor *x, heed_tensor *valid_lens, bool causal, int64_t queries)
{
    int64_t batch = heed_dim(x, 0), keys = heed_dim(x, 1);
    int64_t most = causal && queries < keys ? queries : keys;
    if (valid_lens ? !lens_fit(valid_lens, batch, queries) : most == keys)
        return x;
    return heed_sequence_mask(x, longest(valid_lens, batch, most), 0.0);
}
