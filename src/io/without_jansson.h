/* io/without_jansson.h - the error message of functions that read or write JSON if HEED_NO_JANSSON is defined.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_WITHOUT_JANSSON_H
#define HEED_IO_WITHOUT_JANSSON_H

#define HEED_WITHOUT_JANSSON "heed was built without jansson (HEED_NO_JANSSON), which reads and writes JSON"

#endif
