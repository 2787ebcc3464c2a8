/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "state.h"

/* Tags of memory requests: an MSHR, or a write-back. */
#define TAG_WRITE_BACK (UINT64_C(1) << 32)

uint32_t slice_has_write_back_room(const struct slice *slice)
{
    return slice->write_backs_used + slice->mshrs_used < slice->write_back_count;
}

/* Reads and writes leave in the order in which they are put here: a line that was evicted and is fetched again is
 * written before it is read. */
static void put(struct slice *slice, hd_packet *packet)
{
    packet->source = (uint16_t)slice->services->endpoint;
    packet->argument = HD_LINE_BYTES;
    slice->memory_queue[(slice->memory_first + slice->memory_count) % slice->memory_ring] = packet;
    slice->memory_count++;
}

void slice_fetch(struct slice *slice, const struct mshr *mshr)
{
    hd_packet *packet = slice->services->alloc(slice->services->context, 0);
    packet->message = slice->message.read;
    packet->address = mshr->address;
    packet->tag = (uint64_t)(mshr - slice->mshrs);
    packet->traffic_class = mshr->targets[0]->traffic_class;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    put(slice, packet);
}

static struct write_back *take_write_back(struct slice *slice)
{
    struct write_back *write_back = slice->write_backs;
    while (write_back->number != UINT64_MAX)
        write_back++;
    slice->write_backs_used++;
    write_back->number = slice->eviction++;
    return write_back;
}

void slice_write_back(struct slice *slice, const struct line *line)
{
    struct write_back *write_back = take_write_back(slice);
    write_back->address = line->address;
    memcpy(write_back->data, line->data, HD_LINE_BYTES);

    hd_packet *packet = slice->services->alloc(slice->services->context, HD_LINE_BYTES);
    packet->message = slice->message.write;
    packet->address = line->address;
    packet->tag = TAG_WRITE_BACK | (uint64_t)(write_back - slice->write_backs);
    packet->traffic_class = line->address < HD_PHYSICAL_CONTEXT_BASE ? HD_CLASS_GLOBAL : HD_CLASS_PRIVATE;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + HD_LINE_BYTES;
    packet->body_bytes = HD_LINE_BYTES;
    memcpy(hd_body(packet), line->data, HD_LINE_BYTES);
    slice->statistics[STATISTIC_WRITE_BACKS]++;
    put(slice, packet);
}

void slice_send_memory(struct slice *slice, hd_time t)
{
    const hd_services *services = slice->services;
    if (!slice->memory_count)
        return;
    slice->memory_awaits_credit = services->credits(services->context, slice->memory_out, t) == 0;
    if (slice->memory_awaits_credit)
        return;
    services->send(services->context, slice->memory_out, slice->memory_queue[slice->memory_first], t);
    slice->memory_first = slice->memory_first + 1 == slice->memory_ring ? 0 : slice->memory_first + 1;
    slice->memory_count--;
}

static void fill(struct slice *slice, struct mshr *mshr, const void *data, uint64_t n, hd_time t)
{
    struct line *line = slice_install(slice, mshr->address);
    memcpy(line->data, data, HD_LINE_BYTES);
    slice->statistics[STATISTIC_FILLS]++;
    for (uint32_t i = 0; i < mshr->target_count; i++) {
        hd_packet *request = mshr->targets[i];
        const uint32_t cycles = slice_port_cycles(slice, request);
        slice_put_reply(slice, slice_execute(slice, line, request, t), cycles, n, t);
    }
    slice_release_mshr(slice, mshr);
}

void slice_take_response(struct slice *slice, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    hd_packet *packet = services->pop(services->context, slice->memory_in, t);
    slice->response_arrival = slice_arrival(slice, slice->memory_in);
    if (packet->argument != HD_STATUS_OK)
        services->fault(services->context, t, "%s: memory answers status %" PRIu32 " for line %#" PRIx64,
                        services->name, packet->argument, packet->address);
    if (packet->tag & TAG_WRITE_BACK) {
        slice->write_backs[packet->tag & ~TAG_WRITE_BACK].number = UINT64_MAX;
        slice->write_backs_used--;
    } else {
        static const uint8_t nothing[HD_LINE_BYTES];
        const uint32_t is_whole = packet->argument == HD_STATUS_OK && packet->body_bytes == HD_LINE_BYTES;
        fill(slice, &slice->mshrs[packet->tag], is_whole ? hd_body_const(packet) : nothing, n, t);
    }
    services->free(services->context, packet);
}
