/* SPDX-License-Identifier: MIT */
/* What a program can do wrong, in the words in which every type of core says it. */
#ifndef SIMT_CORE_MISTAKES_H
#define SIMT_CORE_MISTAKES_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"
#include "reconvergence.h"

#define BARRIERS 16u /* numbers of bar.sync */
/* More than any stack has frames for: calls that never return, and save nothing, would count for ever. */
#define CALLS_MAX (1u << 20)

#define MISTAKE_NO_CODE "jumped outside the code of its kernel"
#define MISTAKE_JUMP MISTAKE_NO_CODE ", to 0x%08x" /* where a jump is known; else the pc has run out of the code */
#define MISTAKE_ROUNDING "fcsr holds a rounding mode that does not exist"
#define MISTAKE_CSR "illegal access to CSR 0x%03x"
#define MISTAKE_RETURN "returned from the kernel to 0x%08x: its return address was overwritten"
#define MISTAKE_CALLS "calls nest deeper than %u"
#define MISTAKE_BARRIER_NUMBER "barrier number %u: there are %u"
#define MISTAKE_BLOCK_BARRIER                                                                                          \
    "divergent barrier: threads of other warps of the block are not here, and wait until these meet them"
#define MISTAKE_MODULE "%s: launch %u names module %u, which is not loaded"
#define MISTAKE_BLOCK "%s: a block of %" PRIu64 " threads and %u B of scratchpad can never fit"
#define MISTAKE_SHADOW                                                                                                 \
    "%s: a block's %u B of scratchpad take %" PRIu64 " B with what its transactions keep of them; there are %" PRIu64  \
    " B"

#define MISTAKE_NO_TRANSACTION "tx.commit or tx.abort, but no transaction runs"

/* Why an instruction at this call depth may not be in a transaction, as a sentence part; NULL: it may. */
const char *forbidden_in_transaction(const isa_instruction *instruction, uint32_t depth);
/* Of tx.begin with this immediate, where there are none on what it names. */
const char *domain_without_transactions(uint32_t immediate);
#define MISTAKE_ENDLESS "the transaction does not end: unless its loop is endless, raise tx.patience"
#define MISTAKE_OTHER_DOMAIN "tx.begin of another domain than that of the transaction it is in"
#define MISTAKE_GLOBAL_STORE "a store to global memory in a transaction on the scratchpad"
#define MISTAKE_SCRATCHPAD_STORE "a store to the scratchpad in a transaction on global memory"

/* Lanes `elsewhere` of the warp are not at the barrier, and never come. */
void divergent_barrier(uint64_t elsewhere, char *text, size_t bytes);

/* A barrier that opens although some threads have ended: the first of them are lanes `ended` of `warp`. */
void early_exit(uint32_t number, uint32_t live, uint32_t threads, uint32_t warp, uint64_t ended, char *text,
                size_t bytes);

/* The first of these targets of a jump where there is no code; NULL: there is code at each. */
const path_group *group_outside(const isa_program *program, const path_group *groups, uint32_t count);

/* Lanes with which warp `warp` of a block of so many threads is launched. */
uint64_t launched_lanes(uint32_t threads, uint32_t warp, uint32_t lanes);

#endif
