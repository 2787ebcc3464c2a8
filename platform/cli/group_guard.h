/* SPDX-License-Identifier: MIT */
/* A process that ends a process group as soon as this process is gone, also if that was killed. */
#ifndef HD_GROUP_GUARD_H
#define HD_GROUP_GUARD_H

#include <sys/types.h>

typedef struct group_guard {
    pid_t process; /* -1: there is none */
    int held;      /* the end of a pipe that nobody else has: the guard sees it close */
} group_guard;

#define GROUP_GUARD_NONE ((group_guard){.process = -1, .held = -1})

/* The group's leader is a child of this process that has not been waited for. GROUP_GUARD_NONE if the system has no process left. */
group_guard group_guard_start(pid_t group);
/* The group goes on. */
void group_guard_end(group_guard *guard);

#endif
