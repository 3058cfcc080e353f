/* tensorboard/event.h - events as records. */
#ifndef HEED_TENSORBOARD_EVENT_H
#define HEED_TENSORBOARD_EVENT_H

#include <event.pb-c.h>

#include "tensorboard/log.h"

/* Protocol Buffers' library reads what is to be packed, and takes it without const. */
#define HEED__TB_READ(type, pointer) ((type *)(uintptr_t)(pointer))

/* Writes an event, whose wall_time is set to now. */
heed_status heed__tb_write(heed_tensorboard *log, const char *where, Heed__Tb__Event *event);

/* Writes the event of a value, whose tag is set to `name`. */
heed_status heed__tb_write_value(heed_tensorboard *log, const char *where, const char *name, int64_t step,
                                 Heed__Tb__Value *value);

#endif
