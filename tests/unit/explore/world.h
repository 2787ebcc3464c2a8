/* SPDX-License-Identifier: MIT */
/* A sweep in a world of its own: apps that are nothing but files. */
#ifndef TEST_EXPLORE_WORLD_H
#define TEST_EXPLORE_WORLD_H

#include "resolve.h"

/* Reads and resolves. Returns all that was said, to be freed; "" if nothing is wrong. Apps are folders in ./apps. */
char *world_resolve(const char *path, sweep *read, resolution *points);
/* The same, and nothing may be wrong. */
void world_open(const char *path, sweep *read, resolution *points);
void world_close(sweep *read, resolution *points);

/* Goes to a new folder with apps/good; and away from it. */
void world_enter(void);
void world_leave(void);
void world_write(const char *path, const char *text);

#endif
