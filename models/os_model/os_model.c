/* SPDX-License-Identifier: MIT */
/* Order within one edge: answers of memory, events of cores, the policy, what is to be sent. */
#include "os_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_link.h"
#include "read_program.h"
#include "state.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {OS_PARAMETERS(HD_PARAMETER_ROW)};
static const hd_statistic statistics[] = {OS_STATISTICS(HD_STATISTIC_ROW)};

static const hd_port ports[PORT_COUNT] = {
    [PORT_COMMANDS] = {.name = "commands",
                       .direction = HD_PORT_SEND,
                       .minimum_count = 1,
                       .maximum_count = OS_CORES_MAX,
                       .latency_cycles = 20,
                       .credits = 16,
                       .doc = "to the cores"},
    [PORT_EVENTS] = {.name = "events",
                     .direction = HD_PORT_RECEIVE,
                     .minimum_count = 1,
                     .maximum_count = OS_CORES_MAX,
                     .latency_cycles = 1,
                     .credits = 16,
                     .doc = "from the cores, in the same order"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_INITIATOR,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 20,
                     .credits = 16,
                     .doc = "memory, for programs"},
};

static const hd_message_use messages[] = {
    {HD_CORE_VECTOR, HD_MESSAGE_RECEIVED, 0, "events"},    {HD_THREAD_RUN, HD_MESSAGE_SENT, 0, "commands"},
    {HD_THREAD_VECTOR, HD_MESSAGE_SENT, 0, "commands"},    {HD_THREAD_VECTOR, HD_MESSAGE_RECEIVED, 0, "events"},
    {HD_THREAD_STOPPED, HD_MESSAGE_RECEIVED, 0, "events"}, {HD_THREAD_MOVE, HD_MESSAGE_SENT, 0, "commands"},
    {HD_THREAD_REFUSED, HD_MESSAGE_RECEIVED, 0, "events"}, {HD_THREAD_CALL, HD_MESSAGE_RECEIVED, 0, "events"},
    {HD_THREAD_RETURN, HD_MESSAGE_SENT, 0, "commands"},    {HD_THREAD_TRAP, HD_MESSAGE_RECEIVED, 0, "events"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},       {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
};

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    uint32_t ignored[OS_ARGUMENTS_MAX];
    (void)clock;
    if (os_read_arguments(values[PARAMETER_ARGUMENTS].text, ignored, OS_ARGUMENTS_MAX) != UINT32_MAX)
        return 1;
    *conflict = (hd_conflict){.parameter = PARAMETER_ARGUMENTS, .other = PARAMETER_ARGUMENTS};
    snprintf(conflict->text, sizeof conflict->text,
             "arguments: up to %u numbers of 32 bits, parted by blanks, are expected", OS_ARGUMENTS_MAX);
    return 0;
}

static void destroy(hd_block *block)
{
    os_model *self = (os_model *)block;
    if (!self)
        return;
    for (uint32_t i = 0; i < OS_THREADS_MAX; i++)
        free(self->threads[i].vectors);
    isa_program_free(self->program);
    free(self);
}

static void number_messages(os_model *self)
{
    uint32_t *n = self->messages;
    const hd_message_number numbers[] = {
        {&n[MESSAGE_CORE_VECTOR], HD_CORE_VECTOR},  {&n[MESSAGE_RUN], HD_THREAD_RUN},
        {&n[MESSAGE_VECTOR], HD_THREAD_VECTOR},     {&n[MESSAGE_STOPPED], HD_THREAD_STOPPED},
        {&n[MESSAGE_MOVE], HD_THREAD_MOVE},         {&n[MESSAGE_REFUSED], HD_THREAD_REFUSED},
        {&n[MESSAGE_CALL], HD_THREAD_CALL},         {&n[MESSAGE_RETURN], HD_THREAD_RETURN},
        {&n[MESSAGE_TRAP], HD_THREAD_TRAP},         {&n[MESSAGE_WRITE], HD_MEMORY_WRITE},
        {&n[MESSAGE_RESPONSE], HD_MEMORY_RESPONSE},
    };
    hd_number_messages(self->services, numbers, sizeof numbers / sizeof *numbers);
}

/* Does the program lie in the memory that a thread has? */
static uint32_t fits(const os_model *self, char *error, size_t error_bytes)
{
    const uint64_t end = HD_GLOBAL_BASE + value_of(self, PARAMETER_MEMORY);
    for (uint32_t i = 0; i < self->program->segment_count; i++) {
        const isa_segment *segment = &self->program->segments[i];
        if ((uint64_t)segment->address + segment->memory_bytes <= end)
            continue;
        snprintf(error, error_bytes,
                 "program: %s: the segment at 0x%08x, 0x%x bytes, is outside of the memory of a thread",
                 self->values[PARAMETER_PROGRAM].text, segment->address, segment->memory_bytes);
        return 0;
    }
    return 1;
}

static const char *path_of_program(const os_model *self)
{
    const hd_files *files = self->services->extension(self->services->context, HD_EXTENSION_FILES);
    const char *text = self->values[PARAMETER_PROGRAM].text;
    return files ? files->path(files->context, text) : text;
}

static uint32_t prepare(os_model *self, char *error, size_t error_bytes)
{
    os_read_arguments(self->values[PARAMETER_ARGUMENTS].text, self->arguments, OS_ARGUMENTS_MAX);
    for (uint32_t i = 0; i < os_thread_count(self); i++) {
        self->threads[i].vectors = calloc(HD_VECTOR_REGISTERS, HD_VECTOR_BITS_MAX / 8);
        if (!self->threads[i].vectors) {
            snprintf(error, error_bytes, "out of memory");
            return 0;
        }
    }
    if (!*self->values[PARAMETER_PROGRAM].text) {
        snprintf(error, error_bytes, "program: no file is given");
        return 0;
    }
    self->program = os_read_program(path_of_program(self), error, error_bytes);
    return self->program && fits(self, error, error_bytes);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    os_model *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    memcpy(self->values, values, sizeof self->values);
    number_messages(self);
    if (prepare(self, error, error_bytes))
        return (hd_block *)self;
    destroy((hd_block *)self);
    return NULL;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    os_model *self = (os_model *)block;
    switch (port) {
    case PORT_COMMANDS: self->cores[element].commands = out; break;
    case PORT_EVENTS:
        self->cores[element].events = in;
        if (element >= self->core_count)
            self->core_count = element + 1;
        break;
    default:
        self->memory_out = out;
        self->memory_in = in;
        break;
    }
}

static void reset_thread(os_model *self, uint32_t i)
{
    uint8_t *vectors = self->threads[i].vectors;
    const uint64_t bytes = value_of(self, PARAMETER_MEMORY);
    self->threads[i] = (os_thread){
        .vectors = vectors,
        .status = THREAD_WAITING,
        .core = OS_NOBODY,
        .target = OS_NOBODY,
        .context = {.memory_base = HD_GLOBAL_BASE,
                    .memory_end = (uint32_t)(HD_GLOBAL_BASE + bytes),
                    .vtype = UINT32_C(0x80000000),
                    .physical = (uint64_t)i << 32},
    };
}

static void reset(hd_block *block)
{
    os_model *self = (os_model *)block;
    for (uint32_t i = 0; i < os_thread_count(self); i++)
        reset_thread(self, i);
    for (uint32_t i = 0; i < self->core_count; i++) {
        self->cores[i].bits = self->cores[i].goes_off = 0;
        self->cores[i].is_on = 1;
        self->cores[i].thread = OS_NOBODY;
    }
    self->loading_thread = self->loading_segment = self->loading_offset = self->writes = 0;
    self->has_started = self->faulted = 0;
    memset(&self->counters, 0, sizeof self->counters);
    self->accounted = 0;
    os_policy_reset(self);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static uint32_t cores_are_known(const os_model *self)
{
    for (uint32_t i = 0; i < self->core_count; i++)
        if (!self->cores[i].bits)
            return 0;
    return 1;
}

static void work(void *block, hd_time t)
{
    os_model *self = block;
    if (self->faulted)
        return;
    os_load(self, t);
    os_take_events(self, t);
    if (!self->has_started && os_is_loaded(self) && cores_are_known(self))
        os_start(self);
    if (!self->has_started || self->faulted)
        return;
    os_policy(self, t);
    os_dispatch(self, t);
}

static hd_time next(const void *block)
{
    const os_model *self = block;
    hd_time arrival = hd_link_arrival(self->memory_in);
    if (self->faulted)
        return HD_NEVER;
    for (uint32_t i = 0; i < self->core_count; i++)
        arrival = hd_earlier(arrival, hd_link_arrival(self->cores[i].events));
    const uint64_t edge = self->has_started ? os_policy_edge(self) : UINT64_MAX;
    const hd_time own = edge == UINT64_MAX       ? HD_NEVER
                        : edge <= self->cursor.n ? self->cursor.t
                                                 : hd_cursor_time_of(&self->cursor, edge);
    return hd_earlier(own, hd_cursor_edge_from(&self->cursor, arrival));
}

static void account_until(void *block, uint64_t edge)
{
    os_model *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    for (uint32_t i = 0; self->has_started && i < os_thread_count(self); i++)
        if (self->threads[i].status == THREAD_WAITING) {
            self->counters.unplaced_cycles += cycles;
            return;
        }
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    os_model *self = (os_model *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((os_model *)block)->counters;
}

static uint32_t has_work(hd_block *block)
{
    const os_model *self = (const os_model *)block;
    for (uint32_t i = 0; i < os_thread_count(self); i++)
        if (self->threads[i].status != THREAD_ENDED)
            return 1;
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const states[] = {"waits for a core",        "runs",
                                         "is asked to move",        "is on its way from its core",
                                         "is on its way to a core", "has ended"};
    const os_model *self = (const os_model *)block;
    for (uint32_t i = 0; i < os_thread_count(self); i++)
        if (self->threads[i].status != THREAD_ENDED)
            sink->line(sink->context, "thread %u %s", i, states[self->threads[i].status]);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    return hd_ability(id, &pending, NULL, NULL);
}

const hd_block_class hd_os_model_threads = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "os_model",
    .type = "threads",
    .doc = "an operating system that moves threads among cores of different vector length",
    .source = "Beaumont 2019 §5.4",
    .flags = HD_BLOCK_SELF_DRIVEN,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = sizeof(os_counters) / sizeof(uint64_t),
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .check = check,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
