/* SPDX-License-Identifier: MIT */
/* The scripted partition: a reference memory with a version per word. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <string.h>

static uint32_t slot_of(rig *r, uint64_t address)
{
    const uint64_t key = (address & ~UINT64_C(3)) | 1;
    uint32_t i = (uint32_t)((address / 4 * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
    while (r->word_address[i] != 0 && r->word_address[i] != key)
        i = (i + 1) % RIG_WORDS;
    if (r->word_address[i] == 0) {
        r->word_address[i] = key;
        r->word[i] = (uint32_t)(address / 4) * 2654435761u; /* every word starts with a value of its own */
    }
    return i;
}

uint32_t rig_peek(rig *r, uint64_t address)
{
    return r->word[slot_of(r, address)];
}

void rig_poke(rig *r, uint64_t address, uint32_t value)
{
    const uint32_t i = slot_of(r, address);
    r->word[i] = value;
    r->version[i]++;
}
void rig_age(rig *r, uint64_t address, uint64_t writes)
{
    r->version[slot_of(r, address)] += writes;
}

static void answer_load(rig *r, hd_packet *p)
{
    cr_assert_eq(p->wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_assert(p->argument >= 1 && p->address % 128 + p->argument <= 128);
    uint8_t *body = hd_body(p);
    for (uint32_t i = 0; i < p->argument; ++i)
        body[i] = (uint8_t)(rig_peek(r, p->address + i) >> (p->address + i) % 4 * 8);
    p->message = RIG_LOAD_REPLY;
    p->wire_bytes = HD_HEADER_WIRE_BYTES + p->argument;
}

static void answer_store(rig *r, hd_packet *p)
{
    cr_assert_eq(p->wire_bytes, HD_HEADER_WIRE_BYTES + p->argument);
    cr_assert_eq(p->body_bytes, sizeof(hd_store) + p->argument);
    cr_assert(p->argument >= 1 && p->address % 128 + p->argument <= 128);
    const hd_store *store = hd_body_const(p);
    for (uint32_t i = 0; i < HD_LINE_BYTES; ++i) {
        if ((store->byte_mask[i / 32] >> i % 32 & 1) == 0)
            continue;
        cr_assert_lt(i, p->argument);
        const uint32_t shift = (uint32_t)((p->address + i) % 4 * 8);
        const uint32_t word = rig_peek(r, p->address + i);
        rig_poke(r, p->address + i, (word & ~(0xFFu << shift)) | (uint32_t)hd_store_data_const(store)[i] << shift);
    }
    p->message = RIG_STORE_ACK;
    p->wire_bytes = HD_HEADER_WIRE_BYTES;
}

static void answer_atomic(rig *r, hd_packet *p)
{
    hd_atomic_operation operations[64];
    cr_assert(p->argument >= 1 && p->argument <= 64 && p->address % 128 == 0);
    cr_assert_eq(p->body_bytes, p->argument * sizeof operations[0]);
    memcpy(operations, hd_body(p), p->body_bytes);
    hd_atomic_result *result = hd_body(p);
    for (uint32_t i = 0; i < p->argument; ++i) {
        const hd_atomic_operation *o = &operations[i];
        const uint64_t address = p->address + o->word * 4u;
        const uint32_t at = slot_of(r, address);
        result[i] = (hd_atomic_result){.value = r->word[at], .version = r->version[at]};
        if (o->operation == HD_ATOMIC_LOAD_RESERVED)
            continue;
        if (o->operation != HD_ATOMIC_STORE_CONDITIONAL) {
            rig_poke(r, address, hd_atomic_apply(o->operation, r->word[at], o->operand, o->compare));
            continue;
        }
        result[i].value = o->compare != r->version[at];
        if (result[i].value == 0)
            rig_poke(r, address, o->operand);
    }
    p->message = RIG_ATOMIC_REPLY;
    p->body_bytes = p->argument * (uint32_t)sizeof *result;
    p->wire_bytes = HD_HEADER_WIRE_BYTES + 4 * p->argument;
}

static void answer_mistake(hd_packet *p)
{
    hd_mistake mistake = {.what = "nobody may do that"};
    const uint32_t reply = p->message == RIG_LOAD     ? p->argument
                           : p->message == RIG_ATOMIC ? p->argument * (uint32_t)sizeof(hd_atomic_result)
                                                      : 0;
    memset(mistake.byte_mask, 0xFF, sizeof mistake.byte_mask);
    memset(mistake.byte_mask, 0xF0, 1);
    memset(hd_body(p), 0, reply);
    memcpy((uint8_t *)hd_body(p) + reply, &mistake, sizeof mistake);
    p->message = RIG_MISTAKE;
    p->body_bytes = reply + (uint32_t)sizeof mistake;
    p->wire_bytes = HD_HEADER_WIRE_BYTES + reply;
}

static void answer(rig *r, hd_packet *p)
{
    const uint16_t from = p->source;
    if (r->wrong_line && p->address / HD_LINE_BYTES == r->wrong_line / HD_LINE_BYTES)
        answer_mistake(p);
    else if (p->message == RIG_LOAD)
        answer_load(r, p);
    else if (p->message == RIG_STORE)
        answer_store(r, p);
    else
        answer_atomic(r, p);
    p->source = p->destination;
    p->destination = from;
}

/* Takes samples in order of acceptance. */
void rig_work_partitions(rig *r, hd_time t)
{
    for (;;) {
        rig_packet *next = NULL;
        for (uint32_t i = 0; i < r->in_flight_count; ++i) {
            rig_packet *p = &r->in_flight[i];
            if (!p->answered && p->accepted <= t &&
                (next == NULL || p->accepted < next->accepted ||
                 (p->accepted == next->accepted && p->sequence < next->sequence)))
                next = p;
        }
        if (next == NULL)
            return;
        answer(r, next->packet);
        next->answered = 1;
    }
}
