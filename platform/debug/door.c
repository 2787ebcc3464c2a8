/* SPDX-License-Identifier: MIT */
#include "door.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define DOORS_MAX 8u
#define LAST_WORDS_MS 1000 /* that a gdb which takes nothing is waited for at the end */

int door_open(debug_door *door, uint32_t port)
{
    struct sockaddr_in *address = (struct sockaddr_in *)&door->listening.address;
    *address = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    door->connection = -1;
    const int error = listener_open(&door->listening);
    if (!error)
        door->port = ntohs(address->sin_port);
    return error;
}

void door_close(debug_door *door)
{
    listener_close(&door->listening);
}

uint32_t door_admit(debug_door *door)
{
    if (door_has_gdb(door))
        return 0;
    door->connection = listener_accept(&door->listening);
    if (!door_has_gdb(door))
        return 0;
    gdb_session_begin(&door->session, &door->target);
    return 1;
}

static uint32_t is_for_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static uint32_t send_all(debug_door *door)
{
    packet_output *output = &door->session.output;
    while (output->count) {
        const ssize_t sent = send(door->connection, output->bytes, output->count, MSG_NOSIGNAL);
        if (sent < 0)
            return is_for_later();
        packet_output_take_away(output, (size_t)sent);
    }
    return 1;
}

uint32_t door_exchange(debug_door *door)
{
    char bytes[4096];
    const ssize_t count = recv(door->connection, bytes, sizeof bytes, 0);
    if (!count || (count < 0 && !is_for_later()))
        return 0;
    if (count > 0)
        gdb_session_take(&door->session, bytes, (size_t)count);
    return send_all(door);
}

void door_dismiss(debug_door *door)
{
    struct pollfd out = {.fd = door->connection, .events = POLLOUT};
    while (send_all(door) && door->session.output.count && poll(&out, 1, LAST_WORDS_MS) > 0)
        ;
    close(door->connection);
    door->connection = -1;
    gdb_session_end(&door->session);
}

void doors_wait(const debug_door *doors, uint32_t count, uint32_t admits, int milliseconds)
{
    struct pollfd wanted[2 * DOORS_MAX];
    nfds_t n = 0;
    for (uint32_t i = 0; i < count && i < DOORS_MAX; i++) {
        const debug_door *door = &doors[i];
        if (door_has_gdb(door))
            wanted[n++] = (struct pollfd){.fd = door->connection,
                                          .events = (short)(POLLIN | (door->session.output.count ? POLLOUT : 0))};
        else if (admits)
            wanted[n++] = (struct pollfd){.fd = door->listening.socket, .events = POLLIN};
    }
    poll(wanted, n, milliseconds);
}
