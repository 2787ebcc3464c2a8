/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* the flags of socket */
#include "heddle_remote.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define RETRY_MS 10
#define ASK_MS 100 /* until somebody asks whether a wait is over */

/* ---- Bytes ----------------------------------------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

size_t heddle_remote_encode(const heddle_remote_message *message, uint8_t *bytes)
{
    const uint32_t total = HEDDLE_REMOTE_HEADER_BYTES + message->data_bytes;
    put(bytes, total, 4);
    put(bytes + 4, message->kind, 2);
    put(bytes + 6, message->flags, 2);
    put(bytes + 8, message->tag, 8);
    put(bytes + 16, message->time, 8);
    put(bytes + 24, message->address, 8);
    put(bytes + 32, message->length, 4);
    put(bytes + 36, message->status, 4);
    memcpy(bytes + HEDDLE_REMOTE_HEADER_BYTES, message->data, message->data_bytes);
    return total;
}

/* By kind: the flags that it may have, and whether it may have data. */
static const struct kind {
    uint16_t flags;
    uint8_t has_data;
} kinds[] = {
    [HEDDLE_REMOTE_HELLO] = {0, 0},
    [HEDDLE_REMOTE_READ] = {HEDDLE_REMOTE_UNTIMED, 0},
    [HEDDLE_REMOTE_WRITE] = {HEDDLE_REMOTE_UNTIMED | HEDDLE_REMOTE_ENABLES, 1},
    [HEDDLE_REMOTE_ANSWER] = {HEDDLE_REMOTE_UNTIMED, 1},
    [HEDDLE_REMOTE_INTERRUPT] = {HEDDLE_REMOTE_LEVEL, 0},
    [HEDDLE_REMOTE_ADVANCE] = {0, 0},
    [HEDDLE_REMOTE_BYE] = {0, 0},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static const char *fault_of_header(const heddle_remote_message *message)
{
    if (message->kind < HEDDLE_REMOTE_HELLO || message->kind >= KINDS)
        return "an unknown kind of message";
    if (message->kind == HEDDLE_REMOTE_HELLO)
        return message->tag == HEDDLE_REMOTE_MAGIC ? NULL : "a HELLO without its magic";
    if (message->flags & ~kinds[message->kind].flags)
        return "flags that its kind does not have";
    if (message->data_bytes && !kinds[message->kind].has_data)
        return "data behind a message that has none";
    return NULL;
}

static const char *fault_of_request(const heddle_remote_message *message)
{
    const uint32_t is_write = message->kind == HEDDLE_REMOTE_WRITE;
    const uint32_t parts = !is_write ? 0 : message->flags & HEDDLE_REMOTE_ENABLES ? 2 : 1;
    if (message->length < 1 || message->length > HEDDLE_REMOTE_DATA_MAX / (parts ? parts : 1))
        return "a request of no bytes, or of too many";
    if (message->data_bytes != parts * message->length)
        return "a write whose data have another length";
    return NULL;
}

static const char *fault_of(const heddle_remote_message *message)
{
    const char *why = fault_of_header(message);
    if (!why && (message->kind == HEDDLE_REMOTE_READ || message->kind == HEDDLE_REMOTE_WRITE))
        why = fault_of_request(message);
    return why;
}

long heddle_remote_decode(const uint8_t *bytes, size_t count, heddle_remote_message *message, const char **why)
{
    if (count < HEDDLE_REMOTE_HEADER_BYTES)
        return 0;
    const uint64_t total = get(bytes, 4);
    if (total < HEDDLE_REMOTE_HEADER_BYTES || total > HEDDLE_REMOTE_BYTES_MAX) {
        *why = "a length that no message has";
        return -1;
    }
    message->kind = (uint16_t)get(bytes + 4, 2);
    message->flags = (uint16_t)get(bytes + 6, 2);
    message->tag = get(bytes + 8, 8);
    message->time = get(bytes + 16, 8);
    message->address = get(bytes + 24, 8);
    message->length = (uint32_t)get(bytes + 32, 4);
    message->status = (uint32_t)get(bytes + 36, 4);
    message->data_bytes = (uint32_t)total - HEDDLE_REMOTE_HEADER_BYTES;
    *why = fault_of(message);
    if (*why)
        return -1;
    if (count < total)
        return 0;
    memcpy(message->data, bytes + HEDDLE_REMOTE_HEADER_BYTES, message->data_bytes);
    return (long)total;
}

/* ---- A connection ---------------------------------------------------------------------------------------------------- */

static int fail(heddle_remote *remote, const char *what, const char *why)
{
    snprintf(remote->error, sizeof remote->error, "%s%s%s", what, *what && *why ? ": " : "", why);
    return -1;
}

uint32_t heddle_remote_address(const char *text, struct sockaddr_storage *address, const char **why)
{
    struct sockaddr_un *named = (struct sockaddr_un *)address;
    struct sockaddr_in *numbered = (struct sockaddr_in *)address;
    char *end = NULL;
    memset(address, 0, sizeof *address);
    if (!strncmp(text, "unix:", 5)) {
        const size_t length = strlen(text + 5);
        *why = "the path of a Unix socket has 1 to 107 characters";
        if (!length || length >= sizeof named->sun_path)
            return 0;
        named->sun_family = AF_UNIX;
        memcpy(named->sun_path, text + 5, length + 1);
        return sizeof *named;
    }
    *why = "expected unix:PATH or tcp:PORT";
    if (strncmp(text, "tcp:", 4) || text[4] < '0' || text[4] > '9')
        return 0;
    const unsigned long port = strtoul(text + 4, &end, 10);
    if (*end || !port || port > UINT16_MAX)
        return 0;
    numbered->sin_family = AF_INET;
    numbered->sin_port = htons((uint16_t)port);
    numbered->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof *numbered;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

int64_t heddle_remote_deadline(const heddle_remote *remote)
{
    return milliseconds() + remote->timeout;
}

static int is_over(const heddle_remote *remote)
{
    return remote->is_over && remote->is_over(remote->context);
}

int heddle_remote_wait(heddle_remote *remote, int socket, short events, int64_t end, const char *what)
{
    for (;;) {
        struct pollfd wanted = {.fd = socket, .events = events};
        const int64_t left = end - milliseconds();
        const int is_asked_again = remote->is_over && left > ASK_MS;
        if (is_over(remote))
            return fail(remote, what, "interrupted");
        const int found = poll(&wanted, 1, is_asked_again ? ASK_MS : left > 0 ? (int)left : 0);
        if (found > 0)
            return 1;
        const int is_signal = found < 0 && errno == EINTR; /* whether it ends the wait is_over knows */
        if (is_signal || (!found && is_asked_again))
            continue;
        if (found < 0)
            return fail(remote, what, strerror(errno));
        snprintf(remote->error, sizeof remote->error, "%s within %g s", what, remote->timeout / 1000.0);
        return -1;
    }
}

static int is_for_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int heddle_remote_send_bytes(heddle_remote *remote, const void *bytes, size_t count)
{
    const uint8_t *all = bytes;
    const int64_t end = heddle_remote_deadline(remote);
    for (size_t sent = 0; sent < count;) {
        const ssize_t now = send(remote->socket, all + sent, count - sent, MSG_NOSIGNAL);
        if (now > 0)
            sent += (size_t)now;
        else if (!is_for_later()) {
            remote->is_closed = 1;
            return fail(remote, "the other side has closed the connection", "");
        } else if (heddle_remote_wait(remote, remote->socket, POLLOUT, end, "the other side has taken nothing") < 0)
            return -1;
    }
    return 0;
}

int heddle_remote_send(heddle_remote *remote, const heddle_remote_message *message)
{
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    return heddle_remote_send_bytes(remote, bytes, heddle_remote_encode(message, bytes));
}

void heddle_remote_take_away(heddle_remote *remote, size_t count)
{
    remote->count -= count;
    memmove(remote->bytes, remote->bytes + count, remote->count);
}

int heddle_remote_fetch(heddle_remote *remote, int64_t end, const char *what)
{
    const ssize_t count = recv(remote->socket, remote->bytes + remote->count, sizeof remote->bytes - remote->count, 0);
    if (count > 0)
        remote->count += (size_t)count;
    if (count >= 0)
        return count > 0;
    if (!is_for_later())
        return errno == ECONNRESET ? 0 : fail(remote, "receiving", strerror(errno));
    return heddle_remote_wait(remote, remote->socket, POLLIN, end, what);
}

int heddle_remote_receive_by(heddle_remote *remote, heddle_remote_message *message, int64_t end, const char *what)
{
    for (;;) {
        const char *why;
        const long used = heddle_remote_decode(remote->bytes, remote->count, message, &why);
        if (used < 0)
            return fail(remote, "what the other side has sent is no message", why);
        if (used) {
            heddle_remote_take_away(remote, (size_t)used);
            return message->kind != HEDDLE_REMOTE_BYE;
        }
        const int more = heddle_remote_fetch(remote, end, what);
        if (!more && remote->count)
            return fail(remote, "the other side has closed the connection within a message", "");
        if (more <= 0) {
            message->kind = 0;
            return more;
        }
    }
}

int heddle_remote_receive(heddle_remote *remote, heddle_remote_message *message)
{
    return heddle_remote_receive_by(remote, message, heddle_remote_deadline(remote),
                                    "the other side has sent no whole message");
}

int heddle_remote_greet(heddle_remote *remote, uint64_t quantum)
{
    const heddle_remote_message ours = {.kind = HEDDLE_REMOTE_HELLO,
                                        .tag = HEDDLE_REMOTE_MAGIC,
                                        .time = quantum,
                                        .length = HEDDLE_REMOTE_REQUESTS,
                                        .status = HEDDLE_REMOTE_VERSION};
    if (heddle_remote_send(remote, &ours))
        return -1;
    const int got = heddle_remote_receive(remote, &remote->hello);
    if (got < 0)
        return -1;
    if (!got || remote->hello.kind != HEDDLE_REMOTE_HELLO)
        return fail(remote,
                    got ? "the first message of the other side is no HELLO"
                        : "the other side has closed the connection before its HELLO",
                    "");
    if (remote->hello.status == HEDDLE_REMOTE_VERSION)
        return 0;
    snprintf(remote->error, sizeof remote->error,
             "the other side speaks version %u of the protocol, this one speaks version %u", remote->hello.status,
             HEDDLE_REMOTE_VERSION);
    return -1;
}

static int try_to_connect(heddle_remote *remote, const struct sockaddr_storage *address, uint32_t bytes)
{
    const int yes = 1;
    remote->socket = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (remote->socket < 0)
        return 0;
    if (!connect(remote->socket, (const struct sockaddr *)address, bytes)) {
        if (address->ss_family == AF_INET)
            setsockopt(remote->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        return 1;
    }
    const int error = errno;
    heddle_remote_close(remote);
    errno = error;
    return 0;
}

/* `who` begins an error. */
static int connect_until(heddle_remote *remote, const char *text, int64_t end, const char *who)
{
    const char *why;
    struct sockaddr_storage address;
    const uint32_t bytes = heddle_remote_address(text, &address, &why);
    if (!bytes)
        return fail(remote, who, why);
    while (!try_to_connect(remote, &address, bytes)) {
        if ((errno != ECONNREFUSED && errno != ENOENT && errno != EAGAIN) || milliseconds() >= end)
            return fail(remote, who, strerror(errno));
        nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000}, NULL);
        if (is_over(remote))
            return fail(remote, who, "interrupted");
    }
    return 0;
}

/* Writing waits in poll, with its timeout. */
static void set_nonblocking(int socket)
{
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

static int dial(heddle_remote *remote, const char *address, const char *who)
{
    if (connect_until(remote, address, heddle_remote_deadline(remote), who))
        return -1;
    set_nonblocking(remote->socket);
    return 0;
}

int heddle_remote_dial(heddle_remote *remote, const char *address)
{
    return dial(remote, address, "");
}

int heddle_remote_connect(heddle_remote *remote, const char *address, int timeout)
{
    *remote = (heddle_remote){.socket = -1, .timeout = timeout};
    if (dial(remote, address, address))
        return -1;
    if (!heddle_remote_greet(remote, 0))
        return 0;
    heddle_remote_close(remote);
    return -1;
}

void heddle_remote_close(heddle_remote *remote)
{
    if (remote->socket >= 0)
        close(remote->socket);
    remote->socket = -1;
}

/* ---- Messages -------------------------------------------------------------------------------------------------------- */

int heddle_remote_answer(heddle_remote *remote, const heddle_remote_message *request, uint32_t status, const void *data,
                         uint64_t delay)
{
    heddle_remote_message answer = {.kind = HEDDLE_REMOTE_ANSWER,
                                    .flags = request->flags & HEDDLE_REMOTE_UNTIMED,
                                    .tag = request->tag,
                                    .time = request->time + delay,
                                    .address = request->address,
                                    .length = request->length,
                                    .status = status};
    if (data) {
        answer.data_bytes = request->length;
        memcpy(answer.data, data, request->length);
    }
    return heddle_remote_send(remote, &answer);
}

int heddle_remote_read(heddle_remote *remote, uint64_t tag, uint64_t time, uint64_t address, uint32_t length)
{
    const heddle_remote_message message = {
        .kind = HEDDLE_REMOTE_READ, .tag = tag, .time = time, .address = address, .length = length};
    return heddle_remote_send(remote, &message);
}

int heddle_remote_write(heddle_remote *remote, uint64_t tag, uint64_t time, uint64_t address, const void *data,
                        uint32_t length)
{
    heddle_remote_message message = {
        .kind = HEDDLE_REMOTE_WRITE, .tag = tag, .time = time, .address = address, .length = length};
    if (length > HEDDLE_REMOTE_DATA_MAX)
        return fail(remote, "a write of too many bytes", "");
    message.data_bytes = length;
    memcpy(message.data, data, length);
    return heddle_remote_send(remote, &message);
}

int heddle_remote_interrupt(heddle_remote *remote, uint32_t line, uint64_t time, uint32_t level, uint32_t flags,
                            uint32_t hart_line)
{
    const heddle_remote_message message = {.kind = HEDDLE_REMOTE_INTERRUPT,
                                           .flags = (uint16_t)flags,
                                           .tag = line,
                                           .time = time,
                                           .address = hart_line,
                                           .status = level};
    return heddle_remote_send(remote, &message);
}

int heddle_remote_pass(heddle_remote *remote, uint64_t until)
{
    const heddle_remote_message message = {.kind = HEDDLE_REMOTE_ADVANCE, .time = until};
    return heddle_remote_send(remote, &message);
}

int heddle_remote_bye(heddle_remote *remote)
{
    const heddle_remote_message message = {.kind = HEDDLE_REMOTE_BYE};
    return heddle_remote_send(remote, &message);
}
