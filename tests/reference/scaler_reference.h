/* tests/reference/scaler_reference.h - written by scaler_reference.py with Python 3.11.2.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SCALER_REFERENCE_H
#define SCALER_REFERENCE_H

#include <math.h>

#define SCALER_ROWS 25
#define SCALER_COLUMNS 5

static const double scaler_x[SCALER_ROWS][SCALER_COLUMNS] = {
    {0x1.8a758902bbcadp+1, 0x1.954fc53600000p+30, -0x1.a7dfb59d9850cp-42, 0x1.999999999999ap-4, (double)NAN},
    {0x1.f7016b908a534p+1, 0x1.954fc4ac80000p+30, 0x1.2a98f1bb32b6ep-41, 0x1.999999999999ap-4, -0x1.2a7844aeedcafp-2},
    {0x1.0a02997521efcp+1, 0x1.954fc55780000p+30, -0x1.57422f9f68ccbp-41, 0x1.999999999999ap-4, 0x1.1ebcbf2583780p-2},
    {0x1.da45acea3c261p+1, 0x1.954fc4c680000p+30, -0x1.577c147feed2cp-43, 0x1.999999999999ap-4, 0x1.ad63cf1faa0ffp-1},
    {0x1.368cc5af628cep+2, 0x1.954fc50300000p+30, -0x1.dcec543fbad53p-42, 0x1.999999999999ap-4, (double)NAN},
    {0x1.e94b0da989f19p+1, 0x1.954fc47f00000p+30, -0x1.b5ffa047a8fdap-44, 0x1.999999999999ap-4, 0x1.ac1d696e9981ap-1},
    {0x1.87f1b8762ac29p+2, 0x1.954fc45b00000p+30, -0x1.2c5c9a79ffb11p-41, 0x1.999999999999ap-4, -0x1.5400d361651f8p+0},
    {0x1.3ad74c0401dfap+0, 0x1.954fc47e80000p+30, -0x1.0e9ab003fc341p-41, 0x1.999999999999ap-4, -0x1.d0d8628f5108fp-3},
    {0x1.9140730720e03p+1, 0x1.954fc4f200000p+30, 0x1.4ed513813c9b6p-41, 0x1.999999999999ap-4, (double)NAN},
    {0x1.96edc058870b0p+0, 0x1.954fc48f00000p+30, -0x1.d7aac718fc104p-41, 0x1.999999999999ap-4, 0x1.4d314be595cf0p+0},
    {0x1.6ecd8521b14f1p+0, 0x1.954fc42d80000p+30, -0x1.503db6b7bcd5dp-44, 0x1.999999999999ap-4, 0x1.52752e445eae3p-2},
    {0x1.50eeaa233250ap+1, 0x1.954fc5e380000p+30, 0x1.180d44b3dc347p-40, 0x1.999999999999ap-4, -0x1.8e4f8730d3f3ap-2},
    {0x1.b8a6062db8d83p+1, 0x1.954fc5de80000p+30, 0x1.53f822da54fa3p-45, 0x1.999999999999ap-4, (double)NAN},
    {0x1.eb4228e6168ecp+1, 0x1.954fc5a280000p+30, 0x1.4d43161bdfa11p-42, 0x1.999999999999ap-4, 0x1.8530fad52affbp-1},
    {0x1.010a9b80819d2p+2, 0x1.954fc5bb00000p+30, 0x1.c456b2a2f624fp-42, 0x1.999999999999ap-4, -0x1.5345ff898ad71p-2},
    {0x1.ddea3a563c0d0p+2, 0x1.954fc5e200000p+30, -0x1.8f9fb1c044d9ep-41, 0x1.999999999999ap-4, 0x1.daffbc157fe07p-1},
    {0x1.2e686987944e0p+2, 0x1.954fc51800000p+30, 0x1.8750aa066b365p-42, 0x1.999999999999ap-4, (double)NAN},
    {-0x1.832f7c89095c0p-3, 0x1.954fc5ae00000p+30, -0x1.e8259a61bb516p-41, 0x1.999999999999ap-4, 0x1.35357bdcd0c32p-3},
    {0x1.b452052260553p+1, 0x1.954fc49980000p+30, 0x1.d1986e86b1701p-41, 0x1.999999999999ap-4, 0x1.1f24e79deefecp+1},
    {0x1.c1017aa6bc351p+0, 0x1.954fc40380000p+30, 0x1.300937229b1a4p-42, 0x1.999999999999ap-4, 0x1.48189d997a152p+0},
    {0x1.f7efec9a3d55fp+0, 0x1.954fc5d100000p+30, -0x1.09072cd30135cp-43, 0x1.999999999999ap-4, (double)NAN},
    {0x1.67326cc76cbc1p+2, 0x1.954fc49500000p+30, -0x1.641e375fd994ep-41, 0x1.999999999999ap-4, -0x1.5576e344749a8p-2},
    {0x1.46ed878341a45p+1, 0x1.954fc52500000p+30, -0x1.2092367760b13p-43, 0x1.999999999999ap-4, 0x1.76518fe7e490cp+0},
    {-0x1.ce1c976d31850p-1, 0x1.954fc56880000p+30, 0x1.8fc751731111cp-43, 0x1.999999999999ap-4, -0x1.a52d99b833c05p-2},
    {0x1.cf82a375c4ba2p+1, 0x1.954fc5c380000p+30, 0x1.2eb6e10672b3ep-42, 0x1.999999999999ap-4, (double)NAN},
};
static const double scaler_mean[SCALER_COLUMNS] = {0x1.941f09ee66e54p+1, 0x1.954fc51600000p+30, -0x1.d29ba9caddfbep-45,
                                                   0x1.999999999999ap-4, 0x1.93fae2173c673p-2};
static const double scaler_std[SCALER_COLUMNS] = {0x1.d44d341e458edp+0, 0x1.28f477589d184p+5, 0x1.1d648d35c4d32p-41,
                                                  0x1.0000000000000p+0, 0x1.b66e40db7ed72p-1};

#endif
