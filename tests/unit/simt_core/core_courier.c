/* SPDX-License-Identifier: MIT */
#include "core_courier.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

courier *courier_create(core_pair *pair)
{
    courier *c = calloc(1, sizeof *c);
    c->pair = pair;
    for (uint32_t tag = RIG_SECOND_TAG; tag < COURIER_TAGS; tag++)
        c->blocks[tag].place = COURIER_SECOND;
    return c;
}

void courier_destroy(courier *c)
{
    for (uint32_t tag = 0; tag < COURIER_TAGS; tag++)
        free(c->blocks[tag].stream);
    free(c);
}

static void take_context(courier_block *block, const hd_packet *packet)
{
    block->stream = realloc(block->stream, block->stream_bytes + packet->body_bytes);
    memcpy(block->stream + block->stream_bytes, hd_body_const(packet), packet->body_bytes);
    block->stream_bytes += packet->body_bytes;
}

static void take_saved(courier_block *block, const hd_packet *packet)
{
    if (block->leaving > block->saved)
        cr_assert_arr_eq(&block->size, hd_body_const(packet), sizeof block->size);
    block->leaving = block->leaving ? block->saved + 1 : 0;
    memcpy(&block->size, hd_body_const(packet), sizeof block->size);
    cr_assert_eq(block->size.stream_bytes, block->size.memory_bytes + block->stream_bytes, "tag %lu", packet->tag);
    block->place = COURIER_HERE;
    block->stops = 0;
    block->saved++;
}

/* It comes first, and says what will be. */
static void take_leaving(courier_block *block, const hd_packet *packet)
{
    cr_assert_eq(block->stream_bytes, 0);
    cr_assert_eq(packet->body_bytes, sizeof block->size);
    memcpy(&block->size, hd_body_const(packet), sizeof block->size);
    block->leaving++;
}

static void take_refused(courier_block *block, const hd_packet *packet)
{
    if (packet->argument == HD_REFUSED_RESTORE) {
        cr_assert_eq(block->size.stream_bytes, block->size.memory_bytes + block->stream_bytes, "all of it comes back");
        block->place = COURIER_HERE;
    }
    block->stops &= packet->argument != HD_REFUSED_UNKNOWN; /* it had ended, or did not come in before */
    block->refused++;
    block->reason = packet->argument;
}

static void take_one(courier *c, kit_block *kit, uint32_t core, const hd_packet *packet)
{
    courier_block *block = &c->blocks[packet->tag % COURIER_TAGS];
    if (packet->message == kit_message(kit, HD_CORE_CAPACITY))
        return;
    cr_assert(block->place == core || packet->argument == HD_REFUSED_UNKNOWN,
              "block %lu is at %u, but core %u sends %s", packet->tag, block->place, core,
              kit_message_name(kit, packet->message));
    if (packet->message == kit_message(kit, HD_BLOCK_CONTEXT))
        take_context(block, packet);
    else if (packet->message == kit_message(kit, HD_BLOCK_SAVED))
        take_saved(block, packet);
    else if (packet->message == kit_message(kit, HD_BLOCK_REFUSED))
        take_refused(block, packet);
    else if (packet->message == kit_message(kit, HD_BLOCK_LEAVING))
        take_leaving(block, packet);
    else if (packet->message == kit_message(kit, HD_BLOCK_RESTORED))
        block->restored++;
    else if (packet->message == kit_message(kit, HD_BLOCK_DONE))
        block->place = COURIER_ENDED;
    block->told = kit_received_at(kit);
}

void courier_take(courier *c)
{
    for (uint32_t core = 0; core < 2; core++) {
        kit_block *kit = rig_kit(c->pair->rig[core]);
        hd_packet *packet;
        while ((packet = kit_receive(kit, EVENT, 0, pair_now(c->pair)))) {
            take_one(c, kit, core, packet);
            kit_free(kit, packet);
        }
    }
}

static void send(courier *c, uint32_t core, const char *message, uint64_t tag, const void *body, uint32_t bytes)
{
    kit_block *kit = rig_kit(c->pair->rig[core]);
    hd_packet *packet = kit_packet(kit, message, bytes);
    packet->tag = tag;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    packet->argument = c->is_ideal ? HD_STOP_IDEAL : HD_STOP_AS_STORED;
    kit_send(kit, DISPATCH, 0, packet, pair_now(c->pair));
}

void courier_send_stop(courier *c, uint64_t tag, uint32_t core)
{
    const hd_block_buffer buffer = {.bytes = c->buffer_bytes, .number = (uint32_t)tag};
    if (c->buffer_bytes)
        send(c, core, HD_BLOCK_SHUFFLE, tag, &buffer, sizeof buffer);
    else
        send(c, core, HD_BLOCK_STOP, tag, NULL, 0);
}

void courier_stop(courier *c, uint64_t tag)
{
    courier_block *block = &c->blocks[tag];
    cr_assert_lt(block->place, COURIER_HERE);
    block->stops = 1;
    courier_send_stop(c, tag, block->place);
}

void courier_restore(courier *c, uint64_t tag, uint32_t core)
{
    courier_block *block = &c->blocks[tag];
    cr_assert_eq(block->place, COURIER_HERE);
    send(c, core, HD_BLOCK_RESTORE, tag, &block->size, sizeof block->size);
    const uint64_t most = c->is_ideal ? HD_PACKET_STREAM_MAX : HD_PACKET_BODY_MAX;
    for (uint64_t at = 0; at < block->stream_bytes; at += most) {
        const uint64_t left = block->stream_bytes - at;
        send(c, core, HD_BLOCK_CONTEXT, tag, block->stream + at, (uint32_t)(left < most ? left : most));
    }
    block->stream_bytes = 0;
    block->place = core;
}

void courier_decide(courier *c, uint64_t tag, uint32_t has_buffers, uint64_t *random)
{
    static const uint64_t sizes[] = {0, 1024, 4096, 65536};
    courier_block *block = &c->blocks[tag];
    c->buffer_bytes = has_buffers ? sizes[kit_random(random) % 4] : 0;
    if (block->place == COURIER_HERE)
        courier_restore(c, tag, kit_random(random) % 2);
    if (block->place < COURIER_HERE && !block->stops && kit_random(random) % 2)
        courier_stop(c, tag);
}

void courier_wait(courier *c, uint64_t tag)
{
    courier_block *block = &c->blocks[tag];
    const uint32_t refused = block->refused;
    for (uint32_t cycles = 0; block->place < COURIER_HERE && block->refused == refused; cycles++) {
        cr_assert_lt(cycles, 100000, "block %lu: no answer", tag);
        pair_run(c->pair, 1);
        courier_take(c);
    }
}
