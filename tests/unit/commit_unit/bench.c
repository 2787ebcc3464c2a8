/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

static void keep(bench *self, const hd_packet *packet, uint32_t is_store, hd_time t)
{
    sent *sent = &self->sent[self->count++ % SENT];
    *sent = (struct sent){.address = packet->address, .warp = packet->flow, .epoch = packet->epoch, .t = t};
    if (!is_store) {
        memcpy(&sent->release, hd_body_const(packet), sizeof sent->release);
        return;
    }
    const hd_store *store = hd_body_const(packet);
    cr_assert_eq(packet->argument, HD_GETM_REGION_BYTES);
    sent->byte_mask = store->byte_mask[0];
    memcpy(sent->data, hd_store_data_const(store), sizeof sent->data);
    memcpy(&sent->release, hd_store_data_const(store) + packet->argument, sizeof sent->release);
}

static uint32_t take(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    bench *self = context;
    (void)element;
    if (port == PORT_ACK) {
        cr_expect_eq(packet->destination, CORE);
        self->acks[self->ack_count] = packet->tag;
        self->acked[self->ack_count++] = t;
        kit_free(kit, packet);
        return 1;
    }
    const uint32_t is_store = port == PORT_STORE;
    keep(self, packet, is_store, t);
    if (!self->is_mute) {
        hd_packet *answer = kit_packet(kit, is_store ? HD_GLOBAL_STORE_ACK : HD_GETM_RELEASED, 0);
        answer->tag = packet->tag;
        kit_send(kit, is_store ? PORT_STORED : PORT_RELEASED, 0, answer, t + DELAY * CYCLE);
    }
    kit_free(kit, packet);
    return 1;
}

bench *bench_make(const char *const *parameters)
{
    bench *self = calloc(1, sizeof *self);
    self->kit = kit_create(&hd_commit_unit_getm, parameters);
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(self->kit, port, 0, 1, 64);
    kit_respond(self->kit, take, self);
    kit_record(self->kit);
    kit_start(self->kit);
    return self;
}

void bench_destroy(bench *self)
{
    kit_destroy(self->kit);
    free(self);
}

hd_getm_region data_region(uint64_t address, uint32_t byte_mask, uint8_t value, uint32_t count)
{
    hd_getm_region region = {.address = address, .byte_mask = byte_mask, .count = count};
    memset(region.data, value, sizeof region.data);
    return region;
}

hd_getm_region clean_region(uint64_t address, uint32_t count)
{
    return (hd_getm_region){.address = address, .count = count};
}

void send_log(bench *self, uint64_t tag, uint32_t warp, uint32_t epoch, const hd_getm_region *regions, uint32_t count,
              hd_time t)
{
    hd_packet *packet = kit_packet(self->kit, HD_GETM_LOG, count * (uint32_t)sizeof *regions);
    hd_getm_region *body = hd_body(packet);
    packet->source = CORE;
    packet->tag = tag;
    packet->flow = warp;
    packet->epoch = epoch;
    packet->argument = count;
    for (uint32_t i = 0; i < count; i++) {
        body[i] = regions[i];
        body[i].warp = warp;
        packet->wire_bytes += hd_getm_region_wire_bytes(&regions[i]);
    }
    kit_send(self->kit, PORT_LOG, 0, packet, t);
}

void settle(bench *self)
{
    kit_run_until(self->kit, kit_now(self->kit) + 2000 * CYCLE);
}
