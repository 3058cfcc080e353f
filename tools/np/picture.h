/* tools/np/picture.h - draws the fit of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_PICTURE_H
#define HEED_NP_PICTURE_H

#include "np/table.h"

/* Draws a panel per column, with the other columns at their medians, or at their most frequent labels: the fit and its
 * interval, the density, or the probabilities of the classes. A fit with one column shows the rows, too. A density of
 * two columns of numbers or dates is a heatmap instead. Returns false after an error of the library. */
bool picture_draw(const settings *s, const table *t, const heed_np *fit);

#endif
