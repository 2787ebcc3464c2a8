/* SPDX-License-Identifier: MIT */
/* Atomics on global memory travel to their partition; reservations of load reserved are kept here, per thread. */
#include "state.h"

reservation *atomics_reservation(memory *m, const access_slot *slot, uint32_t lane)
{
    const lane_homes homes = homes_of(m, slot);
    m->scratchpad.is_reserved = 1; /* it may be written to */
    return &m->scratchpad.reservations[(size_t)homes_row_of(homes, lane) * m->parameters.lanes + lane];
}

void atomics_forget(memory *m, uint32_t warp)
{
    for (uint32_t lane = 0; m->scratchpad.is_reserved && lane < m->parameters.lanes; lane++)
        m->scratchpad.reservations[(size_t)warp * m->parameters.lanes + lane].valid = 0;
}

/* One load reserved more or less is on its way, of each warp of which lanes are. */
static void count_load_reserved(memory *m, const access_slot *slot, uint64_t lanes, uint32_t change)
{
    for (uint64_t left = lanes; left != 0;)
        m->warps[homes_take(homes_of(m, slot), &left).row].load_reserved_in_flight += change;
}

static uint32_t awaits_load_reserved(const memory *m, const access_slot *slot)
{
    uint32_t count = 0;
    for (uint64_t left = slot->access.mask; left != 0;)
        count |= m->warps[homes_take(homes_of(m, slot), &left).row].load_reserved_in_flight;
    return count != 0;
}

/* Lanes of a store conditional without a reservation fail here and do not travel; the others carry the version. */
uint32_t atomics_check_reservations(memory *m, access_slot *slot)
{
    if (awaits_load_reserved(m, slot))
        return WAIT_RESERVATION;
    uint64_t failed = 0;
    for (uint64_t left = slot->remaining[WINDOW_GLOBAL]; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        reservation *held = atomics_reservation(m, slot, lane);
        if (!held->valid || held->address != slot->place[lane]) {
            slot->access.data[lane] = 1;
            failed |= UINT64_C(1) << lane;
        }
        held->valid = 0;
    }
    slot->checked = 1;
    slot->remaining[WINDOW_GLOBAL] &= ~failed;
    if (failed != 0)
        pipe_give_later(m, &m->values.hits, slot, failed, m->parameters.l1_latency);
    return STARTED;
}

/* Of a store conditional, whose reservation has been checked, the version that it asks for. */
static uint64_t compare_of(memory *m, const access_slot *slot, uint32_t lane)
{
    switch (slot->operation) {
    case HD_ATOMIC_STORE_CONDITIONAL: return atomics_reservation(m, slot, lane)->version;
    case HD_ATOMIC_CAS: return slot->access.compare[lane];
    default: return 0; /* nobody looks at it, but all bytes of a packet follow from the program */
    }
}

static uint32_t operands_of(uint32_t operation)
{
    if (operation == HD_ATOMIC_LOAD_RESERVED)
        return 0;
    return operation == HD_ATOMIC_CAS || operation == HD_ATOMIC_STORE_CONDITIONAL ? 2 : 1;
}

/* An earlier load reserved may come back after a later one: the reservation is that of the latest. */
static void await_reservations(memory *m, const access_slot *slot, uint64_t lanes)
{
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        *atomics_reservation(m, slot, lowest_lane(left)) = (reservation){.awaited = ticket_of(m, slot)};
}

static void take_reservation(memory *m, const access_slot *slot, uint32_t lane, uint64_t version)
{
    reservation *held = atomics_reservation(m, slot, lane);
    if (held->awaited == ticket_of(m, slot))
        *held =
            (reservation){.address = slot->place[lane], .version = version, .valid = 1, .awaited = NO_TICKET_AWAITED};
}

static uint64_t lanes_of_sector(const access_slot *slot, uint64_t lanes)
{
    const uint32_t first = place_of_line(slot, lanes, 32);
    uint64_t found = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        found |= (slot->place[lowest_lane(left)] & ~31u) == first ? left & -left : 0;
    return found;
}

static uint64_t lanes_of_different_words(const access_slot *slot, uint64_t lanes)
{
    uint32_t words = 0;
    uint64_t found = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t word = slot->place[lowest_lane(left)] % HD_LINE_BYTES / 4;
        found |= (words >> word & 1) == 0 ? left & -left : 0;
        words |= 1u << word;
    }
    return found;
}

void atomics_narrow(const memory *m, const access_slot *slot, line_group *group)
{
    switch (m->parameters.atomic_request) {
    case ATOMIC_LINES: return;
    case ATOMIC_LANES: group->lanes &= -group->lanes; return;
    case ATOMIC_SECTORS: group->lanes = lanes_of_sector(slot, group->lanes); break;
    default: break;
    }
    group->lanes = lanes_of_different_words(slot, group->lanes);
}

void atomics_start(memory *m, access_slot *slot, const line_group *group)
{
    const uint64_t address = slot->base[WINDOW_GLOBAL] + group->place;
    const uint32_t count = lane_count(group->lanes);
    const uint32_t operand_bytes = count * operands_of(slot->operation) * 4;
    m->counters->l1_bypasses++;
    hd_packet *packet = network_packet(m, m->network.message_atomic, HD_CLASS_ATOMIC, address,
                                       count * (uint32_t)sizeof(hd_atomic_operation));
    hd_atomic_operation *operation = hd_body(packet);
    for (uint64_t left = group->lanes; left != 0; left &= left - 1, operation++) {
        const uint32_t lane = lowest_lane(left);
        *operation = (hd_atomic_operation){.operation = (uint8_t)slot->operation,
                                           .word = (uint8_t)((slot->place[lane] - group->place) / 4),
                                           .lane = (uint8_t)lane,
                                           .operand = slot->access.data[lane],
                                           .compare = compare_of(m, slot, lane)};
    }
    packet->argument = count;
    packet->wire_bytes += operand_bytes;
    packet->tag = network_group_tag(m, slot, WINDOW_GLOBAL, group->lanes);
    m->counters->atomic_bytes += operand_bytes;
    if (slot->operation == HD_ATOMIC_LOAD_RESERVED) {
        count_load_reserved(m, slot, group->lanes, 1);
        await_reservations(m, slot, group->lanes);
    }
    network_queue(m, packet);
}

void atomics_reply(memory *m, access_slot *slot, uint64_t lanes, const hd_packet *packet)
{
    const hd_atomic_result *result = hd_body_const(packet);
    for (uint64_t left = lanes; left != 0; left &= left - 1, result++) {
        const uint32_t lane = lowest_lane(left);
        slot->access.data[lane] = result->value;
        if (slot->operation == HD_ATOMIC_LOAD_RESERVED)
            take_reservation(m, slot, lane, result->version);
    }
    if (slot->operation == HD_ATOMIC_LOAD_RESERVED) {
        count_load_reserved(m, slot, lanes, UINT32_MAX);
        pipe_end_stall(m);
    }
    pipe_give(m, slot, lanes, slot->access.data);
}
