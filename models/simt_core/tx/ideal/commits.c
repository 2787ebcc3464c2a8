/* SPDX-License-Identifier: MIT */
/* Write logs of warps that commit, lane by lane. */
#include "tx/ideal/ideal.h"

#include <string.h>

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

/* As many as there are, up to a packet full. Returns how many; *lane is beyond the last lane when all are there. */
static uint32_t collect(ideal *g, uint32_t warp, hd_ideal_write *writes)
{
    const tx_log *log = &tx_warp_of(g->t, warp)->writes;
    const uint64_t lanes = tx_running(g->t, warp);
    uint32_t count = 0;
    for (; g->lane < log->lanes; g->lane++, g->entry = 0)
        while (lanes >> g->lane & 1) {
            if (count == HD_IDEAL_WRITES)
                return count;
            if (!next_write(log, g->lane, &g->entry, &writes[count]))
                break;
            count++;
        }
    return count;
}

/* A lane that is doomed while this is under way stays in it: the block knows. */
static void send_next(ideal *g, uint32_t warp)
{
    hd_ideal_write writes[HD_IDEAL_WRITES];
    const uint32_t count = collect(g, warp, writes);
    hd_packet *packet =
        ideal_packet(g, warp, g->message_commit, (uint32_t)(sizeof(hd_ideal_commit) + count * sizeof *writes));
    hd_ideal_commit *body = hd_body(packet);
    *body = (hd_ideal_commit){.lanes = tx_running(g->t, warp),
                              .pc = tx_warp_of(g->t, warp)->commit_pc,
                              .is_last = g->lane == tx_warp_of(g->t, warp)->writes.lanes};
    memcpy(body + 1, writes, count * sizeof *writes);
    packet->argument = count;
    g->t->core.counters->tx_logs++;
    if (body->is_last) {
        g->lane = g->entry = 0;
        tx_queue_pop(&g->committing);
    }
    ideal_send(g, packet);
}

void ideal_send_commits(ideal *g)
{
    while (g->committing.count && ideal_has_credit(g))
        send_next(g, g->committing.warps[g->committing.head]);
    if (g->committing.count)
        tx_wake(g->t, g->t->core.now->n + 1);
}
