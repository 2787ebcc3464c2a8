/* SPDX-License-Identifier: MIT */
#include "tx/kilo/logs.h"

/* The words of any lanes of an entry fit a packet. */
_Static_assert(HD_KILO_WORDS >= MAX_LANES, "a packet for each entry and partition");

static hd_packet *packet_to(const transactions *t, uint32_t warp, uint32_t message, uint32_t partition,
                            uint32_t body_bytes)
{
    hd_packet *packet = tx_packet(t, warp, message, 0, body_bytes);
    packet->destination = (uint16_t)memory_map(t->core.memory)->endpoints[partition];
    packet->unit = HD_DESTINATION_COMMIT_UNIT;
    return packet;
}

hd_packet *kilo_log_packet(const transactions *t, uint32_t warp, uint32_t message, uint32_t partition,
                           const hd_kilo_group *group, uint32_t resent, uint32_t words)
{
    const uint32_t bytes = (uint32_t)(sizeof(hd_kilo_log) + words * sizeof(hd_kilo_word));
    hd_packet *packet = packet_to(t, warp, message, partition, bytes);
    *(hd_kilo_log *)hd_body(packet) = (hd_kilo_log){.group = *group, .resent = resent};
    packet->argument = words;
    packet->wire_bytes += words * HD_KILO_WORD_WIRE_BYTES;
    t->core.counters->tx_logs++;
    memory_count_log(t->core.memory, packet->wire_bytes - HD_HEADER_WIRE_BYTES);
    return packet;
}

hd_packet *kilo_lanes_packet(const transactions *t, uint32_t warp, uint32_t message, uint32_t partition,
                             const hd_kilo_lanes *lanes, uint32_t mask_bytes)
{
    hd_packet *packet = packet_to(t, warp, message, partition, sizeof *lanes);
    *(hd_kilo_lanes *)hd_body(packet) = *lanes;
    packet->wire_bytes += mask_bytes;
    return packet;
}

/* The lanes of the entry that have a word, and where. */
static void find_words(kilo_log_walk *walk, const tx_log *log, uint64_t lanes, const hd_address_map *map)
{
    for (uint64_t left = log->mask[walk->entry] & lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (!kilo_log_has_word(log, walk->entry, lane))
            continue;
        walk->partition[lane] = (uint16_t)hd_partition_of(map, log->address[tx_log_at(log, walk->entry, lane)]);
        walk->left |= left & -left;
    }
}

uint32_t kilo_log_find(kilo_log_walk *walk, const tx_log *log, uint64_t lanes, const hd_address_map *map)
{
    for (; walk->entry < log->length; walk->entry++) {
        find_words(walk, log, lanes, map);
        if (walk->left)
            return 1;
    }
    return 0;
}

hd_packet *kilo_log_next(const transactions *t, uint32_t warp, kilo_log_walk *walk, const tx_log *log, uint32_t message,
                         const hd_kilo_group *group)
{
    const uint32_t partition = walk->partition[__builtin_ctzll(walk->left)];
    uint64_t lanes = 0;
    for (uint64_t left = walk->left; left; left &= left - 1)
        lanes |= walk->partition[__builtin_ctzll(left)] == partition ? left & -left : 0;
    hd_packet *packet = kilo_log_packet(t, warp, message, partition, group, 0, bits_count(lanes));
    hd_kilo_word *word = kilo_log_words(packet);
    for (uint64_t left = lanes; left; left &= left - 1)
        *word++ = kilo_log_word(log, walk->entry, (uint32_t)__builtin_ctzll(left));
    walk->left &= ~lanes;
    walk->entry += !walk->left;
    return packet;
}

void kilo_log_walk_transfer(kilo_log_walk *walk, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, walk->entry);
    HD_STATE_VALUE(stream, walk->left);
    HD_STATE_VALUE(stream, walk->partition);
}
