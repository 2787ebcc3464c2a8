/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include <string.h>

#include "exit_device.h"
#include "hd_host.h"

/* ---- UART --------------------------------------------------------------------------------------------------------- */

#define UART_ROOM 0x20u
#define UART_EMPTY 0x40u

static volatile uint8_t *const uart = (volatile uint8_t *)HD_HOST_UART_BASE;
static uint32_t has_printed;

static void uart_await(uint8_t status)
{
    while (!(uart[5] & status))
        continue;
}

static void uart_put(char character)
{
    uart_await(UART_ROOM);
    uart[0] = (uint8_t)character;
}

void uart_line(const char *text)
{
    has_printed = 1;
    for (; *text; text++)
        uart_put(*text);
    uart_put('\n');
}

/* ---- Exit device -------------------------------------------------------------------------------------------------- */

static uint64_t mailbox_register(uint64_t offset)
{
    return HD_HOST_EXIT_BASE + offset;
}

uint32_t mailbox_command(uint32_t command, const void *text, size_t bytes, uint64_t value, char *answer)
{
    const uint64_t there = mailbox_register(MAILBOX_REGISTER_TEXT);
    device_write_64(mailbox_register(MAILBOX_REGISTER_VALUE), value);
    device_copy_out(there, text, bytes);
    device_write_32(mailbox_register(MAILBOX_REGISTER_COMMAND), command);
    for (size_t i = 0; answer && i < MAILBOX_TEXT_BYTES && (i == 0 || answer[i - 1]); i++)
        answer[i] = *(volatile char *)(there + i);
    return device_read_32(mailbox_register(MAILBOX_REGISTER_STATUS));
}

void mailbox_exit(uint32_t verdict)
{
    if (has_printed)
        uart_await(UART_EMPTY); /* what is in it ends with the machine */
    device_write_32(mailbox_register(MAILBOX_REGISTER_EXIT), verdict);
    for (;;)
        __asm__ volatile("wfi");
}

/* ---- Interrupts --------------------------------------------------------------------------------------------------- */

#define PLIC_ENABLED 0x002000u
#define PLIC_CLAIM 0x200004u
#define MIE_EXTERNAL (1u << 11)

static uint64_t plic_register(uint64_t offset)
{
    return HD_HOST_INTERRUPT_CONTROLLER_BASE + offset;
}

void interrupts_start(void)
{
    for (uint32_t source = 1; source <= 2; source++)
        device_write_32(plic_register(4 * source), 1);
    device_write_32(plic_register(PLIC_ENABLED), 1u << 1 | 1u << 2);
    /* Wakes wfi; mstatus.MIE stays off, and no handler is needed. */
    __asm__ volatile("csrw mie, %0" : : "r"(MIE_EXTERNAL));
}

void interrupts_await(void)
{
    __asm__ volatile("wfi");
    const uint32_t source = device_read_32(plic_register(PLIC_CLAIM));
    if (source)
        device_write_32(plic_register(PLIC_CLAIM), source);
}

/* ---- Device memory ------------------------------------------------------------------------------------------------ */

void device_copy_in(void *into, uint64_t address, uint64_t bytes)
{
    uint8_t *to = into;
    for (; bytes && address % 8; bytes--)
        *to++ = *(volatile uint8_t *)address++;
    for (; bytes >= 8; bytes -= 8, to += 8, address += 8) {
        const uint64_t value = device_read_64(address);
        memcpy(to, &value, 8);
    }
    for (; bytes; bytes--)
        *to++ = *(volatile uint8_t *)address++;
}

void device_copy_out(uint64_t address, const void *from, uint64_t bytes)
{
    const uint8_t *data = from;
    for (; bytes && address % 8; bytes--)
        *(volatile uint8_t *)address++ = *data++;
    for (; bytes >= 8; bytes -= 8, data += 8, address += 8) {
        uint64_t value;
        memcpy(&value, data, 8);
        device_write_64(address, value);
    }
    for (; bytes; bytes--)
        *(volatile uint8_t *)address++ = *data++;
}

void device_fill(uint64_t address, uint8_t value, uint64_t bytes)
{
    for (; bytes && address % 8; bytes--)
        *(volatile uint8_t *)address++ = value;
    for (; bytes >= 8; bytes -= 8, address += 8)
        device_write_64(address, value * UINT64_C(0x0101010101010101));
    for (; bytes; bytes--)
        *(volatile uint8_t *)address++ = value;
}
