/* SPDX-License-Identifier: MIT */
/* Order within one edge: answers of memory, commands, instructions, events. */
#include "vec_core.h"
#include "hd_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static vec_cache_sizes sizes_of(const hd_value *values)
{
    return (vec_cache_sizes){
        .code_bytes = (uint32_t)values[PARAMETER_CODE_BYTES].u,
        .code_ways = (uint32_t)values[PARAMETER_CODE_WAYS].u,
        .data_bytes = (uint32_t)values[PARAMETER_DATA_BYTES].u,
        .data_ways = (uint32_t)values[PARAMETER_DATA_WAYS].u,
        .second_bytes = (uint32_t)values[PARAMETER_SECOND_BYTES].u,
        .second_ways = (uint32_t)values[PARAMETER_SECOND_WAYS].u,
    };
}

static uint32_t parameter_to_blame(const char *text)
{
    return text[1] == '2' ? PARAMETER_SECOND_BYTES : text[2] == 'i' ? PARAMETER_CODE_BYTES : PARAMETER_DATA_BYTES;
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t bits = values[PARAMETER_VLEN].u;
    const vec_cache_sizes sizes = sizes_of(values);
    const char *refusal = vec_caches_refuse(&sizes);
    (void)clock;
    if (bits & (bits - 1)) {
        *conflict = (hd_conflict){.parameter = PARAMETER_VLEN, .other = PARAMETER_VLEN};
        snprintf(conflict->text, sizeof conflict->text, "vlen (%llu) is not a power of two", (unsigned long long)bits);
        return 0;
    }
    if (!refusal)
        return 1;
    const uint32_t blamed = parameter_to_blame(refusal);
    *conflict = (hd_conflict){.parameter = blamed, .other = blamed + 1};
    snprintf(conflict->text, sizeof conflict->text, "%s", refusal);
    return 0;
}

static void destroy(hd_block *block)
{
    vec_core *self = (vec_core *)block;
    if (!self)
        return;
    vec_caches_destroy(&self->caches);
    vec_plan_destroy(&self->plan);
    vec_loads_destroy(&self->loads);
    vec_image_destroy(&self->image);
    free(self->decoded);
    free(self->predictions);
    free(self->vectors);
    free(self->is_missing);
    free(self->fetched);
    free(self);
}

static uint32_t allocate(vec_core *self)
{
    const uint64_t loads = value_of(self, PARAMETER_LOADS);
    const vec_cache_sizes sizes = sizes_of(self->values);
    const uint32_t bits = (uint32_t)value_of(self, PARAMETER_VLEN);
    self->decoded = calloc(DECODED, sizeof *self->decoded);
    self->predictions = calloc(COUNTERS, sizeof *self->predictions);
    self->vectors = calloc(HD_VECTOR_REGISTERS, VEC_REGISTER_BYTES);
    self->is_missing = calloc(bits, sizeof *self->is_missing);
    self->fetched = calloc(value_of(self, PARAMETER_MISSES), sizeof *self->fetched);
    self->caches.takes_late = loads > 1;
    return (vec_caches_create(&self->caches, &sizes) & vec_plan_create(&self->plan, bits) &
            vec_loads_create(&self->loads, loads > 1 ? (uint32_t)loads : 0, bits)) &&
           self->decoded && self->predictions && self->vectors && self->is_missing && self->fetched;
}

static void number_messages(vec_core *self)
{
    uint32_t *n = self->messages;
    const hd_message_number messages[] = {
        {&n[MESSAGE_CORE_VECTOR], HD_CORE_VECTOR}, {&n[MESSAGE_RUN], HD_THREAD_RUN},
        {&n[MESSAGE_VECTOR], HD_THREAD_VECTOR},    {&n[MESSAGE_STOPPED], HD_THREAD_STOPPED},
        {&n[MESSAGE_MOVE], HD_THREAD_MOVE},        {&n[MESSAGE_REFUSED], HD_THREAD_REFUSED},
        {&n[MESSAGE_CALL], HD_THREAD_CALL},        {&n[MESSAGE_RETURN], HD_THREAD_RETURN},
        {&n[MESSAGE_TRAP], HD_THREAD_TRAP},        {&n[MESSAGE_READ], HD_MEMORY_READ},
        {&n[MESSAGE_WRITE], HD_MEMORY_WRITE},      {&n[MESSAGE_RESPONSE], HD_MEMORY_RESPONSE},
    };
    hd_number_messages(self->services, messages, sizeof messages / sizeof *messages);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    vec_core *self = calloc(1, sizeof *self);
    if (self)
        memcpy(self->values, values, sizeof self->values);
    if (!self || !allocate(self)) {
        snprintf(error, error_bytes, "out of memory");
        destroy((hd_block *)self);
        return NULL;
    }
    self->services = services;
    number_messages(self);
    self->window.width = (uint32_t)value_of(self, PARAMETER_WIDTH);
    self->window.ports = (uint32_t)value_of(self, PARAMETER_PORTS);
    self->window.depth = (uint32_t)value_of(self, PARAMETER_DEPTH);
    self->window.size = (uint32_t)value_of(self, PARAMETER_ROB);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    vec_core *self = (vec_core *)block;
    (void)element;
    switch (port) {
    case PORT_COMMANDS: self->commands = in; break;
    case PORT_EVENTS: self->events = out; break;
    default:
        self->memory_out = out;
        self->memory_in = in;
        break;
    }
}

static void reset(hd_block *block)
{
    vec_core *self = (vec_core *)block;
    vec_hart_init(&self->hart, (uint32_t)value_of(self, PARAMETER_VLEN));
    vec_window_reset(&self->window, 0);
    core_forget_lines(self);
    memset(self->predictions, 1, COUNTERS);
    for (uint64_t i = 0; i < value_of(self, PARAMETER_MISSES); i++)
        self->fetched[i] = 1;
    vec_loads_reset(&self->loads);
    self->is_ahead = 0;
    self->fetching = self->storing = self->waits = self->has_move = 0;
    self->thread = 0;
    self->activity = ACTIVITY_EMPTY;
    self->outgoing = OUTGOING_VECTOR;
    core_begin(self);
    memset(&self->counters, 0, sizeof self->counters);
    self->accounted = self->measured_from = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void work(void *block, hd_time t)
{
    vec_core *self = block;
    core_take_responses(self, t);
    core_take_commands(self, t);
    core_advance_loads(self, t);
    self->waits = 0; /* a credit may have come */
    core_run(self, t);
    core_settle(self, t);
}

static hd_time own_work(const vec_core *self)
{
    const hd_cursor *cursor = &self->cursor;
    if (self->outgoing != OUTGOING_NOTHING) {
        const uint32_t is_ready = !self->storing && !self->fetching && vec_window_is_settled(&self->window) &&
                                  self->window.retirement >= cursor->n;
        return is_ready ? hd_cursor_time_of(cursor, self->window.retirement) : HD_NEVER;
    }
    if (self->activity != ACTIVITY_RUNNING || self->waits)
        return HD_NEVER;
    const uint64_t entry = vec_window_entry(&self->window);
    if (entry == VEC_UNKNOWN)
        return HD_NEVER;
    return entry <= cursor->n ? cursor->t : hd_cursor_time_of(cursor, entry);
}

static hd_time next(const void *block)
{
    const vec_core *self = block;
    if (self->activity == ACTIVITY_FAULTED)
        return HD_NEVER;
    const hd_time arrival = hd_earlier(hd_link_arrival(self->memory_in), hd_link_arrival(self->commands));
    return hd_earlier(own_work(self), hd_cursor_edge_from(&self->cursor, arrival));
}

static void account_until(void *block, uint64_t edge)
{
    vec_core *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->activity != ACTIVITY_EMPTY)
        self->counters.active_cycles += cycles;
    if (self->activity == ACTIVITY_RUNNING && (self->waits || vec_window_entry(&self->window) == VEC_UNKNOWN))
        self->counters.wait_cycles += cycles;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    vec_core *self = (vec_core *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((vec_core *)block)->counters;
}

static uint32_t has_work(hd_block *block)
{
    const vec_core *self = (const vec_core *)block;
    return self->activity != ACTIVITY_EMPTY || self->outgoing != OUTGOING_NOTHING;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const vec_core *self = (const vec_core *)block;
    if (self->activity == ACTIVITY_CALLING)
        sink->line(sink->context, "thread %llu waits for the operating system", (unsigned long long)self->thread);
    else if (self->activity != ACTIVITY_EMPTY)
        sink->line(sink->context, "thread %llu at pc 0x%08x waits for memory: %u lines, %u stores",
                   (unsigned long long)self->thread, self->hart.thread.pc, self->fetching, self->storing);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    return strcmp(id, HD_EXTENSION_STATE) == 0 ? &vec_core_state : hd_ability(id, &pending, NULL, NULL);
}

const hd_block_class hd_vec_core_rvv = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "vec_core",
    .type = "rvv",
    .doc = "an out-of-order core with vector registers of a length that software does not know",
    .source = "Beaumont 2019 §5; The RISC-V \"V\" Vector Extension, version 1.0",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = sizeof(vec_core_counters) / sizeof(uint64_t),
    .message_count = MESSAGE_COUNT + 1,
    .parameters = vec_core_parameters,
    .ports = vec_core_ports,
    .statistics = vec_core_statistics,
    .messages = vec_core_messages,
    .check = check,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
