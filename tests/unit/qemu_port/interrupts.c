/* SPDX-License-Identifier: MIT */
/* Lines either way. */
#include <criterion/criterion.h>
#include <string.h>

#include "hd_host.h"
#include "peer.h"

static void expect_line(peer *self, uint32_t level)
{
    const rp_packet *interrupt = peer_expect_behind_syncs(self, RP_INTERRUPT, RP_POSTED);
    cr_expect_eq(interrupt->device, DEVICE_NOTIFY);
    cr_expect_eq(interrupt->line, 0);
    cr_expect_eq(interrupt->level, level);
}

static void expect_a_pulse_and_levels(peer *self)
{
    expect_line(self, 1);
    expect_line(self, 0);
    expect_line(self, 1);
    cr_expect_eq(self->packet.time, 7);
    expect_line(self, 0);
    peer_only_syncs(self);
}

static hd_packet *level_of(kit_block *kit, uint32_t level)
{
    hd_packet *packet = kit_packet(kit, HD_INTERRUPT_LEVEL, 0);
    packet->tag = level;
    return packet;
}

Test(qemu_interrupts, an_event_is_a_pulse_and_a_level_a_level)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, expect_a_pulse_and_levels, BIT(PORT_NOTIFY), "quantum=1 us");
    kit_send(kit, PORT_NOTIFY, 0, kit_packet(kit, HD_INTERRUPT, 0), 5 * CYCLE);
    kit_send(kit, PORT_NOTIFY, 0, level_of(kit, 1), 7 * CYCLE);
    kit_send(kit, PORT_NOTIFY, 0, level_of(kit, 0), 9 * CYCLE);
    kit_run_until(kit, 20 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "interrupts"), 3);
    peer_end(&self, kit);
}

static void say_line(peer *self, uint32_t device, uint32_t line, uint32_t level, uint32_t flags)
{
    const rp_packet interrupt = {
        .command = RP_INTERRUPT, .id = 8, .flags = flags, .device = device, .line = line, .level = level};
    peer_say(self, &interrupt);
}

/* Whoever can wait for them gets responses, but of what is posted. */
static void raise_lines(peer *self)
{
    say_line(self, DEVICE_INTERRUPT, 0, 1, 0);
    if (self->capabilities)
        cr_expect_eq(peer_expect_behind_syncs(self, RP_INTERRUPT, RP_RESPONSE)->id, 8);
    say_line(self, DEVICE_INTERRUPT, 0, 0, RP_POSTED);
    say_line(self, DEVICE_INTERRUPT, 0, 1, RP_POSTED);
    say_line(self, DEVICE_INTERRUPT, 63, 1, RP_POSTED); /* not bound */
    say_line(self, DEVICE_INTERRUPT, 64, 1, RP_POSTED); /* there is none */
    say_line(self, 55, 0, 1, RP_POSTED);
    peer_only_syncs(self);
}

static void expect_events(uint32_t capabilities)
{
    peer self = {.major = 4, .capabilities = capabilities};
    kit_block *kit = peer_begin(&self, raise_lines, BIT(PORT_INTERRUPT), "quantum=10 ns");
    for (uint32_t i = 0; i < 2; i++) {
        hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 100 * CYCLE);
        cr_assert(event);
        cr_expect_eq(event->message, kit_message(kit, HD_INTERRUPT));
        kit_free(kit, event);
    }
    kit_run_until(kit, 200 * CYCLE);
    cr_expect_eq(kit_waiting(kit, PORT_INTERRUPT, 0), 0);
    cr_expect_eq(kit_statistic(kit, "peer_interrupts"), 2);
    cr_expect_eq(kit_statistic(kit, "strays"), 3);
    peer_end(&self, kit);
}

Test(qemu_interrupts, a_line_of_events_has_one_when_it_rises)
{
    expect_events(0);
    expect_events(1u << RP_CAN_ANSWER_WIRES);
}

static void change_levels(peer *self)
{
    for (uint32_t i = 0; i < 6; i++) /* more than there are credits for */
        say_line(self, DEVICE_INTERRUPT, 0, ~i & 1, RP_POSTED);
    peer_only_syncs(self);
}

Test(qemu_interrupts, a_line_of_levels_has_all)
{
    peer self = {.major = 4};
    strcpy(self.more[0], "level.bit=9");
    kit_block *kit = peer_begin(&self, change_levels, BIT(PORT_LEVEL), "quantum=10 ns");
    for (uint32_t i = 0; i < 6; i++) {
        hd_packet *level = kit_receive(kit, PORT_LEVEL, 0, 200 * CYCLE);
        cr_assert(level);
        cr_expect_eq(level->argument, 9);
        cr_expect_eq(level->tag, ~i & 1);
        kit_free(kit, level);
    }
    peer_end(&self, kit);
}
