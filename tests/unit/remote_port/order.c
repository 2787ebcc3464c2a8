/* SPDX-License-Identifier: MIT */
/* In which order what the peer says takes effect. */
#include <criterion/criterion.h>

#include "peer.h"

#define BIT(port) (1u << (port))
#define CYCLE 1000
#define CREDITS 4 /* of each link of the kit */

static void read_at_one_time(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    for (uint32_t i = 0; i < 4; i++)
        heddle_remote_read(&self->remote, i, 3 * CYCLE, 0x100 * i, 4);
    heddle_remote_bye(&self->remote);
}

Test(remote_turns, what_happens_at_one_time_does_so_in_the_order_of_saying)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, read_at_one_time, BIT(PORT_MEMORY), "quantum=0 s");
    for (uint32_t i = 0; i < 4; i++) {
        hd_packet *read = kit_receive(kit, PORT_MEMORY, 0, 10 * CYCLE);
        cr_assert(read);
        cr_expect_eq(read->address, 0x100 * i);
        kit_free(kit, read);
    }
    peer_end(&self, kit);
}

/* More events than the line has credits for, then a read. */
static void raise_and_read(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    for (uint32_t i = 0; i <= CREDITS; i++)
        heddle_remote_interrupt(&self->remote, 0, 3 * CYCLE, 1, 0, 0);
    heddle_remote_read(&self->remote, 1, 3 * CYCLE, 0x100, 4);
    heddle_remote_bye(&self->remote);
}

Test(remote_order, what_waits_for_a_credit_holds_up_nothing_else)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, raise_and_read, BIT(PORT_MEMORY) | BIT(PORT_INTERRUPT), "quantum=0 s");
    hd_packet *read = kit_receive(kit, PORT_MEMORY, 0, 20 * CYCLE);
    cr_assert(read);
    cr_expect_eq(kit_received_at(kit), 4 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "late"), 0);
    kit_free(kit, read);
    for (uint32_t i = 0; i <= CREDITS; i++) {
        hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 40 * CYCLE);
        cr_assert(event);
        kit_free(kit, event);
    }
    peer_end(&self, kit);
}

static void raise_now(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_interrupt(&self->remote, 0, 0, 1, 0, 0);
    heddle_remote_bye(&self->remote);
}

Test(remote_order, what_is_said_for_now_is_not_late)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, raise_now, BIT(PORT_INTERRUPT), "quantum=0 s");
    hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 20 * CYCLE);
    cr_assert(event);
    cr_expect_eq(kit_statistic(kit, "late"), 0);
    kit_free(kit, event);
    peer_end(&self, kit);
}

/* More, one after the other, than may be unanswered at a time. */
static void read_often(peer *self)
{
    for (uint32_t i = 0; i <= HEDDLE_REMOTE_REQUESTS; i++) {
        const heddle_remote_message turn = peer_expect(self, HEDDLE_REMOTE_ADVANCE);
        heddle_remote_read(&self->remote, i, turn.time + CYCLE, 0x100, 4);
        heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
        cr_expect_eq(peer_expect(self, HEDDLE_REMOTE_ANSWER).tag, i);
    }
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_bye(&self->remote);
}

Test(remote_order, an_answer_makes_room_for_another_request)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, read_often, BIT(PORT_MEMORY), "quantum=0 s");
    for (uint32_t i = 0; i <= HEDDLE_REMOTE_REQUESTS; i++) {
        hd_packet *read = kit_receive(kit, PORT_MEMORY, 0, 10 * (i + 1) * CYCLE);
        cr_assert(read);
        hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, 4);
        answer->tag = read->tag;
        kit_send(kit, PORT_MEMORY, 0, answer, 10 * (i + 1) * CYCLE);
        kit_free(kit, read);
    }
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "peer_requests"), HEDDLE_REMOTE_REQUESTS + 1);
    peer_end(&self, kit);
}
