/* SPDX-License-Identifier: MIT */
/* Private to the interrupt controller: its state, between the sources (plic.c) and the registers (registers.c). */
#ifndef INTERRUPT_CONTROLLER_STATE_H
#define INTERRUPT_CONTROLLER_STATE_H

#include "hd_interrupt_line.h"
#include "hd_registers.h"
#include "hd_trace.h"

#define WINDOW_BYTES 0x400000u
#define ELEMENTS 7u
#define LINES_OF_ELEMENT 4u
#define FIRST_LINE (1 + ELEMENTS * LINES_OF_ELEMENT) /* source 0 is none; before it those of events */
#define LINES 3u
#define SOURCES (FIRST_LINE + LINES)

enum { STATISTIC_EVENTS = HD_REGISTERS_STATISTIC_COUNT, STATISTIC_CLAIMS, STATISTIC_COUNT };

typedef struct source {
    uint32_t priority;
    uint32_t events; /* not yet claimed */
    uint32_t level;  /* of a line */
    uint32_t is_handled;
} source;

/* What a hart has of its own. */
typedef struct receiver {
    hd_link *interrupt; /* NULL: nobody is told */
    hd_interrupt_line line;
    uint32_t shown_level; /* that was recorded last */
    uint32_t track;
    uint32_t enabled;
    uint32_t threshold;
} receiver;

typedef struct plic {
    hd_registers registers;
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t level_message;
    hd_link *events[ELEMENTS];
    hd_link *lines[LINES];
    receiver harts[HD_REGISTERS_HARTS_MAX];
    uint32_t hart_count;
    source sources[SOURCES];
    uint32_t stopped; /* after a fault */
    uint64_t counters[STATISTIC_COUNT];
} plic;

uint32_t plic_pending(const plic *self); /* sources, a bit each */
/* The source to be claimed next, if its priority is above this one; 0 = none. */
uint32_t plic_best(const plic *self, const receiver *hart, uint32_t above);
/* The hart claims a source, which is then being handled; 0: there is none. */
uint32_t plic_claim(plic *self, const receiver *hart, hd_time t);

#define PLIC_REGISTERS 4u
extern const hd_register plic_registers[PLIC_REGISTERS];

#endif
