/* SPDX-License-Identifier: MIT */
/*
 * The DRAM devices of one channel: which command may be issued at which memory cycle.
 *
 * Constraints are a table: so many cycles from one command to another, in the same bank, in the same bank group, or
 * anywhere in the channel. dram_probe tells the first cycle at which a command is legal, given the commands issued so far,
 * and changes nothing; dram_issue changes the state and must not come earlier. Cycles are edge indices of the memory
 * clock. A column command moves one burst. Terms are those of JEDEC JESD79-4 (DDR4) and JESD212 (GDDR5); _S is between
 * bank groups, _L inside one.
 */
#ifndef DRAM_DEVICE_H
#define DRAM_DEVICE_H

#include <stdint.h>

#define DRAM_BANKS 64u
#define DRAM_NO_ROW UINT64_MAX
#define DRAM_NEVER UINT64_MAX
#define DRAM_ACTIVATES 4u /* of tFAW */

enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE, DRAM_COMMANDS };
enum dram_scope { DRAM_SAME_BANK, DRAM_SAME_GROUP, DRAM_SAME_CHANNEL, DRAM_SCOPES };

struct dram_timing {
    uint32_t burst;      /* data cycles of one column command */
    uint32_t tcl;        /* read command to its first data cycle */
    uint32_t tcwl;       /* write command to its first data cycle */
    uint32_t trcd;       /* activate to column command */
    uint32_t trp;        /* precharge to activate or refresh */
    uint32_t tras;       /* activate to precharge */
    uint32_t trc;        /* activate to activate or refresh, one bank */
    uint32_t trrd_s;     /* activate to activate */
    uint32_t trrd_l;     /* the same, inside one bank group */
    uint32_t tfaw;       /* activate to the fourth activate after it; 0 = no such bound */
    uint32_t tccd_s;     /* column command to column command */
    uint32_t tccd_l;     /* the same, inside one bank group */
    uint32_t twr;        /* last written data cycle to precharge */
    uint32_t twtr_s;     /* last written data cycle to read command */
    uint32_t twtr_l;     /* the same, inside one bank group */
    uint32_t trtp;       /* read command to precharge */
    uint32_t turnaround; /* idle data cycles when the bus changes direction */
    uint32_t trfc;       /* refresh to activate or refresh */
    uint64_t trefi;      /* from refresh to refresh; 0 = never refreshed */
};

/* First cycle at which each command may follow what was issued to a bank, a bank group or the channel. */
struct dram_ready {
    uint64_t at[DRAM_COMMANDS];
};

struct dram_bank {
    uint64_t row; /* open row or DRAM_NO_ROW */
    struct dram_ready ready;
    uint32_t group;
};

struct dram_device {
    struct dram_timing timing;
    uint32_t gaps[DRAM_SCOPES][DRAM_COMMANDS][DRAM_COMMANDS]; /* cycles from a command to another */
    uint32_t bank_count;
    uint32_t group_count; /* bank b is in group b % group_count */
    struct dram_bank banks[DRAM_BANKS];
    struct dram_ready groups[DRAM_BANKS];
    struct dram_ready channel;
    uint64_t activates[DRAM_ACTIVATES]; /* cycles of the last ones, a ring */
    uint64_t activate_count;
    uint64_t refresh_due;
    uint64_t refreshes;
};

/* Builds the table of constraints. */
void dram_device_init(struct dram_device *device, const struct dram_timing *timing, uint32_t bank_count,
                      uint32_t group_count);

/* All rows closed, every command legal, the first refresh due one interval after cycle n. */
void dram_device_reset(struct dram_device *device, uint64_t n);

/* One refresh: when its commands are issued, and which banks had a row to close before. */
struct dram_refreshed {
    uint64_t closed;    /* a set of banks; 0: nothing is precharged */
    uint64_t precharge; /* of all banks at once, if any has a row */
    uint64_t start;     /* of the refresh */
};

/* Carries out the next refresh, due by refresh_due, as soon as that is legal. */
struct dram_refreshed dram_refresh_once(struct dram_device *device);

/* Carries out all that are due by cycle n. Must precede any other question about cycle n; n never decreases. Refreshes missed
 * cost nothing. Returns the banks whose rows were closed. */
uint64_t dram_refresh(struct dram_device *device, uint64_t n);

/* Issues a command at cycle n; row is that of an activate. Returns the first cycle after the data of a column command. */
uint64_t dram_issue(struct dram_device *device, enum dram_command command, uint32_t bank, uint64_t row, uint64_t n);

static inline uint64_t dram_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* First cycle at which the command is legal; DRAM_NEVER if the bank has to be opened or closed before. */
static inline uint64_t dram_probe(const struct dram_device *device, enum dram_command command, uint32_t bank)
{
    const struct dram_bank *state = &device->banks[bank];
    if ((state->row == DRAM_NO_ROW) != (command == DRAM_ACTIVATE))
        return DRAM_NEVER;
    return dram_later(dram_later(state->ready.at[command], device->groups[state->group].at[command]),
                      device->channel.at[command]);
}

#endif
