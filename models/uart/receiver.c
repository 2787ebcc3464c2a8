/* SPDX-License-Identifier: MIT */
#include "receiver.h"

#include <string.h>

/* A folder can be opened, but has no bytes. */
static uint32_t is_readable(FILE *file)
{
    const int first = fgetc(file);
    const uint32_t good = !ferror(file);
    if (first != EOF)
        ungetc(first, file);
    return good;
}

uint32_t uart_receiver_open(uart_receiver *receiver, const char *path, hd_time character)
{
    *receiver = (uart_receiver){.character = character, .arrives = character};
    if (!*path)
        return 1;
    if (!strcmp(path, UART_STANDARD_INPUT)) {
        receiver->file = stdin;
        return 1;
    }
    receiver->file = fopen(path, "rb");
    return receiver->file && is_readable(receiver->file);
}

void uart_receiver_close(uart_receiver *receiver)
{
    if (receiver->file && receiver->file != stdin)
        fclose(receiver->file);
    receiver->file = NULL;
}

void uart_receiver_reset(uart_receiver *receiver)
{
    receiver->arrives = receiver->character;
    if (!receiver->file || receiver->file == stdin)
        return;
    rewind(receiver->file);
    receiver->has_next = receiver->has_ended = 0;
}

void uart_receiver_transfer(uart_receiver *receiver, const hd_state_stream *stream)
{
    long position = receiver->file && !stream->is_restored ? ftell(receiver->file) : 0;
    HD_STATE_SHAPE(stream, "input", receiver->file != NULL);
    HD_STATE_VALUE(stream, position);
    HD_STATE_VALUE(stream, receiver->arrives);
    HD_STATE_VALUE(stream, receiver->next);
    HD_STATE_VALUE(stream, receiver->has_next);
    HD_STATE_VALUE(stream, receiver->has_ended);
    if (receiver->file && stream->is_restored)
        fseek(receiver->file, position, SEEK_SET);
}

uint32_t uart_receiver_has(uart_receiver *receiver, hd_time t)
{
    if (!receiver->file || receiver->has_ended || t < receiver->arrives)
        return 0;
    if (!receiver->has_next) {
        receiver->next = fgetc(receiver->file);
        receiver->has_next = receiver->next != EOF;
        receiver->has_ended = !receiver->has_next;
    }
    return receiver->has_next;
}

hd_time uart_receiver_next(const uart_receiver *receiver)
{
    return receiver->file && !receiver->has_next && !receiver->has_ended ? receiver->arrives : HD_NEVER;
}

uint32_t uart_receiver_peek(const uart_receiver *receiver, hd_time t, uint8_t *character)
{
    if (!receiver->file || receiver->has_ended || t < receiver->arrives)
        return 0;
    int next = receiver->has_next ? receiver->next : EOF;
    if (next == EOF && receiver->file != stdin && (next = fgetc(receiver->file)) != EOF)
        ungetc(next, receiver->file);
    *character = (uint8_t)next;
    return next != EOF;
}

uint8_t uart_receiver_take(uart_receiver *receiver, hd_time t)
{
    if (!uart_receiver_has(receiver, t))
        return 0;
    receiver->has_next = 0;
    receiver->arrives = t + receiver->character;
    return (uint8_t)receiver->next;
}
