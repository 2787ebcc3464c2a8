/* SPDX-License-Identifier: MIT */
/* Lanes commit one after the other; whoever has read what they write cannot any more, and is told at once. */
#include <inttypes.h>
#include <string.h>

#include "state.h"

/* One lane's words. Nonzero: the run has ended. */
static int write_words(ideal_memory *self, uint32_t number, const hd_ideal_write *writes, uint32_t count,
                       uint64_t spared, hd_time t)
{
    for (uint32_t i = 0; i < count; i++) {
        const int is_new = ideal_store_word(self, &writes[i], number, t);
        if (is_new < 0 || ideal_put_word(self, &writes[i], (uint32_t)is_new, t))
            return -1;
        ideal_hit_readers(self, writes[i].address, number, spared);
        self->counters.written_words++;
    }
    return 0;
}

/* First write of a lane from this one on. */
static uint32_t first_from(const arriving *log, uint32_t write, uint32_t lane)
{
    while (write < log->count && log->writes[write].lane < lane)
        write++;
    return write;
}

/* Lanes that commit. */
static uint64_t decide(ideal_memory *self, uint32_t number, uint64_t lanes, const arriving *log, hd_time t)
{
    const warp *warp = &self->warps[number];
    uint64_t committed = 0;
    uint32_t first = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        first = first_from(log, first, lane);
        const uint32_t end = first_from(log, first, lane + 1);
        if (!(warp->doomed & left & -left)) {
            committed |= left & -left;
            if (write_words(self, number, log->writes + first, end - first, committed | ~lanes, t))
                break;
        }
        first = end;
    }
    return committed;
}

static void send_doom(ideal_memory *self, uint32_t number, uint32_t winner, uint32_t winner_pc, hd_time t)
{
    warp *warp = &self->warps[number];
    hd_packet *packet = ideal_answer(self, number, self->message.doom, sizeof(hd_ideal_doom));
    *(hd_ideal_doom *)hd_body(packet) = (hd_ideal_doom){
        .lanes = warp->hit, .address = warp->hit_address, .pc = warp->hit_pc, .winner = winner, .winner_pc = winner_pc};
    packet->tag = self->dooms++ & UINT32_MAX;
    self->counters.dooms++;
    self->counters.doomed_lanes += (uint32_t)__builtin_popcountll(warp->hit);
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_DOOMED, t, number, warp->hit, warp->hit_address, winner);
    hd_trace_flow(self->trace, EVENT_DOOMED, EVENT_DOOM, t, HD_TRACE_FROM,
                  (uint64_t)warp->endpoint << 32 | packet->tag);
    warp->hit = 0;
    ideal_post(self, warp, packet, t);
}

static void commit(ideal_memory *self, uint32_t number, const hd_ideal_commit *body, const arriving *log, hd_time t)
{
    warp *warp = &self->warps[number];
    const uint64_t words = self->counters.written_words;
    self->order++;
    const uint64_t committed = decide(self, number, body->lanes, log, t);
    const uint64_t written = self->counters.written_words - words;
    self->counters.commits++;
    self->counters.committed_lanes += (uint32_t)__builtin_popcountll(committed);
    self->counters.late_lanes += (uint32_t)__builtin_popcountll(body->lanes & ~committed);
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_COMMITTED, t, number, committed, written);
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WORDS, t, self->word_pool.taken);
    for (uint32_t i = 0; i < self->hit_count; i++)
        send_doom(self, self->hits[i], number, body->pc, t);
    self->hit_count = 0;
    ideal_send_verdict(
        self, number,
        &(hd_ideal_verdict){.lanes = committed, .order = self->order, .committed = t, .is_written = written != 0}, t);
    ideal_forget(self, warp);
}

void ideal_commit(ideal_memory *self, uint32_t element, const hd_packet *packet, hd_time t)
{
    const hd_ideal_commit *body = hd_body_const(packet);
    arriving *log = &self->arriving[element];
    ideal_attempt(self, &self->warps[packet->flow], packet->epoch);
    if (log->count + packet->argument > self->commit_words) {
        ideal_overflow(self, t, PARAMETER_COMMIT_WORDS);
        return;
    }
    memcpy(log->writes + log->count, body + 1, packet->argument * sizeof *log->writes);
    log->count += packet->argument;
    if (!body->is_last)
        return;
    if (self->compares_values)
        ideal_commit_compared(self, packet, log, t);
    else
        commit(self, packet->flow, body, log, t);
    log->count = 0;
}
