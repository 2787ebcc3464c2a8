/* SPDX-License-Identifier: MIT */
/* The bytes of states, and streams (hd_state.h) that write them or read them. */
#ifndef HD_STATE_BYTES_H
#define HD_STATE_BYTES_H

#include "hd_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that grow at their end and are read from their beginning. Zero is an empty one. */
typedef struct state_bytes {
    uint8_t *data;
    size_t count;
    size_t capacity;
    size_t at;         /* of the next to be read */
    uint32_t is_short; /* more was to be read than there is: what was read then is zero */
    uint32_t reserved;
} state_bytes;

void state_bytes_release(state_bytes *bytes);
void state_bytes_add(state_bytes *bytes, const void *data, size_t count);
void state_bytes_take(state_bytes *bytes, void *data, size_t count);
/* The next `count` where they lie; NULL: there are not so many. */
const uint8_t *state_bytes_skip(state_bytes *bytes, size_t count);

void state_bytes_add_number(state_bytes *bytes, uint64_t number);
uint64_t state_bytes_take_number(state_bytes *bytes);
void state_bytes_add_text(state_bytes *bytes, const char *text);
/* Up to its terminating zero, where it lies; "" if there is none. */
const char *state_bytes_take_text(state_bytes *bytes);

/* Streams of plain values, which carry no packets and pass over shapes. */
hd_state_stream state_bytes_saved_by(state_bytes *bytes);
hd_state_stream state_bytes_restored_from(state_bytes *bytes);

#ifdef __cplusplus
}
#endif

#endif
