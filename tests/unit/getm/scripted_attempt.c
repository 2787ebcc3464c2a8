/* SPDX-License-Identifier: MIT */
/* One attempt of a warp: operations in step, a request for each granule. */
#include <string.h>

#include "scripted_state.h"

void scripted_begin_transaction(core *self, warp *warp)
{
    warp->failures = 0;
    warp->todo = (1u << self->lane_count) - 1;
    for (uint32_t i = 0; i < self->lane_count; i++) {
        lane *lane = &warp->lanes[i];
        lane->length = 1 + draw(self, self->operation_count);
        for (uint32_t k = 0; k < lane->length; k++)
            lane->program[k] = (operation){.is_store = draw(self, 2), .word = draw(self, self->word_count)};
    }
}

/* Not part of any transaction; it leaves the word as it is. */
static void send_atomic(core *self, const warp *warp, uint64_t n)
{
    const uint64_t address = word_address(self, draw(self, self->word_count));
    hd_packet *packet = scripted_packet(self, self->atomic, sizeof(hd_atomic_operation));
    *(hd_atomic_operation *)hd_body(packet) =
        (hd_atomic_operation){.operation = HD_ATOMIC_OR, .word = (uint8_t)(address % HD_LINE_BYTES / 4)};
    packet->address = address / HD_LINE_BYTES * HD_LINE_BYTES;
    packet->argument = 1;
    packet->flow = warp->number;
    packet->traffic_class = HD_CLASS_ATOMIC;
    scripted_send(self, packet, address, HD_DESTINATION_L2_SLICE, 0, n);
}

void scripted_begin_attempt(core *self, warp *warp, uint64_t n)
{
    if (self->plain && draw(self, 100) < self->plain)
        send_atomic(self, warp, n);
    warp->phase = PHASE_RUN;
    warp->attempt++;
    warp->timestamp = self->has_ties ? warp->clock << self->warp_bits : warp->clock << self->warp_bits | warp->number;
    warp->cause = 0;
    warp->live = warp->todo;
    warp->step = 0;
    warp->outstanding = warp->loads_outstanding = warp->request_count = 0;
    for (uint32_t i = 0; i < self->lane_count; i++)
        warp->lanes[i].read_count = warp->lanes[i].write_count = 0;
}

static uint32_t epoch_of(const warp *warp)
{
    return 1 + (uint32_t)((warp->attempt - 1) % 255);
}

static log_entry *find_write(lane *lane, uint32_t word)
{
    for (uint32_t i = 0; i < lane->write_count; i++)
        if (lane->writes[i].word == word)
            return &lane->writes[i];
    return NULL;
}

static void ask(core *self, warp *warp, const request *asked, uint64_t n)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t bits = asked->lanes; bits; bits &= bits - 1) {
        const uint64_t address = word_address(self, asked->words[__builtin_ctz(bits)]);
        first = address < first ? address : first;
        last = address > last ? address : last;
    }
    hd_packet *packet = scripted_packet(self, asked->is_store ? self->store : self->load, sizeof(hd_getm_access));
    const uint32_t lanes = (uint32_t)__builtin_popcount(asked->lanes);
    *(hd_getm_access *)hd_body(packet) = (hd_getm_access){.timestamp = warp->timestamp,
                                                          .warp = warp->number,
                                                          .count = !asked->is_store        ? 0
                                                                   : self->counts_requests ? 1
                                                                                           : lanes,
                                                          .era = (uint32_t)self->era};
    packet->address = asked->is_store ? first / self->granule * self->granule : first;
    packet->argument = asked->is_store ? 0 : (uint32_t)(last + 4 - first);
    packet->tag = warp->attempt << 16 | (uint64_t)(warp - self->warps) << 12 | warp->request_count;
    packet->flow = warp->number;
    packet->epoch = epoch_of(warp);
    packet->wire_bytes += HD_GETM_ACCESS_WIRE_BYTES;
    warp->requests[warp->request_count] = *asked;
    warp->requests[warp->request_count++].is_open = 1;
    warp->outstanding++;
    warp->loads_outstanding += !asked->is_store;
    scripted_send(self, packet, packet->address, HD_DESTINATION_VALIDATION_UNIT, 0, n);
}

/* Lanes whose operation this is and needs a request; those that need none are done. */
static uint32_t lanes_of(core *self, warp *warp, uint32_t is_store)
{
    uint32_t lanes = 0;
    for (uint32_t bits = warp->live; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        lane *lane = &warp->lanes[i];
        if (warp->step >= lane->length || lane->program[warp->step].is_store != is_store)
            continue;
        if (is_store || !find_write(lane, lane->program[warp->step].word))
            lanes |= 1u << i;
    }
    (void)self;
    return lanes;
}

static void write_words(core *self, warp *warp, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        lane *lane = &warp->lanes[__builtin_ctz(lanes)];
        const uint32_t word = lane->program[warp->step].word;
        log_entry *entry = find_write(lane, word);
        if (!entry) {
            entry = &lane->writes[lane->write_count++];
            *entry = (log_entry){.word = word};
        }
        entry->value = self->next_value++;
    }
}

static void issue(core *self, warp *warp, uint32_t is_store, uint64_t n)
{
    uint32_t lanes = lanes_of(self, warp, is_store);
    if (is_store)
        write_words(self, warp, lanes);
    while (lanes) {
        request asked = {.is_store = is_store};
        const uint32_t first = warp->lanes[__builtin_ctz(lanes)].program[warp->step].word;
        for (uint32_t bits = lanes; bits; bits &= bits - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(bits);
            const uint32_t word = warp->lanes[i].program[warp->step].word;
            if (word_address(self, word) / self->granule != word_address(self, first) / self->granule)
                continue;
            asked.lanes |= 1u << i;
            asked.words[i] = word;
        }
        lanes &= ~asked.lanes;
        ask(self, warp, &asked, n);
    }
}

void scripted_step(core *self, warp *warp, uint64_t n, hd_time t)
{
    if (warp->phase == PHASE_BACK_OFF && n >= warp->wake && warp->logs < 64 && !self->is_rolling)
        scripted_begin_attempt(self, warp, n);
    while (warp->phase == PHASE_RUN && !(self->stores_wait ? warp->outstanding : warp->loads_outstanding)) {
        if (!warp->live || warp->step == self->operation_count) {
            if (warp->outstanding)
                return;
            scripted_end_attempt(self, warp, n, t);
            return;
        }
        issue(self, warp, 0, n);
        issue(self, warp, 1, n);
        warp->step++;
    }
}

static void take_load(core *self, warp *warp, const request *asked, const hd_packet *packet)
{
    for (uint32_t bits = asked->lanes & warp->live; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        lane *lane = &warp->lanes[i];
        log_entry entry = {.word = asked->words[i]};
        memcpy(&entry.value, (const uint8_t *)hd_body_const(packet) + word_address(self, entry.word) - packet->address,
               4);
        lane->reads[lane->read_count++] = entry;
    }
}

static void take_abort(core *self, warp *warp, const request *asked, const hd_packet *packet)
{
    const hd_getm_refusal *refusal = hd_body_const(packet);
    self->counters[1] += (uint32_t)__builtin_popcount(asked->lanes & warp->live);
    warp->live &= ~asked->lanes;
    if (refusal->cause != HD_GETM_NO_CAUSE && refusal->cause >= warp->cause)
        warp->cause = refusal->cause + 1;
}

void scripted_take_answer(core *self, const hd_packet *packet, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    warp *warp = &self->warps[packet->tag >> 12 & 0xF];
    request *asked = &warp->requests[packet->tag & 0xFFF];
    if (packet->tag >> 16 < warp->valid)
        return; /* of an era that is over */
    if (packet->tag >> 16 != warp->attempt || warp->phase != PHASE_RUN || !asked->is_open) {
        services->fault(services->context, t, "%s: I7: an answer to attempt %u of warp %u, which has ended",
                        services->name, (unsigned)(packet->tag >> 16), warp->number);
        return;
    }
    asked->is_open = 0;
    warp->outstanding--;
    warp->loads_outstanding -= !asked->is_store;
    if (packet->message == self->load_reply) {
        take_load(self, warp, asked, packet);
    } else if (packet->message == self->abort) {
        take_abort(self, warp, asked, packet);
    } else {
        for (uint32_t bits = asked->lanes; bits; bits &= bits - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(bits);
            find_write(&warp->lanes[i], asked->words[i])->reserved++;
        }
    }
    (void)n;
}
