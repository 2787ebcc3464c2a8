/* SPDX-License-Identifier: MIT */
/*
 * (uart, transmitter): where firmware writes text, and reads what `input` has, with the registers of a 16550 that a driver needs.
 * Each is one byte.
 *
 *   0  THR  write: a character into the transmit FIFO; lost, which is counted and said once, if that is full
 *      RBR  read: the character that has been received, which makes room for the next one; 0 if there is none
 *   1  IER  interrupts that are enabled: bit 0 = a character has been received, bit 1 = the transmit FIFO has emptied. Others are 0
 *   2  IIR  read: why it interrupts, the first of 4 = a character has been received, which RBR takes back; 2 = the FIFO has emptied,
 *           which this read or a write of THR takes back, and which comes at once if it is empty when bit 1 of IER is set; 1 = it
 *           does not. With FCR bit 0, bits 6 and 7 are set
 *      FCR  write: bit 0 as IIR shows it. Nothing else is done
 *   3  LCR  bit 7: registers 0 and 1 are the divisor of the baud rate, which is kept; others are kept
 *   5  LSR  read only: bit 0 = a character has been received, bit 5 = the FIFO has room, bit 6 = everything has been sent
 *
 * The other registers (4, 6, 7) keep what is written. Port `interrupt` has the level: 1 while IIR is not 1. With reception enabled the
 * next character is asked for when it is due, and if it comes from standard input, the machine stands still until it is typed.
 * Characters leave at `bytes_per_second`. Lines go to the user; a
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
