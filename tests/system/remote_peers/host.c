/* SPDX-License-Identifier: MIT */
/*
 * host ADDRESS HOW: a peer that is the host of a machine with a DMA engine. It asks who the device is, has it make copies of its memory, and
 * waits for its interrupts. HOW says what it does wrong when the first access of the engine comes: `well` nothing.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "copies.h"
#include "heddle_remote.h"

#define TIMEOUT_MS 20000
#define DELAY_PS 50000

static heddle_remote remote;
static heddle_remote_message message;
static uint8_t memory[COPIES_HOST_BYTES];
static const char *how;
static uint32_t step, answers, interrupts;

/* One step in each turn, the identification first. */
static int take_turn(void)
{
    if (interrupts == COPIES_COUNT)
        return heddle_remote_bye(&remote);
    if (step == 0)
        heddle_remote_read(&remote, 0, message.time, COPIES_REGISTERS, 4);
    else if (step <= COPIES_STEPS && answers == step) {
        const copies_step *next = &copies_steps[step - 1];
        heddle_remote_write(&remote, step, message.time, next->address, next->data, next->bytes);
    } else
        return heddle_remote_pass(&remote, HEDDLE_REMOTE_NEVER);
    step++;
    return heddle_remote_pass(&remote, HEDDLE_REMOTE_NEVER);
}

static int take_answer(void)
{
    uint32_t identification;
    if (message.status != HEDDLE_REMOTE_OK || message.tag != answers++)
        return -1;
    memcpy(&identification, message.data, sizeof identification);
    return message.tag == 0 && identification != COPIES_IDENTIFICATION ? -1 : 0;
}

static int serve(void)
{
    const int is_write = message.kind == HEDDLE_REMOTE_WRITE;
    if (!strcmp(how, "dies"))
        raise(SIGKILL);
    if (!strcmp(how, "leaves"))
        return heddle_remote_bye(&remote);
    if (message.address > sizeof memory || message.address + message.length > sizeof memory)
        return heddle_remote_answer(&remote, &message, HEDDLE_REMOTE_ADDRESS_ERROR, NULL, DELAY_PS);
    if (is_write)
        memcpy(memory + message.address, message.data, message.length);
    return heddle_remote_answer(&remote, &message, HEDDLE_REMOTE_OK, is_write ? NULL : memory + message.address,
                                DELAY_PS);
}

static int take(void)
{
    switch (message.kind) {
    case HEDDLE_REMOTE_ADVANCE: return take_turn();
    case HEDDLE_REMOTE_ANSWER: return take_answer();
    case HEDDLE_REMOTE_INTERRUPT: interrupts++; return 0;
    default: return serve();
    }
}

int main(int count, char **words)
{
    int got;
    if (count != 3)
        return 2;
    how = words[2];
    copies_fill(memory);
    if (heddle_remote_connect(&remote, words[1], TIMEOUT_MS)) {
        fprintf(stderr, "%s\n", remote.error);
        return 1;
    }
    while ((got = heddle_remote_receive(&remote, &message)) > 0 && !take())
        continue;
    heddle_remote_close(&remote);
    if (got || interrupts != COPIES_COUNT || !copies_are_made(memory))
        return 1;
    puts("the copies are made");
    return 0;
}
