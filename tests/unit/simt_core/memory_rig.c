/* SPDX-License-Identifier: MIT */
/* The scripted services, and the calls of the tests. */
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

/* ---- Services ---- */

static const char *const messages[] = {HD_GLOBAL_LOAD,      HD_GLOBAL_LOAD_REPLY, HD_GLOBAL_STORE,
                                       HD_GLOBAL_STORE_ACK, HD_GLOBAL_ATOMIC,     HD_GLOBAL_ATOMIC_REPLY};

static hd_packet *make_packet(rig *r, uint32_t body_bytes)
{
    hd_packet *packet = calloc(1, sizeof *packet + HD_PACKET_BODY_MAX);
    packet->body_capacity = HD_PACKET_BODY_MAX;
    packet->body_bytes = body_bytes;
    memset(packet + 1, 0xA5, HD_PACKET_BODY_MAX); /* bodies come as they are */
    r->packets_alive++;
    return packet;
}

static uint32_t service_message(void *context, const char *name)
{
    (void)context;
    for (uint32_t i = 0; i < RIG_MESSAGES; ++i)
        if (strcmp(name, messages[i]) == 0)
            return i;
    cr_assert_fail("unknown message %s", name);
    return 0;
}

static hd_packet *service_alloc(void *context, uint32_t body_bytes)
{
    cr_assert_leq(body_bytes, HD_PACKET_BODY_MAX);
    return make_packet(context, body_bytes);
}

static void service_free(void *context, hd_packet *packet)
{
    ((rig *)context)->packets_alive--;
    free(packet);
}

static uint32_t service_credits(void *context, hd_link *link, hd_time t)
{
    (void)link;
    (void)t;
    return ((rig *)context)->credits;
}

static hd_time random_delay(rig *r)
{
    if (r->random == 0)
        return 0;
    return rig_random(&r->random) % (r->random_delay + 1) * RIG_CYCLE;
}

static void service_send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    rig *r = context;
    (void)link;
    cr_assert_gt(r->credits, 0);
    cr_assert_lt(r->in_flight_count, RIG_PACKETS);
    const uint32_t partition = hd_partition_of(&r->map, packet->address);
    cr_assert_eq(packet->destination, r->endpoints[partition]);
    cr_assert_eq(packet->unit, HD_DESTINATION_L2_SLICE);
    if (r->sent_count < RIG_SENT) {
        rig_sent *sent = &r->sent[r->sent_count++];
        sent->packet = *packet;
        sent->t = t;
        memcpy(sent->body, hd_body(packet), packet->body_bytes);
    }
    hd_time accepted = t + (hd_time)r->accept_delay * RIG_CYCLE + random_delay(r);
    accepted = accepted > r->last_accepted[partition] ? accepted : r->last_accepted[partition];
    r->last_accepted[partition] = accepted;
    hd_time arrival = accepted + (hd_time)r->reply_delay * RIG_CYCLE + random_delay(r);
    arrival = arrival > r->last_arrival[partition] ? arrival : r->last_arrival[partition];
    r->last_arrival[partition] = arrival;
    r->in_flight[r->in_flight_count++] = (rig_packet){packet, accepted, arrival, r->sequence++, 0, partition};
}

static rig_packet *first_reply(rig *r, hd_time t)
{
    rig_packet *first = NULL;
    if (r->hold)
        return NULL;
    for (uint32_t i = 0; i < r->in_flight_count; ++i) {
        rig_packet *p = &r->in_flight[i];
        if (p->answered && p->arrival <= t &&
            (first == NULL || p->arrival < first->arrival ||
             (p->arrival == first->arrival && p->sequence < first->sequence)))
            first = p;
    }
    return first;
}

static const hd_packet *service_peek(void *context, hd_link *link, hd_time t)
{
    (void)link;
    rig_packet *p = first_reply(context, t);
    return p == NULL ? NULL : p->packet;
}

static hd_packet *service_pop(void *context, hd_link *link, hd_time t)
{
    rig *r = context;
    (void)link;
    rig_packet *p = first_reply(r, t);
    if (p == NULL)
        return NULL;
    hd_packet *packet = p->packet;
    *p = r->in_flight[--r->in_flight_count];
    return packet;
}

static hd_time service_arrival(void *context, hd_link *link)
{
    (void)link;
    const rig_packet *p = first_reply(context, HD_NEVER);
    return p == NULL ? HD_NEVER : p->arrival;
}

/* Credits come between two edges, unannounced. */
static hd_time service_credit_arrival(void *context, hd_link *link)
{
    const rig *r = context;
    (void)link;
    return r->credits == 0 ? HD_NEVER : rig_time(r, r->edge);
}

static void service_fault(void *context, hd_time t, const char *format, ...)
{
    (void)context;
    (void)t;
    cr_assert_fail("fault: %s", format);
}

/* Restarts with each reset, as an engine's does. */
static uint64_t service_random(void *context)
{
    return ((rig *)context)->seed;
}

static const void *service_extension(void *context, const char *id)
{
    return strcmp(id, HD_EXTENSION_ADDRESS_MAP) == 0 ? &((rig *)context)->map : NULL;
}

/* ---- Events of the pipe ---- */

static void on_done(void *context, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last, hd_time t)
{
    rig_result *result = &((rig *)context)->result[ticket];
    cr_assert_eq(result->lanes & mask, 0, "a lane has its value twice");
    cr_assert_eq(result->last, 0, "done after the last");
    for (uint32_t lane = 0; lane < 64; ++lane)
        if (mask >> lane & 1)
            result->value[lane] = value[lane];
    result->lanes |= mask;
    result->calls++;
    result->last = last;
    result->at = t;
}

static void on_fault(void *context, const memory_access *access, uint32_t lane, hd_time t, const char *what)
{
    rig *r = context;
    (void)access;
    (void)t;
    snprintf(r->fault, sizeof r->fault, "%s", what);
    r->fault_lane = lane;
    r->faults++;
}

static void on_drained(void *context, uint32_t warp, hd_time t)
{
    (void)t;
    ((rig *)context)->drained[warp]++;
}

static void on_fetched(void *context, uint32_t path, uint32_t sequence)
{
    rig *r = context;
    cr_assert_lt(r->fetched_count, RIG_FETCHES);
    r->fetched[r->fetched_count++] = (rig_fetched){path, sequence, r->edge};
}

/* ---- The rig ---- */

memory_parameters rig_parameters(void)
{
    return (memory_parameters){.lanes = 32,
                               .warps = 8,
                               .paths = 8,
                               .queue = 4,
                               .tickets = 32,
                               .scratchpad_bytes = 16384,
                               .scratchpad_banks = 32,
                               .scratchpad_latency = 6,
                               .l1_bytes = 4096,
                               .l1_ways = 4,
                               .l1_line = 128,
                               .l1_lookups = 1,
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
    r->map = (hd_address_map){RIG_PARTITIONS, 256, r->endpoints};
    for (uint32_t i = 0; i < RIG_PARTITIONS; ++i)
        r->endpoints[i] = 20 + i;
    r->services = (hd_services){.abi_version = HD_ABI_VERSION,
                                .struct_bytes = sizeof(hd_services),
                                .context = r,
                                .name = "core[3]",
                                .endpoint = 3,
                                .clock = {hz},
                                .message = service_message,
                                .alloc = service_alloc,
                                .free = service_free,
                                .credits = service_credits,
                                .send = service_send,
                                .peek = service_peek,
                                .pop = service_pop,
                                .arrival = service_arrival,
                                .credit_arrival = service_credit_arrival,
                                .fault = service_fault,
                                .random = service_random,
                                .extension = service_extension};
    const memory_events events = {
        .context = r, .done = on_done, .fault = on_fault, .drained = on_drained, .fetched = on_fetched};
    char error[128];
    r->m = memory_create(&r->services, parameters, &events, &r->counters, error, sizeof error);
    cr_assert_not_null(r->m, "%s", error);
    memory_connect(r->m, (hd_link *)&r->in_flight, 0, (hd_link *)&r->sent);
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
        service_free(r, r->in_flight[i].packet);
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
                                   .private_base = HD_PHYSICAL_CONTEXT_BASE + block * HD_CONTEXT_STRIDE,
                                   .private_bytes = 1024,
                                   .constant_bytes = 256,
                                   .constant_base = RIG_CONSTANT});
}

uint64_t rig_private(const rig *r, uint32_t warp_in_block, uint32_t block, uint32_t lane, uint32_t offset)
{
    return hd_private_address(HD_PHYSICAL_CONTEXT_BASE + block * HD_CONTEXT_STRIDE, 1024, r->parameters.lanes,
                              warp_in_block, lane, offset);
}

static void work_edge(rig *r)
{
    hd_cursor edge;
    hd_cursor_init(&edge, r->services.clock);
    hd_cursor_move(&edge, r->edge);
    rig_work_partitions(r, edge.t);
    memory_look(r->m);
    if (r->spurious || memory_status_of(r->m)->next <= edge.n || memory_status_of(r->m)->input <= edge.t)
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
                                     .flags = (uint8_t)(flags | (op == ISA_OP_LW_CG ? ISA_FLAG_LOAD_UNCACHED : 0u))};
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
