/* SPDX-License-Identifier: MIT */
#include "state.h"

/* When the next credit of an output that waits for one comes. */
static hd_time next_credit(const struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    hd_time first = HD_NEVER;
    for (uint32_t w = 0; crossbar->any_blocked && w < crossbar->output_words; w++)
        for (uint64_t bits = crossbar->blocked.word[w]; bits;) {
            const struct output *output = &crossbar->outputs[64 * w + set_take(&bits)];
            first = hd_earlier(first, services->credit_arrival(services->context, output->link));
        }
    return first;
}

static uint64_t delivery_edge(const struct crossbar *crossbar)
{
    return crossbar->flight_count ? crossbar->flights[crossbar->first_flight & crossbar->flight_mask].edge : UINT64_MAX;
}

static hd_work next_work(const struct crossbar *crossbar)
{
    hd_work work = crossbar->head_work;
    hd_work_at_edge(&work, delivery_edge(crossbar));
    hd_work_at_edge(&work, crossbar->grant_edge);
    return work;
}

/* An output can be blocked and wanted by nobody who can send now: its credit ends the stall all the same. */
static void unblock_unrequested(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = crossbar->blocked.word[w] & ~crossbar->requested.word[w]; bits;)
            crossbar_has_credit(crossbar, 64 * w + set_take(&bits), n, t);
}

static void arbitrate(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    if (crossbar->asking)
        unblock_unrequested(crossbar, n, t);
    crossbar->arbitrate(crossbar, n, t);
}

hd_time crossbar_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    hd_cursor_catch_up(&crossbar->cursor, now);
    crossbar_refresh(crossbar);
    for (hd_time credit = next_credit(crossbar);;) {
        hd_work work = next_work(crossbar);
        hd_work_at_time(&work, credit);
        const hd_time t = hd_work_seek_before(&work, &crossbar->cursor, horizon);
        if (t >= horizon)
            return t;
        const uint64_t n = crossbar->cursor.n;
        if (delivery_edge(crossbar) <= n)
            crossbar_deliver(crossbar, n, t);
        if (crossbar->head_work.edge <= n || crossbar->head_work.time <= t)
            (crossbar->is_plain ? crossbar_update_plain_heads : crossbar_update_heads)(crossbar, n, t);
        crossbar->asking = credit <= t;
        if (crossbar->asking || crossbar->grant_edge <= n) {
            arbitrate(crossbar, n, t);
            credit = next_credit(crossbar);
        }
        hd_cursor_next(&crossbar->cursor);
    }
}

hd_time crossbar_promise(hd_block *block, hd_time now)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    hd_cursor next = crossbar->cursor;
    hd_cursor_catch_up(&next, now);
    crossbar_refresh(crossbar);
    hd_work work = next_work(crossbar);
    hd_work_at_time(&work, next_credit(crossbar));
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}
