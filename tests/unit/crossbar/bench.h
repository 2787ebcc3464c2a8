/* SPDX-License-Identifier: MIT */
/* A crossbar with the test at its ports: links of one cycle, a cycle of 1000 ps, endpoint e behind output e. */
#ifndef CROSSBAR_BENCH_H
#define CROSSBAR_BENCH_H

#include <criterion/criterion.h>

#include "crossbar.h"
#include "kit.h"

enum { INPUT, OUTPUT };
enum { CYCLE = 1000, FLIT = 32, LATENCY = 5, LINK = 1 };

static inline kit_block *make_of(const hd_block_class *type, const char *const *parameters, uint32_t inputs,
                                 uint32_t outputs, uint32_t credits)
{
    kit_block *kit = kit_create(type, parameters);
    for (uint32_t i = 0; i < inputs; i++)
        kit_connect(kit, INPUT, i, LINK, credits);
    for (uint32_t i = 0; i < outputs; i++)
        kit_connect(kit, OUTPUT, i, LINK, credits);
    return kit;
}

static inline kit_block *make(const char *const *parameters, uint32_t inputs, uint32_t outputs, uint32_t credits)
{
    return make_of(&hd_crossbar_round_robin, parameters, inputs, outputs, credits);
}

/* Puts a packet into an input; its tag is what the test likes. */
static inline void put(kit_block *kit, uint32_t input, uint32_t output, uint32_t wire_bytes, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
    packet->source = (uint16_t)input;
    packet->destination = (uint16_t)output;
    packet->wire_bytes = wire_bytes;
    packet->tag = tag;
    packet->traffic_class = HD_CLASS_GLOBAL;
    kit_send(kit, INPUT, input, packet, t);
}

static inline uint32_t flits_of(uint32_t wire_bytes)
{
    return (wire_bytes + FLIT - 1) / FLIT;
}

#endif
