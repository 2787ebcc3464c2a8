/* SPDX-License-Identifier: MIT */
/* Write logs of warps that commit, lane by lane. */
#include "tx/ideal/ideal.h"

#include <string.h>

/* A lane that is doomed while this is under way stays in it: the block knows. */
static void send_next(ideal *g, uint32_t warp)
{
    hd_ideal_write writes[HD_IDEAL_WRITES];
    const tx_log *log = &tx_warp_of(g->t, warp)->writes;
    const uint32_t count = ideal_collect(log, tx_running(g->t, warp), &g->cursor, writes);
    hd_packet *packet = ideal_packet(&g->registration, warp, g->message_commit,
                                     (uint32_t)(sizeof(hd_ideal_commit) + count * sizeof *writes));
    hd_ideal_commit *body = hd_body(packet);
    *body = (hd_ideal_commit){.lanes = tx_running(g->t, warp),
                              .pc = tx_warp_of(g->t, warp)->commit_pc,
                              .is_last = g->cursor.lane == log->lanes};
    memcpy(body + 1, writes, count * sizeof *writes);
    packet->argument = count;
    g->t->core.counters->tx_logs++;
    if (body->is_last) {
        g->cursor = (ideal_log_cursor){0};
        tx_queue_pop(&g->committing);
    }
    ideal_send(g->t, packet);
}

void ideal_send_commits(ideal *g)
{
    while (g->committing.count && ideal_has_credit(g->t))
        send_next(g, g->committing.warps[g->committing.head]);
    if (g->committing.count)
        tx_wake(g->t, g->t->core.now->n + 1);
}
