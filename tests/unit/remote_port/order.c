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
    heddle_remote_read(&self->remote, 1, 5 * CYCLE, 0x100, 4);
    heddle_remote_bye(&self->remote);
}

Test(remote_order, what_waits_for_a_credit_holds_up_nothing_else)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, raise_and_read, BIT(PORT_MEMORY) | BIT(PORT_INTERRUPT), "quantum=0 s");
    hd_packet *read = kit_receive(kit, PORT_MEMORY, 0, 20 * CYCLE);
    cr_assert(read);
    cr_expect_eq(kit_received_at(kit), 6 * CYCLE);
    kit_free(kit, read);
    for (uint32_t i = 0; i <= CREDITS; i++) {
        hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 40 * CYCLE);
        cr_assert(event);
        kit_free(kit, event);
    }
    peer_end(&self, kit);
}
