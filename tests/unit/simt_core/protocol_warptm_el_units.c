/* SPDX-License-Identifier: MIT */
/* The commit units of the rig: they write in the order of IDs. */
#include "protocol_warptm_el_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static uint32_t partition_of(uint64_t address)
{
    return (uint32_t)(address >> 8) % EL_PARTITIONS;
}

static kit_block *kit_of(const el_rig *g)
{
    return rig_kit(g->rig);
}

void el_units_expect(el_rig *g, const hd_packet *packet, uint64_t first, uint64_t lanes)
{
    cr_assert_lt(g->group_count, EL_GROUPS);
    g->groups[g->group_count++] = (el_group){.ids = {first, lanes}, .warp = packet->flow, .epoch = packet->epoch};
}

uint32_t el_units_have_written(const el_rig *g, uint32_t warp)
{
    for (uint32_t i = 0; i < g->group_count; i++)
        for (uint32_t p = 0; p < EL_PARTITIONS; p++)
            if (g->groups[i].warp == warp && g->groups[i].count[p] &&
                (!(g->groups[i].written >> p & 1) || g->groups[i].said > kit_now(kit_of(g))))
                return 0;
    return 1;
}

uint32_t el_units_wait(const el_rig *g)
{
    for (uint32_t i = 0; i < g->group_count; i++)
        if (g->groups[i].written != (1u << EL_PARTITIONS) - 1)
            return 1;
    return 0;
}

void el_units_forget(el_rig *g)
{
    for (uint32_t i = 0; i < g->group_count; i++)
        for (uint32_t p = 0; p < EL_PARTITIONS; p++)
            free(g->groups[i].words[p]);
    g->group_count = 0;
}

static el_group *group_of(const el_rig *g, const hd_kilo_group *ids, const hd_packet *packet)
{
    for (uint32_t i = g->group_count; i-- > 0;)
        if (g->groups[i].ids.first == ids->first) {
            cr_assert_eq(g->groups[i].ids.lanes, ids->lanes);
            cr_assert(g->groups[i].warp == packet->flow && g->groups[i].epoch == packet->epoch);
            return &g->groups[i];
        }
    cr_assert_fail("commit ID %lu was not given out", ids->first);
    return NULL;
}

static void take_log(el_rig *g, const hd_packet *packet, uint32_t p)
{
    const hd_kilo_log *log = hd_body_const(packet);
    const hd_kilo_word *words = (const hd_kilo_word *)(log + 1);
    el_group *group = group_of(g, &log->group, packet);
    cr_assert(!log->resent && packet->argument && !(group->ended >> p & 1));
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + packet->argument * HD_KILO_WORD_WIRE_BYTES);
    group->words[p] = realloc(group->words[p], (group->count[p] + packet->argument) * sizeof *words);
    for (uint32_t i = 0; i < packet->argument; i++) {
        cr_assert_eq(partition_of(words[i].address), p);
        cr_assert(group->ids.lanes >> words[i].lane & 1 && words[i].byte_mask);
        cr_assert(i == 0 || words[i - 1].lane < words[i].lane, "an entry of the log");
        group->words[p][group->count[p]++] = words[i];
        group->writers[p] |= UINT64_C(1) << words[i].lane;
    }
    g->seen.write_sets++;
}

static void take_end(el_rig *g, const hd_packet *packet, uint32_t p)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    el_group *group = group_of(g, &said->group, packet);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + HD_KILO_MASK_WIRE_BYTES);
    cr_assert_eq(said->lanes, group->ids.lanes);
    cr_assert_eq(said->marked, group->writers[p]);
    cr_assert(!(group->ended >> p & 1), "a log ends once");
    group->ended |= 1u << p;
    group->waits[p] = g->hold;
    g->seen.done_skips++;
}

static void say_written(el_rig *g, el_group *group, uint32_t p, uint64_t lanes, uint32_t later)
{
    const hd_time t = kit_now(kit_of(g)) + kit_cycles(kit_of(g), g->delay + later);
    hd_packet *packet = kit_packet(kit_of(g), HD_KILO_COMMITTED, sizeof(hd_kilo_lanes));
    *(hd_kilo_lanes *)hd_body(packet) = (hd_kilo_lanes){group->ids, lanes, lanes};
    packet->flow = group->warp;
    packet->epoch = group->epoch;
    packet->argument = p;
    packet->tag = group->ids.first;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    g->seen.committed++;
    group->said = t > group->said ? t : group->said;
    rig_send_reply(g->rig, packet, t);
}

static void write_group(el_rig *g, el_group *group, uint32_t p)
{
    for (uint32_t i = 0; i < group->count[p]; i++) {
        const hd_kilo_word *word = &group->words[p][i];
        rig_set_word(g->rig, word->address, el_merge(rig_word(g->rig, word->address), word->value, word->byte_mask));
    }
    group->written |= 1u << p;
    for (uint32_t lane = 64; g->per_lane && lane-- > 0;) /* the highest first */
        if (group->writers[p] >> lane & 1)
            say_written(g, group, p, UINT64_C(1) << lane, 3 * (63 - lane));
    if (!g->per_lane && group->writers[p])
        say_written(g, group, p, group->writers[p], 0);
}

/* In the order of IDs, whether somebody has words there or not. */
static void write_what_is_due(el_rig *g)
{
    for (uint32_t p = 0; p < EL_PARTITIONS && !g->mute; p++)
        for (uint32_t i = 0; i < g->group_count; i++) {
            el_group *group = &g->groups[i];
            if (group->written >> p & 1)
                continue;
            if (!(group->ended >> p & 1) || group->waits[p])
                break;
            write_group(g, group, p);
        }
}

void el_units_go_on(el_rig *g)
{
    for (uint32_t i = 0; i < g->group_count; i++)
        for (uint32_t p = 0; p < EL_PARTITIONS; p++)
            g->groups[i].waits[p] -= g->groups[i].waits[p] != 0;
    write_what_is_due(g);
}

void el_units_take(el_rig *g, const hd_packet *packet)
{
    const uint32_t p = packet->destination - 1u;
    cr_assert(p < EL_PARTITIONS && packet->unit == HD_DESTINATION_COMMIT_UNIT);
    g->turns += packet->flow != g->latest_warp;
    g->latest_warp = packet->flow;
    if (packet->message == kit_message(kit_of(g), HD_KILO_WRITE_SET))
        take_log(g, packet, p);
    else
        take_end(g, packet, p);
}
