/* SPDX-License-Identifier: MIT */
/* What firmware finds on the host bus: drivers of the standard devices (models/abi/hd_host.h). */
#ifndef HEDDLE_FIRMWARE_DEVICES_H
#define HEDDLE_FIRMWARE_DEVICES_H

#include <stddef.h>
#include <stdint.h>

static inline void device_write_32(uint64_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static inline uint32_t device_read_32(uint64_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void device_write_64(uint64_t address, uint64_t value)
{
    *(volatile uint64_t *)address = value;
}

static inline uint64_t device_read_64(uint64_t address)
{
    return *(volatile uint64_t *)address;
}

/* A line of text, and its end, to the UART. */
void uart_line(const char *text);

/* One command of the exit device with a text of up to 1024 bytes; *answer receives what is there afterwards, if not NULL.
 * Returns its status. */
uint32_t mailbox_command(uint32_t command, const void *text, size_t bytes, uint64_t value, char *answer);
__attribute__((noreturn)) void mailbox_exit(uint32_t verdict);

/* Interrupts of the command processor: its lines are sources 1 and 2 of the interrupt controller. */
void interrupts_start(void);
/* Sleeps until one comes, and takes it. */
void interrupts_await(void);

/* Device memory, by loads and stores of the CPU. */
void device_copy_in(void *into, uint64_t address, uint64_t bytes);
void device_copy_out(uint64_t address, const void *from, uint64_t bytes);
void device_fill(uint64_t address, uint8_t value, uint64_t bytes);

#endif
