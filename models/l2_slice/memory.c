/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "parts.h"

uint32_t slice_has_write_back_room(const struct slice *slice)
{
    return slice->write_backs_used + slice->mshrs.in_use < slice->write_back_count;
}

/* A line that was evicted and is fetched again is written before it is read. */
void slice_put_memory(struct slice *slice, hd_packet *packet, uint64_t address, uint32_t bytes)
{
    packet->source = (uint16_t)slice->services->endpoint;
    packet->address = address;
    packet->argument = bytes;
    slice->memory_queue[hd_ring_push(&slice->memory_ring)] = packet;
}

void slice_fetch(struct slice *slice, struct miss *miss, uint8_t sectors, uint32_t traffic_class)
{
    miss->pending |= sectors;
    while (sectors) {
        const cache_run run = slice->fill == FILL_SECTORS ? cache_take_sector(&sectors) : cache_take_run(&sectors);
        /* Memory answers in the same packet if there is room for the data. */
        hd_packet *packet = slice->services->alloc(slice->services->context, run.count << slice->sector_shift);
        packet->body_bytes = 0;
        packet->message = slice->message.read;
        packet->tag = slice_mshr_of(slice, miss) | (uint64_t)run.first << TAG_SECTOR_SHIFT |
                      (uint64_t)run.count << (TAG_SECTOR_SHIFT + 4);
        packet->traffic_class = traffic_class;
        packet->wire_bytes = HD_HEADER_WIRE_BYTES;
        slice_put_memory(slice, packet, miss->line.address + (run.first << slice->sector_shift),
                         run.count << slice->sector_shift);
    }
}

static struct write_back *take_write_back(struct slice *slice)
{
    struct write_back *write_back = slice->write_backs;
    while (write_back->number != UINT64_MAX)
        write_back++;
    slice->write_backs_used++;
    write_back->number = slice->eviction++;
    write_back->awaited = 0;
    return write_back;
}

static void write_run(struct slice *slice, const struct line *line, cache_run run, uint64_t tag)
{
    const uint32_t begin = run.first << slice->sector_shift;
    const uint32_t bytes = run.count << slice->sector_shift;
    const uint32_t enables = line->partial & cache_sectors_of_run(run) ? bytes : 0; /* one for each byte */
    hd_packet *packet = slice->services->alloc(slice->services->context, bytes + enables);
    packet->message = slice->message.write;
    packet->tag = tag;
    packet->traffic_class = line->address < HD_PHYSICAL_CONTEXT_BASE ? HD_CLASS_GLOBAL : HD_CLASS_PRIVATE;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    packet->body_bytes = bytes + enables;
    memcpy(hd_body(packet), &line->data[begin], bytes);
    if (enables) {
        slice_enable_bytes(slice, line, begin, bytes, (uint8_t *)hd_body(packet) + bytes);
        slice->statistics[STATISTIC_PARTIAL_WRITE_BACKS]++;
    }
    slice->statistics[STATISTIC_WRITE_BACKS]++;
    slice->statistics[STATISTIC_BYTES_WRITTEN_BACK] += bytes;
    slice_put_memory(slice, packet, line->address + begin, bytes);
}

void slice_write_back(struct slice *slice, struct line *line)
{
    struct write_back *write_back = take_write_back(slice);
    write_back->address = line->address;
    write_back->sectors = line->dirty;
    write_back->partial = line->partial;
    memcpy(write_back->written, line->written, sizeof line->written);
    memcpy(write_back->data, line->data, HD_LINE_BYTES);
    if (slice->fill_port == FILL_PORT_SHARED)
        slice_take_port(slice,
                        slice_cycles_for_bytes(slice, (uint32_t)__builtin_popcount(line->dirty) << slice->sector_shift),
                        slice->cursor.n);
    while (line->dirty) {
        const cache_run run = cache_take_run(&line->dirty);
        write_back->awaited++;
        write_run(slice, line, run, TAG_WRITE_BACK | (uint64_t)(write_back - slice->write_backs));
    }
}

void slice_send_memory(struct slice *slice, hd_time t)
{
    const hd_services *services = slice->services;
    slice->memory_awaits_credit = !hd_link_has_credit(services, slice->memory_out, t);
    if (slice->memory_awaits_credit)
        return;
    services->send(services->context, slice->memory_out, slice->memory_queue[hd_ring_pop(&slice->memory_ring)], t);
}
