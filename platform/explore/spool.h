/* SPDX-License-Identifier: MIT */
/*
 * The folder beside a store in which runs leave their files until the store has them: STORE.runs. What is in it survives
 * the sweep, so that a result that was complete when the sweep was killed is not made again.
 *
 *   lock             held by the sweep that runs; whose process number it is
 *   KEY-N.json       results, complete as soon as they are there
 *   KEY-N.log        what the run printed
 *   KEY-N.sh  .exit  Slurm: what runs, and its exit code
 *   ID.tasks  .sh  ID-N.out   Slurm: a job array, and what its tasks said
 */
#ifndef EXPLORE_SPOOL_H
#define EXPLORE_SPOOL_H

#include <stddef.h>

typedef struct spool {
    char *folder; /* absolute */
    int lock;
} spool;

/* Each that returns an int: 1, or 0 and *error, lines for the user, to be freed. */

/* Makes the folder of a store and locks it for this process. */
int spool_open(spool *opened, const char *store, char **error);
/* Lets go of it. is_done: nothing in it is needed any more, and it is removed. */
void spool_close(spool *opened, int is_done);

/* "FOLDER/NAMEend", to be freed. */
char *spool_path(const spool *opened, const char *name, const char *end);
int spool_has(const spool *opened, const char *name, const char *end);
void spool_remove(const spool *opened, const char *name, const char *end);

/* Under another name first, so that it is there whole or not at all. */
int spool_write(const spool *opened, const char *name, const char *end, const char *text, char **error);
/* At most `most` bytes from its end; NULL if it cannot be read. To be freed; *bytes may be NULL. */
char *spool_read(const spool *opened, const char *name, const char *end, size_t most, size_t *bytes);

/* Is there room for the files of a run? */
int spool_check_room(const spool *opened, char **error);

/* Names, without `end`, of the files that have this end; a NULL at the end; to be freed with spool_free_names. */
char **spool_list(const spool *opened, const char *end);
void spool_free_names(char **names);

#endif
