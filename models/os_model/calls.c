/* SPDX-License-Identifier: MIT */
#include "state.h"

enum { DONE = 0, REFUSED = 1, DEFERRED = 2 };

void os_switch_off(os_model *self, uint32_t core)
{
    self->cores[core].goes_off = 0;
    self->cores[core].is_on = 0;
    self->counters.switched_off++;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------------ */

static void call_move(os_model *self, uint32_t thread, uint32_t core, uint32_t forced, hd_time t)
{
    os_thread *it = &self->threads[thread];
    if (core == it->core)
        os_answer(self, thread, DONE);
    else if (it->status != THREAD_RUNNING || core >= self->core_count || !os_is_free(self, core) ||
             !os_ask(self, thread, core, ASKED_BY_CALL, forced, t))
        os_answer(self, thread, REFUSED);
}

/* ---- Power ------------------------------------------------------------------------------------------------------------ */

static void refuse_power(os_model *self, uint32_t core, uint32_t caller)
{
    if (value_of(self, PARAMETER_PINNED_POWER) == POWER_DEFER) {
        self->cores[core].goes_off = 1;
        self->counters.power_deferred++;
        os_policy_wait(self);
        os_answer(self, caller, DEFERRED);
    } else {
        self->counters.power_refused++;
        os_answer(self, caller, REFUSED);
    }
}

static void switch_off(os_model *self, uint32_t core, uint32_t caller, hd_time t)
{
    const uint32_t on_it = self->cores[core].thread;
    if (on_it == OS_NOBODY) {
        os_switch_off(self, core);
        os_answer(self, caller, DONE);
        return;
    }
    const uint32_t target = os_widest_free(self);
    os_thread *it = &self->threads[on_it];
    it->power_caller = caller;
    if (it->core != core || it->status != THREAD_RUNNING || target == OS_NOBODY ||
        !os_ask(self, on_it, target, ASKED_BY_POWER, 0, t))
        refuse_power(self, core, caller);
}

static void call_power(os_model *self, uint32_t caller, uint32_t core, uint32_t on, hd_time t)
{
    if (core >= self->core_count) {
        os_answer(self, caller, REFUSED);
    } else if (on) {
        self->cores[core].is_on = 1;
        self->cores[core].goes_off = 0;
        os_answer(self, caller, DONE);
    } else if (!self->cores[core].is_on || self->cores[core].goes_off) {
        os_answer(self, caller, self->cores[core].is_on ? DEFERRED : DONE);
    } else {
        switch_off(self, core, caller, t);
    }
}

/* ---- What became of it -------------------------------------------------------------------------------------------------- */

void os_move_refused(os_model *self, uint32_t thread, hd_time t)
{
    const os_thread *it = &self->threads[thread];
    (void)t;
    if (it->asker == ASKED_BY_CALL)
        os_answer(self, thread, REFUSED);
    else if (it->asker == ASKED_BY_POWER)
        refuse_power(self, it->core, it->power_caller);
}

void os_move_done(os_model *self, uint32_t thread, uint32_t from)
{
    const os_thread *it = &self->threads[thread];
    if (it->asker == ASKED_BY_CALL)
        os_answer(self, thread, DONE);
    if (it->asker != ASKED_BY_POWER)
        return;
    self->cores[from].goes_off = 1; /* it does when it is left, which is now */
    os_answer(self, it->power_caller, DONE);
}

void os_take_call(os_model *self, uint32_t thread, const hd_thread_call *call, hd_time t)
{
    const uint32_t core = call->arguments[0];
    switch (call->number) {
    case HD_CALL_MOVE: call_move(self, thread, core, 0, t); break;
    case HD_CALL_FORCE: call_move(self, thread, core, 1, t); break;
    case HD_CALL_POWER: call_power(self, thread, core, call->arguments[1], t); break;
    case HD_CALL_CORE: os_answer(self, thread, self->threads[thread].core); break;
    case HD_CALL_BITS:
        os_answer(self, thread, core < self->core_count && self->cores[core].is_on ? self->cores[core].bits : 0);
        break;
    default: os_answer(self, thread, HD_CALL_UNKNOWN); break;
    }
}
