/* SPDX-License-Identifier: MIT */
/*
 * (uart, transmitter): where firmware writes text, and reads what `input` has, with the registers of a 16550 that a driver without
 * interrupts needs. Each is one byte.
 *
 *   0  THR  write: a character into the transmit FIFO; lost, and counted, if that is full
 *      RBR  read: the character that has been received, which makes room for the next one; 0 if there is none
 *   5  LSR  read only: bit 0 = a character has been received, bit 5 = the FIFO has room, bit 6 = everything has been sent
 *
 * The other registers (1 to 4, 6, 7) keep what is written. Characters leave at `bytes_per_second`. Lines go to the user; a
 * line longer than 1000 characters is broken there.
 */
#ifndef UART_H
#define UART_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_uart_transmitter;

#ifdef __cplusplus
}
#endif

#endif
