/* SPDX-License-Identifier: MIT */
/*
 * Conflicts by values: cores compare what their attempts have read with what is committed, as often as they want to. So they are told
 * of everything that is, and nobody commits who has not been compared with all of it. Who writes is none of the block's business: until
 * cores say that it is in memory, loads are given what is committed.
 */
#include <inttypes.h>

#include "state.h"

void ideal_send_changes(ideal_memory *self, uint32_t number, hd_time t)
{
    warp *warp = &self->warps[number];
    hd_packet *packet = warp->telling;
    if (!packet)
        return;
    warp->telling = NULL;
    warp->changes++;
    packet->body_bytes = (uint32_t)(packet->argument * sizeof(hd_ideal_write));
    self->counters.changes++;
    self->counters.changed_words += packet->argument;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_CHANGED, t, number, packet->argument);
    ideal_post(self, warp, packet, t);
}

/* Nonzero: there is no room, and the run has ended. */
static int put_words(ideal_memory *self, const arriving *log, hd_time t)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (ideal_put_word(self, &log->writes[i], 1, t))
            return -1;
    self->counters.written_words += log->count;
    return 0;
}

/* Of each word once: it may have been written several times. */
static void tell_readers(ideal_memory *self, uint32_t number, const arriving *log, hd_time t)
{
    for (uint32_t i = 0; i < log->count; i++) {
        word *word = ideal_find_word(self, log->writes[i].address);
        if (word->told != self->order)
            ideal_tell_readers(self, word, number, t);
        word->told = self->order;
    }
    for (uint32_t i = 0; i < self->hit_count; i++) {
        self->warps[self->hits[i]].hit = 0;
        ideal_send_changes(self, self->hits[i], t);
    }
    self->hit_count = 0;
}

void ideal_commit_compared(ideal_memory *self, const hd_packet *last, const arriving *log, hd_time t)
{
    const hd_ideal_commit *body = hd_body_const(last);
    const uint32_t number = last->flow, lanes = (uint32_t)__builtin_popcountll(body->lanes);
    warp *warp = &self->warps[number];
    if (last->tag != warp->changes) {
        self->counters.late_commits++;
        ideal_send_verdict(self, number, &(hd_ideal_verdict){.is_late = 1}, t);
        return;
    }
    const hd_ideal_verdict verdict = {
        .lanes = body->lanes, .order = self->order + 1, .committed = t, .is_written = log->count != 0};
    self->order += lanes;
    self->counters.commits++;
    self->counters.committed_lanes += lanes;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_COMMITTED, t, number, body->lanes, log->count);
    if (put_words(self, log, t))
        return;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WORDS, t, self->word_pool.taken);
    tell_readers(self, number, log, t);
    ideal_send_verdict(self, number, &verdict, t);
    ideal_forget(self, warp);
}

void ideal_written(ideal_memory *self, const hd_packet *packet, hd_time t)
{
    const hd_ideal_write *words = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++) {
        if (!ideal_find_word(self, words[i].address)) {
            self->services->fault(self->services->context, t,
                                  "%s: warp %" PRIu32 " has had the word at %#" PRIx64
                                  " written, which is not committed",
                                  self->services->name, packet->flow, words[i].address);
            return;
        }
        ideal_word_stored(self, words[i].address);
    }
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WORDS, t, self->word_pool.taken);
}
