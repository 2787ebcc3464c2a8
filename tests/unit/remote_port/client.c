/* SPDX-License-Identifier: MIT */
/* The client in C, opposite a port that is a thread of the test. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "heddle_remote.h"

#define TIMEOUT_MS 300

typedef struct port {
    pthread_t thread;
    void *(*act)(void *port); /* NULL: serve */
    int listening;
    char address[128];    /* for the client */
    const uint8_t *bytes; /* what it says, as soon as somebody is there */
    size_t count;
    uint32_t pause_us;                         /* between bytes; 0: none, and all at once */
    int stays;                                 /* until the client has gone; else it closes the connection */
    uint8_t heard[HEDDLE_REMOTE_HEADER_BYTES]; /* what the client says first */
} port;

static void *serve(void *context)
{
    port *self = context;
    const int connection = accept(self->listening, NULL, NULL);
    const size_t step = self->pause_us ? 1 : self->count;
    char byte;
    cr_assert_eq(recv(connection, self->heard, sizeof self->heard, MSG_WAITALL), (ssize_t)sizeof self->heard);
    for (size_t i = 0; i < self->count && send(connection, self->bytes + i, step, MSG_NOSIGNAL) > 0; i += step)
        usleep(self->pause_us);
    while (self->stays && recv(connection, &byte, 1, 0) > 0)
        continue;
    close(connection);
    return NULL;
}

static void open_port(port *self)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/remote_client_%d", (int)getpid());
    snprintf(self->address, sizeof self->address, "unix:%s", address.sun_path);
    self->listening = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert(!bind(self->listening, (struct sockaddr *)&address, sizeof address) && !listen(self->listening, 1));
    cr_assert_eq(pthread_create(&self->thread, NULL, self->act ? self->act : serve, self), 0);
}

static void close_port(port *self)
{
    pthread_join(self->thread, NULL);
    close(self->listening);
    unlink(self->address + strlen("unix:"));
}

/* HELLO and what is behind it. Returns how many bytes. */
static size_t hello_and(uint32_t version, const heddle_remote_message *more, uint8_t *bytes)
{
    const heddle_remote_message hello = {
        .kind = HEDDLE_REMOTE_HELLO, .tag = HEDDLE_REMOTE_MAGIC, .time = 7, .status = version};
    const size_t count = heddle_remote_encode(&hello, bytes);
    return count + (more ? heddle_remote_encode(more, bytes + count) : 0);
}

Test(remote_client, says_hello_and_hears_that_of_the_port)
{
    static const uint8_t wanted[] = {40, 0, 0, 0, 1, 0, 0, 0, 'H', 'D', 'R', 'E', 'M', 'O', 'T', 'E', 0, 0, 0, 0,
                                     0,  0, 0, 0, 0, 0, 0, 0, 0,   0,   0,   0,   64,  0,   0,   0,   1, 0, 0, 0};
    static heddle_remote remote;
    uint8_t bytes[2 * HEDDLE_REMOTE_BYTES_MAX];
    port self = {.bytes = bytes, .count = hello_and(HEDDLE_REMOTE_VERSION, NULL, bytes), .stays = 1};
    open_port(&self);
    cr_assert_eq(heddle_remote_connect(&remote, self.address, TIMEOUT_MS), 0, "%s", remote.error);
    cr_expect_eq(remote.hello.time, 7);
    heddle_remote_close(&remote);
    close_port(&self);
    cr_expect_arr_eq(self.heard, wanted, sizeof wanted);
}

static void expect_no_connection(port *self, const char *text)
{
    static heddle_remote remote;
    open_port(self);
    cr_expect_eq(heddle_remote_connect(&remote, self->address, TIMEOUT_MS), -1);
    cr_expect(strstr(remote.error, text), "%s", remote.error);
    cr_expect_eq(remote.socket, -1);
    close_port(self);
}

Test(remote_client, another_version_or_no_hello_is_refused)
{
    uint8_t bytes[2 * HEDDLE_REMOTE_BYTES_MAX];
    const heddle_remote_message bye = {.kind = HEDDLE_REMOTE_BYE};
    port self = {.bytes = bytes, .count = hello_and(2, NULL, bytes)};
    expect_no_connection(&self, "speaks version 2 of the protocol, this one speaks version 1");
    self.count = heddle_remote_encode(&bye, bytes);
    expect_no_connection(&self, "the other side has closed the connection before its HELLO");
    self.count = 0;
    expect_no_connection(&self, "the other side has closed the connection before its HELLO");
    self.count = 20;
    expect_no_connection(&self, "the other side has closed the connection within a message");
    memset(bytes, 0xFF, sizeof bytes);
    self.count = sizeof bytes;
    expect_no_connection(&self, "what the other side has sent is no message: a length that no message has");
    self.count = 0;
    self.stays = 1;
    expect_no_connection(&self, "the other side has sent no whole message within 0.3 s");
    self.count = hello_and(HEDDLE_REMOTE_VERSION, NULL, bytes);
    self.pause_us = 20000;
    expect_no_connection(&self, "the other side has sent no whole message within 0.3 s");
}

/* What a client hears behind the HELLOs. */
static int hear(port *self, heddle_remote *remote, heddle_remote_message *message)
{
    open_port(self);
    cr_assert_eq(heddle_remote_connect(remote, self->address, TIMEOUT_MS), 0, "%s", remote->error);
    const int got = heddle_remote_receive(remote, message);
    heddle_remote_close(remote);
    close_port(self);
    return got;
}

Test(remote_client, hears_messages_their_end_and_what_is_none)
{
    static heddle_remote remote;
    heddle_remote_message message;
    uint8_t bytes[2 * HEDDLE_REMOTE_BYTES_MAX];
    const heddle_remote_message turn = {.kind = HEDDLE_REMOTE_ADVANCE, .time = 5}, bye = {.kind = HEDDLE_REMOTE_BYE};
    port self = {.bytes = bytes, .count = hello_and(HEDDLE_REMOTE_VERSION, &turn, bytes), .pause_us = 1};
    cr_expect_eq(hear(&self, &remote, &message), 1);
    cr_expect_eq(message.kind, HEDDLE_REMOTE_ADVANCE);
    cr_expect_eq(message.time, 5);
    self.count = hello_and(HEDDLE_REMOTE_VERSION, &bye, bytes);
    cr_expect_eq(hear(&self, &remote, &message), 0);
    cr_expect_eq(message.kind, HEDDLE_REMOTE_BYE);
    self.count = hello_and(HEDDLE_REMOTE_VERSION, NULL, bytes);
    cr_expect_eq(hear(&self, &remote, &message), 0, "the connection is closed");
    cr_expect_neq(message.kind, HEDDLE_REMOTE_BYE);
    self.count += 3;
    cr_expect_eq(hear(&self, &remote, &message), -1);
    cr_expect_str_eq(remote.error, "the other side has closed the connection within a message");
    self.count -= 3;
    self.stays = 1;
    cr_expect_eq(hear(&self, &remote, &message), -1);
    cr_expect_str_eq(remote.error, "the other side has sent no whole message within 0.3 s");
}

/* It neither reads nor leaves. */
static void *stare(void *context)
{
    port *self = context;
    const int connection = accept(self->listening, NULL, NULL);
    cr_assert_eq(send(connection, self->bytes, self->count, 0), (ssize_t)self->count);
    usleep(4 * TIMEOUT_MS * 1000);
    close(connection);
    return NULL;
}

Test(remote_client, a_port_that_takes_nothing)
{
    static heddle_remote remote;
    static const uint8_t data[HEDDLE_REMOTE_DATA_MAX + 1];
    uint8_t bytes[2 * HEDDLE_REMOTE_BYTES_MAX];
    port self = {.act = stare, .bytes = bytes, .count = hello_and(HEDDLE_REMOTE_VERSION, NULL, bytes)};
    open_port(&self);
    cr_assert_eq(heddle_remote_connect(&remote, self.address, TIMEOUT_MS), 0, "%s", remote.error);
    cr_expect_eq(heddle_remote_write(&remote, 0, 0, 0, data, sizeof data), -1);
    cr_expect_str_eq(remote.error, "a write of too many bytes");
    while (!heddle_remote_write(&remote, 0, 0, 0, data, HEDDLE_REMOTE_DATA_MAX))
        continue;
    cr_expect_str_eq(remote.error, "the other side has taken nothing within 0.3 s");
    heddle_remote_close(&remote);
    close_port(&self);
}

Test(remote_client, an_address_where_nobody_is)
{
    static heddle_remote remote;
    cr_expect_eq(heddle_remote_connect(&remote, "unix:/tmp/nobody_is_here", 100), -1);
    cr_expect_str_eq(remote.error, "unix:/tmp/nobody_is_here: No such file or directory");
    cr_expect_eq(heddle_remote_connect(&remote, "elsewhere", 100), -1);
    cr_expect_str_eq(remote.error, "elsewhere: expected unix:PATH or tcp:PORT");
    heddle_remote_close(&remote);
}
