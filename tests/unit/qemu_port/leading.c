/* SPDX-License-Identifier: MIT */
/* Who says how far time may go. */
#include <criterion/criterion.h>
#include <string.h>

#include "peer.h"

/* ---- The machine leads ----------------------------------------------------------------------------------------------- */

static void expect_three_syncs(peer *self)
{
    for (uint64_t time = 0; time <= 40; time += 20) {
        cr_expect_eq(peer_expect(self, RP_SYNC, 0)->time, time);
        peer_respond(self, time, RP_OK, NULL);
    }
    peer_only_syncs(self);
}

Test(qemu_leading, the_machine_synchronises_at_each_multiple_of_its_quantum)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, expect_three_syncs, BIT(PORT_ACCESS), "quantum=20 ns");
    kit_run_until(kit, 50 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "syncs"), 3);
    cr_expect_eq(kit_next(kit), 60 * CYCLE);
    peer_end(&self, kit);
}

static void sync_as_well(peer *self)
{
    const rp_packet sync = {.command = RP_SYNC, .id = 4, .time = 123456};
    peer_expect(self, RP_SYNC, 0);
    const rp_packet first = self->packet;
    peer_say(self, &sync);
    const rp_packet *response = peer_expect(self, RP_SYNC, RP_RESPONSE);
    cr_expect_eq(response->id, 4);
    cr_expect_eq(response->time, 0);
    self->packet = first;
    peer_respond(self, 0, RP_OK, NULL);
    peer_only_syncs(self);
}

Test(qemu_leading, a_sync_of_the_peers_is_answered_at_once_where_the_machine_leads)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, sync_as_well, BIT(PORT_ACCESS), "quantum=20 ns");
    kit_run_until(kit, 30 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "syncs"), 3);
    peer_end(&self, kit);
}

/* It has nothing to say any more, and nothing is left to be said to it. */
static void leave(peer *self)
{
    (void)self;
}

Test(qemu_leading, a_peer_that_owes_nothing_may_leave)
{
    for (const char **quantum = (const char *[]){"quantum=20 ns", "quantum=0 s", NULL}; *quantum; quantum++) {
        peer self = {.major = 4};
        kit_block *kit = peer_begin(&self, leave, BIT(PORT_ACCESS) | BIT(PORT_NOTIFY), *quantum);
        kit_send(kit, PORT_NOTIFY, 0, kit_packet(kit, HD_INTERRUPT, 0), 50 * CYCLE);
        kit_run_until(kit, 100 * CYCLE);
        cr_expect_eq(kit_next(kit), HD_NEVER);
        peer_end(&self, kit);
    }
}

/* ---- The peer leads -------------------------------------------------------------------------------------------------- */

static void lead(peer *self)
{
    rp_packet sync = {.command = RP_SYNC, .time = 30};
    const rp_packet write = {.command = RP_WRITE,
                             .flags = RP_POSTED,
                             .device = DEVICE_MEMORY,
                             .time = 45,
                             .length = 4,
                             .stream_width = 4,
                             .data_bytes = 4,
                             .data = "wxyz"};
    peer_say(self, &sync);
    cr_expect_eq(peer_expect(self, RP_SYNC, RP_RESPONSE)->time, 30);
    peer_say(self, &write);
    sync.time = 44; /* has passed */
    peer_say(self, &sync);
    cr_expect_geq(peer_expect(self, RP_SYNC, RP_RESPONSE)->time, 45);
    sync.time = 1000;
    peer_say(self, &sync);
    peer_expect(self, RP_SYNC, RP_RESPONSE);
}

static uint32_t answer(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    *(hd_time *)context = t;
    (void)packet;
    kit_send(kit, port, element, kit_packet(kit, HD_MEMORY_RESPONSE, 0), t + CYCLE);
    return 0;
}

Test(qemu_leading, time_goes_as_far_as_the_peer_says)
{
    peer self = {.major = 4};
    hd_time written = 0;
    kit_block *kit = peer_begin(&self, lead, BIT(PORT_MEMORY), "quantum=0 s");
    kit_respond(kit, answer, &written);
    kit_run_until(kit, 2000 * CYCLE);
    cr_expect_eq(written, 46 * CYCLE, "one cycle of the link behind 45 ns");
    cr_expect_eq(kit_statistic(kit, "syncs"), 3);
    cr_expect_eq(kit_statistic(kit, "interrupts"), 0);
    kit_free(kit, kit_receive(kit, PORT_MEMORY, 0, 2000 * CYCLE));
    peer_end(&self, kit);
}

/* While time goes to where it has asked for it answers. */
static void answer_within_a_sync(peer *self)
{
    const rp_packet sync = {.command = RP_SYNC, .time = 5000};
    peer_say(self, &sync);
    cr_expect_eq(peer_expect(self, RP_READ, 0)->time, 5);
    peer_respond(self, 9, RP_OK, "abcd");
    peer_expect(self, RP_SYNC, RP_RESPONSE);
}

Test(qemu_leading, an_answer_does_not_wait_for_the_end_of_a_sync)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, answer_within_a_sync, BIT(PORT_ACCESS), "quantum=0 s");
    hd_packet *read = kit_packet(kit, HD_MEMORY_READ, 0);
    read->argument = 4;
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    hd_packet *response = kit_receive(kit, PORT_ACCESS, 0, 100 * CYCLE);
    cr_assert(response);
    cr_expect_eq(kit_received_at(kit), 10 * CYCLE);
    kit_free(kit, response);
    kit_run_until(kit, 6000 * CYCLE);
    peer_end(&self, kit);
}

/* ---- Again ----------------------------------------------------------------------------------------------------------- */

Test(qemu_leading, the_tables_are_in_order)
{
    cr_expect_eq(kit_check_declaration(&hd_qemu_port_device), 0);
    cr_expect_eq(kit_check_declaration(&hd_qemu_port_host), 0);
}
