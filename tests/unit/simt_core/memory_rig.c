/* SPDX-License-Identifier: MIT */
/* The calls of the tests. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t rig_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

memory_parameters rig_parameters(void)
{
    return (memory_parameters){.lanes = 32,
                               .warps = 8,
                               .paths = 8,
                               .queue = 4,
                               .schedulers = 1,
                               .tickets = 32,
                               .scratchpad_bytes = 16384,
                               .scratchpad_banks = 32,
                               .scratchpad_latency = 6,
                               .l1_bytes = 4096,
                               .l1_ways = 4,
                               .l1_line = 128,
                               .l1_lookups = 1,
                               .l1_replacement = &replacement_lru,
                               .l1_set_hash = CACHE_MULTIPLICATIVE,
                               .l1_latency = 5,
                               .l1_mshrs = 8,
                               .l1_mshr_merges = 4,
                               .l1_global = L1_GLOBAL_BYPASS,
                               .sector_bytes = 32,
                               .constant_latency = 3};
}

hd_time rig_time(const rig *r, uint64_t edge)
{
    return hd_clock_edge(r->services.clock, edge);
}

rig *rig_create(const memory_parameters *parameters)
{
    return rig_create_at(parameters, HD_PS_PER_SECOND / RIG_CYCLE);
}

rig *rig_create_at(const memory_parameters *parameters, uint64_t hz)
{
    rig *r = calloc(1, sizeof *r);
    r->parameters = *parameters;
    r->seed = 1;
    r->map = (hd_address_map){
        .partitions = RIG_PARTITIONS, .interleave_bytes = 256, .endpoints = r->endpoints, .memory_end = 0xF0000000};
    for (uint32_t i = 0; i < RIG_PARTITIONS; ++i)
        r->endpoints[i] = 20 + i;
    r->services = rig_services;
    r->services.context = r;
    r->services.clock.hz = hz;
    memory_events events = rig_events;
    events.context = r;
    char error[128];
    r->m = memory_create(&r->services, parameters, &events, &r->counters, error, sizeof error);
    cr_assert_not_null(r->m, "%s", error);
    rig_show_replies(r);
    memory_connect(r->m, (hd_link *)&r->network, 0, (hd_link *)&r->replies);
    r->accept_delay = 10;
    r->reply_delay = 10;
    r->credits = 1;
    for (uint32_t warp = 0; warp < parameters->warps; ++warp)
        rig_view(r, warp, warp / 2, warp % 2);
    return r;
}

void rig_destroy(rig *r)
{
    for (uint32_t i = 0; i < r->in_flight_count; ++i)
        r->services.free(r, r->in_flight[i].packet);
    memory_destroy(r->m);
    cr_assert_eq(r->packets_alive, 0, "packets leak");
    free(r);
}

void rig_view(rig *r, uint32_t warp, uint32_t block, uint32_t warp_in_block)
{
    memory_set_view(r->m, warp,
                    &(memory_view){.block = block,
                                   .warp_in_block = warp_in_block,
                                   .scratchpad_offset = block * 4096,
                                   .scratchpad_bytes = 4096,
                                   .context_slot = block,
                                   .context_slots = RIG_CONTEXT_SLOTS,
                                   .warps_in_block = 2,
                                   .private_bytes = 1024,
                                   .constant_bytes = 256,
                                   .constant_base = RIG_CONSTANT});
}

uint64_t rig_private(const rig *r, uint32_t warp_in_block, uint32_t block, uint32_t lane, uint32_t offset)
{
    return hd_private_address(block, RIG_CONTEXT_SLOTS, r->parameters.lanes, 2, warp_in_block, lane, offset);
}

static void work_edge(rig *r)
{
    hd_cursor edge;
    hd_cursor_init(&edge, r->services.clock);
    hd_cursor_move(&edge, r->edge);
    rig_work_partitions(r, edge.t);
    rig_show_replies(r);
    memory_note_arrivals(r->m);
    if (r->spurious || memory_status_of(r->m)->next_edge <= edge.n || memory_status_of(r->m)->next_arrival <= edge.t)
        memory_advance(r->m, &edge);
    if (r->spurious)
        memory_advance(r->m, &edge);
    r->edge++;
}

void rig_cycles(rig *r, uint32_t cycles)
{
    while (cycles-- != 0)
        work_edge(r);
}

static const isa_instruction *instruction_of(rig *r, uint32_t op, uint32_t flags)
{
    static const struct {
        uint8_t instruction_class;
        uint8_t access_bytes;
    } operations[] = {
#define ISA_OPERATION(name, mnemonic, class, form, match, mask, access_bytes) {ISA_CLASS_##class, access_bytes},
#include "isa_operations.def"
#undef ISA_OPERATION
    };
    isa_instruction *instruction = &r->instructions[r->instruction_count++ % 256];
    *instruction = (isa_instruction){.operation = (uint16_t)op,
                                     .instruction_class = operations[op].instruction_class,
                                     .access_bytes = operations[op].access_bytes,
                                     .flags = (uint16_t)(flags | (op == ISA_OP_LW_CG ? ISA_FLAG_LOAD_UNCACHED : 0u) |
                                                         (op == ISA_OP_LW_NC ? ISA_FLAG_LOAD_READ_ONLY : 0u))};
    return instruction;
}

uint32_t rig_submit(rig *r, uint32_t op, uint32_t flags, uint32_t warp, uint64_t mask, const uint32_t *address,
                    const uint32_t *data, const uint32_t *compare)
{
    for (uint32_t i = 0; !memory_can_submit(r->m); ++i) {
        cr_assert_lt(i, 1000000, "the pipe takes nothing");
        work_edge(r);
    }
    const hd_time t = rig_time(r, r->edge) + hd_clock_cycles(r->services.clock, r->register_read);
    memory_access *access = memory_slot(r->m);
    *access = (memory_access){.instruction = instruction_of(r, op, flags),
                              .pc = 0x10000100,
                              .path = warp * (r->parameters.paths / r->parameters.warps) + r->path,
                              .warp = warp,
                              .homes = warp,
                              .mask = mask};
    memset(access->address, 0xEE, sizeof access->address);
    for (uint32_t lane = 0; lane < 64; ++lane) {
        if ((mask >> lane & 1) == 0)
            continue;
        access->address[lane] = address[lane];
        access->data[lane] = data == NULL ? 0 : data[lane];
        access->compare[lane] = compare == NULL ? 0 : compare[lane];
    }
    const uint32_t ticket = memory_submit(r->m, access, t);
    if (ticket == MEMORY_NO_TICKET)
        return ticket;
    cr_assert_lt(ticket, r->parameters.tickets);
    r->result[ticket] = (rig_result){.submitted = t};
    work_edge(r);
    return ticket;
}

void rig_addresses(uint32_t *address, uint32_t base, uint32_t stride)
{
    for (uint32_t lane = 0; lane < 64; ++lane)
        address[lane] = base + lane * stride;
}

uint32_t rig_one(rig *r, uint32_t op, uint32_t warp, uint32_t lane, uint32_t address, uint32_t data)
{
    uint32_t addresses[64] = {0};
    uint32_t values[64] = {0};
    addresses[lane] = address;
    values[lane] = data;
    return rig_submit(r, op, 0, warp, UINT64_C(1) << lane, addresses, values, NULL);
}

void rig_finish(rig *r, uint32_t ticket)
{
    for (uint32_t i = 0; !r->result[ticket].last; ++i) {
        cr_assert_lt(i, 1000000, "ticket %u is never done", ticket);
        work_edge(r);
    }
}

void rig_idle(rig *r)
{
    for (uint32_t i = 0; !memory_is_idle(r->m); ++i) {
        cr_assert_lt(i, 1000000, "the pipe is never idle");
        work_edge(r);
    }
}

uint32_t rig_latency(const rig *r, uint32_t ticket)
{
    return (uint32_t)((r->result[ticket].at - r->result[ticket].submitted) / RIG_CYCLE);
}
