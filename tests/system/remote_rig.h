/* SPDX-License-Identifier: MIT */
/* A run with a peer at a socket, in a folder of its own, that both are told of. */
#ifndef SYSTEM_REMOTE_RIG_H
#define SYSTEM_REMOTE_RIG_H

#include <jansson.h>
#include <sys/types.h>

#include "process.h"

extern char *rig_folder, *rig_address, *rig_setting, *rig_results;

/* Before and after each test. The machine's port is block `remote`. */
void rig_begin(void);
void rig_end(void);
/* Another place than the socket in the folder. */
void rig_go_to(char *address);
/* The exit code of a peer. It does not outlive its run: what is left of it is killed, and the code is -1. */
int rig_peer_ends(pid_t peer);
void rig_expect_no_socket(void);
/* words: of the peer, NULL at the end; more: of the run, behind machine and app, likewise. app NULL: none. */
finished rig_run(const char *const *words, const char *machine, const char *app, const char *const *more,
                 int *peer_code);
/* The same, and both are expected to end well: what the run has counted. */
json_t *rig_stats(const char *const *words, const char *machine, const char *app, const char *const *more);
int64_t rig_number(const json_t *stats, const char *path);

#endif
