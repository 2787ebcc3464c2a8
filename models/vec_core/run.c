/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

void core_begin(vec_core *self)
{
    self->phase = PHASE_FETCH;
    self->next = self->missing = self->from_second = self->has_waited = 0;
}

/* ---- The instruction at pc -------------------------------------------------------------------------------------------- */

static const vec_operation *decode(vec_core *self, const uint8_t *line)
{
    const uint32_t pc = self->hart.thread.pc;
    decoded *kept = &self->decoded[pc / 4 % DECODED];
    uint32_t word;
    if (kept->pc == pc)
        return &kept->operation;
    memcpy(&word, line + pc % VEC_LINE_BYTES, sizeof word);
    *kept = (decoded){.pc = pc, .operation = vec_decode(word)};
    return &kept->operation;
}

static const vec_operation *fetch(vec_core *self, hd_time t)
{
    const hd_thread_context *thread = &self->hart.thread;
    const uint32_t pc = thread->pc;
    const decoded *kept = &self->decoded[pc / 4 % DECODED];
    if (pc % 4 || pc < thread->memory_base || pc >= thread->memory_end) {
        core_exception(self, pc % 4 ? VEC_CAUSE_FETCH_MISALIGNED : VEC_CAUSE_FETCH_FAULT, pc);
        return NULL;
    }
    if (kept->pc == pc && self->code_line == (pc & ~(VEC_LINE_BYTES - 1)))
        return &kept->operation;
    const uint8_t *line = core_fetch(self, t);
    return line ? decode(self, line) : NULL;
}

/* ---- What it costs ------------------------------------------------------------------------------------------------------ */

static uint32_t latency_of_vector(const vec_core *self, const rvv_instruction *i)
{
    switch (i->group) {
    case RVV_GROUP_SET: return 1;
    case RVV_GROUP_MULTIPLY: return (uint32_t)value_of(self, PARAMETER_LATENCY_MULTIPLY);
    case RVV_GROUP_FLOAT: return (uint32_t)value_of(self, PARAMETER_LATENCY_FLOAT);
    case RVV_GROUP_FLOAT_SUM:
        return (uint32_t)value_of(self, PARAMETER_LATENCY_FLOAT) +
               self->hart.thread.vl * (uint32_t)value_of(self, PARAMETER_LATENCY_ELEMENT);
    default: return (uint32_t)value_of(self, PARAMETER_LATENCY_VECTOR);
    }
}

static uint32_t latency_of_scalar(const vec_core *self, const isa_instruction *i)
{
    switch (i->instruction_class) {
    case ISA_CLASS_MUL: return (uint32_t)value_of(self, PARAMETER_LATENCY_MULTIPLY);
    case ISA_CLASS_DIV:
    case ISA_CLASS_FP_DIV: return (uint32_t)value_of(self, PARAMETER_LATENCY_DIVIDE);
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA: return (uint32_t)value_of(self, PARAMETER_LATENCY_FLOAT);
    default: return 1;
    }
}

static vec_cost cost_of(const vec_core *self, const vec_operation *op)
{
    vec_cost cost = {.lines = self->plan.count, .latency = 1};
    if (self->is_ahead) {
        cost.is_pending = 1;
    } else if (self->plan.count && !self->plan.is_store) {
        const uint32_t is_far = self->from_second && !self->has_waited;
        cost.latency = (uint32_t)value_of(self, is_far ? PARAMETER_SECOND_LATENCY : PARAMETER_DATA_LATENCY);
        cost.until = self->has_waited ? self->cursor.n + value_of(self, PARAMETER_DATA_LATENCY) : 0;
    } else if (!self->plan.count) {
        cost.latency =
            op->kind == VEC_VECTOR ? latency_of_vector(self, &op->vector) : latency_of_scalar(self, &op->scalar);
    }
    return cost;
}

/* ---- What is counted ---------------------------------------------------------------------------------------------------- */

static void count_load(vec_core *self, const rvv_instruction *i)
{
    vec_core_counters *c = &self->counters;
    const uint32_t bits = self->hart.thread.vl * 8 * i->data_bytes, is_full = bits == self->hart.bits && !i->masked;
    if (i->group == RVV_GROUP_LOAD_INDEXED) {
        c->gathers++;
        c->gather_lines += self->plan.count;
    } else if (i->group == RVV_GROUP_LOAD && is_full) {
        c->vector_loads++;
        c->vector_load_lines += self->plan.count;
        c->measured_vector_loads += self->hart.thread.measured;
        c->measured_vector_load_lines += self->hart.thread.measured ? self->plan.count : 0;
        c->measured_stalls += self->hart.thread.measured && self->plan.count ? self->plan.count - 1 : 0;
    }
}

static void count(vec_core *self, const vec_operation *op)
{
    vec_core_counters *c = &self->counters;
    c->instructions++;
    c->measured_instructions += self->hart.thread.measured;
    c->vector_instructions += op->kind == VEC_VECTOR;
    c->pins += op->kind == VEC_PIN;
    c->unpins += op->kind == VEC_UNPIN;
    c->legacy_pins += op->uses_vl && !hd_thread_is_pinned(&self->hart.thread);
    if (op->kind == VEC_VECTOR)
        count_load(self, &op->vector);
}

/* ---- Branches ----------------------------------------------------------------------------------------------------------- */

/* Was the branch at this pc predicted so? */
static uint32_t predict(vec_core *self, uint32_t pc, uint32_t is_taken)
{
    uint8_t *counter = &self->predictions[pc / 4 % COUNTERS];
    const uint32_t predicted = *counter >= 2;
    if (is_taken && *counter < 3)
        (*counter)++;
    if (!is_taken && *counter > 0)
        (*counter)--;
    return predicted == is_taken || value_of(self, PARAMETER_PREDICTOR) == PREDICTOR_PERFECT;
}

static void follow_branch(vec_core *self, uint32_t pc, uint64_t end)
{
    self->counters.branches++;
    if (predict(self, pc, self->hart.thread.pc != pc + 4))
        return;
    self->counters.mispredictions++;
    vec_window_hold_behind(&self->window, end);
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------------- */

static void execute(vec_core *self)
{
    const vec_operation *op = self->operation;
    const uint32_t pc = self->hart.thread.pc;
    const vec_dependencies of = vec_dependencies_of(&self->hart, op);
    const vec_cost cost = cost_of(self, op);
    count(self, op);
    self->hart.cycle = self->cursor.n;
    vec_execute(&self->hart, op, &self->plan);
    const uint64_t end = vec_window_add(&self->window, &of, &cost);
    if (self->is_ahead)
        core_load_entered(self);
    if (op->kind == VEC_BRANCH)
        follow_branch(self, pc, end);
}

/* The instruction at pc is known: it begins, or raises an exception. */
static void prepare(vec_core *self)
{
    vec_prepare(&self->hart, self->operation, &self->plan);
    if (self->plan.cause == VEC_NO_CAUSE) {
        self->phase = PHASE_LINES;
    } else {
        core_exception(self, self->plan.cause, self->plan.value);
    }
}

/* 0: what the plan loads is not known yet. */
static uint32_t load(vec_core *self, hd_time t)
{
    const enum ahead ahead = self->next || self->has_waited ? AHEAD_NOT : core_load_ahead(self);
    self->is_ahead = ahead == AHEAD_KNOWN;
    if (ahead == AHEAD_FULL)
        self->waits = 1;
    else if (ahead == AHEAD_NOT && !core_load(self, t))
        self->has_waited = 1;
    else
        return 1;
    return 0;
}

static void step_lines(vec_core *self, hd_time t)
{
    if (self->plan.count && !self->plan.is_store && !load(self, t))
        return;
    execute(self);
    if (self->is_ahead)
        core_advance_loads(self, t);
    self->is_ahead = 0;
    self->phase = PHASE_STORE;
    self->next = 0;
}

/* An instruction that all others have to have left for: nothing of what it asks for may be early. */
static uint32_t is_alone(vec_core *self)
{
    if (!vec_window_is_settled(&self->window)) {
        self->waits = 1;
        return 0;
    }
    if (self->window.retirement <= self->cursor.n)
        return 1;
    vec_window_hold(&self->window, self->window.retirement);
    return 0;
}

static void step(vec_core *self, hd_time t)
{
    switch (self->phase) {
    case PHASE_FETCH:
        vec_window_hold(&self->window, self->cursor.n); /* the last one may have kept it waiting */
        self->operation = fetch(self, t);
        if (!self->operation)
            return;
        if (self->operation->kind == VEC_CALL) {
            if (is_alone(self))
                core_call(self);
            return;
        }
        prepare(self);
        return;
    case PHASE_LINES: step_lines(self, t); return;
    default:
        if (!self->plan.is_store || core_store(self, t))
            core_begin(self);
        return;
    }
}

/* A thread gets on however often it is moved: it goes when it has retired an instruction here. */
static uint32_t is_to_move(const vec_core *self)
{
    return self->phase == PHASE_FETCH && self->has_move && self->hart.thread.instructions != self->arrived_with;
}

void core_run(vec_core *self, hd_time t)
{
    const uint64_t before = self->hart.thread.instructions;
    while (self->activity == ACTIVITY_RUNNING && !self->waits && self->outgoing == OUTGOING_NOTHING) {
        if (is_to_move(self)) {
            core_consider_move(self);
            continue;
        }
        if (self->phase != PHASE_STORE && vec_window_entry(&self->window) > self->cursor.n)
            break;
        step(self, t);
    }
    if (self->hart.thread.instructions != before)
        self->services->progress(self->services->context, t);
}
