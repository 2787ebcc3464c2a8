/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

static uint32_t next_core(void *context, uint32_t message, uint32_t endpoint)
{
    (void)context, (void)message;
    return endpoint <= CORE ? CORE : UINT32_MAX;
}
static const hd_receivers receivers = {.next = next_core};

static void note(bench *self, const hd_packet *packet, char what, hd_time t)
{
    outcome *outcome = &self->outcomes[self->count++ % OUTCOMES];
    *outcome = (struct outcome){.what = what, .tag = packet->tag, .t = t};
    if (what != 'A')
        return;
    const hd_getm_refusal *refusal = hd_body_const(packet);
    outcome->cause = refusal->cause;
    outcome->reason = refusal->reason;
    outcome->winner = refusal->winner;
    outcome->winner_pc = refusal->winner_pc;
}

static void sample(bench *self, hd_packet *load, hd_time t)
{
    uint64_t memory = 0;
    if (kit_tap_sample(self->kit, PORT_TAP, 0, &(hd_tap_access){.request = load, .t = t}, &memory) != HD_TAP_PASS)
        return;
    note(self, load, 'L', t);
    kit_free(self->kit, load);
}

static uint32_t take(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    bench *self = context;
    (void)element;
    if (port == PORT_NEXT && self->breaks_ring)
        return 0;
    if (port == PORT_NEXT) {
        kit_send(kit, PORT_PREVIOUS, 0, packet, t + CYCLE);
        return 1;
    }
    if (port == PORT_LOAD && self->holds_loads) {
        self->held[self->held_count++] = packet;
        return 1;
    }
    if (port == PORT_LOAD) {
        sample(self, packet, t);
        return 1;
    }
    if (port == PORT_RELEASED)
        self->released++;
    else if (packet->message == kit_message(kit, HD_GETM_STORE_OK))
        note(self, packet, 'S', t);
    else if (packet->message == kit_message(kit, HD_GETM_ABORT))
        note(self, packet, 'A', t);
    else
        return 0;
    kit_free(kit, packet);
    return 1;
}

bench *bench_make(const char *const *parameters)
{
    const char *all[16] = {"warp_bits=0"};
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[strncmp(parameters[i], "warp_bits", 9) ? i + 1 : 0] = parameters[i];
    bench *self = calloc(1, sizeof *self);
    self->kit = kit_create(&hd_validation_unit_getm, all);
    kit_endpoint(self->kit, 3);
    kit_provide(self->kit, HD_EXTENSION_RECEIVERS, &receivers);
    for (uint32_t port = 0; port < PORT_TAP; port++)
        kit_connect(self->kit, port, 0, 1, 16);
    kit_respond(self->kit, take, self);
    kit_record(self->kit);
    kit_start(self->kit);
    return self;
}

void bench_destroy(bench *self)
{
    for (uint32_t i = 0; i < self->held_count; i++)
        kit_free(self->kit, self->held[i]);
    kit_destroy(self->kit);
    free(self);
}

static uint64_t ask(bench *self, const char *message, const hd_getm_access *access, uint32_t epoch, uint64_t address,
                    uint32_t bytes, hd_time t)
{
    hd_packet *packet = kit_packet(self->kit, message, sizeof *access);
    memcpy(hd_body(packet), access, sizeof *access);
    packet->source = CORE;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = self->tag++;
    packet->address = address;
    packet->argument = bytes;
    packet->flow = access->warp;
    packet->epoch = epoch;
    packet->wire_bytes += HD_GETM_ACCESS_WIRE_BYTES;
    kit_send(self->kit, PORT_REQUEST, 0, packet, t);
    return self->tag - 1;
}

uint64_t ask_load(bench *self, uint32_t warp, uint32_t epoch, uint64_t ts, uint64_t address, hd_time t)
{
    const hd_getm_access access = {.timestamp = ts, .warp = warp, .era = self->era, .pc = LOAD_PC(warp)};
    return ask(self, HD_GETM_LOAD, &access, epoch, address, 4, t);
}

uint64_t ask_store(bench *self, uint32_t warp, uint32_t epoch, uint64_t ts, uint64_t address, uint32_t count, hd_time t)
{
    const hd_getm_access access = {
        .timestamp = ts, .warp = warp, .count = count, .era = self->era, .pc = STORE_PC(warp)};
    return ask(self, HD_GETM_STORE, &access, epoch, address, 0, t);
}

void settle(bench *self)
{
    kit_run_until(self->kit, kit_now(self->kit) + 2000 * CYCLE);
}

const outcome *outcome_of(const bench *self, uint64_t tag)
{
    for (uint32_t i = self->count; i-- > 0;)
        if (self->outcomes[i % OUTCOMES].tag == tag)
            return &self->outcomes[i % OUTCOMES];
    return NULL;
}

const outcome *load_now(bench *self, uint32_t warp, uint64_t ts, uint64_t address)
{
    const uint64_t tag = ask_load(self, warp, 1, ts, address, kit_now(self->kit));
    settle(self);
    return outcome_of(self, tag);
}

const outcome *store_now(bench *self, uint32_t warp, uint64_t ts, uint64_t address)
{
    const uint64_t tag = ask_store(self, warp, 1, ts, address, 1, kit_now(self->kit));
    settle(self);
    return outcome_of(self, tag);
}

void commit(bench *self, uint32_t warp, uint32_t epoch, uint64_t address, uint32_t count)
{
    const hd_getm_release release = {.count = {count}};
    hd_packet *packet = kit_packet(self->kit, HD_GLOBAL_STORE, sizeof(hd_store) + GRANULE + sizeof release);
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->address = address;
    packet->argument = GRANULE;
    packet->flow = warp;
    packet->epoch = epoch;
    memcpy(hd_store_data(hd_body(packet)) + GRANULE, &release, sizeof release);
    uint64_t memory = 0;
    const hd_tap_access access = {.request = packet, .t = kit_now(self->kit)};
    cr_expect_eq(kit_tap_write(self->kit, PORT_TAP, 0, &access, &memory), HD_TAP_PASS);
    kit_free(self->kit, packet);
}

void slice_takes(bench *self)
{
    const uint32_t count = self->held_count;
    self->held_count = 0;
    for (uint32_t i = 0; i < count; i++)
        sample(self, self->held[i], kit_now(self->kit));
}

void clean_up(bench *self, uint32_t warp, uint32_t epoch, uint64_t address, uint64_t count, hd_time t)
{
    hd_packet *packet = kit_packet(self->kit, HD_GETM_RELEASE, sizeof(hd_getm_release));
    *(hd_getm_release *)hd_body(packet) = (hd_getm_release){.count = {count}};
    packet->source = CORE + 1;
    packet->address = address;
    packet->flow = warp;
    packet->epoch = epoch;
    kit_send(self->kit, PORT_RELEASE, 0, packet, t);
}

const metadata_entry *entry_of(const bench *self, uint64_t address)
{
    const validation *unit = (const validation *)kit_instance(self->kit);
    return metadata_find(&unit->metadata, address / GRANULE);
}
