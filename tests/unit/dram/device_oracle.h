/* SPDX-License-Identifier: MIT */
/*
 * Which command is legal when, told from all the commands that came before and a list of rules: nothing is summed up, and
 * nothing is shared with models/dram/device.c but the names of the timing.
 */
#ifndef DEVICE_ORACLE_H
#define DEVICE_ORACLE_H

#include "device.h"

enum { REFRESH = DRAM_COMMANDS, ORACLE_COMMANDS, ORACLE_HISTORY = 256 };
enum { IN_BANK, IN_GROUP, ANYWHERE };

typedef struct oracle_command {
    uint32_t command;
    uint32_t bank; /* of a refresh: any */
    uint64_t n;
} oracle_command;

typedef struct oracle {
    struct dram_timing timing;
    uint32_t banks, groups;
    uint64_t rows[DRAM_BANKS]; /* open row or DRAM_NO_ROW */
    uint64_t refresh_due;
    oracle_command history[ORACLE_HISTORY]; /* a ring: what is older binds nothing any more */
    uint64_t count;
} oracle;

/* A rule: so many cycles from one command to another. */
typedef struct oracle_rule {
    const char *name;
    uint32_t first, second, where;
    int64_t (*cycles)(const struct dram_timing *t);
} oracle_rule;
extern const oracle_rule oracle_rules[];
extern const uint32_t oracle_rule_count;

void oracle_init(oracle *o, const struct dram_timing *timing, uint32_t banks, uint32_t groups);
/* Do all rules allow the command at cycle n? */
int oracle_allows(const oracle *o, uint32_t command, uint32_t bank, uint64_t n);
/* First cycle from `from` on at which they do; DRAM_NEVER if the bank's row has to change before. */
uint64_t oracle_earliest(const oracle *o, uint32_t command, uint32_t bank, uint64_t from);
void oracle_issue(oracle *o, uint32_t command, uint32_t bank, uint64_t row, uint64_t n);
/* All refreshes due by cycle n, one after another. */
void oracle_refresh(oracle *o, uint64_t n);

#endif
