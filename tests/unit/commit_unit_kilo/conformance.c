/* SPDX-License-Identifier: MIT */
#include "bench.h"

/* Cores that decide as soon as they hear, a slice that answers with zeros. */
static uint32_t play(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element;
    if (port == PORT_ACCESS) {
        const uint32_t is_store = packet->message == kit_message(kit, HD_GLOBAL_STORE);
        hd_packet *reply =
            kit_packet(kit, is_store ? HD_GLOBAL_STORE_ACK : HD_GLOBAL_LOAD_REPLY, is_store ? 0 : packet->argument);
        reply->tag = packet->tag;
        kit_send(kit, PORT_ACCESSED, 0, reply, t + 30 * CYCLE);
    } else if (port == PORT_REPLY && packet->message == kit_message(kit, HD_KILO_VERDICT)) {
        hd_packet *outcome = kit_packet(kit, HD_KILO_OUTCOME, sizeof(hd_kilo_lanes));
        memcpy(hd_body(outcome), hd_body_const(packet), sizeof(hd_kilo_lanes));
        outcome->epoch = packet->epoch;
        outcome->flow = packet->flow;
        outcome->source = CORE;
        kit_send(kit, PORT_REQUEST, 0, outcome, t);
    }
    return 0;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t port = 0; port <= PORT_ROOM; port++)
        kit_connect(kit, port, 0, 1 + port % 3, 2 + port % 2);
    kit_respond(kit, play, NULL);
}

static void random_logs(kit_block *kit, uint64_t seed, uint32_t reads)
{
    bench bench = {.kit = kit};
    uint64_t id = 1;
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t size = 1 + (uint32_t)(kit_random(&seed) % 3);
        const hd_kilo_group group = group_of(id, size);
        kit_run_until(kit, t);
        for (uint32_t k = 0; k < 6; k++) {
            const uint32_t lane = (uint32_t)(kit_random(&seed) % size); /* no conflicts within a warp */
            const hd_kilo_word word = {.address = AT(10 * lane + kit_random(&seed) % 10),
                                       .value = kit_random(&seed) % 8 == 0,
                                       .lane = (uint8_t)lane,
                                       .byte_mask = 15};
            send_words(&bench, k < reads ? HD_KILO_READ_SET : HD_KILO_WRITE_SET, group, &word, 1, 0, t);
        }
        send_lanes(&bench, HD_KILO_DONE_SKIP, group, group.lanes, group.lanes, t);
        id += size;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 40 * CYCLE;
    }
}

static void random_load(kit_block *kit, uint64_t seed)
{
    random_logs(kit, seed, 3);
}

static void random_writes(kit_block *kit, uint64_t seed)
{
    random_logs(kit, seed, 0);
}

Test(kilo_unit, conforms)
{
    static const char *const warps[] = {"aggregate=true",  "coalesce=32 B", "history=lwh512",
                                        "dual_issue=true", "entries=64",    NULL};
    static const char *const telling[] = {"broadcast=words", "broadcast.entries=9", "broadcast.interval=2", NULL};
    static const char *const signatures[] = {"history=bfarray", "hazard.rate=2", NULL};
    cr_expect_eq(kit_conformance(&hd_commit_unit_kilo, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_commit_unit_kilo, warps, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_commit_unit_kilo, signatures, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_commit_unit_kilo, telling, connect_ports, random_load), 0);
    cr_expect_eq(
        kit_conformance(&hd_commit_unit_kilo, (const char *[]){"validate=nothing", NULL}, connect_ports, random_writes),
        0);
}
