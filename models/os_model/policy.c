/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint64_t draw(os_model *self, uint64_t below)
{
    return self->services->random(self->services->context) % below;
}

static uint32_t is_random(const os_model *self)
{
    const uint64_t most = value_of(self, PARAMETER_MOVES);
    return value_of(self, PARAMETER_POLICY) == POLICY_RANDOM && self->core_count > 1 &&
           (most == 0 || self->counters.moves < most);
}

static uint32_t goes_off(const os_model *self)
{
    for (uint32_t i = 0; i < self->core_count; i++)
        if (self->cores[i].goes_off)
            return 1;
    return 0;
}

static uint32_t is_running(const os_model *self)
{
    for (uint32_t i = 0; i < os_thread_count(self); i++)
        if (self->threads[i].status != THREAD_ENDED)
            return 1;
    return 0;
}

void os_policy_reset(os_model *self)
{
    self->next_request = value_of(self, PARAMETER_PERIOD);
}

void os_policy_wait(os_model *self)
{
    if (self->next_request <= self->cursor.n)
        self->next_request = self->cursor.n + value_of(self, PARAMETER_PERIOD);
}

uint64_t os_policy_edge(const os_model *self)
{
    return (is_random(self) || goes_off(self)) && is_running(self) ? self->next_request : UINT64_MAX;
}

/* One thread at random, and one core. */
static void ask_somebody(os_model *self, hd_time t)
{
    const uint32_t thread = (uint32_t)draw(self, os_thread_count(self));
    const uint32_t core = (uint32_t)draw(self, self->core_count);
    if (os_is_settled(&self->threads[thread]) && os_is_free(self, core))
        os_ask(self, thread, core, ASKED_BY_POLICY, (uint32_t)value_of(self, PARAMETER_ILLEGAL), t);
}

/* Cores that are to go off once their threads can leave. */
static void ask_deferred(os_model *self, hd_time t)
{
    for (uint32_t i = 0; i < self->core_count; i++) {
        const uint32_t thread = self->cores[i].thread, target = os_widest_free(self);
        if (self->cores[i].goes_off && thread != OS_NOBODY && target != OS_NOBODY &&
            os_is_settled(&self->threads[thread]))
            os_ask(self, thread, target, ASKED_BY_POWER_AGAIN, 0, t);
    }
}

void os_policy(os_model *self, hd_time t)
{
    const uint64_t period = value_of(self, PARAMETER_PERIOD);
    if (os_policy_edge(self) > self->cursor.n)
        return;
    if (is_random(self))
        ask_somebody(self, t);
    ask_deferred(self, t);
    self->next_request = self->cursor.n + 1 + (is_random(self) ? draw(self, 2 * period) : period);
}
