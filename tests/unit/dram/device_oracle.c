/* SPDX-License-Identifier: MIT */
#include "device_oracle.h"

#include <string.h>

#define RULE(first, second, where, name, expression)                                                                   \
    static int64_t name(const struct dram_timing *t)                                                                   \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#include "device_rules.def"
#undef RULE

const oracle_rule oracle_rules[] = {
#define RULE(first, second, where, name, expression) {#name, first, second, where, name},
#include "device_rules.def"
#undef RULE
};
const uint32_t oracle_rule_count = sizeof oracle_rules / sizeof *oracle_rules;

void oracle_init(oracle *o, const struct dram_timing *timing, uint32_t banks, uint32_t groups)
{
    *o = (oracle){.timing = *timing, .banks = banks, .groups = groups};
    memset(o->rows, 0xFF, sizeof o->rows);
    o->refresh_due = timing->trefi ? timing->trefi : UINT64_MAX;
}

static int concerns(const oracle *o, const oracle_rule *rule, uint32_t bank, uint32_t other)
{
    return rule->where == ANYWHERE || bank == other ||
           (rule->where == IN_GROUP && bank % o->groups == other % o->groups);
}

static int has_time_since(const oracle *o, const oracle_command *past, uint32_t command, uint32_t bank, uint64_t n)
{
    for (uint32_t r = 0; r < oracle_rule_count; r++) {
        const oracle_rule *rule = &oracle_rules[r];
        if (rule->first == past->command && rule->second == command && concerns(o, rule, bank, past->bank) &&
            (int64_t)n < (int64_t)past->n + rule->cycles(&o->timing))
            return 0;
    }
    return 1;
}

static int has_right_row(const oracle *o, uint32_t command, uint32_t bank)
{
    return command == REFRESH || (o->rows[bank] == DRAM_NO_ROW) == (command == DRAM_ACTIVATE);
}

int oracle_allows(const oracle *o, uint32_t command, uint32_t bank, uint64_t n)
{
    uint32_t activates = 0;
    if (!has_right_row(o, command, bank))
        return 0;
    for (uint64_t i = o->count > ORACLE_HISTORY ? o->count - ORACLE_HISTORY : 0; i < o->count; i++) {
        const oracle_command *past = &o->history[i % ORACLE_HISTORY];
        if (!has_time_since(o, past, command, bank, n))
            return 0;
        activates += past->command == DRAM_ACTIVATE && n < past->n + o->timing.tfaw;
    }
    return command != DRAM_ACTIVATE || activates < 4;
}

uint64_t oracle_earliest(const oracle *o, uint32_t command, uint32_t bank, uint64_t from)
{
    if (!has_right_row(o, command, bank))
        return DRAM_NEVER;
    while (!oracle_allows(o, command, bank, from))
        from++;
    return from;
}

void oracle_issue(oracle *o, uint32_t command, uint32_t bank, uint64_t row, uint64_t n)
{
    o->history[o->count++ % ORACLE_HISTORY] = (oracle_command){command, bank, n};
    if (command == DRAM_ACTIVATE)
        o->rows[bank] = row;
    else if (command == DRAM_PRECHARGE)
        o->rows[bank] = DRAM_NO_ROW;
}

void oracle_refresh(oracle *o, uint64_t n)
{
    for (; n >= o->refresh_due; o->refresh_due += o->timing.trefi) {
        uint64_t start = o->refresh_due;
        for (uint32_t bank = 0; bank < o->banks; bank++) {
            if (o->rows[bank] != DRAM_NO_ROW)
                oracle_issue(o, DRAM_PRECHARGE, bank, 0, oracle_earliest(o, DRAM_PRECHARGE, bank, o->refresh_due));
            start = oracle_earliest(o, REFRESH, bank, start);
        }
        oracle_issue(o, REFRESH, 0, 0, start);
    }
}
