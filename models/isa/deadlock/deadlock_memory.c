/* SPDX-License-Identifier: MIT */
/* What files say of functions and accesses, by node. */
#include "deadlock_access.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL_RECORD UINT32_C(0xFFFFFFFF) /* HD_ARGUMENT_KERNEL in firmware/include/heddle_args.h */
#define RECORD_HEAD 8u

/* Does a record of .heddle.arguments say that a kernel has this name? */
static int is_kernel_named(const isa_program *program, const char *name)
{
    const size_t bytes = strlen(name) + 1;
    for (size_t at = 0; at + RECORD_HEAD <= program->argument_record_bytes;) {
        const uint8_t *record = program->argument_records + at;
        uint32_t head[2];
        memcpy(head, record, sizeof head);
        if (head[0] < RECORD_HEAD || head[0] > program->argument_record_bytes - at)
            return 0;
        if (head[1] == KERNEL_RECORD && bytes <= head[0] - RECORD_HEAD && !memcmp(record + RECORD_HEAD, name, bytes))
            return 1;
        at += ((size_t)head[0] + 3) & ~(size_t)3;
    }
    return 0;
}

/* Where functions begin. */
static void read_notes(deadlock_memory *memory)
{
    const isa_program *program = memory->graph->flow.program;
    isa_synchronization record;
    for (uint32_t at = 0; isa_synchronization_next(program, &at, &record);)
        if (!record.lock)
            memory->function_notes[(record.pc - program->text_address) / 4] |= (uint8_t)record.kind;
}

/* By function, as it begins where its symbol does; code that a transform has added is that of its place. */
static void read_functions(deadlock_memory *memory)
{
    const isa_program *program = memory->graph->flow.program;
    const char *function = NULL;
    uint8_t is_kernel = 0, notes = 0;
    for (uint32_t node = 0; node < memory->graph->count; node++) {
        uint32_t offset = 0;
        const uint32_t pc = deadlock_pc(memory->graph, node);
        const char *name = isa_program_symbol_at(program, pc, &offset);
        if (name != function || (name && !offset)) {
            function = name;
            is_kernel = name && is_kernel_named(program, name);
            notes = name
                        ? memory->function_notes[deadlock_node(memory->graph, isa_program_origin(program, pc) - offset)]
                        : 0;
        }
        memory->is_kernel[node] = is_kernel;
        memory->function_notes[node] = notes;
    }
}

static void read_locks(deadlock_memory *memory)
{
    const isa_program *program = memory->graph->flow.program;
    isa_synchronization record;
    for (uint32_t at = 0; isa_synchronization_next(program, &at, &record);)
        if (record.lock)
            memory->accesses[memory->place[(record.pc - program->text_address) / 4]].lock = record.lock;
}

int deadlock_memory_open(deadlock_memory *memory, deadlock_graph *graph, const isa_deadlock_options *options)
{
    const size_t count = graph->count;
    uint32_t accesses = 0;
    *memory = (deadlock_memory){
        .graph = graph,
        .options = options,
        .place = calloc(count, sizeof *memory->place),
        .seen = calloc(count, sizeof *memory->seen),
        .left = malloc(count * sizeof *memory->left),
        .slots = calloc(count, sizeof *memory->slots),
        .is_kernel = calloc(count, 1),
        .function_notes = calloc(count, 1),
    };
    if (!memory->place || !memory->seen || !memory->left || !memory->slots || !memory->is_kernel ||
        !memory->function_notes)
        return -1;
    for (uint32_t node = 0; node < graph->count; node++)
        if (deadlock_instruction(graph, node)->access_bytes)
            memory->place[node] = ++accesses; /* place 0 is for what is no access */
    memory->accesses = calloc((size_t)accesses + 1, sizeof *memory->accesses);
    if (!memory->accesses)
        return -1;
    read_notes(memory);
    read_functions(memory);
    read_locks(memory);
    deadlock_find_slots(memory);
    return 0;
}

void deadlock_memory_close(deadlock_memory *memory)
{
    free(memory->accesses);
    free(memory->place);
    free(memory->seen);
    free(memory->left);
    free(memory->slots);
    free(memory->is_kernel);
    free(memory->function_notes);
}
