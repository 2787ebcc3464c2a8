/* SPDX-License-Identifier: MIT */
/* What cannot be sampled is refused by name, before anything is simulated. */
#include <string.h>

#include "hd_fast_forward.h"
#include "machine_internal.h"
#include "lanes.h"
#include "program.h"
#include "sampling.h"

char *sampling_refuse_setup(const hd_machine_setup *setup)
{
    const struct {
        uint32_t is_asked;
        const char *what;
    } rows[] = {{setup->tlm.threads > 1, "several threads (--threads)"},
                {setup->tlm.always || setup->tlm.checked, "calls of TLM-2.0 (--tlm)"},
                {setup->tlm.monitor != NULL, "a monitor of SystemC"},
                {setup->series != NULL, "a series (--series)"},
                {setup->tracer != NULL, "a trace (--trace, --vcd)"},
                {setup->check_transactions, "a check of transactions (--check-tx)"},
                {setup->check_memory, "a check of memory (--check-memory)"},
                {setup->check_races, "a check of races (--check-races)"},
                {setup->profile, "a profile (--profile)"},
                {setup->with_count != 0, "apps beside the first one (--with)"},
                {setup->sent != NULL, "an observer of packets"},
                {setup->driven || setup->guest || setup->stepped, "a program outside that drives the machine"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_asked)
            return hd_text_format("error: a sampled run (--sample) cannot have %s\n", rows[i].what);
    return NULL;
}

/* Of blocks that run programs, and of those that stand in front of memory; others have nothing to skip. */
static uint32_t must_be_able(const hd_block_class *type)
{
    static const char *const kinds[] = {"simt_core",    "l2_slice",    "vec_core",           "tile_fabric",
                                        "remote_port",  "qemu_port",   "validation_unit",    "commit_unit",
                                        "socket",       "transaction_memory"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type->kind, kinds[i]) == 0)
            return 1;
    return 0;
}

/* The block scheduler moves thread blocks, by messages that a core takes only while it is timed. */
static const netlist_block *moving_scheduler(const netlist *list)
{
    for (uint32_t b = 0; b < list->block_count; b++) {
        const hd_block_class *type = list->blocks[b].block_class;
        for (uint32_t i = 0; i < type->parameter_count && strcmp(type->kind, "tb_scheduler") == 0; i++)
            if (strcmp(type->parameters[i].name, "policy") == 0 &&
                strcmp(list->blocks[b].values[i].text, type->parameters[i].standard) != 0)
                return &list->blocks[b];
    }
    return NULL;
}

char *sampling_refuse_machine(hd_machine *machine)
{
    const netlist_block *scheduler = moving_scheduler(machine->netlist);
    hd_engine *engine = machine->engine;
    uint32_t cores = 0;
    if (machine->systemc)
        return hd_text_format("error: %s: a machine in a SystemC simulation cannot be sampled (--sample)\n",
                              machine->netlist->file);
    if (scheduler)
        return hd_text_format("error: %s: a block scheduler with a policy (%s.policy) moves thread blocks, and the machine "
                              "cannot be sampled (--sample)\n",
                              machine->netlist->file, scheduler->name);
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++) {
        const hd_block_class *type = hd_engine_block_class(engine, i);
        hd_block *block = hd_engine_block(engine, i);
        const hd_fast_forward *ability = type->extension ? type->extension(block, HD_EXTENSION_FAST_FORWARD) : NULL;
        const char *why = ability ? ability->refusal(block) : NULL;
        cores += ability && ability->stop;
        if (why)
            return hd_text_format("error: %s: %s %s, and cannot be sampled (--sample)\n", machine->netlist->file,
                                  hd_engine_block_name(engine, i), why);
        if (!ability && must_be_able(type))
            return hd_text_format("error: %s: %s (%s/%s) cannot be sampled (--sample)\n", machine->netlist->file,
                                  hd_engine_block_name(engine, i), type->kind, type->type);
    }
    return cores ? NULL
                 : hd_text_format("error: %s: no core of the machine can be sampled (--sample)\n",
                                  machine->netlist->file);
}

/* Why a program with this instruction may execute others, or more of them, if times are others; NULL: it does not. */
static const char *depends_on_time(const isa_instruction *instruction)
{
    const uint32_t csr = (uint32_t)instruction->immediate & 0xFFF;
    switch (instruction->instruction_class) {
    case ISA_CLASS_TRANSACTION: return "a transaction";
    case ISA_CLASS_ATOMIC:
        if (instruction->flags & ISA_FLAG_LOCK)
            return "a lock";
        if (isa_atomic_operation(instruction) == HD_ATOMIC_LOAD_RESERVED ||
            isa_atomic_operation(instruction) == HD_ATOMIC_STORE_CONDITIONAL)
            return "a load reserved and store conditional";
        return instruction->writes ? "an atomic whose result is used" : NULL;
    case ISA_CLASS_STORE: return instruction->flags & ISA_FLAG_LOCK ? "a lock" : NULL;
    case ISA_CLASS_LOAD: return instruction->flags & ISA_FLAG_LOAD_RELAXED ? "a load of what others may be writing" : NULL;
    case ISA_CLASS_CSR:
        return csr == ISA_CSR_CYCLE || csr == ISA_CSR_TIME || csr == ISA_CSR_CYCLE_HIGH || csr == ISA_CSR_TIME_HIGH
                   ? "a clock"
                   : NULL;
    default: return NULL;
    }
}

static char *refuse_program(const hd_machine *machine, const isa_program *program)
{
    for (uint32_t offset = 0; offset < program->text_bytes; offset += 4) {
        const uint32_t pc = program->text_address + offset;
        const isa_instruction *instruction = isa_program_at(program, pc);
        const char *why = instruction && program->reachable[offset / 4] ? depends_on_time(instruction) : NULL;
        char place[256];
        if (!why)
            continue;
        isa_program_place(program, pc, place, sizeof place);
        return hd_text_format("error: app %s cannot be sampled (--sample): how many instructions it executes may depend on "
                              "times, for there is %s at %s\n",
                              machine->app.name, why, place);
    }
    return NULL;
}

char *sampling_refuse_programs(hd_machine *machine)
{
    const isa_program *program;
    for (uint32_t i = 0; (program = hd_program_registry_find(machine->programs, i)) != NULL; i++) {
        char *refusal = refuse_program(machine, program);
        if (refusal)
            return refusal;
    }
    return NULL;
}
