/* SPDX-License-Identifier: MIT */
/* A burst: read from one side, held, written to the other. */
#include <string.h>

#include "state.h"

/* Of a fill, SIDES: nothing is read. */
static uint32_t source_of(const channel *of)
{
    static const uint32_t sources[] = {
        [HD_COPY_TO_DEVICE] = SIDE_HOST, [HD_COPY_FROM_DEVICE] = SIDE_DEVICE, [HD_COPY_FILL] = SIDES};
    return sources[of->copy.direction];
}

static uint32_t destination_of(const channel *of)
{
    return of->copy.direction == HD_COPY_FROM_DEVICE ? SIDE_HOST : SIDE_DEVICE;
}

static uint64_t address_of(const channel *of, uint32_t on, uint64_t offset)
{
    return offset + (on == SIDE_HOST ? of->copy.host_address : of->copy.device_address);
}

void bursts_free(dma *self, burst *at, channel *of)
{
    if (at->data)
        self->services->free(self->services->context, at->data);
    *at = (burst){.state = BURST_FREE};
    of->under_way--;
    self->bursts_under_way--;
}

void bursts_refuse(dma *self, channel *of, uint32_t status, uint64_t address)
{
    if (of->status == HD_STATUS_OK) {
        of->status = status;
        of->refused_address = address;
    }
    for (uint32_t i = 0; i < self->outstanding; i++)
        if (of->bursts[i].state == BURST_READ)
            bursts_free(self, &of->bursts[i], of);
}

/* Can the next burst begin? */
static uint32_t may_begin(const dma *self, const channel *of)
{
    return self->cursor.n >= of->start && of->status == HD_STATUS_OK && of->issued < of->copy.bytes &&
           of->under_way < self->outstanding;
}

/* The held burst of the lowest address; NULL: none. */
static burst *to_write(const dma *self, const channel *of)
{
    burst *first = NULL;
    for (uint32_t i = 0; i < self->outstanding && of->under_way; i++) {
        burst *at = &of->bursts[i];
        if (at->state == BURST_READ && (!first || at->offset < first->offset))
            first = at;
    }
    return first;
}

uint32_t bursts_can_send(const dma *self, const channel *of, uint32_t to)
{
    if (!of->is_busy)
        return 0;
    if (of->copy.direction == HD_COPY_FILL)
        return to == SIDE_DEVICE && may_begin(self, of);
    return source_of(of) == to ? may_begin(self, of) : to_write(self, of) != NULL;
}

static hd_packet *new_access(dma *self, uint32_t channel, const burst *at, uint32_t to, uint32_t is_write)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, is_write ? at->bytes : 0);
    packet->message = self->messages[is_write ? MESSAGE_WRITE : MESSAGE_READ];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->tag = (uint64_t)(at - self->bursts);
    packet->address = address_of(&self->channels[channel], to, at->offset);
    packet->argument = at->bytes;
    packet->body_bytes = is_write ? at->bytes : 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
    return packet;
}

static burst *begin(dma *self, channel *of)
{
    burst *at = of->bursts;
    while (at->state != BURST_FREE)
        at++;
    const uint64_t address = of->copy.device_address + of->issued, left = of->copy.bytes - of->issued;
    const uint32_t room = self->burst_bytes - (uint32_t)(address % self->burst_bytes);
    *at = (burst){.state = BURST_READING, .bytes = left < room ? (uint32_t)left : room, .offset = of->issued};
    of->issued += at->bytes;
    of->under_way++;
    self->bursts_under_way++;
    dma_maximum(self, STATISTIC_MAX_BURSTS, self->bursts_under_way);
    return at;
}

static hd_packet *read_next(dma *self, uint32_t number)
{
    channel *of = &self->channels[number];
    return new_access(self, number, begin(self, of), source_of(of), 0);
}

static hd_packet *fill_next(dma *self, uint32_t number)
{
    channel *of = &self->channels[number];
    burst *at = begin(self, of);
    hd_packet *packet = new_access(self, number, at, SIDE_DEVICE, 1);
    memset(hd_body(packet), (int)(of->copy.host_address & 0xFF), at->bytes);
    at->state = BURST_WRITING;
    return packet;
}

static hd_packet *write_next(dma *self, uint32_t number)
{
    const hd_services *s = self->services;
    channel *of = &self->channels[number];
    burst *at = to_write(self, of);
    hd_packet *packet = new_access(self, number, at, destination_of(of), 1);
    memcpy(hd_body(packet), hd_body_const(at->data), at->bytes);
    s->free(s->context, at->data);
    at->data = NULL;
    at->state = BURST_WRITING;
    return packet;
}

hd_packet *bursts_next(dma *self, uint32_t number, uint32_t to)
{
    const channel *of = &self->channels[number];
    const uint32_t is_read = source_of(of) == to;
    self->counters[is_read ? (to == SIDE_HOST ? STATISTIC_HOST_READS : STATISTIC_DEVICE_READS)
                           : (to == SIDE_HOST ? STATISTIC_HOST_WRITES : STATISTIC_DEVICE_WRITES)]++;
    if (of->copy.direction == HD_COPY_FILL)
        return fill_next(self, number);
    return is_read ? read_next(self, number) : write_next(self, number);
}

/* Is this the answer to the access of the burst at that side? */
static uint32_t is_answer(const channel *of, const burst *at, uint32_t from, const hd_packet *answer)
{
    const uint32_t awaited = source_of(of) == from ? BURST_READING : BURST_WRITING;
    if (!of->is_busy || at->state != awaited || (awaited == BURST_WRITING && destination_of(of) != from))
        return 0;
    return at->state == BURST_WRITING || answer->argument != HD_STATUS_OK || answer->body_bytes == at->bytes;
}

static void count_written(dma *self, const channel *of, const burst *at)
{
    static const uint32_t statistics[] = {[HD_COPY_TO_DEVICE] = STATISTIC_BYTES_TO_DEVICE,
                                          [HD_COPY_FROM_DEVICE] = STATISTIC_BYTES_FROM_DEVICE,
                                          [HD_COPY_FILL] = STATISTIC_BYTES_FILLED};
    self->counters[statistics[of->copy.direction]] += at->bytes;
}

uint32_t bursts_take(dma *self, uint32_t from, hd_packet *answer)
{
    const hd_services *s = self->services;
    const uint64_t tag = answer->tag;
    const uint32_t exists = tag < (uint64_t)self->channel_count * self->outstanding;
    channel *of = exists ? &self->channels[tag / self->outstanding] : NULL;
    burst *at = exists ? &self->bursts[tag] : NULL;
    if (!exists || !is_answer(of, at, from, answer)) {
        s->free(s->context, answer);
        return 0;
    }
    if (answer->argument == HD_STATUS_OK && at->state == BURST_READING && of->status == HD_STATUS_OK) {
        at->data = answer;
        at->state = BURST_READ;
        return 1;
    }
    if (answer->argument != HD_STATUS_OK)
        bursts_refuse(self, of, answer->argument, address_of(of, from, at->offset));
    else if (at->state == BURST_WRITING)
        count_written(self, of, at);
    bursts_free(self, at, of);
    s->free(s->context, answer);
    return 1;
}
