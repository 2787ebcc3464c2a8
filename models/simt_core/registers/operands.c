/* SPDX-License-Identifier: MIT */
#include "operands.h"

#include <stdlib.h>
#include <string.h>

#include "parameters.h"

int operands_create(operand_reads *reads, const hd_value *values, uint32_t ports)
{
    reads->banks = (uint32_t)values[PARAMETER_REGISTER_BANKS].u;
    if (!reads->banks)
        return 0;
    reads->bank_mask = reads->banks & (reads->banks - 1) ? 0 : reads->banks - 1;
    reads->width = (uint32_t)values[PARAMETER_REGISTER_BANK_WIDTH].u;
    reads->interval = (uint32_t)values[PARAMETER_REGISTER_BANK_INTERVAL].u;
    reads->window = (uint32_t)values[PARAMETER_REGISTER_WINDOW].u;
    reads->collectors = (uint32_t)values[PARAMETER_REGISTER_COLLECTORS].u;
    reads->ports = ports;
    reads->busy_until = calloc(reads->collectors + 1, sizeof *reads->busy_until);
    reads->bank_until = calloc(reads->banks, sizeof *reads->bank_until);
    reads->reserved = calloc((size_t)ports * reads->banks, sizeof *reads->reserved);
    reads->since = calloc(ports, sizeof *reads->since);
    return reads->busy_until && reads->bank_until && reads->reserved && reads->since ? 0 : -1;
}

void operands_destroy(operand_reads *reads)
{
    free(reads->busy_until);
    free(reads->bank_until);
    free(reads->reserved);
    free(reads->since);
}

void operands_reset(operand_reads *reads)
{
    if (!reads->banks)
        return;
    reads->free_at = 0;
    reads->first = 0;
    memset(reads->busy_until, 0, reads->collectors * sizeof *reads->busy_until);
    memset(reads->bank_until, 0, reads->banks * sizeof *reads->bank_until);
    memset(reads->reserved, 0, (size_t)reads->ports * reads->banks * sizeof *reads->reserved);
    memset(reads->since, 0, reads->ports * sizeof *reads->since);
}

/* Lowest register of a set. */
static uint32_t bank_of(const operand_reads *reads, uint32_t warp, uint64_t registers)
{
    const uint32_t number = (uint32_t)__builtin_ctzll(registers) + (reads->window ? 0 : warp);
    return reads->bank_mask ? number & reads->bank_mask : number % reads->banks;
}

/* Cycles that each bank is to read for one instruction. */
typedef struct demand {
    uint32_t count; /* of banks */
    struct {
        uint32_t bank, operands;
    } of[OPERANDS_MAX];
} demand;

static demand demand_of(const operand_reads *reads, uint32_t warp, uint64_t registers)
{
    demand d = {0};
    for (; registers; registers &= registers - 1) {
        const uint32_t bank = bank_of(reads, warp, registers);
        uint32_t i = 0;
        while (i < d.count && d.of[i].bank != bank)
            i++;
        d.of[i].bank = bank;
        d.of[i].operands++;
        d.count += i == d.count;
    }
    return d;
}

static uint32_t cycles_of(const operand_reads *reads, uint32_t operands)
{
    return (operands + reads->width - 1) / reads->width * reads->interval;
}

/* ---- Collectors ----------------------------------------------------------------------------------------------------- */

/* So many cycles of a bank, for an instruction that issues in this one: when they are over. */
static uint64_t take_bank(operand_reads *reads, uint32_t bank, uint64_t cycle, uint32_t cycles)
{
    const uint64_t until = reads->bank_until[bank];
    return reads->bank_until[bank] = (until > cycle ? until : cycle) + cycles;
}

/* When the last operand has been read, one read per bank taken for granted. */
static uint64_t read_banks(operand_reads *reads, uint32_t warp, uint64_t registers, uint64_t cycle)
{
    uint64_t last = cycle + reads->interval;
    if (reads->width == 1) { /* an operand after the other is as good as all of a bank at once */
        for (; registers; registers &= registers - 1) {
            const uint64_t until = take_bank(reads, bank_of(reads, warp, registers), cycle, reads->interval);
            last = until > last ? until : last;
        }
        return last;
    }
    const demand d = demand_of(reads, warp, registers);
    for (uint32_t i = 0; i < d.count; i++) {
        const uint64_t until = take_bank(reads, d.of[i].bank, cycle, cycles_of(reads, d.of[i].operands));
        last = until > last ? until : last;
    }
    return last;
}

/* The collector that is free first has an instruction until then, and stands where its turn is. */
static void take_collector(operand_reads *reads, uint64_t until)
{
    uint32_t at = reads->first;
    reads->first = at + 1 == reads->collectors ? 0 : at + 1;
    while (at != reads->first) {
        const uint32_t before = at ? at - 1 : reads->collectors - 1;
        if (reads->busy_until[before] <= until)
            break;
        reads->busy_until[at] = reads->busy_until[before];
        at = before;
    }
    reads->busy_until[at] = until;
    reads->free_at = reads->busy_until[reads->first];
}

/* ---- Window --------------------------------------------------------------------------------------------------------- */

/* What the port has reserved, a bit per cycle from this one on. */
static uint64_t *reserved_from(operand_reads *reads, uint32_t port, uint64_t cycle)
{
    uint64_t *reserved = reads->reserved + (size_t)port * reads->banks;
    const uint64_t passed = cycle - reads->since[port];
    for (uint32_t bank = 0; passed && bank < reads->banks; bank++)
        reserved[bank] = passed < 64 ? reserved[bank] >> passed : 0;
    reads->since[port] = cycle;
    return reserved;
}

static uint64_t free_cycles(const operand_reads *reads, uint64_t reserved, uint32_t delay)
{
    return ~reserved & ((UINT64_C(1) << reads->window) - 1) << delay;
}

static uint32_t window_delay(const operand_reads *reads, const demand *d, const uint64_t *reserved)
{
    uint32_t delay = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t cycles = cycles_of(reads, d->of[i].operands);
        while ((uint32_t)__builtin_popcountll(free_cycles(reads, reserved[d->of[i].bank], delay)) < cycles)
            delay++;
    }
    return delay;
}

static void reserve(const operand_reads *reads, const demand *d, uint64_t *reserved, uint32_t delay)
{
    for (uint32_t i = 0; i < d->count; i++) {
        uint64_t left = free_cycles(reads, reserved[d->of[i].bank], delay);
        for (uint32_t cycles = cycles_of(reads, d->of[i].operands); cycles; cycles--, left &= left - 1)
            reserved[d->of[i].bank] |= left & -left;
    }
}

uint32_t operands_read(operand_reads *reads, uint32_t port, uint32_t warp, uint64_t registers, uint64_t cycle)
{
    if (reads->window) {
        const demand d = demand_of(reads, warp, registers);
        uint64_t *reserved = reserved_from(reads, port, cycle);
        const uint32_t delay = window_delay(reads, &d, reserved);
        reserve(reads, &d, reserved, delay);
        return delay;
    }
    const uint64_t last = read_banks(reads, warp, registers, cycle);
    take_collector(reads, last);
    return (uint32_t)(last - cycle - reads->interval);
}

uint32_t operands_fit(operand_reads *reads, uint32_t port, uint32_t warp, uint64_t registers, uint64_t cycle)
{
    if (!reads->window)
        return reads->free_at <= cycle;
    const demand d = demand_of(reads, warp, registers);
    return !window_delay(reads, &d, reserved_from(reads, port, cycle));
}

void operands_transfer(operand_reads *reads, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "register banks", reads->banks);
    HD_STATE_SHAPE(stream, "operand collectors", reads->collectors);
    if (!reads->banks)
        return;
    HD_STATE_VALUE(stream, reads->free_at);
    HD_STATE_VALUE(stream, reads->first);
    HD_STATE_ARRAY(stream, reads->busy_until, reads->collectors);
    HD_STATE_ARRAY(stream, reads->bank_until, reads->banks);
    HD_STATE_ARRAY(stream, reads->reserved, (size_t)reads->ports * reads->banks);
    HD_STATE_ARRAY(stream, reads->since, reads->ports);
}
