// SPDX-License-Identifier: MIT
#include "peer_process.h"

#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(const std::string &program, const std::string &argument, int socket)
{
    pid_t child;
    char *const words[] = {const_cast<char *>(program.c_str()), const_cast<char *>(argument.c_str()), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    const int failed = posix_spawn(&child, words[0], &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        throw std::runtime_error(program + ": " + std::strerror(failed));
    return child;
}

peer_process::peer_process(const std::string &program, const std::string &argument)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        throw std::runtime_error(std::strerror(errno));
    socket = ends[0];
    child = start(program, argument, ends[1]);
    close(ends[1]);
}

void peer_process::hang_up()
{
    shutdown(socket, SHUT_RDWR);
}

peer_process::~peer_process()
{
    hang_up();
    close(socket);
    waitpid(child, nullptr, 0);
}
