/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* accept4 */
#include "listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *path_of(const listener *self)
{
    return self->address.ss_family == AF_UNIX ? ((const struct sockaddr_un *)&self->address)->sun_path : NULL;
}

/* What lies there is no socket, and stays. */
static int is_something_else(const listener *self)
{
    struct stat status;
    return path_of(self) && !stat(path_of(self), &status) && !S_ISSOCK(status.st_mode);
}

/* A file of a socket at which nobody listens: of a process that was killed. */
static int is_left_over(const listener *self, uint32_t bytes)
{
    if (!path_of(self))
        return 0;
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int refused = connect(probe, (const struct sockaddr *)&self->address, bytes) && errno == ECONNREFUSED;
    close(probe);
    return refused;
}

static int bind_to(listener *self, uint32_t bytes)
{
    const struct sockaddr *address = (const struct sockaddr *)&self->address;
    if (!bind(self->socket, address, bytes))
        return 0;
    if (errno != EADDRINUSE)
        return errno;
    if (is_something_else(self))
        return EEXIST;
    if (!is_left_over(self, bytes))
        return EADDRINUSE;
    unlink(path_of(self));
    return bind(self->socket, address, bytes) ? errno : 0;
}

static void note_file(listener *self)
{
    if (self->files && path_of(self))
        self->noted = self->files->note(self->files->context, path_of(self));
}

/* No signal comes between: it would end the process with a file that nobody knows of. */
static int bind_and_note(listener *self, uint32_t bytes)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int error = bind_to(self, bytes);
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

int listener_open(listener *self, const char *address, const char **why)
{
    const int yes = 1;
    const uint32_t bytes = heddle_remote_address(address, &self->address, why);
    self->socket = -1;
    if (!bytes)
        return -1;
    self->socket = socket(self->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self->socket < 0)
        return errno;
    setsockopt(self->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    int error = bind_and_note(self, bytes);
    if (!error && listen(self->socket, 1)) {
        error = errno;
        remove_file(self);
    }
    if (!error)
        return 0;
    close(self->socket);
    self->socket = -1;
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

int listener_admit(listener *self, heddle_remote *remote, uint64_t quantum)
{
    const int yes = 1;
    const int64_t end = heddle_remote_deadline(remote);
    if (heddle_remote_wait(remote, self->socket, POLLIN, end, "nobody has connected") < 0) {
        listener_close(self);
        return -1;
    }
    remote->socket = accept4(self->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    const int error = errno;
    listener_close(self);
    if (remote->socket < 0) {
        snprintf(remote->error, sizeof remote->error, "accept: %s", strerror(error));
        return -1;
    }
    if (!path_of(self))
        setsockopt(remote->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return heddle_remote_greet(remote, quantum);
}
