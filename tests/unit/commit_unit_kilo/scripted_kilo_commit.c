/* SPDX-License-Identifier: MIT */
/* Commits: silent ones, conflicts within the warp, IDs, logs, verdicts, outcomes. */
#include <stdlib.h>
#include <string.h>

#include "scripted_kilo_state.h"

static void lane_ends(core *self, warp *warp, uint32_t number, uint32_t commits, uint64_t id)
{
    warp->live &= ~(1u << number);
    if (commits) {
        warp->todo &= ~(1u << number);
        script_keep_commit(self, warp, number, id);
    } else {
        self->counters[COUNT_ABORTS]++;
    }
}

/* ---- Before IDs are taken ---------------------------------------------------------------------------------------------- */

static uint32_t writes_any_of(const lane *writer, const log_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < writer->write_count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (writer->writes[i].word == entries[k].word)
                return 1;
    return 0;
}

/* Lane by lane: whoever has a word that a lower one, which stays, writes, loses. */
static void resolve(core *self, warp *warp)
{
    for (uint32_t i = 0; i < KILO_LANES; i++)
        for (uint32_t lower = 0; lower < i && warp->live >> i & 1; lower++) {
            const lane *lane = &warp->lanes[i], *other = &warp->lanes[lower];
            if (warp->live >> lower & 1 && (writes_any_of(other, lane->reads, lane->read_count) ||
                                            writes_any_of(other, lane->writes, lane->write_count)))
                lane_ends(self, warp, i, 0, 0);
        }
}

static void commit_silently(core *self, warp *warp)
{
    for (uint32_t left = warp->live; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctz(left);
        const lane *lane = &warp->lanes[number];
        const uint32_t is_empty = !lane->read_count && !lane->write_count;
        if (is_empty || (parameter(self, SCRIPT_SILENT) && !lane->write_count && !lane->conflicts))
            lane_ends(self, warp, number, 1, 0);
    }
}

void script_commit(core *self, warp *warp, uint64_t n)
{
    commit_silently(self, warp);
    if (parameter(self, SCRIPT_INTRA_WARP))
        resolve(self, warp);
    if (!warp->live) {
        script_end_attempt(self, warp, n);
        return;
    }
    hd_packet *packet = script_packet(self, warp, self->message.take_ids, 0);
    packet->argument = (uint32_t)__builtin_popcount(warp->live);
    self->requests[self->request_count++] = packet;
    warp->phase = PHASE_IDS;
}

/* ---- Logs -------------------------------------------------------------------------------------------------------------- */

typedef struct draft {
    hd_packet *packet;
    hd_kilo_log *log;
} draft;

static draft new_log(core *self, const warp *warp, uint32_t is_write_set, uint32_t resent)
{
    const uint32_t most = (uint32_t)(sizeof(hd_kilo_log) + HD_KILO_WORDS * sizeof(hd_kilo_word));
    const uint32_t message = is_write_set ? self->message.write_set : self->message.read_set;
    draft draft = {.packet = script_packet(self, warp, message, most)};
    draft.log = hd_body(draft.packet);
    *draft.log = (hd_kilo_log){.group = warp->group, .resent = resent};
    draft.packet->body_bytes = sizeof *draft.log;
    return draft;
}

static void add_word(const core *self, const draft *draft, uint32_t number, const log_entry *entry)
{
    hd_kilo_word *words = (hd_kilo_word *)(draft->log + 1);
    words[draft->packet->argument++] = (hd_kilo_word){.address = (uint32_t)word_address(self, entry->word),
                                                      .value = entry->value,
                                                      .lane = (uint8_t)number,
                                                      .byte_mask = 15};
    draft->packet->body_bytes += (uint32_t)sizeof *words;
    draft->packet->wire_bytes += HD_KILO_WORD_WIRE_BYTES;
}

static void post(core *self, const draft *draft, uint32_t partition, uint64_t n)
{
    if (draft->packet->argument)
        script_send(self, draft->packet, partition, HD_DESTINATION_COMMIT_UNIT, n);
    else
        self->services->free(self->services->context, draft->packet);
}

static const log_entry *entries_of(const lane *lane, uint32_t is_write_set, uint32_t *count)
{
    *count = is_write_set ? lane->write_count : lane->read_count;
    return is_write_set ? lane->writes : lane->reads;
}

/* Entry k of all lanes: a packet for each partition that it has words of. */
static void send_entry(core *self, warp *warp, uint32_t is_write_set, uint32_t k, uint64_t n)
{
    for (uint32_t p = 0; p < self->map->partitions; p++) {
        const draft draft = new_log(self, warp, is_write_set, 0);
        for (uint32_t left = warp->live; left; left &= left - 1) {
            const uint32_t number = (uint32_t)__builtin_ctz(left);
            lane *lane = &warp->lanes[number];
            uint32_t count;
            const log_entry *entries = entries_of(lane, is_write_set, &count);
            if (k >= count || partition_of(self, entries[k].word) != p)
                continue;
            add_word(self, &draft, number, &entries[k]);
            lane->touched |= UINT64_C(1) << p;
            lane->written |= (uint64_t)is_write_set << p;
        }
        post(self, &draft, p, n);
    }
}

static void send_lanes(core *self, const warp *warp, uint32_t message, uint32_t partition, uint64_t lanes,
                       uint64_t marked, uint32_t mask_bytes, uint64_t n)
{
    hd_packet *packet = script_packet(self, warp, message, (uint32_t)sizeof(hd_kilo_lanes));
    *(hd_kilo_lanes *)hd_body(packet) = (hd_kilo_lanes){warp->group, lanes, marked};
    packet->wire_bytes += mask_bytes;
    script_send(self, packet, partition, HD_DESTINATION_COMMIT_UNIT, n);
}

static uint64_t lanes_touching(const warp *warp, uint64_t lanes, uint32_t partition)
{
    uint64_t touching = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (warp->lanes[__builtin_ctzll(left)].touched >> partition & 1)
            touching |= left & -left;
    return touching;
}

/* From each partition that is awaited, for each lane or for all of them. */
static void expect_messages(core *self, const warp *warp, uint64_t lanes, uint32_t counter)
{
    uint64_t any = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint64_t awaited = warp->lanes[__builtin_ctzll(left)].awaited;
        self->counters[counter] += parameter(self, SCRIPT_AGGREGATE) ? 0 : (uint64_t)__builtin_popcountll(awaited);
        any |= awaited;
    }
    self->counters[counter] += parameter(self, SCRIPT_AGGREGATE) ? (uint64_t)__builtin_popcountll(any) : 0;
}

void script_take_ids(core *self, const hd_packet *packet, uint64_t n)
{
    warp *warp = &self->warps[packet->tag >> 8];
    warp->group = (hd_kilo_group){packet->address, warp->live};
    warp->phase = PHASE_COMMIT;
    for (uint32_t is_write_set = 0; is_write_set < 2; is_write_set++)
        for (uint32_t k = 0; k < KILO_OPERATIONS; k++)
            send_entry(self, warp, is_write_set, k, n);
    for (uint32_t p = 0; p < self->map->partitions; p++)
        send_lanes(self, warp, self->message.done_skip, p, warp->live, lanes_touching(warp, warp->live, p),
                   HD_KILO_MASK_WIRE_BYTES, n);
    for (uint32_t left = warp->live; left; left &= left - 1) {
        lane *lane = &warp->lanes[__builtin_ctz(left)];
        lane->awaited = lane->touched;
        lane->id = hd_kilo_id(&warp->group, (uint32_t)__builtin_ctz(left));
    }
    expect_messages(self, warp, warp->live, COUNT_VERDICTS);
}

/* ---- Outcomes ---------------------------------------------------------------------------------------------------------- */

static void tell_outcome(core *self, const warp *warp, uint64_t lanes, uint64_t n)
{
    uint64_t passing = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        passing |= warp->lanes[__builtin_ctzll(left)].fails ? 0 : left & -left;
    for (uint32_t p = 0; p < self->map->partitions; p++) {
        const uint64_t touching = lanes_touching(warp, lanes, p);
        if (touching)
            send_lanes(self, warp, self->message.outcome, p, touching, touching & passing,
                       parameter(self, SCRIPT_AGGREGATE) ? HD_KILO_MASK_WIRE_BYTES : 0, n);
    }
}

/* All units have said what they think of these lanes. Who writes waits until that is done; all others are. */
static void finalise(core *self, warp *warp, uint64_t lanes, uint64_t n)
{
    tell_outcome(self, warp, lanes, n);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        lane *lane = &warp->lanes[number];
        lane->decided = hd_cursor_time_of(&self->cursor, n);
        lane->awaited = lane->fails ? 0 : lane->written;
        if (!lane->awaited)
            lane_ends(self, warp, number, !lane->fails, lane->id);
    }
    expect_messages(self, warp, lanes, COUNT_COMMITTED);
}

static uint64_t awaiting(const warp *warp, uint64_t lanes)
{
    uint64_t open = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        open |= warp->lanes[__builtin_ctzll(left)].awaited ? left & -left : 0;
    return open;
}

static void take_verdict(core *self, warp *warp, uint32_t partition, const hd_kilo_lanes *said, uint64_t n)
{
    for (uint64_t left = said->lanes; left; left &= left - 1) {
        lane *lane = &warp->lanes[__builtin_ctzll(left)];
        if (!(lane->awaited >> partition & 1))
            abort();
        lane->awaited &= ~(UINT64_C(1) << partition);
        lane->fails |= !(said->marked & left & -left);
    }
    const uint64_t open = awaiting(warp, warp->live);
    if (!parameter(self, SCRIPT_AGGREGATE))
        finalise(self, warp, said->lanes & ~open, n);
    else if (!open)
        finalise(self, warp, warp->live, n);
}

static void take_committed(core *self, warp *warp, uint32_t partition, const hd_kilo_lanes *said)
{
    for (uint64_t left = said->lanes; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        lane *lane = &warp->lanes[number];
        if (!(lane->awaited >> partition & 1))
            abort();
        lane->awaited &= ~(UINT64_C(1) << partition);
        if (!lane->awaited)
            lane_ends(self, warp, number, 1, lane->id);
    }
}

/* What the unit has not kept, in packets of a few words. */
static void resend(core *self, warp *warp, uint32_t partition, const hd_kilo_resend *asked, uint64_t n)
{
    const lane *lane = &warp->lanes[asked->lane];
    uint32_t count, number = 0;
    const log_entry *entries = entries_of(lane, asked->is_write_set, &count);
    draft draft = new_log(self, warp, asked->is_write_set, 1);
    for (uint32_t k = 0; k < count; k++) {
        if (partition_of(self, entries[k].word) != partition || number++ < asked->from)
            continue;
        add_word(self, &draft, asked->lane, &entries[k]);
        self->counters[COUNT_RESENT]++;
        if (draw(self, 3))
            continue;
        post(self, &draft, partition, n);
        draft = new_log(self, warp, asked->is_write_set, 1);
    }
    post(self, &draft, partition, n);
    send_lanes(self, warp, self->message.resent, partition, UINT64_C(1) << asked->lane, 0, 0, n);
}

void script_take_answer(core *self, const hd_packet *packet, uint64_t n)
{
    warp *warp = &self->warps[packet->flow % parameter(self, SCRIPT_WARPS)];
    const hd_kilo_lanes *said = hd_body_const(packet);
    if (packet->epoch != warp->epoch || packet->tag != warp->group.first)
        abort();
    if (packet->message == self->message.verdict)
        take_verdict(self, warp, packet->argument, said, n);
    else if (packet->message == self->message.committed)
        take_committed(self, warp, packet->argument, said);
    else if (packet->message == self->message.resend)
        resend(self, warp, packet->argument, hd_body_const(packet), n);
    else
        abort();
    if (warp->phase == PHASE_COMMIT && !warp->live)
        script_end_attempt(self, warp, n);
}
