/* SPDX-License-Identifier: MIT */
/* Which links a packet takes through the mesh, and what its buffers let through. */
#include "bench.h"

#include <stdio.h>

enum { NODES = 9, FLITS = 64, LONG_BEGINS = 0, SHORT_COMES = 30 };

/* When a packet of one flit from a node to its neighbour leaves, beside a long one from node 0 to node 8 of a 3 x 3 mesh. */
static hd_time neighbour_leaves(uint32_t from, uint32_t to)
{
    kit_block *kit = make_of(&hd_crossbar_mesh_2d, (const char *[]){"columns=3", "rows=3", NULL}, NODES, NODES, FLITS);
    put(kit, 0, 8, FLITS * FLIT, 0, LONG_BEGINS);
    put(kit, from, to, FLIT, 1, SHORT_COMES * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2);
    const hd_time left = events[events[0].packet.tag == 1 ? 0 : 1].t;
    kit_destroy(kit);
    return left - SHORT_COMES * CYCLE;
}

/* Along the row first, then along the column: 0, 1, 2, 5, 8. A packet on one of these links waits for the long one's tail. */
Test(crossbar_mesh, packets_go_along_the_row_first)
{
    static const struct {
        uint32_t from, to, is_on_the_way;
    } links[] = {{1, 2, 1}, {2, 5, 1}, {5, 8, 1}, {1, 4, 0}, {3, 4, 0}, {4, 5, 0}, {3, 6, 0}, {6, 7, 0}};
    const hd_time alone = (3 + 1 + 3) * CYCLE;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const hd_time left = neighbour_leaves(links[i].from, links[i].to);
        if (links[i].is_on_the_way)
            cr_expect_gt(left, alone + 20 * CYCLE, "%u to %u", links[i].from, links[i].to);
        else
            cr_expect_eq(left, alone, "%u to %u", links[i].from, links[i].to);
    }
}

/* A place is used again one link to the next router, its latency, and one link for the credit after it was used before. */
static hd_time last_flit(uint32_t router, uint32_t link, uint32_t places)
{
    const uint32_t round_trip = 2 * link + router;
    const uint32_t before = FLITS - 1;
    const uint32_t wait = places >= round_trip ? before : before / places * round_trip + before % places;
    return (hd_time)(router + wait + link + router) * CYCLE;
}

Test(crossbar_mesh, a_place_in_a_buffer_is_used_again_after_a_round_trip)
{
    static const uint32_t routers[] = {1, 3}, links[] = {1, 2, 4};
    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t l = 0; l < 3; l++)
            for (uint32_t places = 1; places <= 2 * links[l] + routers[r] + 1; places++) {
                char router[40], link[40], buffer[40];
                snprintf(router, sizeof router, "router_latency=%u cycles", routers[r]);
                snprintf(link, sizeof link, "link_latency=%u cycles", links[l]);
                snprintf(buffer, sizeof buffer, "buffer_flits=%u", places);
                kit_block *kit = make_of(&hd_crossbar_mesh_2d,
                                         (const char *[]){router, link, buffer, "columns=2", "rows=1", NULL}, 2, 2, 8);
                put(kit, 0, 1, FLITS * FLIT, 0, 0);
                kit_run_until(kit, 2000 * CYCLE);
                uint32_t count;
                const kit_event *events = kit_trace(kit, &count);
                cr_assert_eq(count, 1);
                cr_expect_eq(events[0].t, last_flit(routers[r], links[l], places),
                             "router %u, link %u, %u places: %llu instead of %llu", routers[r], links[l], places,
                             (unsigned long long)events[0].t,
                             (unsigned long long)last_flit(routers[r], links[l], places));
                kit_destroy(kit);
            }
}
