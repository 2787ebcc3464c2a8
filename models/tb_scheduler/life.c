/* SPDX-License-Identifier: MIT */
/* The block from its creation to its end, and what it can be asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_work.h"
#include "round_robin.h"
#include "tb_scheduler.h"

static void reset(hd_block *block)
{
    round_robin *self = (round_robin *)block;
    hd_cursor_init(&self->cursor, self->services->clock);
    self->accounted = 0;
    self->stall = STALL_NONE;
    self->known_cores = 0;
    self->resident = 0;
    self->watches = 0;
    moves_reset(self);
    self->policy_unit->reset(self->policy);
    self->stopped = 0;
    self->more = 0;
    self->grid_count = 0;
    memset(self->cores, 0, self->core_count * sizeof *self->cores);
    memset(self->slots, 0, self->slot_limit * sizeof *self->slots);
    memset(self->counters, 0, sizeof self->counters);
    memset(self->unit_counters, 0, hd_unit_counters(self->block_class) * sizeof *self->unit_counters);
}

/* Nonzero: out of memory, if error says nothing else. */
static int create_policy(round_robin *self, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_unit_place *place = hd_unit_chosen(self->block_class, ROUND_ROBIN_POLICY, values);
    const thread_block_policy_parameters parameters = {
        .slots = self->slot_limit,
        .cores = CORES_MAX,
        .share = hd_unit_share_of(self->block_class, place, self->services, values, self->unit_counters),
        .error = error,
        .error_bytes = error_bytes};
    self->policy_unit = place->unit->functions;
    self->policy = self->policy_unit->create(&parameters);
    return self->policy == NULL;
}

static void intern_messages(round_robin *self)
{
    static const char *const moves[MOVE_COUNT] = {
        [MOVE_STOP] = HD_BLOCK_STOP,   [MOVE_RESTORE] = HD_BLOCK_RESTORE, [MOVE_CONTEXT] = HD_BLOCK_CONTEXT,
        [MOVE_SAVED] = HD_BLOCK_SAVED, [MOVE_REFUSED] = HD_BLOCK_REFUSED, [MOVE_WATCH] = HD_BLOCK_WATCH,
        [MOVE_LEVEL] = HD_BLOCK_LEVEL,
    };
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = s->message(s->context, round_robin_messages[i].name);
    for (uint32_t i = 0; i < MOVE_COUNT; i++)
        self->moves[i] = s->message(s->context, moves[i]);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_block_class *block_class = hd_class_of(services);
    error[0] = '\0';
    round_robin *self = calloc(1, sizeof *self + hd_unit_counters(block_class) * sizeof *self->unit_counters);
    if (self == NULL)
        goto out_of_memory;
    self->services = services;
    self->block_class = block_class;
    self->grid_limit = (uint32_t)values[PARAMETER_GRIDS].u;
    self->order = (uint32_t)values[PARAMETER_ORDER].u;
    self->dispatches_per_cycle = (uint32_t)values[PARAMETER_DISPATCHES].u;
    self->core_interval = (uint32_t)values[PARAMETER_PER_CORE].u;
    self->slot_limit = (uint32_t)values[PARAMETER_CONTEXT_SLOTS].u;
    self->grids = calloc(self->grid_limit, sizeof *self->grids);
    self->slots = calloc(self->slot_limit, sizeof *self->slots);
    if (transport_create(self, values) || self->grids == NULL || self->slots == NULL ||
        create_policy(self, values, error, error_bytes))
        goto out_of_memory;
    self->programs = services->extension(services->context, HD_EXTENSION_PROGRAMS);
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->grid_tracks = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "grid", self->grid_limit);
    intern_messages(self);
    return (hd_block *)self;

out_of_memory:
    hd_tb_scheduler_round_robin.destroy((hd_block *)self);
    if (error[0] == '\0')
        snprintf(error, error_bytes, "out of memory");
    return NULL;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    round_robin *self = (round_robin *)block;
    switch (port) {
    case PORT_LAUNCH: self->launch_in = in; break;
    case PORT_DONE: self->done_out = out; break;
    case PORT_DISPATCH: self->dispatch_out[element] = out; break;
    case PORT_EVENT:
        self->event_in[element] = in;
        if (element >= self->core_count)
            self->core_count = element + 1;
        break;
    default: break;
    }
}

static const uint64_t *counters(hd_block *block)
{
    return ((round_robin *)block)->counters;
}

static void destroy(hd_block *block)
{
    round_robin *self = (round_robin *)block;
    if (self == NULL)
        return;
    if (self->policy != NULL)
        self->policy_unit->destroy(self->policy);
    transport_destroy(self);
    free(self->grids);
    free(self->slots);
    free(self);
}

static uint32_t has_work(hd_block *block)
{
    return ((round_robin *)block)->grid_count > 0;
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    round_robin *self = (round_robin *)block;
    (void)t;
    (void)sink;
    self->policy_unit->reset(self->policy);
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_BUFFER_BYTES].u % HD_LINE_BYTES == 0)
        return 1;
    *conflict = (hd_conflict){.parameter = PARAMETER_BUFFER_BYTES, .other = PARAMETER_BUFFER_BYTES};
    snprintf(conflict->text, sizeof conflict->text, "buffer_bytes must be a multiple of %u B", HD_LINE_BYTES);
    return 0;
}

static void mark(hd_block *block)
{
    round_robin *self = (round_robin *)block;
    self->counters[STATISTIC_MAX_RESIDENT_BLOCKS] = self->resident;
    self->counters[STATISTIC_MAX_GRIDS] = self->grid_count;
    self->counters[STATISTIC_BUFFERS_MAXIMUM] = self->transport.used;
    hd_unit_counters_mark(self->block_class, self->unit_counters);
}

/* A machine whose cores have not told yet what they are refuses nothing. */
static uint32_t accepts(hd_block *block, const hd_grid *grid, char *text, size_t bytes)
{
    const round_robin *self = (const round_robin *)block;
    const grid_state state = {.grid = *grid, .has_transactions = round_robin_has_transactions(self, grid->module)};
    return self->known_cores < self->core_count || dispatch_accepts(self, &state, text, bytes);
}

static const hd_core_capacity *capacity_of(const hd_block *block, uint32_t core)
{
    const round_robin *self = (const round_robin *)block;
    return core < self->core_count && self->cores[core].known ? &self->cores[core].capacity : NULL;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_launches launches = {.accepts = accepts, .capacity = capacity_of};
    static const hd_pending pending = {.has_work = has_work, .describe = round_robin_describe};
    static const hd_align aligning = {.align = align};
    static const hd_mark marking = {.mark = mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_LAUNCHES) == 0)
        return &launches;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &round_robin_state;
    return hd_ability(id, &pending, &aligning, &marking);
}

const hd_block_class hd_tb_scheduler_round_robin = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "tb_scheduler",
    .type = "round_robin",
    .doc =
        "dispatches thread blocks in order to the cores that its policy chooses, by default in turn wherever one fits",
    .source = "Fung 2015 §2.1",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_COUNT,
    .window_count = WINDOW_COUNT,
    .parameters = round_robin_parameters,
    .ports = round_robin_ports,
    .statistics = round_robin_statistics,
    .messages = round_robin_messages,
    .windows = round_robin_windows,
    .trace_events = round_robin_trace_events,
    .trace_event_count = EVENT_COUNT,
    .unit_slot_count = ROUND_ROBIN_UNITS,
    .unit_slots = round_robin_slots,
    .check = check,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = round_robin_advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
