/* SPDX-License-Identifier: MIT */
/* What the scoreboard knows of lanes of several rows, row by row. */
#include "scoreboard.h"

uint64_t scoreboard_conflicts_apart(const scoreboard *board, lane_homes homes, uint64_t registers, uint64_t mask)
{
    uint64_t conflicts = 0;
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        conflicts |= scoreboard_conflicts(board, homes_of_row(part.row), registers, part.lanes);
    }
    return conflicts;
}

uint64_t scoreboard_loads_apart(const scoreboard *board, lane_homes homes, uint64_t registers, uint64_t mask)
{
    uint64_t loads = 0;
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        const lane_homes home = homes_of_row(part.row);
        loads |= scoreboard_loads(board, home, scoreboard_conflicts(board, home, registers, part.lanes), part.lanes);
    }
    return loads;
}

void scoreboard_reserve_apart(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask, int is_load)
{
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        scoreboard_reserve(board, homes_of_row(part.row), number, part.lanes, is_load);
    }
}

uint64_t scoreboard_release_apart(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask)
{
    uint64_t pending = 0;
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        pending |= scoreboard_release(board, homes_of_row(part.row), number, part.lanes);
    }
    return pending;
}
