/* SPDX-License-Identifier: MIT */
/* Checkpoints of `heddle run`: one that it makes, and one from which it goes on. */
#ifndef HD_RUN_CHECKPOINT_H
#define HD_RUN_CHECKPOINT_H

#include "command.h"
#include "machine.h"
#include "machine_file.h"
#include "run_apps.h"
#include "state_file.h"

/* As on the command line; NULL: not given. */
typedef struct run_checkpoint_words {
    const char *file;
    const char *at;
    const char *after;
    const char *resume;
} run_checkpoint_words;

#define RUN_CHECKPOINT_OPTIONS(words)                                                                                  \
    {.name = "--checkpoint", .takes_value = 1, .value = &(words)->file},                                               \
        {.name = "--checkpoint-at", .takes_value = 1, .value = &(words)->at},                                          \
        {.name = "--checkpoint-after", .takes_value = 1, .value = &(words)->after},                                    \
    {                                                                                                                  \
        .name = "--resume", .takes_value = 1, .value = &(words)->resume                                                \
    }
#define RUN_CHECKPOINT_USAGE "[--checkpoint FILE --checkpoint-at TIME | --checkpoint-after KERNELS] "
#define RUN_CHECKPOINT_HELP                                                                                            \
    "  --checkpoint FILE  write the state of the run to FILE and go on; with one of\n"                                 \
    "  --checkpoint-at TIME  when so much time has been simulated: '20 us'\n"                                          \
    "  --checkpoint-after KERNELS  when so many kernels have ended\n"                                                  \
    "  --resume FILE     go on from a checkpoint, in place of NETLIST and APP; --set changes values of the machine "   \
    "from\n"                                                                                                           \
    "                    there on, if they change no size of what the state holds\n"

typedef struct run_checkpoint {
    const char *path;   /* NULL: none is made */
    const char *resume; /* NULL: it begins at 0 */
    hd_machine_checkpoint machine;
    state_file from;
    state_file_run run; /* of this run */
    const char **sets;  /* all of --set: of the checkpoint, then of this command */
    size_t set_count;
    size_t new_sets; /* of this command */
    char *texts[3];  /* paths in `run` */
    uint32_t is_written;
    char *error; /* why it was not */
} run_checkpoint;

/* Reads the words, and the file from which the run goes on. All return HD_EXIT_PASS, or HD_EXIT_USAGE after they have said why. */
int run_checkpoint_read(run_checkpoint *self, const run_checkpoint_words *words);
/* words: machine and app of the command; if the run goes on from a checkpoint, they become its own. `sets` are what --set has of the
 * command, which come after those of the checkpoint. */
int run_checkpoint_take_run(run_checkpoint *self, const char *words[2], const char *const *sets, size_t set_count);
/* When everything is known of the run but the machine, before it is built: is it still what it was? */
int run_checkpoint_prepare(run_checkpoint *self, hd_machine_setup *setup, const machine_file *file);
/* What results say of a run that goes on with other values. */
struct hd_results;
void run_checkpoint_results(const run_checkpoint *self, struct hd_results *results);
/* After the run: was what was asked for done? */
int run_checkpoint_conclude(const run_checkpoint *self, const hd_machine *machine);
void run_checkpoint_free(run_checkpoint *self);

#endif
