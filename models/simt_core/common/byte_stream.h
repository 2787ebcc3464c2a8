/* SPDX-License-Identifier: MIT */
/*
 * Numbers to bytes and back, little-endian, at fixed places. One function serves both ways, so that what reads a layout
 * is what has written it. A stream without bytes only counts.
 */
#ifndef SIMT_CORE_BYTE_STREAM_H
#define SIMT_CORE_BYTE_STREAM_H

#include <stdint.h>

typedef struct byte_stream {
    const uint8_t *from; /* reading: the bytes */
    uint8_t *to;         /* writing: where they go; NULL = count */
    uint64_t capacity;
    uint64_t at;        /* bytes passed so far */
    uint32_t too_short; /* 1: an access went beyond capacity; it read zeros or wrote nothing */
} byte_stream;

static inline byte_stream byte_stream_counter(void)
{
    return (byte_stream){.capacity = UINT64_MAX};
}

static inline byte_stream byte_stream_writer(void *to, uint64_t bytes)
{
    return (byte_stream){.to = to, .capacity = bytes};
}

static inline byte_stream byte_stream_reader(const void *from, uint64_t bytes)
{
    return (byte_stream){.from = from, .capacity = bytes};
}

static inline void byte_stream_bytes(byte_stream *s, uint8_t *value, uint64_t count)
{
    const uint32_t fits = count <= s->capacity - s->at;
    s->too_short |= !fits;
    for (uint64_t i = 0; i < count && s->from; i++)
        value[i] = fits ? s->from[s->at + i] : 0;
    for (uint64_t i = 0; i < count && s->to && fits; i++)
        s->to[s->at + i] = value[i];
    s->at += fits ? count : 0;
}

static inline void byte_stream_u32(byte_stream *s, uint32_t *value)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(*value >> 8 * i);
    byte_stream_bytes(s, bytes, sizeof bytes);
    *value = 0;
    for (uint32_t i = 0; i < 4; i++)
        *value |= (uint32_t)bytes[i] << 8 * i;
}

static inline void byte_stream_u64(byte_stream *s, uint64_t *value)
{
    uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
    byte_stream_u32(s, &low);
    byte_stream_u32(s, &high);
    *value = (uint64_t)high << 32 | low;
}

#endif
