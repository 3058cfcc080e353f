/* ops/conv/columns.c - copies windows of planes to columns and back, for unfold and fold. See conv.h. */

#include "core/parallel.h"
#include "ops/conv/conv.h"

typedef struct columns_job {
    heed__conv conv;
    heed_dtype dtype;
    char *planes, *columns;
    bool fold;
} columns_job;

/* Defines a function that copies n elements of a row of a plane, `step` apart, to a row of a column, or with `fold`
 * adds the column's elements to the plane's. */
#define MOVE_ROW(name, T)                                                                                              \
    static void name(int64_t n, void *plane_, int64_t step, void *column_, bool fold)                                  \
    {                                                                                                                  \
        T *plane = plane_, *column = column_;                                                                          \
        for (int64_t i = 0; i < n; i++)                                                                                \
            if (fold)                                                                                                  \
                plane[i * step] += column[i];                                                                          \
            else                                                                                                       \
                column[i] = plane[i * step];                                                                           \
    }
MOVE_ROW(move_f32, float)
MOVE_ROW(move_f64, double)

/* begin .. end - 1 are the positions on an axis at which a tap lies inside the plane. */
typedef struct span {
    int64_t begin, end;
} span;

static span positions_of(const heed__conv *c, int axis, int64_t t)
{
    const int64_t shift = c->before[axis] - t * c->dilation[axis], limit = c->x[axis] + shift, step = c->stride[axis];
    const int64_t begin = shift > 0 ? heed__ceil_div(shift, step) : 0,
                  end = limit > 0 ? heed__ceil_div(limit, step) : 0;
    return (span){begin, end < c->y[axis] ? end : c->y[axis]};
}

/* Copies or adds the elements that tap (t, u) of the kernel covers at all positions of a plane. `column` is the row of
 * the columns that belongs to this tap. */
static void move_tap(const columns_job *job, int64_t t, int64_t u, char *plane, char *column)
{
    const heed__conv *c = &job->conv;
    const int64_t size = (int64_t)heed_dtype_size(job->dtype);
    const span rows = positions_of(c, 0, t), across = positions_of(c, 1, u);
    for (int64_t p = rows.begin; p < rows.end && across.begin < across.end; p++) {
        const int64_t i = p * c->stride[0] - c->before[0] + t * c->dilation[0];
        const int64_t j = across.begin * c->stride[1] - c->before[1] + u * c->dilation[1];
        (job->dtype == HEED_F32 ? move_f32 : move_f64)(across.end - across.begin, plane + (i * c->x[1] + j) * size,
                                                       c->stride[1], column + (p * c->y[1] + across.begin) * size,
                                                       job->fold);
    }
}

static void move_planes(int64_t begin, int64_t end, void *context)
{
    const columns_job *job = context;
    const heed__conv *c = &job->conv;
    const int64_t size = (int64_t)heed_dtype_size(job->dtype), taps = c->w[0] * c->w[1], height = c->y[0] * c->y[1];
    for (int64_t plane = begin; plane < end; plane++)
        for (int64_t tap = 0; tap < taps; tap++)
            move_tap(job, tap / c->w[1], tap % c->w[1], job->planes + plane * c->x[0] * c->x[1] * size,
                     job->columns + (plane * taps + tap) * height * size);
}

void heed__unfold_run(const heed__conv *conv, const heed_tensor *planes, const heed_tensor *columns, bool fold)
{
    columns_job job = {*conv, planes->dtype, planes->data, columns->data, fold};
    const int64_t count = planes->shape.dims[0] * planes->shape.dims[1];
    if (planes->numel == 0 || columns->numel == 0)
        return;
    const int64_t work = columns->numel / count;
    heed__parallel_for(count, work < 32768 ? 32768 / work : 1, work, move_planes, &job);
}
