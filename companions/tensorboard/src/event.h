/* tensorboard/src/event.h - writes events as records.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_EVENT_H
#define HEED_TENSORBOARD_EVENT_H

#include <event.pb-c.h>

#include "log.h"

/* protobuf-c only reads the strings and bytes that it packs, but declares its fields without const. */
#define HEED__TB_READ(type, pointer) ((type *)(uintptr_t)(pointer))

/* Sets the event's wall_time to now and writes it. */
heed_status heed__tb_write(heed_tensorboard *log, const char *where, Heed__Tb__Event *event);

/* Writes an event with a value, whose tag is set to `name`. */
heed_status heed__tb_write_value(heed_tensorboard *log, const char *where, const char *name, int64_t step,
                                 Heed__Tb__Value *value);

#endif
