/* SPDX-License-Identifier: MIT */
/*
 * What blocks report of accesses (hd_accesses.h), and what ordering points say of writes by others than threads, put in one
 * order.
 *
 * Reports of one endpoint come from one thread at a time, those of one slice likewise; `drain` is called while all blocks
 * stand at one time. It hands out what has been reported since the last call, by (t, endpoint, order of reports), slices first.
 */
#ifndef HD_ACCESS_STREAM_H
#define HD_ACCESS_STREAM_H

#include "hd_accesses.h"
#include "hd_tap.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_ACCESS_WRITTEN 11u /* of a slice: bytes of a line are written, whoever does it */

/* A report. Addresses and values are those of the lanes that take part, one behind the other. */
typedef struct hd_access_record {
    hd_time t;
    uint64_t lanes;
    uint64_t block; /* which: hd_access_block_key; WRITTEN: address of the line */
    uint32_t endpoint;
    uint16_t kind; /* HD_ACCESS_* */
    uint16_t flags;
    uint32_t warp;
    uint32_t pc;
    uint32_t ticket;
    uint16_t warp_lanes;
    uint16_t bytes;
    uint32_t data_bytes; /* of what follows: addresses, then values; BEGIN: the hd_block_launch; WRITTEN: byte mask */
    uint32_t reserved;
} hd_access_record;

static inline const void *hd_access_data(const hd_access_record *record)
{
    return record + 1;
}

static inline uint32_t hd_access_lanes(const hd_access_record *record)
{
    return (uint32_t)__builtin_popcountll(record->lanes);
}

/* [i]: of lane number i of those that take part. */
static inline const uint32_t *hd_access_addresses(const hd_access_record *record)
{
    return hd_access_data(record);
}

/* Likewise; STORE only. */
static inline const uint32_t *hd_access_values(const hd_access_record *record)
{
    return hd_access_addresses(record) + hd_access_lanes(record);
}

/* A block of the run. */
static inline uint64_t hd_access_block_key(const hd_block_launch *launch)
{
    return (uint64_t)launch->grid.launch << 32 | (uint32_t)hd_block_number(launch);
}

typedef struct hd_access_stream hd_access_stream;

/* Never NULL. Endpoints are below endpoint_count. */
hd_access_stream *hd_access_stream_create(uint32_t endpoint_count, uint32_t slice_count);
void hd_access_stream_destroy(hd_access_stream *stream); /* NULL is allowed */

/* To be provided as HD_EXTENSION_ACCESSES. */
const hd_accesses *hd_access_stream_extension(hd_access_stream *stream);
/* To be attached to slice number `slice`, with this context. */
extern const hd_tap hd_access_tap;
hd_block *hd_access_stream_slice(hd_access_stream *stream, uint32_t slice);

/* Lent during the call. */
void hd_access_stream_drain(hd_access_stream *stream, void *context,
                            void (*take)(void *context, const hd_access_record *record));

#ifdef __cplusplus
}
#endif

#endif
