/* SPDX-License-Identifier: MIT */
/* A program outside of the simulator: its lanes share the bus. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "driver.h"
#include "rig.h"

enum { LANES = 3, PACKETS = 8 };

static void post_write(host_driver *driver, uint32_t lane, uint64_t address, uint64_t bytes)
{
    static const uint8_t zeros[4096];
    host_operation *operation = calloc(1, sizeof *operation);
    operation->kind = HOST_OPERATION_ACCESS;
    operation->ticket = lane;
    operation->call = (host_call){.kind = HOST_CALL_WRITE, .address = address, .bytes = bytes, .from = zeros};
    host_driver_post(driver, lane, operation);
}

/* Each lane writes to its own 4 KiB; after each lane's first packet they go one after the other. */
Test(host, lanes_take_turns_on_the_bus)
{
    static rig r;
    r.device.memory = malloc(DEVICE_BYTES);
    device_reset(&r.device);
    r.kit = kit_create(&hd_host_native, (const char *[]){"packet_bytes=256 B", NULL});
    kit_connect(r.kit, PORT_BUS, 0, 1, 0);
    kit_connect(r.kit, PORT_INTERRUPT, 0, 1, 0);
    kit_respond(r.kit, device_respond, &r.device);
    kit_start(r.kit);
    host_driver *driver = host_driver_create(kit_instance(r.kit));
    kit_reset(r.kit);
    for (uint32_t lane = 0; lane < LANES; lane++)
        post_write(driver, lane, HD_GLOBAL_BASE + 4096 * lane, PACKETS * 256);
    kit_wake(r.kit);
    kit_run_until(r.kit, 10000 * 1000);

    uint32_t count, next[LANES] = {0};
    const kit_event *events = kit_trace(r.kit, &count);
    cr_assert_eq(count, LANES * PACKETS);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t offset = events[i].packet.address - HD_GLOBAL_BASE;
        cr_expect_eq(offset / 4096, i % LANES, "packet %u", i);
        cr_expect_eq(offset % 4096, 256 * next[offset / 4096]++, "packet %u", i);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        host_operation *done = host_driver_take(driver);
        cr_assert_not_null(done);
        cr_expect_eq(done->ticket, lane, "who began first is done first");
        host_operation_free(done);
    }
    kit_destroy(r.kit);
    free(r.device.memory);
}
