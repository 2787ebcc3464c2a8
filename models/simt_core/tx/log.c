/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdlib.h>

int tx_log_create(tx_log *log, uint32_t lanes, uint32_t capacity)
{
    const size_t words = (size_t)lanes * capacity;
    *log = (tx_log){.lanes = lanes, .capacity = capacity};
    log->mask = malloc(capacity * sizeof *log->mask);
    log->address = malloc(words * sizeof *log->address);
    log->value = malloc(words * sizeof *log->value);
    log->bytes = malloc(words * sizeof *log->bytes);
    log->sample = malloc(words * sizeof *log->sample);
    return log->mask && log->address && log->value && log->bytes && log->sample ? 0 : -1;
}

void tx_log_destroy(tx_log *log)
{
    free(log->mask);
    free(log->address);
    free(log->value);
    free(log->bytes);
    free(log->sample);
}

uint32_t tx_log_append(tx_log *log, uint64_t lanes)
{
    if (log->length == log->capacity)
        return TX_NO_ENTRY;
    log->mask[log->length] = lanes;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const size_t at = tx_log_at(log, log->length, (uint32_t)__builtin_ctzll(left));
        log->value[at] = log->bytes[at] = 0;
    }
    return log->length++;
}

/* Other lanes of an entry have nothing in it. */
static void transfer_words(tx_log *log, uint32_t entry, const hd_state_stream *stream)
{
    for (uint64_t left = log->mask[entry]; left; left &= left - 1) {
        const size_t at = tx_log_at(log, entry, (uint32_t)__builtin_ctzll(left));
        HD_STATE_VALUE(stream, log->address[at]);
        HD_STATE_VALUE(stream, log->value[at]);
        HD_STATE_VALUE(stream, log->bytes[at]);
        HD_STATE_VALUE(stream, log->sample[at]);
    }
}

void tx_log_transfer(tx_log *log, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "entries of a log", log->capacity);
    HD_STATE_VALUE(stream, log->length);
    HD_STATE_ARRAY(stream, log->mask, log->length);
    for (uint32_t entry = 0; entry < log->length; entry++)
        transfer_words(log, entry, stream);
}
