/* SPDX-License-Identifier: MIT */
#include "command.h"

/* Stands in front of that of libc for all that is loaded: a host program must not end the run unnoticed. */
__attribute__((noreturn, visibility("default"))) void _exit(int code);
__attribute__((noreturn, visibility("default"))) void _Exit(int code);

void _exit(int code)
{
    hd_command_exit("_exit", code);
}

void _Exit(int code)
{
    hd_command_exit("_Exit", code);
}

int main(int count, char **words)
{
    return hd_command_line(count, words);
}
