/* SPDX-License-Identifier: MIT */
/* A sweep in a world of its own: apps that are nothing but files. */
#ifndef TEST_EXPLORE_WORLD_H
#define TEST_EXPLORE_WORLD_H

#include "resolve.h"
#include "result_store.h"

/* Reads and resolves. Returns all that was said, to be freed; "" if nothing is wrong. Apps are folders in ./apps. */
char *world_resolve(const char *path, sweep *read, resolution *points);
/* The same, and nothing may be wrong. */
void world_open(const char *path, sweep *read, resolution *points);
void world_close(sweep *read, resolution *points);

/* Goes to a new folder with apps/good; and away from it. */
void world_enter(void);
void world_leave(void);
void world_write(const char *path, const char *text);

/* A test with a store: enters, resolves the text of a sweep, and opens the store s.db that knows its experiment. */
store *world_enter_store(const char *sweep_text, sweep *read, resolution *points);
void world_leave_store(store *opened, sweep *read, resolution *points);

#endif
