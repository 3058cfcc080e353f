/* io/progress_curve.h - the losses of a run, in as many parts as a curve can show. */
#ifndef HEED_IO_PROGRESS_CURVE_H
#define HEED_IO_PROGRESS_CURVE_H

#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>

#define HEED__CURVE_PARTS 160

/* Means over stretches of equal length. When all parts are full, each two are made one, and stretches twice as long. */
typedef struct heed__progress_curve {
    double losses[HEED__CURVE_PARTS]; /* sums, one after the other */
    int64_t counts[HEED__CURVE_PARTS];
    int used;
    int64_t stretch; /* steps of a part; 0 before the first step */
    double first;    /* steps before those */
} heed__progress_curve;

/* Begins anew after so many steps of the run. */
void heed__curve_start(heed__progress_curve *curve, double steps_before);

void heed__curve_add(heed__progress_curve *curve, double loss);

/* Draws it as `rows` lines of at most `columns` columns; over `steps_each` steps an epoch, or in steps for 0. */
heed_status heed__curve_draw(const heed__progress_curve *curve, FILE *file, int rows, int columns, double steps_each);

/* Columns that a line may have without wrapping, `most` at most. */
int heed__line_columns(FILE *file, int most);

/* Columns that a curve of so many rows may have beside a line of text above it, in this terminal; 0: it has no room. */
int heed__curve_columns(FILE *file, int rows);

#endif
