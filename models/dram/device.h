/* SPDX-License-Identifier: MIT */
/*
 * The DRAM devices of one channel: which command may be issued at which memory cycle.
 *
 * dram_*_ready tells the first cycle at which a command is legal, given the commands issued so far; dram_issue_* changes
 * the state and must not come earlier. Cycles are edge indices of the memory clock. A column command moves one burst.
 */
#ifndef DRAM_DEVICE_H
#define DRAM_DEVICE_H

#include <stdint.h>

#define DRAM_BANKS 64u
#define DRAM_NO_ROW UINT64_MAX

struct dram_timing {
    uint32_t burst;            /* data cycles of one column command */
    uint32_t cas;              /* tCL: read command to its first data cycle */
    uint32_t write;            /* tWL: write command to its first data cycle */
    uint32_t activate;         /* tRCD: activate to column command */
    uint32_t precharge;        /* tRP: precharge to activate */
    uint32_t row_active;       /* tRAS: activate to precharge */
    uint32_t row_cycle;        /* tRC: activate to activate, one bank */
    uint32_t row_to_row;       /* tRRD: activate to activate, any banks */
    uint32_t column;           /* tCCD: column command to column command */
    uint32_t column_long;      /* tCCDL: the same, inside one bank group */
    uint32_t recovery;         /* tWR: last written data cycle to precharge */
    uint32_t write_read;       /* tCDLR (tWTR): last written data cycle to read command */
    uint32_t read_pre;         /* tRTP: read command to precharge */
    uint32_t turnaround;       /* idle data cycles when the bus changes direction */
    uint64_t refresh_interval; /* tREFI; 0 = never refreshed */
    uint32_t refresh_time;     /* tRFC: refresh to activate */
};

struct dram_bank {
    uint64_t row; /* open row or DRAM_NO_ROW */
    uint64_t activate_ready;
    uint64_t precharge_ready;
    uint64_t column_ready;
    uint32_t group;
};

struct dram_device {
    struct dram_timing timing;
    uint32_t bank_count;
    uint32_t group_count;
    struct dram_bank banks[DRAM_BANKS];
    uint64_t group_ready[DRAM_BANKS]; /* column command, by bank group */
    uint64_t activate_ready;          /* any bank */
    uint64_t read_ready;
    uint64_t write_ready;
    uint64_t refresh_due;
    uint64_t refreshes;
};

/* All rows closed, every command legal, the first refresh due one interval after cycle n. */
void dram_device_reset(struct dram_device *device, uint64_t n);

/* Carries out the refreshes due by cycle n. Must precede any other question about cycle n; n never decreases. Returns
 * how many open rows it closed. */
uint32_t dram_refresh(struct dram_device *device, uint64_t n);

static inline uint64_t dram_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t dram_activate_ready(const struct dram_device *device, uint32_t bank)
{
    return dram_later(device->banks[bank].activate_ready, device->activate_ready);
}

static inline uint64_t dram_precharge_ready(const struct dram_device *device, uint32_t bank)
{
    return device->banks[bank].precharge_ready;
}

static inline uint64_t dram_column_ready(const struct dram_device *device, uint32_t bank, uint32_t is_write)
{
    const struct dram_bank *state = &device->banks[bank];
    const uint64_t bank_ready = dram_later(state->column_ready, device->group_ready[state->group]);
    return dram_later(bank_ready, is_write ? device->write_ready : device->read_ready);
}

void dram_issue_activate(struct dram_device *device, uint32_t bank, uint64_t row, uint64_t n);
void dram_issue_precharge(struct dram_device *device, uint32_t bank, uint64_t n);
/* Returns the first cycle after the burst's data. */
uint64_t dram_issue_column(struct dram_device *device, uint32_t bank, uint32_t is_write, uint64_t n);

#endif
