/* SPDX-License-Identifier: MIT */
#include "core_rig.h"

#include "analysis.h"
#include "loading.h"
#include "rewrite.h"

#include "hd_tap.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 4096u

typedef struct memory_line {
    uint64_t address;
    uint32_t used;
    uint8_t data[HD_LINE_BYTES];
} memory_line;

struct core_rig {
    const hd_block_class *type;
    kit_block *kit;
    isa_program *program;
    uint32_t borrows_program;
    const isa_transform *transform; /* that cores have asked for, of which there is one at most */
    hd_programs programs;
    uint32_t owns_kit, delay, launched, done;
    uint32_t first_tag;
    core_rig *first; /* whose program and memory this one uses; itself if they are its own */
    uint64_t last_done;
    hd_time last_reply;
    uint32_t last_launch;
    uint32_t order[64]; /* by tag */
    memory_line *lines;
};

static memory_line *line_of(core_rig *rig, uint64_t address)
{
    uint64_t base = address & ~(uint64_t)(HD_LINE_BYTES - 1);
    for (uint64_t probe = base / HD_LINE_BYTES * 2654435761u;; probe++) {
        memory_line *line = &rig->lines[probe % LINES];
        if (!line->used) {
            line->used = 1;
            line->address = base;
        }
        if (line->address == base)
            return line;
    }
}

static uint32_t is_direct(const core_rig *rig)
{
    return rig->type->flags & HD_BLOCK_DIRECT;
}

uint32_t rig_word(core_rig *rig, uint64_t address)
{
    uint32_t value;
    if (is_direct(rig))
        kit_memory_read(rig->kit, address, &value, 4);
    else
        memcpy(&value, line_of(rig, address)->data + address % HD_LINE_BYTES, 4);
    return value;
}

void rig_set_word(core_rig *rig, uint64_t address, uint32_t value)
{
    if (is_direct(rig))
        kit_memory_write(rig->kit, address, &value, 4);
    else
        memcpy(line_of(rig, address)->data + address % HD_LINE_BYTES, &value, 4);
}

static struct {
    rig_unit *take;
    void *context;
    const hd_transactions *told;
    uint32_t partitions; /* 0: as the kit has them */
    uint32_t records;
    uint64_t renews;
    uint32_t only_stops;
    const hd_accesses *accesses;
    rig_appendix *append;
} unit; /* of this test's process */

/* With a sample if somebody checks, as slices do: the address stands for it. */
static hd_packet *answer_load(core_rig *rig, const hd_packet *request, hd_time t)
{
    const uint32_t sample_bytes = request->epoch && unit.told ? HD_SAMPLE_BYTES : 0;
    hd_packet *reply =
        kit_packet(rig->kit, HD_GLOBAL_LOAD_REPLY, request->argument + HD_TAP_APPEND_BYTES + sample_bytes);
    memcpy(hd_body(reply), line_of(rig, request->address)->data + request->address % HD_LINE_BYTES, request->argument);
    reply->body_bytes = request->argument;
    if (request->epoch && unit.append)
        unit.append(rig, unit.context, request, reply, t);
    if (sample_bytes)
        hd_tap_append(reply, &request->address, sample_bytes, 0);
    return reply;
}

static hd_packet *answer_store(core_rig *rig, const hd_packet *request)
{
    const hd_store *store = hd_body_const(request);
    uint8_t *data = line_of(rig, request->address)->data + request->address % HD_LINE_BYTES;
    for (uint32_t i = 0; i < request->argument; i++) {
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            data[i] = hd_store_data_const(store)[i];
    }
    return kit_packet(rig->kit, HD_GLOBAL_STORE_ACK, 0);
}

/* Lines of buffers are beyond all memory: each has a place of its own for each slice. */
#define BUFFERS (UINT64_C(1) << 60)
static hd_packet *answer_buffer(core_rig *rig, hd_packet *request, hd_time t)
{
    request->address |= BUFFERS | (uint64_t)request->destination << 40;
    if (request->message == kit_message(rig->kit, HD_BUFFER_STORE))
        return answer_store(rig, request);
    hd_packet *reply = answer_load(rig, request, t);
    memset(line_of(rig, request->address)->data, 0xEE, HD_LINE_BYTES); /* it has been taken away */
    return reply;
}

static hd_packet *answer_atomic(core_rig *rig, const hd_packet *request)
{
    const hd_atomic_operation *operation = hd_body_const(request);
    hd_packet *reply =
        kit_packet(rig->kit, HD_GLOBAL_ATOMIC_REPLY, request->argument * (uint32_t)sizeof(hd_atomic_result));
    hd_atomic_result *result = hd_body(reply);
    for (uint32_t i = 0; i < request->argument; i++) {
        uint64_t address = request->address + operation[i].word * 4;
        result[i] = (hd_atomic_result){.value = rig_word(rig, address)};
        rig_set_word(
            rig, address,
            hd_atomic_apply(operation[i].operation, result[i].value, operation[i].operand, operation[i].compare));
    }
    return reply;
}

void rig_has_unit(rig_unit *take, void *context, const hd_transactions *told)
{
    unit.take = take;
    unit.context = context;
    unit.told = told;
}

void rig_appends(rig_appendix *append)
{
    unit.append = append;
}

void rig_tells(const hd_accesses *told)
{
    unit.accesses = told;
}

void rig_renews(uint64_t seed, uint32_t only_stops)
{
    unit.renews = seed;
    unit.only_stops = only_stops;
}

void rig_record(uint32_t records)
{
    unit.records = records;
}

void rig_has_partitions(uint32_t partitions)
{
    unit.partitions = partitions;
}

static core_rig *current; /* of this test's process; the responder's context where conformance makes the kit */

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    core_rig *rig = context;
    hd_packet *reply;
    (void)element;
    rig->kit = kit;
    if (port == EVENT) {
        if (packet->message != kit_message(kit, HD_BLOCK_DONE))
            return 0;
        rig->order[packet->tag % 64] = rig->done++;
        rig->last_done = t;
        return 0;
    }
    if (packet->traffic_class == HD_CLASS_TRANSACTION) {
        unit.take(rig, unit.context, packet, t);
        return 1;
    }
    if (packet->message == kit_message(kit, HD_GLOBAL_LOAD) || packet->message == kit_message(kit, HD_UNCACHED_LOAD))
        reply = answer_load(rig, packet, t);
    else if (packet->message == kit_message(kit, HD_GLOBAL_STORE) ||
             packet->message == kit_message(kit, HD_UNCACHED_STORE))
        reply = answer_store(rig, packet);
    else if (packet->flow == HD_FLOW_BUFFER)
        reply = answer_buffer(rig, packet, t);
    else
        reply = answer_atomic(rig, packet);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    reply->traffic_class = packet->traffic_class;
    reply->flow = packet->flow;
    reply->wire_bytes = packet->wire_bytes;
    rig_send_reply(rig, reply, t + kit_cycles(kit, rig->delay));
    kit_free(kit, packet);
    return 1;
}

void rig_send_reply(core_rig *rig, hd_packet *packet, hd_time t)
{
    if (unit.take)
        t = rig->last_reply = t > rig->last_reply ? t : rig->last_reply;
    kit_send(rig->kit, REPLY, 0, packet, t);
}

static const struct isa_program *find_program(void *context, uint32_t module)
{
    core_rig *rig = context;
    return module == 0 ? rig->program : NULL;
}

static uint32_t uses_scratchpad_transactions(void *context, uint32_t module)
{
    const core_rig *rig = context;
    return module == 0 && isa_program_has_transactions(rig->program, ISA_TX_SCRATCHPAD);
}

static struct {
    const isa_transform *transform;
    const isa_analysis *analysis;
    uint32_t marks_locks;
} change;

void rig_marks_locks(uint32_t marks)
{
    change.marks_locks = marks;
}

void rig_changes(const isa_transform *transform, const isa_analysis *analysis)
{
    change.transform = transform;
    change.analysis = analysis;
}

/* One program is all there is: it is kept, and made anew if a core asks for more. */
static uint32_t require_table(void *context, const char *table, const struct isa_analysis *analysis, char *error,
                              size_t error_bytes)
{
    core_rig *rig = context;
    if (!analysis)
        analysis = isa_analysis_named(table);
    cr_assert(analysis, "%s", table);
    if (change.analysis && !strcmp(table, change.analysis->name))
        analysis = change.analysis;
    return (uint32_t)isa_program_require(rig->program, analysis, error, error_bytes);
}

static uint32_t transform_program(void *context, const isa_transform *transform, char *error, size_t error_bytes)
{
    core_rig *rig = context;
    if (rig->transform == transform)
        return 0;
    rig->transform = transform;
    return (uint32_t)isa_program_transform(rig->program, transform, error, error_bytes);
}

static void make_program(core_rig *rig, const uint32_t *words)
{
    char error[256] = "";
    rig->program = program_of_words(words);
    for (uint32_t i = 0; change.marks_locks && i < rig->program->text_bytes / 4; i++)
        if (rig->program->instructions[i].instruction_class == ISA_CLASS_ATOMIC)
            rig->program->instructions[i].flags |= ISA_FLAG_LOCK;
    if (change.transform)
        cr_assert(!isa_program_transform(rig->program, change.transform, error, sizeof error), "%s", error);
}

void rig_setup(kit_block *kit);
void rig_setup(kit_block *kit)
{
    kit_provide(kit, HD_EXTENSION_PROGRAMS, &current->programs);
    if (unit.told)
        kit_provide(kit, HD_EXTENSION_TRANSACTIONS, unit.told);
    if (unit.accesses)
        kit_provide(kit, HD_EXTENSION_ACCESSES, unit.accesses);
    if (unit.records)
        kit_record(kit);
    if (unit.partitions)
        kit_address_map(kit, unit.partitions, 256, NULL);
    kit_respond(kit, respond, current);
    kit_connect(kit, REQUEST, 0, 1, 8);
    kit_connect(kit, REPLY, 0, 1, 64);
    kit_connect(kit, DISPATCH, 0, 1, 8);
    kit_connect(kit, EVENT, 0, 1, 8);
    kit_connect(kit, TRANSACTION_REQUEST, 0, 1, 8);
    kit_connect(kit, TRANSACTION_REPLY, 0, 1, 64);
}

core_rig *rig_create(const char *const *parameters, const uint32_t *words)
{
    return rig_create_as(parameters, words, 0, 1);
}

static core_rig *make(core_rig *first)
{
    core_rig *rig = current = calloc(1, sizeof *rig);
    rig->type = &hd_simt_core_timed;
    rig->delay = 20;
    rig->first = first ? first : rig;
    rig->programs = (hd_programs){.context = rig->first,
                                  .find = find_program,
                                  .uses_scratchpad_transactions = uses_scratchpad_transactions,
                                  .require = require_table,
                                  .transform = transform_program};
    rig->lines = first ? first->lines : calloc(LINES, sizeof *rig->lines);
    return rig;
}

#define SECOND_ENDPOINT 40u /* of a core beside another: none of the partitions */

static void start(core_rig *rig, const char *const *parameters, uint32_t index, uint32_t count)
{
    rig->owns_kit = 1;
    rig->kit = kit_create(rig->type, parameters);
    kit_name(rig->kit, "block", index, count);
    kit_endpoint(rig->kit, index ? SECOND_ENDPOINT : 0);
    rig_setup(rig->kit);
    kit_start(rig->kit);
    if (unit.renews)
        kit_renew(rig->kit, unit.renews, unit.only_stops);
}

core_rig *rig_create_as(const char *const *parameters, const uint32_t *words, uint32_t index, uint32_t count)
{
    core_rig *rig = make(NULL);
    make_program(rig, words);
    if (parameters)
        start(rig, parameters, index, count);
    return rig;
}

core_rig *rig_create_of(const hd_block_class *type, const char *const *parameters, const uint32_t *words)
{
    core_rig *rig = make(NULL);
    rig->type = type;
    make_program(rig, words);
    start(rig, parameters, 0, 1);
    return rig;
}

core_rig *rig_create_with(const hd_block_class *type, const char *const *parameters, isa_program *program)
{
    core_rig *rig = make(NULL);
    rig->type = type;
    rig->program = program;
    rig->borrows_program = 1;
    start(rig, parameters, 0, 1);
    return rig;
}

core_rig *rig_create_beside(core_rig *first, const char *const *parameters)
{
    core_rig *rig = make(first);
    rig->first_tag = RIG_SECOND_TAG;
    start(rig, parameters, 1, 2);
    return rig;
}

void rig_destroy(core_rig *rig)
{
    if (rig->owns_kit)
        kit_destroy(rig->kit);
    if (rig->first == rig)
        free(rig->lines);
    if (!rig->borrows_program)
        program_of_words_free(rig->program);
    free(rig);
}

const hd_block_class *rig_class(const core_rig *rig)
{
    return rig->type;
}

kit_block *rig_kit(core_rig *rig)
{
    return rig->kit;
}

void rig_memory_delay(core_rig *rig, uint32_t cycles)
{
    rig->delay = cycles;
}

void rig_launch_grid(core_rig *rig, const hd_grid *grid, const uint32_t block_index[3], hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch));
    hd_block_launch *launch = hd_body(packet);
    launch->grid = *grid;
    launch->grid.entry_pc = CODE;
    memcpy(launch->block_index, block_index, sizeof launch->block_index);
    launch->first_of_grid = rig->launched == 0 || grid->launch != rig->last_launch;
    rig->last_launch = grid->launch;
    packet->tag = rig->first_tag + rig->launched++;
    launch->context_slot = (uint32_t)packet->tag;
    launch->context_slots = RIG_CONTEXT_SLOTS;
    kit_send(rig->kit, DISPATCH, 0, packet, t);
}

void rig_launch(core_rig *rig, uint32_t threads, hd_time t)
{
    hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {threads, 1, 1}, .private_bytes = 1024};
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, t);
}

void rig_expect_thread_cycles(core_rig *rig)
{
    static const char *const classes[] = {"throttled", "committing", "committed", "aborted",
                                          "useful",    "atomic",     "barrier",   "other"};
    const uint64_t all = kit_statistic(rig->kit, "thread_cycles");
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        char name[64];
        snprintf(name, sizeof name, "thread_cycles_%s", classes[i]);
        sum += kit_statistic(rig->kit, name);
    }
    cr_assert_eq(sum, all, "classes of threads have %lu cycles, and threads %lu", sum, all);
}

uint64_t rig_finish(core_rig *rig)
{
    kit_drain(rig->kit, kit_edge(rig->kit, 1000000));
    if (!kit_fault_text(rig->kit) && !is_direct(rig))
        rig_expect_thread_cycles(rig);
    if (!kit_fault_text(rig->kit))
        cr_assert_eq(rig->done, rig->launched, "%u of %u blocks ended", rig->done, rig->launched);
    return rig->last_done / kit_edge(rig->kit, 1);
}

void rig_forget(core_rig *rig)
{
    rig->launched = rig->done = rig->last_launch = 0;
    rig->last_done = rig->last_reply = 0;
    memset(rig->lines, 0, LINES * sizeof *rig->lines);
}

void rig_reset(core_rig *rig)
{
    kit_reset(rig->kit);
    rig_forget(rig);
}

uint32_t rig_done(const core_rig *rig)
{
    return rig->done;
}

uint64_t rig_ended(core_rig *rig)
{
    return rig->last_done / kit_edge(rig->kit, 1) + 1;
}

uint32_t rig_order(core_rig *rig, uint32_t tag)
{
    cr_assert_lt(tag, rig->done);
    return rig->order[tag];
}

uint64_t rig_cycles(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, threads, 0);
    uint64_t cycles = rig_finish(rig);
    rig_destroy(rig);
    return cycles;
}
