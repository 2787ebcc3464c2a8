/* SPDX-License-Identifier: MIT */
/*
 * memory ADDRESS HOW: a peer of a remote port that is its memory, for requests that take time, 50 ns each, and for those that take none. HOW
 * says what it does wrong when the first read comes: `well` nothing; `ignores`: when the first request comes that takes none.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "heddle_remote.h"

#define BASE UINT64_C(0x10000000)
#define BYTES (UINT64_C(1) << 30)
#define DELAY_PS 50000
#define PERIOD_PS 1000000
#define TIMEOUT_MS 20000

static heddle_remote remote;
static uint8_t *memory;
static const char *how;

static int is(const char *word)
{
    return !strcmp(how, word);
}

/* A message whose bytes come one by one: each sooner than the port gives up, all of them later. */
static void trickle(void)
{
    const heddle_remote_message pass = {.kind = HEDDLE_REMOTE_ADVANCE, .time = HEDDLE_REMOTE_NEVER};
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    const size_t count = heddle_remote_encode(&pass, bytes);
    for (size_t i = 0; i < count && write(remote.socket, bytes + i, 1) == 1; i++)
        usleep(50000);
}

/* What goes wrong. 1: nothing is left to be done. */
static int misbehave(const heddle_remote_message *read)
{
    if (is("dies"))
        raise(SIGKILL);
    if (is("sleeps"))
        pause();
    if (is("trickles"))
        trickle();
    if (is("closes"))
        exit(0);
    if (is("babbles") && write(remote.socket, "what is this, and this, and all the rest?", 41) == 41)
        pause();
    if (is("twice"))
        heddle_remote_answer(&remote, read, HEDDLE_REMOTE_OK, memory, DELAY_PS);
    if (is("never")) {
        heddle_remote_message answer = {.kind = HEDDLE_REMOTE_ANSWER, .tag = read->tag, .time = HEDDLE_REMOTE_NEVER};
        answer.data_bytes = read->length;
        heddle_remote_send(&remote, &answer);
    }
    if (is("refuses"))
        heddle_remote_answer(&remote, read, HEDDLE_REMOTE_ADDRESS_ERROR, NULL, DELAY_PS);
    if (is("swallows"))
        how = "swallowed";
    return is("swallowed") || is("passes") || is("refuses") || is("never");
}

static int store(const heddle_remote_message *write)
{
    const uint8_t *enables = write->data + write->length;
    for (uint32_t i = 0; i < write->length; i++)
        if (!(write->flags & HEDDLE_REMOTE_ENABLES) || enables[i])
            memory[write->address - BASE + i] = write->data[i];
    return heddle_remote_answer(&remote, write, HEDDLE_REMOTE_OK, NULL, DELAY_PS);
}

static int serve(const heddle_remote_message *request)
{
    const int is_timed = !(request->flags & HEDDLE_REMOTE_UNTIMED);
    if (!is_timed && is("ignores"))
        pause();
    if (request->address < BASE || request->address - BASE + request->length > BYTES)
        return heddle_remote_answer(&remote, request, HEDDLE_REMOTE_ADDRESS_ERROR, NULL, DELAY_PS);
    if (request->kind == HEDDLE_REMOTE_WRITE)
        return store(request);
    if (is_timed && !is("swallowed") && misbehave(request))
        return 0;
    return heddle_remote_answer(&remote, request, HEDDLE_REMOTE_OK, memory + (request->address - BASE), DELAY_PS);
}

/* Whoever keeps an answer to itself wants the turn again and again. */
static int pass(uint64_t now)
{
    return heddle_remote_pass(&remote, is("swallowed") ? now + PERIOD_PS : HEDDLE_REMOTE_NEVER);
}

static int take(const heddle_remote_message *message)
{
    switch (message->kind) {
    case HEDDLE_REMOTE_READ:
    case HEDDLE_REMOTE_WRITE: return serve(message);
    case HEDDLE_REMOTE_ADVANCE: return pass(message->time);
    default: return 0;
    }
}

/* A peer of the next version. */
static int greet_of_the_future(const char *text)
{
    const heddle_remote_message hello = {
        .kind = HEDDLE_REMOTE_HELLO, .tag = HEDDLE_REMOTE_MAGIC, .status = HEDDLE_REMOTE_VERSION + 1};
    struct sockaddr_storage address;
    const char *why;
    const uint32_t bytes = heddle_remote_address(text, &address, &why);
    remote.socket = socket(address.ss_family, SOCK_STREAM, 0);
    while (connect(remote.socket, (const struct sockaddr *)&address, bytes))
        usleep(10000);
    return heddle_remote_send(&remote, &hello) || pause();
}

int main(int count, char **words)
{
    heddle_remote_message message;
    int got = -1;
    if (count != 3 || !(memory = calloc(BYTES, 1)))
        return 2;
    how = words[2];
    if (is("future"))
        return greet_of_the_future(words[1]);
    if (!heddle_remote_connect(&remote, words[1], TIMEOUT_MS))
        while ((got = heddle_remote_receive(&remote, &message)) > 0 && !take(&message))
            continue;
    if (got)
        fprintf(stderr, "%s\n", remote.error);
    heddle_remote_close(&remote);
    free(memory);
    return got != 0;
}
