/* SPDX-License-Identifier: MIT */
#include "slices.h"

#include "memories.h"
#include "micro.h"
#include "statistics.h"

uint32_t slices_with_loads(const hd_machine *machine, uint64_t loads)
{
    const netlist_block *l2 = micro_block(machine, "l2");
    const uint32_t block = (uint32_t)(l2 - hd_machine_netlist(machine)->blocks);
    const uint32_t statistic = class_statistic(l2->block_class, "loads");
    uint32_t slices = 0;
    for (uint32_t i = 0; i < l2->count; i++)
        slices += hd_statistics_instance(hd_machine_statistics(machine), block, i)[statistic] >= loads;
    return slices;
}
