/* SPDX-License-Identifier: MIT */
/* A program outside of the simulator: its lanes share the bus. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "hd_extension.h"
#include "rig.h"

enum { LANES = 3, PACKETS = 8 };

static void post(host_driver *driver, uint32_t lane, host_call call)
{
    host_operation *operation = calloc(1, sizeof *operation);
    operation->kind = HOST_OPERATION_ACCESS;
    operation->ticket = lane;
    operation->call = call;
    host_driver_post(driver, lane, operation);
}

static void post_write(host_driver *driver, uint32_t lane, uint64_t address, uint64_t bytes)
{
    static const uint8_t zeros[4096];
    post(driver, lane, (host_call){.kind = HOST_CALL_WRITE, .address = address, .bytes = bytes, .from = zeros});
}

/* A driver of a native host without a program; what is posted is done once the kit runs. */
static host_driver *start(rig *r)
{
    r->device.memory = malloc(DEVICE_BYTES);
    device_reset(&r->device);
    r->kit = kit_create(&hd_host_native, (const char *[]){"packet_bytes=256 B", NULL});
    kit_connect(r->kit, PORT_BUS, 0, 1, 0);
    kit_connect(r->kit, PORT_INTERRUPT, 0, 1, 0);
    kit_respond(r->kit, device_respond, &r->device);
    kit_start(r->kit);
    host_driver *driver = host_driver_create(kit_instance(r->kit));
    kit_reset(r->kit);
    return driver;
}

static void end(rig *r)
{
    kit_destroy(r->kit);
    free(r->device.memory);
}

/* Each lane writes to its own 4 KiB; after each lane's first packet they go one after the other. */
Test(host, lanes_take_turns_on_the_bus)
{
    static rig r;
    host_driver *driver = start(&r);
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
    end(&r);
}

static void append(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(void *context, const char *format, ...)
{
    char *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), 1000 - strlen(text), format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

Test(host, lanes_say_what_they_wait_for)
{
    static rig r;
    static uint8_t bytes[64];
    host_driver *driver = start(&r);
    char text[1024] = "";
    post_write(driver, 0, HD_GLOBAL_BASE, 64);
    post(driver, 1, (host_call){.kind = HOST_CALL_READ, .address = HD_GLOBAL_BASE + 64, .bytes = 64, .into = bytes});
    kit_wake(r.kit);
    kit_run_until(r.kit, 2000); /* before a response is there */
    const hd_pending *pending = hd_host_native.extension(kit_instance(r.kit), HD_EXTENSION_PENDING);
    pending->describe(kit_instance(r.kit), &(hd_text_sink){text, append});
    cr_expect_str_eq(text, "the host waits for a write of 64 bytes at 0x10000000: 64 sent, 1 in flight\n"
                           "the host waits for a read of 64 bytes at 0x10000040: 64 sent, 1 in flight\n");
    end(&r);
}
