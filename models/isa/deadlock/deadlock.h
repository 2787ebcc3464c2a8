/* SPDX-License-Identifier: MIT */
/*
 * SIMT-induced deadlock, found in the code: a lane waits in a loop for a write that only a lane of its own warp can make, and
 * which the divergence of the two keeps that lane from (ElTantawy 2018, chapter 3).
 *
 * Of each conditional branch it is asked: if lanes part here, may those on one side stay in a loop because of what they read
 * from memory, and is the write that would let them go on in code that the others are kept from? On a reconvergence stack these
 * are kept from all of the other side and from what follows the meeting point; with splits that take turns only from the latter.
 *
 * It looks at one function at a time: code of other functions neither waits nor writes. Addresses are compared as those of
 * different lanes. Of what cannot be told apart it is said that it may be the same, so findings may be false; what is not
 * found is a wait and a write in different functions, and code behind a jump through a table.
 */
#ifndef ISA_DEADLOCK_H
#define ISA_DEADLOCK_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

enum isa_divergence {
    ISA_DIVERGENCE_STACK, /* one side runs until it has met the other */
    ISA_DIVERGENCE_SPLITS /* both sides get on; they wait for each other where they meet only */
};

/* An edge whose lanes, before they go on, wait at another place until all others that they have parted from are there. */
typedef struct isa_deadlock_change {
    uint32_t from; /* pc */
    uint32_t to;   /* pc where it leads; ISA_RECONVERGE_AT_RETURN: from is a return */
    uint32_t wait; /* before the instruction at this pc, which those others then wait at: for all others of the warp */
} isa_deadlock_change;

typedef struct isa_deadlock_options {
    enum isa_divergence divergence;
    const isa_deadlock_change *changes; /* what is found if these are made (ssde.h); of a stack */
    uint32_t change_count;
    int parameters_do_not_alias; /* of all functions, as isa_synchronization says of some */
    int keep_uniform;            /* also branches that all lanes of a warp take alike */
    int keep_own_locks;          /* also writes that give back what the same lanes have to take first */
    int keep_accepted; /* also in functions whose author says that their lanes wait for each other on purpose */
} isa_deadlock_options;

typedef struct isa_deadlock {
    uint32_t branch;   /* pc where lanes part */
    uint32_t side;     /* pc where the side begins whose lanes stay in the loop */
    uint32_t meeting;  /* pc where they would meet again; ISA_RECONVERGE_AT_RETURN */
    uint32_t loop;     /* lowest pc of the loop, and */
    uint32_t loop_end; /* its highest */
    uint32_t *body;    /* pcs of all of it, ascending */
    uint32_t body_count;
    uint32_t *reads; /* pcs in the loop, ascending, that its end depends on */
    uint32_t read_count;
    uint32_t *writes; /* pcs, ascending, that may change what they read, which the other lanes are kept from */
    uint32_t write_count;
    /* If the one read waits for a lock: pcs of it, and of other reads that take such a lock too, which each of the writes gives back to
     * which lanes come by them; none: it does not. */
    uint32_t *locks;
    uint32_t lock_count;
    uint32_t read;  /* one of them and */
    uint32_t write; /* one of those that go together, if possible surely to one address, and not by one instruction */
} isa_deadlock;

/* How many loops of the program are left after each question; a loop is a backward edge of the code. */
typedef struct isa_deadlock_filter {
    uint32_t branches; /* conditional, that can be reached */
    uint32_t loops;
    uint32_t on_memory; /* whose end depends on memory that is not the thread's own */
    uint32_t on_reads;  /* whose end depends on such a read inside of them */
    uint32_t found;     /* which that read may keep from ending */
} isa_deadlock_filter;

typedef struct isa_deadlocks {
    isa_deadlock *found; /* by ascending branch, then side, then size of the loop */
    uint32_t count;
    isa_deadlock_filter filter;
} isa_deadlocks;

/* The program is analysed. 0 = done, the result is to be freed; -1 = out of memory, and it is empty. */
int isa_deadlocks_find(const isa_program *program, const isa_deadlock_options *options, isa_deadlocks *deadlocks);
void isa_deadlocks_free(isa_deadlocks *deadlocks);

#ifdef __cplusplus
}
#endif

#endif
