/* SPDX-License-Identifier: MIT */
/* The channel as it is between two calls (hd_state.h). */
#include "state.h"

/* Banks and rows of requests follow from it: equal ones have equal numbers. */
static uint64_t number_of(const struct dram_mapping *mapping)
{
    uint64_t number = mapping->run_bytes;
    for (uint32_t i = 0; i < mapping->piece_count + mapping->hash_count; i++) {
        const struct dram_piece *piece =
            i < mapping->piece_count ? &mapping->pieces[i] : &mapping->hashes[i - mapping->piece_count];
        const uint64_t places = (uint64_t)piece->field << 16 | (uint64_t)piece->from << 8 | piece->to;
        number = (number ^ piece->mask ^ places << 40) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return number;
}

static void transfer_shape(const struct dram *dram, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "banks", dram->device.bank_count);
    HD_STATE_SHAPE(stream, "bank groups", dram->device.group_count);
    HD_STATE_SHAPE(stream, "bytes of a burst", dram->burst_bytes);
    HD_STATE_SHAPE(stream, "requests of the queue", dram->queue_size);
    HD_STATE_SHAPE(stream, "partitions of the channel", dram->partitions);
    HD_STATE_SHAPE(stream, "hash of the mapping of addresses", number_of(&dram->mapping));
}

static void transfer_device(struct dram_device *device, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, device->banks);
    HD_STATE_VALUE(stream, device->groups);
    HD_STATE_VALUE(stream, device->channel);
    HD_STATE_VALUE(stream, device->activates);
    HD_STATE_VALUE(stream, device->activate_count);
    HD_STATE_VALUE(stream, device->refresh_due);
    HD_STATE_VALUE(stream, device->refreshes);
}

static void transfer_entry(struct entry *entry, const hd_state_stream *stream)
{
    struct entry value = *entry;
    hd_packet *packet = entry->packet;
    value.packet = NULL;
    HD_STATE_VALUE(stream, value);
    hd_state_packet(stream, &packet);
    *entry = value;
    entry->packet = packet;
}

static void transfer_queue(struct dram *dram, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, dram->count);
    HD_STATE_VALUE(stream, dram->oldest);
    HD_STATE_VALUE(stream, dram->youngest);
    HD_STATE_VALUE(stream, dram->served);
    HD_STATE_VALUE(stream, dram->slots_used);
    HD_STATE_VALUE(stream, dram->slots_held);
    for (uint32_t slot = 0; slot < DRAM_QUEUE; slot++)
        if (dram->slots_used >> slot & 1)
            transfer_entry(&dram->entries[slot], stream);
    HD_STATE_VALUE(stream, dram->regions);
    HD_STATE_VALUE(stream, dram->queues);
}

static void transfer_choices(struct dram *dram, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, dram->due);
    HD_STATE_VALUE(stream, dram->column_banks);
    HD_STATE_VALUE(stream, dram->row_banks);
    HD_STATE_VALUE(stream, dram->activate_banks);
    HD_STATE_VALUE(stream, dram->chosen_full_ports);
    HD_STATE_VALUE(stream, dram->is_unchosen);
    HD_STATE_VALUE(stream, dram->only);
    HD_STATE_VALUE(stream, dram->last_column);
    HD_STATE_VALUE(stream, dram->command_edge);
}

static void transfer_rows(struct dram *dram, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, dram->pages);
    HD_STATE_VALUE(stream, dram->row_bytes);
    HD_STATE_VALUE(stream, dram->closed_by_refresh);
    HD_STATE_VALUE(stream, dram->refreshes_counted);
    HD_STATE_VALUE(stream, dram->bank_busy);
    HD_STATE_VALUE(stream, dram->busy);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    struct dram *dram = (struct dram *)block;
    transfer_shape(dram, stream);
    dram_front_transfer(&dram->front, stream);
    HD_STATE_VALUE(stream, dram->cursor);
    transfer_device(&dram->device, stream);
    transfer_queue(dram, stream);
    transfer_choices(dram, stream);
    transfer_rows(dram, stream);
    HD_STATE_VALUE(stream, dram->statistics);
}

const hd_state dram_state = {.transfer = transfer};
