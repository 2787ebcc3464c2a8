/* SPDX-License-Identifier: MIT */
/*
 * The trigger module of a hart: breakpoints that firmware sets itself, on instructions and on loads and stores (mcontrol, type 2).
 *
 * The RISC-V Debug Specification 0.13.2, chapter 5, and 1.0 for tcontrol and tinfo. Actions: a breakpoint exception, before the
 * instruction or the access. Matches: equal, in a range that is a power of two (NAPOT), and with the values of tdata2 from it on or below
 * it. An access is compared by all its bytes. Triggers of a chain match together: the last one stops.
 */
#ifndef HOST_CPU_HART_TRIGGERS_H
#define HOST_CPU_HART_TRIGGERS_H

#include <stdint.h>

#define HART_TRIGGERS_MAX 16u

/* What is compared, bits of tdata1. */
#define HART_TRIGGER_LOAD 1u
#define HART_TRIGGER_STORE 2u
#define HART_TRIGGER_EXECUTE 4u

typedef struct hart_trigger {
    uint64_t control; /* tdata1 */
    uint64_t address; /* tdata2 */
} hart_trigger;

typedef struct hart_triggers {
    uint32_t count; /* 0: there is no CSR of them */
    uint32_t selected;
    uint32_t is_armed; /* one of them can match something */
    hart_trigger triggers[HART_TRIGGERS_MAX];
} hart_triggers;

void hart_triggers_reset(hart_triggers *triggers);
/* Of a CSR: 0: it is none of these. */
uint32_t hart_triggers_read(const hart_triggers *triggers, uint32_t number, uint64_t *value);
uint32_t hart_triggers_write(hart_triggers *triggers, uint32_t number, uint64_t value);
uint32_t hart_triggers_has(const hart_triggers *triggers, uint32_t number);

/* An instruction that is fetched, or an access that one makes. */
typedef struct hart_seen {
    uint64_t pc, address; /* the same of an instruction that is fetched */
    uint32_t pc_bytes, bytes;
    uint32_t what; /* HART_TRIGGER_* */
    uint32_t is_machine_mode;
} hart_seen;
uint32_t hart_triggers_match(const hart_triggers *triggers, const hart_seen *seen);

#endif
