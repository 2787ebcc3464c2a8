/* SPDX-License-Identifier: MIT */
/*
 * One channel with the test as its initiator: links of one cycle, a cycle of 1000 ps, one partition. Timing is the
 * standard one, but the controller's pipeline is short and there is no refresh unless a test asks for them.
 */
#ifndef DRAM_BENCH_H
#define DRAM_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "dram.h"
#include "kit.h"

enum { ACCESS };
enum { CYCLE = 1000, LINK = 1, LATENCY = 10 };
enum { BURST = 2, BURST_BYTES = 64, TCL = 12, TCWL = 4, TRCD = 12, TRP = 12, TRAS = 28, TRC = 40, TRRD_S = 6 };
enum { TCCD_S = 2, TCCD_L = 3, TWR = 12, TWTR = 5, TRTP = 2, TURNAROUND = 2 };
enum { BANKS = 16, INTERLEAVE = 256, ROW_BYTES = 2048, ROW_STRIDE = BANKS * ROW_BYTES, LINE = 128 };

static inline kit_block *make_with(const char *const *parameters, uint32_t credits)
{
    static const uint32_t endpoints[] = {0};
    kit_block *kit = kit_create(&hd_dram_banked, parameters);
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, ACCESS, 0, LINK, credits);
    return kit;
}

static inline kit_block *make(void)
{
    return make_with((const char *[]){"latency=10 cycles", "trefi=0 ns", NULL}, 64);
}

static inline void read_at(kit_block *kit, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = 9;
    kit_send(kit, ACCESS, 0, packet, t);
}

/* Writes bytes of `value`. */
static inline void write_at(kit_block *kit, uint64_t address, uint32_t bytes, uint8_t value, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, bytes);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    memset(hd_body(packet), value, bytes);
    kit_send(kit, ACCESS, 0, packet, t);
}

/* When response i was sent, in cycles. */
static inline uint64_t sent_at(kit_block *kit, uint32_t i)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_lt(i, count);
    return events[i].t / CYCLE;
}

static inline uint64_t tag_of(kit_block *kit, uint32_t i)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_lt(i, count);
    return events[i].packet.tag;
}

#endif
