/* SPDX-License-Identifier: MIT */
/* Which sectors of its line a request touches, and which of them it needs from memory. */
#include "parts.h"

/* Are these data bytes all written? */
static uint32_t writes_all(const hd_store *store, uint32_t first, uint32_t bytes)
{
    for (uint32_t i = first; i < first + bytes; i++)
        if (!(store->byte_mask[i / 32] >> i % 32 & 1))
            return 0;
    return 1;
}

static uint32_t writes_line(const hd_store *store)
{
    return (store->byte_mask[0] & store->byte_mask[1] & store->byte_mask[2] & store->byte_mask[3]) == UINT32_MAX;
}

/* Sectors that a store does not write as a whole, of those that it touches. */
static uint8_t kept_by_store(const struct slice *slice, const hd_packet *request, uint8_t touches)
{
    const hd_store *store = hd_body_const(request);
    if (request->argument == HD_LINE_BYTES && writes_line(store))
        return 0;
    const uint32_t offset = (uint32_t)(request->address % HD_LINE_BYTES);
    const uint32_t bytes = 1u << slice->sector_shift;
    uint8_t kept = touches;
    for (uint8_t left = touches; left; left &= (uint8_t)(left - 1)) {
        const uint32_t sector = (uint32_t)__builtin_ctz(left);
        const uint32_t begin = sector << slice->sector_shift;
        if (begin >= offset && begin + bytes <= offset + request->argument && writes_all(store, begin - offset, bytes))
            kept &= (uint8_t) ~(1u << sector);
    }
    return kept;
}

static uint8_t sectors_of_atomic(const struct slice *slice, const hd_packet *request)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    uint8_t touched = 0;
    for (uint32_t i = 0; i < request->argument; i++)
        touched |= (uint8_t)(1u << (operations[i].word * 4u >> slice->sector_shift));
    return touched;
}

struct access slice_access(const struct slice *slice, hd_packet *request)
{
    struct access access = {.request = request};
    if (request->message == slice->message.atomic) {
        access.touches = access.needs = sectors_of_atomic(slice, request);
        return access;
    }
    access.touches =
        cache_sectors_of_bytes((uint32_t)(request->address % HD_LINE_BYTES), request->argument, slice->sector_shift);
    access.needs = access.touches;
    if (request->message != slice->message.store)
        return access;
    access.needs = kept_by_store(slice, request, access.touches);
    if (slice->masks_writes) {
        access.partly = access.needs;
        access.needs = 0;
    }
    return access;
}
