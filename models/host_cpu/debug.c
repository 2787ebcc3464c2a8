/* SPDX-License-Identifier: MIT */
/* Who debugs firmware. While somebody listens, an instruction is executed when its edge has come, and none before. */
#include "hd_debug.h"
#include "state.h"

#include <string.h>

/* mstatus ... of hart_state, by number */
static const struct {
    uint32_t number;
    size_t offset;
} csrs[] = {
    {0x300, offsetof(hart_state, mstatus)},  {0x304, offsetof(hart_state, mie)},  {0x305, offsetof(hart_state, mtvec)},
    {0x340, offsetof(hart_state, mscratch)}, {0x341, offsetof(hart_state, mepc)}, {0x342, offsetof(hart_state, mcause)},
    {0x343, offsetof(hart_state, mtval)},    {0x344, offsetof(hart_state, mip)},
};

static uint32_t groups(hd_block *block)
{
    return ((const host_cpu *)block)->hart_count;
}

static void listen(hd_block *block, const hd_debug_listener *listener)
{
    host_cpu *self = (host_cpu *)block;
    if (listener->before)
        host_cpu_come_to(self, self->cursor.n);
    self->listener = *listener;
    self->reach_limit = listener->before ? 1 : self->quantum;
    self->reach = self->reach_limit;
}

uint32_t host_cpu_may_begin(host_cpu *self, host_hart *one, hd_time t)
{
    hart *h = &one->hart;
    hd_debug_moment moment = {.t = t, .pc = h->state.pc, .lanes = 1, .group = h->number};
    hart_access access;
    if (h->state.cycle > self->cursor.n)
        return 0;
    if (hart_takes_interrupt(h))
        return 1; /* at the handler */
    if (hart_next_access(h, &access)) {
        moment.address = access.address;
        moment.bytes = access.bytes;
        moment.access = access.is_store ? HD_DEBUG_WRITES : HD_DEBUG_READS;
    }
    self->listener.before(self->listener.context, &moment);
    return 1;
}

static uint64_t live(hd_block *block, uint32_t group, uint32_t *owner)
{
    *owner = group;
    return group < ((const host_cpu *)block)->hart_count;
}

static void thread(hd_block *block, uint32_t group, uint32_t lane, hd_debug_thread *thread)
{
    const host_cpu *self = (const host_cpu *)block;
    const uint32_t doing = self->harts[group].doing;
    (void)lane;
    *thread = (hd_debug_thread){.active = 1,
                                .what = doing == DOING_SLEEPS   ? "sleeps until an interrupt"
                                        : doing == DOING_ON_BUS ? "waits for the bus"
                                                                : "runs"};
}

static uint64_t *find(host_cpu *self, uint32_t group, uint32_t number)
{
    hart_state *state = &self->harts[group].hart.state;
    if (number < 32)
        return &state->x[number];
    if (number == HD_DEBUG_PC)
        return &state->pc;
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        if (number == HD_DEBUG_CSR + csrs[i].number)
            return (uint64_t *)((char *)state + csrs[i].offset);
    return NULL;
}

static uint32_t read_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t *value)
{
    const uint64_t *found = find((host_cpu *)block, group, number);
    (void)lane;
    *value = found ? *found : 0;
    return found != NULL;
}

/* Only where the hart stands in front of an instruction: what it is in the middle of is not to be changed. */
static uint32_t write_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t value)
{
    host_cpu *self = (host_cpu *)block;
    (void)lane;
    if (self->activity != ACTIVITY_KNOWN || self->harts[group].doing != DOING_RUNS || !number ||
        (number >= 32 && number != HD_DEBUG_PC))
        return 0;
    *find(self, group, number) = value;
    host_cpu_keep(self);
    return 1;
}

/* Its own RAM is below it as well. */
static uint32_t place(hd_block *block, uint32_t group, uint32_t lane, uint64_t address, hd_debug_place *place)
{
    (void)block;
    (void)group;
    (void)lane;
    *place = (hd_debug_place){.address = address, .count = UINT32_MAX};
    return 1;
}

const hd_debug host_cpu_debug = {.register_bytes = 8,
                                 .groups = groups,
                                 .listen = listen,
                                 .live = live,
                                 .thread = thread,
                                 .read = read_register,
                                 .write = write_register,
                                 .place = place};
