/* SPDX-License-Identifier: MIT */
/*
 * When instructions begin and end on an out-of-order core, as a scoreboard: `width` enter the window in a cycle, and `depth`
 * cycles later each begins once its operands are there; they leave it in order, `width` in a cycle, and it holds `size`. So many accesses
 * of a line as there are `ports` pass to the first cache in a cycle, whichever are ready (Beaumont 2019 Tables 5.2 and 5.3).
 *
 * When a load ends that waits for memory need not be known when it enters (is_pending): then the window tells when it begins
 * (vec_window_next_begun), and is told when it ends (vec_window_answer). Until then nothing is known of whatever needs its result.
 */
#ifndef VEC_CORE_VEC_WINDOW_H
#define VEC_CORE_VEC_WINDOW_H

#include "vec_hart.h"

#define VEC_WINDOW_MAX 1024u
#define VEC_UNKNOWN UINT64_MAX
#define VEC_PORT_CYCLES 8192u /* that may be taken at a time, a power of two */

/* What an instruction waits for and makes: scalar registers as isa_instruction numbers them, vector registers, vl and vtype. */
typedef struct vec_dependencies {
    uint64_t reads, writes;
    uint32_t vector_reads, vector_writes;
    uint8_t reads_vl, writes_vl;
} vec_dependencies;

/* What it takes once it has begun. */
typedef struct vec_cost {
    uint32_t latency;    /* until its result is there; of an access, of the last line */
    uint32_t lines;      /* that pass the port */
    uint64_t until;      /* its result is not there before this cycle: what came from afar */
    uint32_t is_pending; /* neither latency nor until is known */
} vec_cost;

/* An instruction that is in the window, and whose leaving is not known. */
typedef struct vec_slot {
    uint64_t makers[VEC_WINDOW_MAX / 64]; /* bits of slots whose results it waits for */
    vec_dependencies of;
    vec_cost cost;
    uint64_t begin; /* as far as it is known */
    uint64_t end;
    uint32_t maker_count;
    uint8_t state;
} vec_slot;

typedef struct vec_port_cycle {
    uint64_t cycle; /* and 1 */
    uint32_t lines; /* that passed in it */
} vec_port_cycle;

typedef struct vec_window {
    uint32_t width, depth, size;
    uint32_t ports; /* lines that pass in a cycle */
    uint64_t entry; /* cycle in which the next one enters, if there is room */
    uint32_t entered;
    uint64_t retirement; /* cycle in which the last one left */
    uint32_t retired;
    vec_port_cycle port[VEC_PORT_CYCLES]; /* ring */
    uint64_t ready[ISA_REGISTER_COUNT];
    uint64_t vector_ready[HD_VECTOR_REGISTERS];
    uint64_t vl_ready;
    uint64_t leaves[VEC_WINDOW_MAX]; /* ring of size: when those in the window leave; VEC_UNKNOWN */
    uint32_t next;                   /* place of the next one that enters */
    uint32_t last;                   /* of the last one */
    uint32_t oldest, unsettled;      /* those whose leaving is not known, and how many there are */
    uint32_t barrier;                /* nothing enters before the one in this place has ended; counted from 1 */
    uint32_t maker[ISA_REGISTER_COUNT], vector_maker[HD_VECTOR_REGISTERS],
        vl_maker; /* places, from 1, of whoever is to write it; 0: ready */
    uint32_t begun[VEC_WINDOW_MAX], begun_taken, begun_count;
    vec_slot slots[VEC_WINDOW_MAX];
} vec_window;

vec_dependencies vec_dependencies_of(const vec_hart *h, const vec_operation *op);

/* Empty, from this cycle on. */
void vec_window_reset(vec_window *w, uint64_t cycle);
/* Cycle in which the next instruction enters; VEC_UNKNOWN: that depends on one that waits for memory. */
uint64_t vec_window_entry(const vec_window *w);
/* It does, which has to be known. Returns the cycle in which its result is there, or VEC_UNKNOWN. */
uint64_t vec_window_add(vec_window *w, const vec_dependencies *of, const vec_cost *cost);
/* Nothing enters before this cycle. */
void vec_window_hold(vec_window *w, uint64_t cycle);
/* Nothing enters before the one that entered last has ended, as vec_window_add has said. */
void vec_window_hold_behind(vec_window *w, uint64_t end);

/* A pending one that has begun, by its place; each once. 0: there is no other one. */
uint32_t vec_window_next_begun(vec_window *w, uint32_t *place);
/* Its lines are there. */
void vec_window_answer(vec_window *w, uint32_t place, uint32_t latency, uint64_t until);
/* Is everything known about all that has entered? */
static inline uint32_t vec_window_is_settled(const vec_window *w)
{
    return w->unsettled == 0;
}

#endif
