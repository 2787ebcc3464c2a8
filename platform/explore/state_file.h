/* SPDX-License-Identifier: MIT */
/*
 * Files of checkpoints: how the run was set up, by which program, and what it had come to (hd_machine_checkpoint). A file is that of one
 * build of Heddle: the states of blocks are laid out as that has them.
 *
 *   "heddle.state/1\n", digest of the program, its version, the run, the state, and 8 bytes by which damage is found.
 */
#ifndef EXPLORE_STATE_FILE_H
#define EXPLORE_STATE_FILE_H

#include "netlist.h"
#include "sha256.h"
#include "state_bytes.h"

/* What decides about the run, as `heddle run` is told. Texts are borrowed. */
typedef struct state_file_run {
    const char *machine;     /* path from the root, or name */
    const char *app;         /* likewise, its folder; "": none */
    const char *firmware;    /* likewise; "": none, or the app's */
    const char *const *sets; /* "path=value", of machine and app */
    uint64_t set_count;
    uint64_t own_sets;  /* with so many it began; the others were set at a checkpoint before */
    hd_time changed_at; /* the first of these */
    uint64_t seed;
    hd_time at;    /* how far it has come */
    digest values; /* of the machine with all its values */
    digest files;  /* of what its plug-ins and the files that its blocks read have */
    digest app_files;
} state_file_run;

typedef struct state_file {
    state_bytes bytes; /* of the file; what is read next is the state */
    state_file_run run;
    digest digest; /* of the file */
} state_file;

/* The file is there as a whole, or stays as it was. Returns 1; or 0 and *error, a line for the user, to be freed. All likewise. */
int state_file_write(const char *path, const state_file_run *run, const char *version, const state_bytes *state,
                     char **error);
int state_file_read(const char *path, const char *version, state_file *file, char **error);
/* Of bytes that have been read, which it takes. path: for errors. */
int state_file_parse(const char *path, const char *version, state_file *file, char **error);
void state_file_close(state_file *file); /* one that is all zero, too */

/* Fills in the digests of a run: of its machine, with its files, and of its app and firmware. */
int state_file_digests(state_file_run *run, const netlist *machine, char **error);
/* Is what the run was made of still the same? now: with its digests. */
int state_file_is_of(const char *path, const state_file_run *then, const state_file_run *now, char **error);

#endif
