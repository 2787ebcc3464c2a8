/* SPDX-License-Identifier: MIT */
/*
 * What a UART receives: the characters of a file, one after the other. One waits at a time, and the next one comes one character's time
 * after it has been taken, so that none is lost. Standard input is read when firmware asks whether there is something: until somebody has typed
 * it, no time passes, and the run is the same as with a file of the same characters.
 */
#ifndef UART_RECEIVER_H
#define UART_RECEIVER_H

#include <stdint.h>
#include <stdio.h>

#include "hd_block.h"
#include "hd_state.h"

#define UART_STANDARD_INPUT "stdin"

typedef struct uart_receiver {
    FILE *file; /* NULL: nothing comes */
    hd_time character;
    hd_time arrives; /* of the next one */
    int next;
    uint32_t has_next, has_ended;
} uart_receiver;

/* path: of a file, UART_STANDARD_INPUT, or "". character: its time. 0: it cannot be read. */
uint32_t uart_receiver_open(uart_receiver *receiver, const char *path, hd_time character);
void uart_receiver_close(uart_receiver *receiver);
void uart_receiver_reset(uart_receiver *receiver);

/* Of a file, which is then read from where it was (hd_state.h). */
void uart_receiver_transfer(uart_receiver *receiver, const hd_state_stream *stream);

/* When it has to be asked for the next character; HD_NEVER: one waits, or none comes any more. */
hd_time uart_receiver_next(const uart_receiver *receiver);
/* Is there a character at t? */
uint32_t uart_receiver_has(uart_receiver *receiver, hd_time t);
/* The same, and what it is, for who only looks: what nobody has typed yet is not waited for, but is none. */
uint32_t uart_receiver_peek(const uart_receiver *receiver, hd_time t, uint8_t *character);
/* It is taken; 0 if there is none. */
uint8_t uart_receiver_take(uart_receiver *receiver, hd_time t);

#endif
