/* SPDX-License-Identifier: MIT */
#include "state.h"

#define THR 0u
#define IER 1u
#define IIR 2u
#define FCR 2u
#define LCR 3u
#define LCR_DIVISOR 0x80u
#define LSR 5u
#define LSR_READY 0x01u
#define LSR_ROOM 0x20u
#define LSR_EMPTY 0x40u

static uint32_t read_kept(hd_register_access *access)
{
    access->value = ((const uart *)access->device)->kept[access->offset];
    return HD_STATUS_OK;
}

static uint32_t write_kept(hd_register_access *access)
{
    ((uart *)access->device)->kept[access->offset] = (uint8_t)access->value;
    return HD_STATUS_OK;
}

/* Is the divisor of the baud rate there, in the place of the first two registers? */
static uint32_t shows_divisor(const uart *self)
{
    return (self->kept[LCR] & LCR_DIVISOR) != 0;
}

static uint32_t write_character(hd_register_access *access)
{
    uart *self = access->device;
    if (shows_divisor(self)) {
        self->divisor[0] = (uint8_t)access->value;
        return HD_STATUS_OK;
    }
    uart_put(self, (uint8_t)access->value, access->t);
    uart_interrupts_filled(&self->interrupts);
    return HD_STATUS_OK;
}

static uint32_t read_character(hd_register_access *access)
{
    uart *self = access->device;
    if (shows_divisor(self)) {
        access->value = self->divisor[0];
        return HD_STATUS_OK;
    }
    self->counters[STATISTIC_RECEIVED] += uart_receiver_has(&self->receiver, access->t);
    access->value = uart_receiver_take(&self->receiver, access->t);
    return HD_STATUS_OK;
}

static uint32_t peek_character(hd_register_access *access)
{
    uart *self = access->device;
    uint8_t character = 0;
    uart_receiver_peek(&self->receiver, access->t, &character);
    access->value = shows_divisor(self) ? self->divisor[0] : character;
    return HD_STATUS_OK;
}

static uint32_t status_of(const uart *self, uint32_t has_received)
{
    const hd_ring *waiting = &self->waiting;
    return (waiting->count < waiting->capacity ? LSR_ROOM : 0) | (waiting->count ? 0 : LSR_EMPTY) |
           (has_received ? LSR_READY : 0);
}

static uint32_t read_status(hd_register_access *access)
{
    uart *self = access->device;
    access->value = status_of(self, uart_receiver_has(&self->receiver, access->t));
    return HD_STATUS_OK;
}

static uint32_t peek_status(hd_register_access *access)
{
    uart *self = access->device;
    uint8_t character;
    access->value = status_of(self, uart_receiver_peek(&self->receiver, access->t, &character));
    return HD_STATUS_OK;
}

static uint32_t read_enabled(hd_register_access *access)
{
    const uart *self = access->device;
    access->value = shows_divisor(self) ? self->divisor[1] : self->interrupts.enabled;
    return HD_STATUS_OK;
}

static uint32_t write_enabled(hd_register_access *access)
{
    uart *self = access->device;
    if (shows_divisor(self))
        self->divisor[1] = (uint8_t)access->value;
    else
        uart_interrupts_enable(&self->interrupts, (uint8_t)access->value, !self->waiting.count);
    return HD_STATUS_OK;
}

static uint32_t read_identification(hd_register_access *access)
{
    uart *self = access->device;
    access->value = uart_interrupts_identify(&self->interrupts, uart_has_received(self, access->t), self->kept[FCR]);
    return HD_STATUS_OK;
}

static uint32_t peek_identification(hd_register_access *access)
{
    uart *self = access->device;
    uart_interrupts as_now = self->interrupts;
    uint8_t character;
    const uint32_t has_received =
        as_now.enabled & UART_RECEIVED && uart_receiver_peek(&self->receiver, access->t, &character);
    access->value = uart_interrupts_identify(&as_now, has_received, self->kept[FCR]);
    return HD_STATUS_OK;
}

static uint32_t write_fifo_control(hd_register_access *access)
{
    ((uart *)access->device)->kept[FCR] = (uint8_t)access->value;
    return HD_STATUS_OK;
}

static uint32_t write_nothing(hd_register_access *access)
{
    (void)access;
    return HD_STATUS_OK;
}

/* The first that holds an offset has it. */
const hd_register uart_registers[UART_REGISTERS] = {
    {THR, 1, 1, read_character, write_character, peek_character, 0},
    {IER, 1, 1, read_enabled, write_enabled, NULL, 0},
    {IIR, 1, 1, read_identification, write_fifo_control, peek_identification, 0},
    {LSR, 1, 1, read_status, write_nothing, peek_status, 0},
    {0, WINDOW_BYTES, 1, read_kept, write_kept, NULL, 1},
};
