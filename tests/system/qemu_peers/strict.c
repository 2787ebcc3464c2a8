/* SPDX-License-Identifier: MIT */
/*
 * strict WHAT ADDRESS HOW: a peer that speaks the Remote-Port protocol, byte by byte as docs/qemu-port.md says, and ends with exit code 3 at
 * anything that a port must not send. WHAT it is: `memory`, which answers the machine's accesses after 50 ns each; `host`, which has a
 * DMA engine copy its memory, and follows the machine's time; or `leader`, the same, but whose time the machine follows. HOW says what else it does:
 * `well` nothing.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "copies.h"

enum { HELLO = 1, READ = 3, WRITE = 4, INTERRUPT = 5, SYNC = 6 };
enum { RESPONSE = 2, POSTED = 4 };
#define HEADER 20u
#define ACCESS 58u
#define EXTENDED 80u
#define LARGEST 8400u
#define TURN_NS 500u
/* Where the machine has what this peer has at PEER_BASE. */
#define PEER_BASE UINT64_C(0xA0000000)
#define MACHINE_BASE UINT64_C(0x10000000)

static int connection;
static const char *how;
static int is_old; /* it has no capabilities */
static uint8_t packet[LARGEST];
static uint32_t command, length, id, flags, device;
static uint32_t last_id, own_id;
static uint64_t last_time, now;
static uint8_t *memory;
static uint64_t memory_base, memory_bytes;
static uint32_t rises;

static int is(const char *word)
{
    return !strcmp(how, word);
}

static _Noreturn __attribute__((format(printf, 1, 2))) void object(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (command %u, length %u, id %u, flags %u, device %u)\n", command, length, id, flags, device);
    va_end(arguments);
    exit(3);
}

/* ---- Bytes ----------------------------------------------------------------------------------------------------------- */

static uint64_t number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    while (bytes--)
        value = value * 256 + *at++;
    return value;
}

static void set(uint8_t *at, uint64_t value, int bytes)
{
    while (bytes--) {
        at[bytes] = (uint8_t)value;
        value /= 256;
    }
}

/* 0: the other side has closed the connection. */
static int receive(uint8_t *at, size_t count)
{
    while (count) {
        const ssize_t got = read(connection, at, count);
        if (got <= 0)
            return 0;
        at += got;
        count -= (size_t)got;
    }
    return 1;
}

/* One by one: slower than a port may be used to, but soon enough. */
static void send_bytes(const uint8_t *bytes, size_t count, useconds_t pause_us)
{
    const size_t step = pause_us || is("slowly") ? 1 : count;
    for (size_t i = 0; i < count; i += step) {
        if (send(connection, bytes + i, step, MSG_NOSIGNAL) != (ssize_t)step)
            exit(0);
        if (pause_us)
            usleep(pause_us);
    }
}

static void send_packet(uint8_t *bytes, size_t total, uint32_t of_command, uint32_t of_id, uint32_t of_flags,
                        uint32_t of_device)
{
    set(bytes, of_command, 4);
    set(bytes + 4, total - HEADER, 4);
    set(bytes + 8, of_id, 4);
    set(bytes + 12, of_flags, 4);
    set(bytes + 16, of_device, 4);
    send_bytes(bytes, total, 0);
}

/* ---- What a port may send -------------------------------------------------------------------------------------------- */

static void check_request(void)
{
    const uint64_t time = command == HELLO ? 0 : number(packet + 20, 8);
    if (flags & ~POSTED)
        object("flags that there are not");
    if (id <= last_id && command != HELLO)
        object("an id that is not new");
    if (command != HELLO && time < last_time)
        object("time goes back: %llu after %llu", (unsigned long long)time, (unsigned long long)last_time);
    last_id = id;
    last_time = time;
}

static void check_access(void)
{
    const uint64_t bytes = number(packet + 44, 4);
    const uint32_t header = is_old ? ACCESS : EXTENDED;
    const uint64_t data = command == WRITE ? bytes : 0, enables = is_old ? 0 : number(packet + 76, 4);
    if (device != 0)
        object("an access to another device");
    if (number(packet + 28, 8) != (is_old ? 0 : 4))
        object("attributes");
    if (number(packet + 48, 4) || number(packet + 52, 4) != bytes)
        object("a width, or an address that repeats");
    if (length + HEADER != header + data + enables)
        object("a length that does not fit");
    if (!is_old &&
        (number(packet + 64, 4) != EXTENDED || number(packet + 68, 4) || number(packet + 72, 4) != EXTENDED + data))
        object("data that lie elsewhere");
    if (enables && !is("enables"))
        object("byte enables that nobody knows");
}

static void check(void)
{
    static const uint32_t lengths[] = {[HELLO] = 24, [INTERRUPT] = 21, [SYNC] = 8};
    if (flags & RESPONSE)
        return;
    check_request();
    switch (command) {
    case READ:
    case WRITE: check_access(); break;
    case HELLO:
    case INTERRUPT:
    case SYNC:
        if (length != lengths[command])
            object("a length that does not fit");
        break;
    default: object("a command that there is not");
    }
}

static int hear(void)
{
    if (!receive(packet, HEADER))
        return 0;
    command = (uint32_t)number(packet, 4);
    length = (uint32_t)number(packet + 4, 4);
    id = (uint32_t)number(packet + 8, 4);
    flags = (uint32_t)number(packet + 12, 4);
    device = (uint32_t)number(packet + 16, 4);
    if (length + HEADER > LARGEST)
        object("a packet that is too long");
    if (!receive(packet + HEADER, length))
        object("half a packet");
    check();
    return 1;
}

/* ---- What this one says ---------------------------------------------------------------------------------------------- */

static void say_hello(void)
{
    uint8_t hello[44] = {0};
    const uint32_t capabilities = is_old ? 0 : is("enables") ? 3 : 2;
    static const uint32_t numbers[] = {1, 3, 2};
    set(hello + 20, is("future") ? 5 : 4, 2);
    set(hello + 22, is_old ? 0 : 3, 2);
    set(hello + 24, 32, 4);
    set(hello + 28, capabilities, 2);
    for (uint32_t i = 0; i < capabilities; i++)
        set(hello + 32 + 4 * i, numbers[i], 4);
    send_packet(hello, is_old ? 24 : 32 + 4 * capabilities, HELLO, 0, 0, 0);
}

static void say_sync(uint32_t of_id, uint32_t of_flags, uint64_t time)
{
    uint8_t bytes[28] = {0};
    set(bytes + 20, time, 8);
    send_packet(bytes, sizeof bytes, SYNC, of_id, of_flags, 0);
}

/* READ or WRITE, as a request or a response with the packet's fields. */
static void say_access(uint32_t of_command, uint32_t of_id, uint32_t of_flags, uint32_t of_device, uint64_t time,
                       uint64_t status, uint64_t address, uint32_t bytes, const void *data)
{
    static uint8_t access[LARGEST];
    const uint32_t header = is_old ? ACCESS : EXTENDED;
    memset(access, 0, EXTENDED);
    set(access + 20, time, 8);
    set(access + 28, (is_old ? 0 : 4) | status << 8, 8);
    set(access + 36, address, 8);
    set(access + 44, bytes, 4);
    set(access + 52, bytes, 4);
    if (!is_old) {
        set(access + 64, header, 4);
        set(access + 72, header + (data ? bytes : 0), 4);
    }
    if (data)
        memcpy(access + header, data, bytes);
    send_packet(access, header + (data ? bytes : 0), of_command, of_id, of_flags, of_device);
}

/* ---- What goes wrong ------------------------------------------------------------------------------------------------- */

static void misbehave(void)
{
    uint8_t wrong[HEADER] = {0};
    if (is("dies"))
        raise(SIGKILL);
    if (is("closes"))
        exit(0);
    if (is("sleeps"))
        pause();
    if (is("trickles"))
        send_bytes(packet, LARGEST, 200000);
    if (is("babbles"))
        send_bytes((const uint8_t *)"what is this, and this, and all the rest?", 41, 0);
    if (is("unknown"))
        send_packet(wrong, HEADER, 42, 0, 0, 0);
    if (is("long")) {
        set(wrong, SYNC, 4);
        set(wrong + 4, UINT32_MAX, 4);
        send_bytes(wrong, HEADER, 0);
    }
    if (is("nobody"))
        say_sync(77777, RESPONSE, 0);
    if (is("babbles") || is("unknown") || is("long") || is("nobody"))
        pause();
}

/* ---- Serving --------------------------------------------------------------------------------------------------------- */

static void store(uint64_t place, uint32_t bytes)
{
    const uint8_t *data = packet + (is_old ? ACCESS : EXTENDED);
    const uint64_t enables = is_old ? 0 : number(packet + 76, 4);
    for (uint32_t i = 0; i < bytes; i++)
        if (!enables || data[bytes + i % enables])
            memory[place + i] = data[i];
}

static void serve_access(void)
{
    const uint64_t address = number(packet + 36, 8), place = address - memory_base;
    const uint32_t bytes = (uint32_t)number(packet + 44, 4);
    const uint64_t time = number(packet + 20, 8) + 50;
    const int is_there = address >= memory_base && place + bytes <= memory_bytes && !is("refuses");
    if (command == READ)
        misbehave();
    if (command == WRITE && is_there)
        store(place, bytes);
    say_access(command, id, RESPONSE, device, time, is_there ? 0 : 2, address, bytes,
               command == READ && is_there ? memory + place : NULL);
}

static void serve(void)
{
    switch (command) {
    case READ:
    case WRITE: serve_access(); break;
    case SYNC: say_sync(id, RESPONSE, number(packet + 20, 8)); break;
    case INTERRUPT: rises += packet[40]; break;
    default: object("not what is to come now");
    }
}

static int be_memory(void)
{
    memory_base = MACHINE_BASE;
    memory_bytes = UINT64_C(1) << 30;
    memory = calloc(memory_bytes, 1);
    if (!memory)
        return 2;
    while (hear())
        serve();
    free(memory);
    return 0;
}

/* ---- Using the machine ----------------------------------------------------------------------------------------------- */

/* Serves until the response to what was sent last has come. */
static void await(uint32_t of_command)
{
    while (hear()) {
        if (flags & RESPONSE) {
            if (command != of_command || id != own_id)
                object("a response to something else");
            return;
        }
        serve();
    }
    object("the port has gone");
}

static void access_machine(uint32_t of_command, uint64_t address, uint32_t bytes, const void *data)
{
    say_access(of_command, ++own_id, 0, 1, now, 0, address - MACHINE_BASE + PEER_BASE, bytes, data);
    await(of_command);
    if (number(packet + 28, 8) >> 8 & 15)
        object("0x%llx is refused", (unsigned long long)address);
    now = number(packet + 20, 8) > now ? number(packet + 20, 8) : now;
}

static void let_time_go(void)
{
    now += TURN_NS;
    say_sync(++own_id, 0, now);
    await(SYNC);
    if (number(packet + 20, 8) < now)
        object("a SYNC that is answered too soon");
}

static int be_host(int leads)
{
    memory_bytes = COPIES_HOST_BYTES;
    memory = calloc(memory_bytes, 1);
    if (!memory)
        return 2;
    copies_fill(memory);
    access_machine(READ, COPIES_REGISTERS, 4, NULL);
    if (packet[is_old ? ACCESS : EXTENDED] != (COPIES_IDENTIFICATION & 255))
        object("another device");
    for (uint32_t i = 0; i < COPIES_STEPS; i++)
        access_machine(WRITE, copies_steps[i].address, copies_steps[i].bytes, copies_steps[i].data);
    while (rises < COPIES_COUNT)
        if (leads)
            let_time_go();
        else if (hear())
            serve();
        else
            object("the port has gone");
    if (!copies_are_made(memory))
        return 1;
    puts("the copies are made");
    return 0;
}

/* ---- The beginning --------------------------------------------------------------------------------------------------- */

/* Where somebody listens, or where it listens itself. */
static void open_connection(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    connection = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (is("listens")) {
        if (bind(connection, (struct sockaddr *)&address, sizeof address) || listen(connection, 1))
            object("cannot listen");
        const int listening = connection;
        connection = accept(listening, NULL, NULL);
        close(listening);
        unlink(path);
        return;
    }
    while (connect(connection, (struct sockaddr *)&address, sizeof address))
        usleep(10000);
}

int main(int count, char **words)
{
    if (count != 4 || strncmp(words[2], "unix:", 5))
        return 2;
    how = words[3];
    is_old = is("old");
    open_connection(words[2] + 5);
    say_hello();
    if (!hear() || command != HELLO || number(packet + 20, 2) != 4)
        object("no HELLO");
    return !strcmp(words[1], "memory") ? be_memory() : be_host(!strcmp(words[1], "leader"));
}
