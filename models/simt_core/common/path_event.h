/* SPDX-License-Identifier: MIT */
/*
 * What happens to a path, as the core tells its units: schedulers, the reconvergence unit, spin detectors.
 *
 * A unit says with `wants`, once after it has been made, which kinds it is told of, a set of PATH_*; nothing is spent on kinds
 * that nobody wants. Events come in the order in which things happen, in one clock: never with a smaller cycle than before.
 * The event and all it points to belong to the core and are valid during the call. A member whose comment names kinds has a
 * meaning for these alone, and may hold anything for others.
 *
 * At an edge, what has come first is told first: results and branches that are known then, then timers, then what issues.
 */
#ifndef SIMT_CORE_PATH_EVENT_H
#define SIMT_CORE_PATH_EVENT_H

#include <stdint.h>

#define NO_PATH UINT32_MAX

/* Kinds, a bit each. */
#define PATH_ISSUED 0x001u   /* its instruction issues, and has done nothing yet */
#define PATH_COMPARED 0x002u /* a compare issues: a conditional branch, slt*, feq, flt, fle; nothing is written yet */
#define PATH_BRANCHED 0x004u /* a control transfer is known; the path's lanes stand at it still */
#define PATH_SPUN 0x008u     /* by a branch that sustains spinning, says the spin detector; after its PATH_BRANCHED */
#define PATH_STALLED 0x010u  /* its next instruction, decoded, has to wait; or has to wait for something else now */
#define PATH_STALL_ENDED 0x020u     /* it waits no more: the instruction can issue, or is given up */
#define PATH_BARRIER_REACHED 0x040u /* its lanes have arrived at a barrier, and are counted there */
#define PATH_BARRIER_OPENED                                                                                            \
    0x080u /* of a warp: the barrier is open, and the paths of the warp that stood there have gone on */
#define PATH_ARRIVED 0x100u  /* at its stop point */
#define PATH_EXITED 0x200u   /* lanes leave the kernel */
#define PATH_LAUNCHED 0x400u /* of a warp: it begins a kernel, or comes from another core; its paths have been added */
#define PATH_EVERY_KIND 0x7FFu

/* Why a path is stalled. */
enum path_stall {
    PATH_STALL_RESULT = 1,  /* a register that a functional unit will write */
    PATH_STALL_DATA,        /* a register that a load will write */
    PATH_STALL_FENCE,       /* earlier accesses have to be visible */
    PATH_STALL_TRANSACTION, /* what transactions have in flight */
};

#define BARRIER_OF_WARP UINT32_MAX /* path_event.barrier: warp.sync */

/* What can become of lanes at a control transfer. */
enum path_transfer {
    PATH_TRANSFER_JUMP = 1, /* all go to one place */
    PATH_TRANSFER_BRANCH,   /* to the target, or to the next instruction */
    PATH_TRANSFER_REGISTER, /* each to its own: jumps and calls by register, returns */
};

/* Where some of a path's lanes go next. A return has depth one below the path's, a call one above. */
typedef struct path_group {
    uint64_t mask;
    uint32_t pc;
    uint32_t depth;
} path_group;

typedef struct path_event {
    uint32_t kind; /* one of PATH_* */
    uint32_t path; /* NO_PATH: the event is of the warp */
    uint32_t warp; /* slot */
    uint32_t
        pc; /* of the instruction; PATH_ARRIVED: of the stop point; PATH_LAUNCHED: of the kernel's first instruction. Not of
                     * PATH_BARRIER_OPENED */
    uint64_t mask;  /* the path's lanes; PATH_EXITED: those that leave. Not of PATH_BARRIER_OPENED, PATH_LAUNCHED */
    uint64_t cycle; /* of the core's clock, from its last alignment on */

    /* PATH_BRANCHED and PATH_SPUN: the lanes that go to target, all of a jump's and of a call's. A jump to a register: those with
     * the target of the lowest lane. */
    uint64_t taken;
    uint32_t target;
    /* PATH_BRANCHED: all that becomes of the lanes. 1..lanes groups, disjoint, together exactly mask, the taken side of a branch
     * first; none: they leave the kernel. */
    uint32_t group_count;
    const path_group *groups;
    /* PATH_BRANCHED that is divergent, or any if the reconvergence unit regroups lanes: of the table that it has asked for */
    uint32_t reconvergence_pc;
    /* Likewise, where it has asked for likely-convergence points: the branch's, at the same call depth; 0: it has none */
    uint32_t likely_pc;
    enum path_transfer transfer; /* PATH_BRANCHED */

    /* PATH_BRANCHED, PATH_ARRIVED: those of the lanes that stand between a load reserved and its store conditional then, and are not to
     * be kept from it */
    uint64_t reserved;

    uint32_t barrier; /* PATH_BARRIER_*: its number, or BARRIER_OF_WARP */

    /* PATH_COMPARED: first and second operand, by lane; of the lanes in mask. right NULL: immediate, sign-extended, in all. */
    const uint32_t *left, *right;
    uint32_t immediate;

    uint32_t stall; /* PATH_STALL*: enum path_stall; of PATH_STALL_ENDED what it was at last */
    uint64_t since; /* PATH_STALL_ENDED: cycle of the first PATH_STALLED */

    uint32_t
        instructions; /* PATH_LAUNCHED: of the kernel's entry function; without its length, of the code from there on */
} path_event;

/* PATH_BRANCHED: do lanes part? */
static inline uint32_t path_event_is_divergent(const path_event *event)
{
    return event->group_count > 1;
}

/* PATH_BRANCHED: do some of the lanes go back, or stay? */
static inline uint32_t path_event_is_backward(const path_event *event)
{
    return event->taken != 0 && event->target <= event->pc;
}

/* PATH_COMPARED: the second operand of a lane in mask. */
static inline uint32_t path_event_right(const path_event *event, uint32_t lane)
{
    return event->right ? event->right[lane] : event->immediate;
}

#endif
