/* SPDX-License-Identifier: MIT */
/* Where a block touches memory directly, the slice keeps no line: each request finds its line in memory (hd_direct.h). */
#include <inttypes.h>
#include <string.h>

#include "parts.h"

static uint8_t *find_bytes(struct slice *slice, uint64_t address)
{
    hd_direct_range *range = &slice->range;
    if (address - range->address >= range->length && !slice->direct->range(slice->direct->context, address, range)) {
        range->length = 0;
        return NULL;
    }
    return range->bytes + (address - range->address);
}

void slice_carry_out_directly(struct slice *slice, const struct access *access, const struct tapped_access *tapped,
                              uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    struct line line = {.address = line_address(access->request->address)};
    uint8_t *bytes = find_bytes(slice, line.address);
    if (bytes)
        memcpy(line.data, bytes, HD_LINE_BYTES);
    else
        services->fault(services->context, t, "%s: no block holds address %#" PRIx64, services->name, line.address);
    slice_carry_out(slice, &line, access, tapped, n, t);
    if (bytes && line.dirty)
        memcpy(bytes, line.data, HD_LINE_BYTES);
}
