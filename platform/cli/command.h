/* SPDX-License-Identifier: MIT */
/* The `heddle` command: one entry per word, and what they share. */
#ifndef HD_COMMAND_H
#define HD_COMMAND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXIT_PASS 0
#define HD_EXIT_FAIL 1  /* wrong result, fault, hang */
#define HD_EXIT_USAGE 2 /* bad usage or configuration: nothing was simulated */

typedef struct hd_command {
    const char *name;
    const char *usage; /* what follows "heddle NAME" */
    const char *doc;   /* one line */
    const char *help;  /* further lines, each ended by \n; may be "" */
    int (*run)(const struct hd_command *command, int count, char **words); /* returns the exit code */
} hd_command;

extern const hd_command hd_command_run;
extern const hd_command hd_command_opencl;
extern const hd_command hd_command_cuda;
extern const hd_command hd_command_cudac;
extern const hd_command hd_command_compare;
extern const hd_command hd_command_check;
extern const hd_command hd_command_list;
extern const hd_command hd_command_graph;
extern const hd_command hd_command_sweep;
extern const hd_command hd_command_results;
extern const hd_command hd_command_report;
extern const hd_command hd_command_profile;
extern const hd_command hd_command_new;
extern const hd_command hd_command_disasm;
extern const hd_command hd_command_lint;
extern const hd_command hd_command_kernelc;

/* The whole command line; what `heddle` calls. */
__attribute__((visibility("default"))) int hd_command_line(int count, char **words);
/* What `heddle` calls where a function of this name ends the process: for a host program or a plug-in that is a mistake. */
__attribute__((visibility("default"), noreturn)) void hd_command_exit(const char *function, int code);

/* ---- arguments.c -------------------------------------------------------------------------------------------------- */

/* An option of a command. */
typedef struct hd_option_use {
    const char *name;   /* "--set" */
    int takes_value;    /* --set V or --set=V */
    const char **value; /* where the last one goes; "" for an option without value */
    const char ***all;  /* or: where all go, an array to be freed */
    size_t *count;      /* of them */
} hd_option_use;

/* Sorts words into options and at most `maximum` others. Returns how many others there are, or -1 after it has said on
 * stderr what is wrong with them. */
int hd_arguments(const hd_command *command, int count, char **words, const hd_option_use *options, size_t option_count,
                 const char **others, int minimum, int maximum);

/* "error: ...", the nearest of `known`, and how to get help, on stderr. Returns HD_EXIT_USAGE. */
int hd_usage_error(const char *word, const char *const *known, size_t known_count, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif

#endif
