/* SPDX-License-Identifier: MIT */
/*
 * The remote port's protocol, and a client for it: this header and heddle_remote.c are all that a peer needs. docs/remote-port.md
 * describes the protocol byte by byte.
 *
 *     static heddle_remote remote;
 *     heddle_remote_message message;
 *     if (heddle_remote_connect(&remote, "unix:memory.socket", 10000))
 *         ... remote.error says why
 *     while (heddle_remote_receive(&remote, &message) == 1)
 *         ... heddle_remote_answer, heddle_remote_read, heddle_remote_write, heddle_remote_interrupt, heddle_remote_pass
 *     heddle_remote_close(&remote);
 *
 * Functions that return an int return 0, or -1 with one line in `error`, unless they say otherwise. Nothing waits longer than the
 * timeout.
 */
#ifndef HEDDLE_REMOTE_H
#define HEDDLE_REMOTE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_REMOTE_VERSION 1u
#define HEDDLE_REMOTE_MAGIC UINT64_C(0x45544F4D45524448) /* "HDREMOTE" */
#define HEDDLE_REMOTE_HEADER_BYTES 40u
#define HEDDLE_REMOTE_DATA_MAX 1024u
#define HEDDLE_REMOTE_BYTES_MAX (HEDDLE_REMOTE_HEADER_BYTES + HEDDLE_REMOTE_DATA_MAX) /* of a message */
#define HEDDLE_REMOTE_REQUESTS 64u /* of one side that may be unanswered at a time */
#define HEDDLE_REMOTE_NEVER UINT64_MAX

/* Kinds. */
#define HEDDLE_REMOTE_HELLO 1u
#define HEDDLE_REMOTE_READ 2u
#define HEDDLE_REMOTE_WRITE 3u
#define HEDDLE_REMOTE_ANSWER 4u
#define HEDDLE_REMOTE_INTERRUPT 5u
#define HEDDLE_REMOTE_ADVANCE 6u
#define HEDDLE_REMOTE_BYE 7u

/* Flags. */
#define HEDDLE_REMOTE_UNTIMED 1u /* READ, WRITE, ANSWER: takes no time; to be answered at once */
#define HEDDLE_REMOTE_ENABLES 2u /* WRITE: behind the data comes one byte for each of them: 0xFF written, 0 not */
#define HEDDLE_REMOTE_LEVEL 4u   /* INTERRUPT: of a line of levels, not of events */

/* Of answers. */
#define HEDDLE_REMOTE_OK 0u
#define HEDDLE_REMOTE_ADDRESS_ERROR 1u
#define HEDDLE_REMOTE_COMMAND_ERROR 2u
#define HEDDLE_REMOTE_BURST_ERROR 3u
#define HEDDLE_REMOTE_BYTE_ENABLE_ERROR 4u
#define HEDDLE_REMOTE_GENERIC_ERROR 5u

typedef struct heddle_remote_message {
    uint16_t kind;  /* HEDDLE_REMOTE_HELLO ... */
    uint16_t flags; /* HEDDLE_REMOTE_UNTIMED ... */
    uint64_t tag;   /* of a request, and of its answer; HELLO: the magic; INTERRUPT: the line */
    uint64_t time;  /* in picoseconds: when it happens; ADVANCE: see heddle_remote_pass; HELLO: the port's quantum */
    uint64_t address;
    uint32_t length; /* bytes that are read or written; HELLO: requests that may be unanswered */
    uint32_t status; /* ANSWER: HEDDLE_REMOTE_OK ...; INTERRUPT: the level; HELLO: the version */
    uint32_t data_bytes;
    uint8_t data[HEDDLE_REMOTE_DATA_MAX];
} heddle_remote_message;

/* ---- Bytes ----------------------------------------------------------------------------------------------------------- */

/* Returns how many bytes it takes, at most HEDDLE_REMOTE_BYTES_MAX. */
size_t heddle_remote_encode(const heddle_remote_message *message, uint8_t *bytes);
/* Returns how many of the bytes the first message takes; 0: there is more to come of it; -1: they are none, and *why says so. */
long heddle_remote_decode(const uint8_t *bytes, size_t count, heddle_remote_message *message, const char **why);

/* ---- A connection ---------------------------------------------------------------------------------------------------- */

typedef struct heddle_remote {
    int socket;                          /* -1: there is none */
    int timeout;                         /* in milliseconds, of each message, however many parts it comes in */
    int (*is_over)(const void *context); /* asked before and during a wait, and at each signal: 1 ends it; NULL: nobody is asked */
    const void *context;
    int is_closed;               /* by the other side, as sending has found out */
    heddle_remote_message hello; /* of the other side */
    size_t count;                /* bytes that have come and not been received */
    uint8_t bytes[8 * HEDDLE_REMOTE_BYTES_MAX];
    char error[160];
} heddle_remote;

/* address: "unix:PATH", or "tcp:PORT" on loopback. Tries until somebody listens there, or the timeout is over. */
int heddle_remote_connect(heddle_remote *remote, const char *address, int timeout);
/* 1: a message; 0: the other side has said BYE, or closed the connection; -1: an error. */
int heddle_remote_receive(heddle_remote *remote, heddle_remote_message *message);
int heddle_remote_send(heddle_remote *remote, const heddle_remote_message *message);
/* Also one that is not connected. */
void heddle_remote_close(heddle_remote *remote);

/* Of a READ or WRITE; data: of a READ that goes well, else NULL. delay: picoseconds from the request's time on. */
int heddle_remote_answer(heddle_remote *remote, const heddle_remote_message *request, uint32_t status, const void *data,
                         uint64_t delay);
/* Requests at the peer's initiative, which are answered by an ANSWER of the same tag. */
int heddle_remote_read(heddle_remote *remote, uint64_t tag, uint64_t time, uint64_t address, uint32_t length);
int heddle_remote_write(heddle_remote *remote, uint64_t tag, uint64_t time, uint64_t address, const void *data,
                        uint32_t length);
/* An event on a line; with HEDDLE_REMOTE_LEVEL in flags a level, of the hart's line `hart_line` (bit of mip). */
int heddle_remote_interrupt(heddle_remote *remote, uint32_t line, uint64_t time, uint32_t level, uint32_t flags,
                            uint32_t hart_line);
/* The answer to an ADVANCE: this side has said all that is to happen before `until`, or HEDDLE_REMOTE_NEVER: it will only answer. */
int heddle_remote_pass(heddle_remote *remote, uint64_t until);
/* Instead of an ADVANCE: this side says no more. */
int heddle_remote_bye(heddle_remote *remote);

/* ---- Also used by ports ---------------------------------------------------------------------------------------------- */

/* "unix:PATH" or "tcp:PORT" as a socket address: its size, or 0 and a text in why. */
uint32_t heddle_remote_address(const char *text, struct sockaddr_storage *address, const char **why);
/* Sends a HELLO and takes that of the other side. */
int heddle_remote_greet(heddle_remote *remote, uint64_t quantum);
/* When what begins now has taken too long: in milliseconds of the monotonic clock. */
int64_t heddle_remote_deadline(const heddle_remote *remote);
/* As heddle_remote_receive, for one of several messages that are awaited together; `what` begins the error if `end` comes before. */
int heddle_remote_receive_by(heddle_remote *remote, heddle_remote_message *message, int64_t end, const char *what);
/* Waits until `end` for what poll(2) calls events: 1, or -1 with an error that begins with `what`. */
int heddle_remote_wait(heddle_remote *remote, int socket, short events, int64_t end, const char *what);
/* As heddle_remote_connect, of a `remote` whose timeout is set, and says nothing; its error does not name the address. */
int heddle_remote_dial(heddle_remote *remote, const char *address);
int heddle_remote_send_bytes(heddle_remote *remote, const void *bytes, size_t count);
/* Waits until `end` for more in `bytes`: 1: there is; 0: nothing comes any more; -1: an error, as of heddle_remote_wait. */
int heddle_remote_fetch(heddle_remote *remote, int64_t end, const char *what);
/* The first `count` of `bytes`. */
void heddle_remote_take_away(heddle_remote *remote, size_t count);

#ifdef __cplusplus
}
#endif

#endif
