/* SPDX-License-Identifier: MIT */
/* What a UART interrupts for, as a 16550 does: a character has been received, or the last one waiting has been sent. */
#ifndef UART_INTERRUPTS_H
#define UART_INTERRUPTS_H

#include <stdint.h>

/* Bits of IER. */
#define UART_RECEIVED 1u
#define UART_TRANSMITTED 2u

typedef struct uart_interrupts {
    uint8_t enabled;
    uint8_t has_emptied; /* the transmit FIFO, and nobody has been told or has written since */
} uart_interrupts;

/* A write of IER, with the transmit FIFO empty or not: who asks while it is empty is told so at once. */
void uart_interrupts_enable(uart_interrupts *interrupts, uint8_t enabled, uint32_t is_empty);
void uart_interrupts_emptied(uart_interrupts *interrupts);
void uart_interrupts_filled(uart_interrupts *interrupts);
/* has_received: a character waits, and its interrupt is enabled. */
uint32_t uart_interrupts_are_pending(const uart_interrupts *interrupts, uint32_t has_received);
/* A read of IIR: which one it is, reception first. That the FIFO has emptied is then known. */
uint8_t uart_interrupts_identify(uart_interrupts *interrupts, uint32_t has_received, uint8_t fifo_control);

#endif
