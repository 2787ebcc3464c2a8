/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hart.h"
#include "sequence.h"

static uint32_t stop_of(const hart *h, enum hart_stop stop)
{
    if (stop == HART_LIMIT)
        return OUTCOME_COUNT;
    if (stop == HART_BUS)
        return OUTCOME_DATA;
    if (stop != HART_EXCEPTION)
        return OUTCOME_OTHER;
    switch (h->exception.cause) {
    case HART_ILLEGAL: return OUTCOME_ILLEGAL;
    case HART_FETCH_FAULT: return OUTCOME_FETCH;
    case HART_LOAD_MISALIGNED:
    case HART_STORE_MISALIGNED:
    case HART_LOAD_FAULT:
    case HART_STORE_FAULT: return OUTCOME_DATA;
    default: return OUTCOME_OTHER;
    }
}

static uint32_t word_at(const hart *h)
{
    uint32_t word = 0;
    const uint64_t offset = h->state.pc - CODE_PAGE;
    if (offset < RAM_BYTES)
        memcpy(&word, h->ram + offset, 4);
    return rv64_bytes(word) == 4 ? word : word & 0xFFFF;
}

/* An sc to another address than its lr's, which may be one that faults: the oracle lets it fail before it looks. */
static uint32_t is_lone_store_conditional(const hart *h, uint32_t word)
{
    const isa_instruction instruction = rv64_decode(word);
    return (instruction.operation == ISA_OP_SC_W || instruction.operation == RV64_OP_SC_D) &&
           h->state.reservation != h->state.x[instruction.rs1];
}

static uint32_t is_left_out(const hart *h)
{
    return is_exempt(word_at(h)) || is_lone_store_conditional(h, word_at(h));
}

/* The oracle stores what lies inside before it finds that the rest does not. */
static uint32_t leaves_ram(const hart_access *access)
{
    const uint64_t end = CODE_PAGE + RAM_BYTES;
    return access->address < end && access->address + access->bytes > end;
}

/* One instruction at a time or all at once: limits must not matter. */
void subject_run(const sequence *s, uint32_t steps, outcome *result, coverage *c)
{
    hart h;
    enum hart_stop stop = HART_LIMIT;
    if (!hart_create(&h, RAM_BYTES, 256, MAX_STEPS))
        abort();
    h.ram_base = CODE_PAGE;
    h.cycles_each = 1;
    h.exceptions_stop = 1;
    hart_reset(&h, CODE_PAGE);
    memcpy(h.ram, s->ram, RAM_BYTES);
    memcpy(h.state.x, s->registers, sizeof s->registers);
    while (h.state.cycle < steps && stop == HART_LIMIT) {
        if (c && is_left_out(&h))
            break;
        if (c)
            c->executed[rv64_decode(word_at(&h)).operation]++;
        stop = hart_run(&h, c ? h.state.cycle + 1 : steps);
        if (stop == HART_TRAP)
            stop = HART_LIMIT;
        if (stop != HART_IN_PLACE)
            continue;
        hart_keep(&h);
        hart_execute_in_place(&h);
        stop = HART_LIMIT;
    }
    memcpy(result->registers, h.state.x, sizeof result->registers);
    memcpy(result->ram, h.ram, RAM_BYTES);
    result->pc = h.state.pc;
    result->exempt = is_left_out(&h) || (stop == HART_BUS && leaves_ram(&h.access));
    result->stop = stop_of(&h, stop);
    if (c) {
        c->stops[result->stop]++;
        c->instructions += h.state.instructions;
    }
    hart_destroy(&h);
}
