/* SPDX-License-Identifier: MIT */
/* Private to the UART: its state, between the characters (transmitter.c) and the registers (registers.c). */
#ifndef UART_STATE_H
#define UART_STATE_H

#include "hd_interrupt_line.h"
#include "hd_registers.h"
#include "hd_ring.h"
#include "hd_trace.h"
#include "interrupts.h"
#include "receiver.h"

#define WINDOW_BYTES 8u
#define DIVISOR_BYTES 2u
#define LINE_CHARACTERS 1000u

enum {
    STATISTIC_CHARACTERS = HD_REGISTERS_STATISTIC_COUNT,
    STATISTIC_LOST,
    STATISTIC_MAX_FIFO,
    STATISTIC_RECEIVED,
    STATISTIC_COUNT
};

typedef struct uart {
    hd_registers registers;
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t shown;        /* characters that waited when that was recorded last */
    hd_clock speed;        /* characters */
    uint8_t *fifo;
    hd_ring waiting; /* characters in fifo */
    hd_time leaves;  /* when the first character has been sent */
    uint8_t kept[WINDOW_BYTES];
    char line[LINE_CHARACTERS + 1];
    uint32_t length;
    uart_receiver receiver;
    uart_interrupts interrupts;
    uint8_t divisor[DIVISOR_BYTES];
    hd_link *interrupt; /* NULL: nobody is told */
    hd_interrupt_line interrupt_line;
    uint32_t level_message;
    uint64_t counters[STATISTIC_COUNT];
} uart;

/* A character is written: it waits to be sent, or is lost. */
void uart_put(uart *self, uint8_t character, hd_time t);
/* Does a character wait, and is its interrupt enabled? */
static inline uint32_t uart_has_received(uart *self, hd_time t)
{
    return (self->interrupts.enabled & UART_RECEIVED) && uart_receiver_has(&self->receiver, t);
}

#define UART_REGISTERS 5u
extern const hd_register uart_registers[UART_REGISTERS];

#endif
