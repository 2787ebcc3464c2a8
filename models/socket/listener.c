/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* accept4 */
#include "listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *path_of(const listener *self)
{
    return self->address.ss_family == AF_UNIX ? ((const struct sockaddr_un *)&self->address)->sun_path : NULL;
}

static const struct sockaddr *address_of(const listener *self)
{
    return (const struct sockaddr *)&self->address;
}

static socklen_t bytes_of(const listener *self)
{
    return self->address.ss_family == AF_UNIX ? sizeof(struct sockaddr_un) : sizeof(struct sockaddr_in);
}

/* What lies there is no socket, and stays. */
static int is_something_else(const listener *self)
{
    struct stat status;
    return path_of(self) && !stat(path_of(self), &status) && !S_ISSOCK(status.st_mode);
}

/* A file of a socket at which nobody listens: of a process that was killed. */
static int is_left_over(const listener *self)
{
    if (!path_of(self))
        return 0;
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int refused = connect(probe, address_of(self), bytes_of(self)) && errno == ECONNREFUSED;
    close(probe);
    return refused;
}

static int bind_to_address(listener *self)
{
    if (!bind(self->socket, address_of(self), bytes_of(self)))
        return 0;
    if (errno != EADDRINUSE)
        return errno;
    if (is_something_else(self))
        return EEXIST;
    if (!is_left_over(self))
        return EADDRINUSE;
    unlink(path_of(self));
    return bind(self->socket, address_of(self), bytes_of(self)) ? errno : 0;
}

static void note_file(listener *self)
{
    if (self->files && path_of(self))
        self->noted = self->files->note(self->files->context, path_of(self));
}

/* No signal comes between: it would end the process with a file that nobody knows of. */
static int bind_and_note(listener *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int error = bind_to_address(self);
    if (!error)
        note_file(self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void remove_file(listener *self)
{
    if (path_of(self))
        unlink(path_of(self));
    if (self->noted)
        self->files->forget(self->files->context, self->noted);
    self->noted = NULL;
}

/* Which port it is, if any was asked for. */
static int learn_address(listener *self)
{
    socklen_t bytes = sizeof self->address;
    return getsockname(self->socket, (struct sockaddr *)&self->address, &bytes) ? errno : 0;
}

static int listen_at_address(listener *self)
{
    const int yes = 1;
    setsockopt(self->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    int error = bind_and_note(self);
    if (error)
        return error;
    error = listen(self->socket, 1) ? errno : learn_address(self);
    if (error)
        remove_file(self);
    return error;
}

int listener_open(listener *self)
{
    self->socket = socket(self->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self->socket < 0)
        return errno;
    const int error = listen_at_address(self);
    if (error) {
        close(self->socket);
        self->socket = -1;
    }
    return error;
}

void listener_close(listener *self)
{
    if (self->socket < 0)
        return;
    close(self->socket);
    self->socket = -1;
    remove_file(self);
}

int listener_accept(listener *self)
{
    const int yes = 1, connection = accept4(self->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection >= 0 && self->address.ss_family == AF_INET)
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}
