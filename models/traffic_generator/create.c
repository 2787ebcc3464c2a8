/* SPDX-License-Identifier: MIT */
/* A generator is made, bound, brought to its state after power-on, and taken apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "state.h"

#define PLACES_MAX (UINT64_C(1) << 24) /* that are written, of one footprint: two bytes each */

static uint32_t refuse(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *text)
{
    conflict->parameter = parameter;
    conflict->other = other;
    snprintf(conflict->text, sizeof conflict->text, "%s", text);
    return 0;
}

static uint32_t has_versions(const hd_value *values)
{
    return values[PARAMETER_REGION].u == REGION_OWN && values[PARAMETER_PATTERN].u != PATTERN_TRACE;
}

static uint32_t check_sizes(const hd_value *values, hd_conflict *conflict)
{
    const uint64_t bytes = values[PARAMETER_BYTES].u, footprint = values[PARAMETER_FOOTPRINT].u;
    if (bytes & (bytes - 1))
        return refuse(conflict, PARAMETER_BYTES, PARAMETER_BYTES, "bytes must be a power of two");
    if (footprint % HD_LINE_BYTES)
        return refuse(conflict, PARAMETER_FOOTPRINT, PARAMETER_FOOTPRINT, "footprint must be a multiple of 128 B");
    if (values[PARAMETER_STRIDE].u % bytes)
        return refuse(conflict, PARAMETER_STRIDE, PARAMETER_BYTES, "stride must be a multiple of bytes");
    if (has_versions(values) && values[PARAMETER_WRITES].u && footprint / bytes > PLACES_MAX)
        return refuse(conflict, PARAMETER_FOOTPRINT, PARAMETER_BYTES,
                      "a region of one's own with writes has at most 16777216 places of `bytes`");
    return 1;
}

uint32_t generator_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t base = values[PARAMETER_BASE].u;
    const uint32_t is_trace = values[PARAMETER_PATTERN].u == PATTERN_TRACE,
                   has_file = *values[PARAMETER_TRACE].text != 0;
    (void)clock;
    if (is_trace != has_file)
        return refuse(conflict, PARAMETER_TRACE, PARAMETER_PATTERN,
                      is_trace ? "pattern trace needs a file" : "only pattern trace reads a file");
    if (values[PARAMETER_WRITES].u + values[PARAMETER_ATOMICS].u > 100)
        return refuse(conflict, PARAMETER_WRITES, PARAMETER_ATOMICS, "writes and atomics are more than 100 percent");
    if (base % HD_LINE_BYTES || base < HD_GLOBAL_BASE)
        return refuse(conflict, PARAMETER_BASE, PARAMETER_BASE,
                      "base must be a multiple of 128, and not below global memory at 0x10000000");
    return check_sizes(values, conflict);
}

static int create_state(generator *self)
{
    const uint64_t limit = parameter_of(self, PARAMETER_OUTSTANDING);
    const uint64_t places = parameter_of(self, PARAMETER_FOOTPRINT) / parameter_of(self, PARAMETER_BYTES);
    self->requests = calloc(limit, sizeof *self->requests);
    self->free_tags = calloc(limit, sizeof *self->free_tags);
    self->positions = calloc(self->map->partitions, sizeof *self->positions);
    if (has_versions(self->values) && parameter_of(self, PARAMETER_WRITES)) {
        self->versions = calloc(places, sizeof *self->versions);
        if (!self->versions)
            return 0;
    }
    return self->requests && self->free_tags && self->positions;
}

/* What depends on the machine around it. */
static int check_place(generator *self, char *error, size_t error_bytes)
{
    const hd_services *services = self->services;
    const uint64_t footprint = parameter_of(self, PARAMETER_FOOTPRINT);
    const uint64_t before = parameter_of(self, PARAMETER_REGION) == REGION_OWN ? services->index : 0;
    uint32_t partition;
    self->base = parameter_of(self, PARAMETER_BASE) + before * footprint;
    if (parameter_of(self, PARAMETER_PATTERN) == PATTERN_TRACE)
        return trace_read(&self->trace, self->values[PARAMETER_TRACE].text, services->index, services->count, error,
                          error_bytes);
    if (self->base + footprint > HD_PHYSICAL_CONTEXT_BASE) {
        snprintf(error, error_bytes, "the footprint, 0x%llx to 0x%llx, leaves global memory, which ends at 0x%llx",
                 (unsigned long long)self->base, (unsigned long long)(self->base + footprint - 1),
                 (unsigned long long)HD_PHYSICAL_CONTEXT_BASE - 1);
        return 0;
    }
    if (parameter_of(self, PARAMETER_HOT_PARTITION) >= self->map->partitions) {
        snprintf(error, error_bytes, "hot_spot.partition is %llu; the machine has %u partitions",
                 (unsigned long long)parameter_of(self, PARAMETER_HOT_PARTITION), self->map->partitions);
        return 0;
    }
    if (!address_reset(self, &partition)) {
        snprintf(error, error_bytes, "partition %u holds nothing of the footprint of %llu bytes", partition,
                 (unsigned long long)footprint);
        return 0;
    }
    return 1;
}

hd_block *generator_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    generator *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    static const char *const names[MESSAGE_COUNT] = {[MESSAGE_LOAD] = HD_GLOBAL_LOAD,
                                                     [MESSAGE_STORE] = HD_GLOBAL_STORE,
                                                     [MESSAGE_ATOMIC] = HD_GLOBAL_ATOMIC,
                                                     [MESSAGE_CAPACITY] = HD_CORE_CAPACITY};
    self->services = services;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    memcpy(self->values, values, sizeof self->values);
    self->events = services->extension(services->context, HD_EXTENSION_TRACE);
    self->request_tracks =
        hd_trace_tracks(self->events, HD_TRACE_BLOCK, "request", (uint32_t)parameter_of(self, PARAMETER_OUTSTANDING));
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = services->message(services->context, names[i]);
    if (!create_state(self)) {
        snprintf(error, error_bytes, "out of memory");
        generator_destroy((hd_block *)self);
        return NULL;
    }
    if (!check_place(self, error, error_bytes)) {
        generator_destroy((hd_block *)self);
        return NULL;
    }
    return (hd_block *)self;
}

void generator_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    generator *self = (generator *)block;
    (void)element;
    switch (port) {
    case PORT_REQUEST: self->request_out = out; break;
    case PORT_REPLY: self->reply_in = in; break;
    case PORT_DISPATCH: self->dispatch_in = in; break;
    case PORT_EVENT: self->event_out = out; break;
    default: break;
    }
}

void generator_reset(hd_block *block)
{
    generator *self = (generator *)block;
    const uint32_t limit = (uint32_t)parameter_of(self, PARAMETER_OUTSTANDING);
    uint32_t partition;
    hd_cursor_init(&self->cursor, self->services->clock);
    self->accounted = self->made = self->period = self->credit = self->free_from = 0;
    self->shown_outstanding = self->outstanding = self->waits_for_credit = self->capacity_sent = self->stopped = 0;
    memset(self->counters, 0, sizeof self->counters);
    memset(self->requests, 0, limit * sizeof *self->requests);
    for (uint32_t i = 0; i < limit; i++)
        self->free_tags[i] = limit - 1 - i;
    if (self->versions)
        memset(self->versions, 0,
               parameter_of(self, PARAMETER_FOOTPRINT) / parameter_of(self, PARAMETER_BYTES) * sizeof *self->versions);
    if (parameter_of(self, PARAMETER_PATTERN) != PATTERN_TRACE)
        address_reset(self, &partition);
    generate_next(self);
}

void generator_destroy(hd_block *block)
{
    generator *self = (generator *)block;
    if (!self)
        return;
    trace_free(&self->trace);
    free(self->requests);
    free(self->free_tags);
    free(self->positions);
    free(self->versions);
    free(self);
}
