/* tensorboard/src/event.c - writes events as TFRecord records: the length in 8 bytes, its checksum, the event, its
 * checksum; all numbers are little-endian.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "event.h"

#include <stdint.h>
#include <time.h>

#include <heed/memory.h>

#include "crc32c.h"
#include "file.h"

enum { LENGTH = 8, CHECKSUM = 4, HEADER = LENGTH + CHECKSUM };

static void write_number(uint8_t *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

heed_status heed__tb_write(heed_tensorboard *log, const char *where, Heed__Tb__Event *event)
{
    struct timespec time = {0};
    (void)timespec_get(&time, TIME_UTC);
    event->wall_time = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
    const size_t size = protobuf_c_message_get_packed_size(&event->base);
    if (size > HEED__TB_MAX_BYTES)
        return heed_fail(HEED_ERR_UNSUPPORTED, where, "the event has %zu bytes: must be at most %zu", size,
                         HEED__TB_MAX_BYTES);
    const size_t record_size = HEADER + size + CHECKSUM;
    uint8_t *record = heed_alloc(record_size);
    if (!record)
        return HEED_ERR_NOMEM;
    write_number(record, size, LENGTH);
    write_number(record + LENGTH, heed__crc32c_masked(record, LENGTH), CHECKSUM);
    (void)protobuf_c_message_pack(&event->base, record + HEADER);
    write_number(record + HEADER + size, heed__crc32c_masked(record + HEADER, size), CHECKSUM);
    const heed_status status = heed__tb_append(log, where, record, record_size);
    heed_free(record, record_size);
    return status;
}

heed_status heed__tb_write_value(heed_tensorboard *log, const char *where, const char *name, int64_t step,
                                 Heed__Tb__Value *value)
{
    value->tag = HEED__TB_READ(char, name);
    Heed__Tb__Summary summary;
    heed__tb__summary__init(&summary);
    summary.n_values = 1;
    summary.values = &value;
    Heed__Tb__Event event;
    heed__tb__event__init(&event);
    event.step = step;
    event.what_case = HEED__TB__EVENT__WHAT_SUMMARY;
    event.summary = &summary;
    return heed__tb_write(log, where, &event);
}
