/* SPDX-License-Identifier: MIT */
#include "lane_list.h"

#include <stdio.h>

const char *lane_list(uint64_t mask, char text[LANE_LIST_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t lane = 0; lane < 64; lane++) {
        uint32_t last = lane;
        if (!(mask >> lane & 1))
            continue;
        while (last < 63 && mask >> (last + 1) & 1)
            last++;
        used += (size_t)snprintf(text + used, LANE_LIST_BYTES - used, last > lane ? "%s%u-%u" : "%s%u", used ? "," : "",
                                 lane, last);
        lane = last;
    }
    return text;
}
