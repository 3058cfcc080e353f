/* bench/one_op.c - the smallest program: (torch.ones(2) + 1).sum().item().
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

int main(void)
{
    return heed_item(heed_sum(heed_add_scalar(heed_ones(HEED_F32, HEED_SHAPE(2)), 1.0))) == 4.0 ? 0 : 1;
}
