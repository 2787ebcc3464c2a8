/* SPDX-License-Identifier: MIT */
#include "tx/ideal/registration.h"

#include <stdlib.h>
#include <string.h>

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

int ideal_registration_create(ideal_registration *r, const transactions *t)
{
    const uint32_t lanes = t->core.lane_count;
    *r = (ideal_registration){.t = t, .capacity = t->core.accesses * lanes};
    r->heard = calloc(t->core.warp_count, sizeof *r->heard);
    r->words = calloc(r->capacity, sizeof *r->words);
    r->loads = calloc(r->capacity, sizeof *r->loads);
    r->asking = calloc(r->capacity, sizeof *r->asking);
    const hd_message_number messages[] = {
        {&r->message_read, HD_IDEAL_READ}, {&r->message_words, HD_IDEAL_WORDS}, {&r->message_load, HD_GLOBAL_LOAD}};
    hd_number_messages(t->core.services, messages, sizeof messages / sizeof *messages);
    return r->heard && r->words && r->loads && r->asking ? 0 : -1;
}

static void drop_packets(ideal_registration *r)
{
    const hd_services *services = r->t->core.services;
    for (; r->asking_count; r->asking_count--, r->asking_first = (r->asking_first + 1) % r->capacity)
        services->free(services->context, r->asking[r->asking_first]);
}

void ideal_registration_destroy(ideal_registration *r)
{
    if (r->asking)
        drop_packets(r);
    free(r->heard);
    free(r->words);
    free(r->loads);
    free(r->asking);
}

void ideal_registration_reset(ideal_registration *r)
{
    drop_packets(r);
    memset(r->heard, 0, r->t->core.warp_count * sizeof *r->heard);
    r->load_first = r->load_count = r->asking_first = 0;
}

/* The block knows an attempt by its epoch, from its first message on, until it hears of another: one that has sent none since
 * then must not be taken for it. */
void ideal_registration_begin(ideal_registration *r, uint32_t warp)
{
    tx_warp *w = tx_warp_of(r->t, warp);
    if (w->epoch == r->heard[warp])
        w->epoch = tx_next_epoch(w);
}

/* ---- The port for transactions ------------------------------------------------------------------------------------------ */

hd_packet *ideal_packet(ideal_registration *r, uint32_t warp, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = r->t->core.services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = tx_global_warp(r->t, warp);
    packet->epoch = r->heard[warp] = tx_warp_of(r->t, warp)->epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

/* ---- Loads --------------------------------------------------------------------------------------------------------------- */

static void ask(ideal_registration *r, hd_packet *packet)
{
    if (!r->asking_count && ideal_has_credit(r->t)) {
        ideal_send(r->t, packet);
        return;
    }
    r->asking[(r->asking_first + r->asking_count++) % r->capacity] = packet;
    tx_wake(r->t, r->t->core.now->n + 1);
}

void ideal_register_waiting(ideal_registration *r)
{
    for (; r->asking_count && ideal_has_credit(r->t);
         r->asking_count--, r->asking_first = (r->asking_first + 1) % r->capacity)
        ideal_send(r->t, r->asking[r->asking_first]);
    if (r->asking_count)
        tx_wake(r->t, r->t->core.now->n + 1);
}

void ideal_register(ideal_registration *r, const memory_access *access, uint64_t lanes, uint64_t address,
                    uint32_t bytes, uint64_t tag)
{
    hd_packet *packet = ideal_packet(r, access->warp, r->message_read, sizeof(hd_ideal_read));
    hd_ideal_read *body = hd_body(packet);
    *body = (hd_ideal_read){.lanes = lanes, .pc = access->pc};
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        body->word[lane] = (uint8_t)(access->address[lane] % HD_LINE_BYTES / 4);
    }
    packet->tag = tag;
    packet->address = address;
    packet->argument = bytes;
    ask(r, packet);
}

static ideal_word *word_of(const ideal_registration *r, uint64_t tag, uint32_t lane)
{
    return &r->words[memory_ticket(tag) * r->t->core.lane_count + lane];
}

/* It may leave. What is not in memory yet is kept until it comes back. */
void ideal_registered(ideal_registration *r, const hd_packet *packet)
{
    memory *memory = r->t->core.memory;
    const hd_ideal_words *body = hd_body_const(packet);
    uint64_t lanes;
    const memory_access *access = memory_awaiting(memory, packet->tag, &lanes);
    if (!access)
        return;
    if (!(lanes & tx_running(r->t, access->warp))) {
        memory_complete(memory, packet->tag);
        return;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), at = access->address[lane] % HD_LINE_BYTES & ~3u;
        ideal_word *word = word_of(r, packet->tag, lane);
        word->byte_mask = body->byte_mask[at / 32] >> at % 32 & 0xF;
        memcpy(&word->value, body->data + at, sizeof word->value);
    }
    r->loads[(r->load_first + r->load_count++) % r->capacity] =
        (ideal_load){.tag = packet->tag, .address = packet->address, .bytes = packet->argument};
    memory_offer_packets(memory, 1);
}

hd_packet *ideal_next_load(ideal_registration *r)
{
    memory *memory = r->t->core.memory;
    while (r->load_count) {
        const ideal_load *load = &r->loads[r->load_first];
        uint64_t lanes;
        const memory_access *access = memory_awaiting(memory, load->tag, &lanes);
        r->load_first = (r->load_first + 1) % r->capacity;
        r->load_count--;
        if (!access)
            continue;
        hd_packet *packet = tx_packet(r->t, access->warp, r->message_load, load->address, 0);
        packet->traffic_class = HD_CLASS_GLOBAL;
        packet->argument = load->bytes;
        packet->tag = load->tag;
        memory_count_load(memory, packet);
        return packet;
    }
    return NULL;
}

/* Bytes of the access that are newer than what has come. */
static uint32_t newer_bytes(const memory_access *access, uint32_t lane, const ideal_word *word)
{
    return word->byte_mask >> access->address[lane] % 4 & ((1u << access->instruction->access_bytes) - 1);
}

uint64_t ideal_loaded(const ideal_registration *r, memory_access *access, uint64_t lanes, const hd_packet *reply)
{
    uint64_t changed = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), shift = 8 * (access->address[lane] % 4);
        const ideal_word *word = word_of(r, reply->tag, lane);
        const uint32_t bits = hd_bits_of_bytes(newer_bytes(access, lane, word));
        access->data[lane] = (access->data[lane] & ~bits) | (word->value >> shift & bits);
        changed |= bits ? left & -left : 0;
    }
    return changed;
}

/* ---- Write logs ----------------------------------------------------------------------------------------------------------- */

/* The next word that the lane has written, from `entry` on; 0: there is none. */
static uint32_t next_write(const tx_log *log, uint32_t lane, uint32_t *entry, hd_ideal_write *write)
{
    while (*entry < log->length && !(log->mask[*entry] >> lane & 1))
        (*entry)++;
    if (*entry == log->length)
        return 0;
    const size_t at = tx_log_at(log, (*entry)++, lane);
    *write = (hd_ideal_write){
        .address = log->address[at], .value = log->value[at], .byte_mask = log->bytes[at], .lane = (uint8_t)lane};
    return 1;
}

uint32_t ideal_collect(const tx_log *log, uint64_t lanes, ideal_log_cursor *cursor, hd_ideal_write *writes)
{
    uint32_t count = 0;
    for (; cursor->lane < log->lanes; cursor->lane++, cursor->entry = 0)
        while (lanes >> cursor->lane & 1) {
            if (count == HD_IDEAL_WRITES)
                return count;
            if (!next_write(log, cursor->lane, &cursor->entry, &writes[count]))
                break;
            count++;
        }
    return count;
}

/* ---- heddle.state/1 ------------------------------------------------------------------------------------------------------ */

static void transfer_load(ideal_load *load, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, load->tag);
    HD_STATE_VALUE(stream, load->address);
    HD_STATE_VALUE(stream, load->bytes);
}

void ideal_registration_transfer(ideal_registration *r, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "loads that are registered", r->capacity);
    HD_STATE_ARRAY(stream, r->heard, r->t->core.warp_count);
    HD_STATE_ARRAY(stream, r->words, r->capacity);
    HD_STATE_VALUE(stream, r->load_count);
    for (uint32_t i = 0; i < r->load_count; i++)
        transfer_load(&r->loads[(r->load_first + i) % r->capacity], stream);
    HD_STATE_VALUE(stream, r->asking_count);
    for (uint32_t i = 0; i < r->asking_count; i++)
        hd_state_packet(stream, &r->asking[(r->asking_first + i) % r->capacity]);
}
