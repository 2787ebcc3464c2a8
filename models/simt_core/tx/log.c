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
