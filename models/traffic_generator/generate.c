/* SPDX-License-Identifier: MIT */
/* When requests are generated, and what they are. */
#include "state.h"

uint64_t generate_end(const generator *self)
{
    uint64_t end;
    if (parameter_of(self, PARAMETER_PATTERN) == PATTERN_TRACE ||
        __builtin_add_overflow(parameter_of(self, PARAMETER_WARM_UP), parameter_of(self, PARAMETER_DURATION), &end))
        return NOT_YET;
    return end;
}

/* Edge of the next arrival with a rate, at or after `period`. Draws that end nothing are cycles without one. */
static uint64_t next_arrival(generator *self, uint64_t end)
{
    const uint64_t rate = parameter_of(self, PARAMETER_RATE);
    uint64_t edge = self->period;
    if (parameter_of(self, PARAMETER_ARRIVALS) == ARRIVALS_PERIODIC) {
        self->credit += RATE_UNIT;
        self->period += self->credit / rate;
        self->credit %= rate;
        return edge;
    }
    while (edge < end && self->services->random(self->services->context) % RATE_UNIT >= rate)
        edge++;
    self->period = edge + 1;
    return edge;
}

static uint32_t next_operation(generator *self)
{
    const uint64_t writes = parameter_of(self, PARAMETER_WRITES), atomics = parameter_of(self, PARAMETER_ATOMICS);
    if (!writes && !atomics)
        return OPERATION_LOAD;
    const uint64_t percent = self->services->random(self->services->context) % 100;
    return percent < writes ? OPERATION_STORE : percent < writes + atomics ? OPERATION_ATOMIC : OPERATION_LOAD;
}

static void next_of_trace(generator *self)
{
    const trace_access *access = &self->trace.accesses[self->made - 1];
    self->next = (request){
        .generated = access->cycle, .address = access->address, .bytes = access->bytes, .operation = access->operation};
}

void generate_next(generator *self)
{
    const uint64_t limit = parameter_of(self, PARAMETER_REQUESTS), end = generate_end(self);
    const uint32_t is_trace = parameter_of(self, PARAMETER_PATTERN) == PATTERN_TRACE;
    self->has_next = (!limit || self->made < limit) && (!is_trace || self->made < self->trace.count);
    if (!self->has_next)
        return;
    self->made++;
    if (is_trace) {
        next_of_trace(self);
        return;
    }
    self->next = (request){.generated = parameter_of(self, PARAMETER_RATE) ? next_arrival(self, end) : NOT_YET,
                           .operation = next_operation(self),
                           .address = address_next(self)};
    self->next.bytes = self->next.operation == OPERATION_ATOMIC ? 4 : (uint32_t)parameter_of(self, PARAMETER_BYTES);
    self->has_next = self->next.generated == NOT_YET || self->next.generated < end;
}
