/* SPDX-License-Identifier: MIT */
#include "interrupts.h"

/* IIR */
#define NONE 0x01u
#define TRANSMITTED 0x02u
#define RECEIVED 0x04u
#define HAS_FIFOS 0xC0u

#define FIFO_CONTROL_ENABLES 0x01u

void uart_interrupts_enable(uart_interrupts *interrupts, uint8_t enabled, uint32_t is_empty)
{
    const uint32_t begins = enabled & ~interrupts->enabled & UART_TRANSMITTED;
    interrupts->enabled = enabled & (UART_RECEIVED | UART_TRANSMITTED);
    if (begins && is_empty)
        interrupts->has_emptied = 1;
}

void uart_interrupts_emptied(uart_interrupts *interrupts)
{
    interrupts->has_emptied = 1;
}

void uart_interrupts_filled(uart_interrupts *interrupts)
{
    interrupts->has_emptied = 0;
}

static uint32_t has_transmitted(const uart_interrupts *interrupts)
{
    return interrupts->has_emptied && (interrupts->enabled & UART_TRANSMITTED);
}

uint32_t uart_interrupts_are_pending(const uart_interrupts *interrupts, uint32_t has_received)
{
    return has_received || has_transmitted(interrupts);
}

uint8_t uart_interrupts_identify(uart_interrupts *interrupts, uint32_t has_received, uint8_t fifo_control)
{
    const uint8_t fifos = fifo_control & FIFO_CONTROL_ENABLES ? HAS_FIFOS : 0;
    if (has_received)
        return fifos | RECEIVED;
    if (!has_transmitted(interrupts))
        return fifos | NONE;
    interrupts->has_emptied = 0;
    return fifos | TRANSMITTED;
}
