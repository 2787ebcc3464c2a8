/* The block by itself; kit.h says what the kit can do. */
#include <criterion/criterion.h>
#include <string.h>

#include "@name@.h"
#include "kit.h"

#define LATENCY 7
#define BYTES 64

static kit_block *make(void)
{
    kit_block *kit = kit_create(&@name@_class, (const char *[]){"latency=7 cycles", NULL});
    kit_connect(kit, @NAME@_ACCESS, 0, 1, 4);
    return kit;
}

static void send(kit_block *kit, const char *message, uint64_t address, uint8_t fill, hd_time t)
{
    int is_write = strcmp(message, HD_MEMORY_WRITE) == 0;
    hd_packet *request = kit_packet(kit, message, is_write ? BYTES : 0);
    request->address = address;
    request->argument = BYTES;
    if (is_write)
        memset(hd_body(request), fill, BYTES);
    kit_send(kit, @NAME@_ACCESS, 0, request, t);
}

Test(@name@, reads_what_was_written)
{
    kit_block *kit = make();
    send(kit, HD_MEMORY_WRITE, 0x10000000, 42, 0);
    send(kit, HD_MEMORY_READ, 0x10000000, 0, 0);
    kit_free(kit, kit_receive(kit, @NAME@_ACCESS, 0, 1000000));
    hd_packet *response = kit_receive(kit, @NAME@_ACCESS, 0, 1000000);
    cr_assert_not_null(response);
    cr_expect_eq(response->argument, HD_STATUS_OK);
    cr_expect_eq(((uint8_t *)hd_body(response))[BYTES - 1], 42);
    cr_expect_eq(kit_statistic(kit, "reads"), 1);
    cr_expect_eq(kit_statistic(kit, "writes"), 1);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(@name@, answers_after_its_latency)
{
    kit_block *kit = make();
    send(kit, HD_MEMORY_READ, 0, 0, 0);
    hd_time arrival = kit_edge(kit, LATENCY) + kit_cycles(kit, 1);
    cr_expect_null(kit_receive(kit, @NAME@_ACCESS, 0, arrival - 1));
    hd_packet *response = kit_receive(kit, @NAME@_ACCESS, 0, arrival);
    cr_assert_not_null(response);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(@name@, takes_no_more_requests_than_its_queue_holds)
{
    static const char *const one[] = {"latency=7 cycles", "queue=1", NULL};
    kit_block *kits[] = {make(), kit_create(&@name@_class, one)};
    kit_connect(kits[1], @NAME@_ACCESS, 0, 1, 4);
    for (uint32_t i = 0; i < 2; i++) {
        send(kits[i], HD_MEMORY_READ, 0, 0, 0);
        send(kits[i], HD_MEMORY_READ, BYTES, 0, 0);
        kit_run_until(kits[i], 1000000);
        cr_expect_eq(kit_waiting(kits[i], @NAME@_ACCESS, 0), 2);
        cr_expect_eq(kit_statistic(kits[i], "queue_maximum"), 2 - i);
        kit_destroy(kits[i]);
    }
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (int i = 0; i < 300; i++) {
        uint64_t address = kit_random(&seed) % 1024 * BYTES;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20000;
        send(kit, kit_random(&seed) % 2 ? HD_MEMORY_WRITE : HD_MEMORY_READ, address, (uint8_t)i, t);
    }
}

/* The rules that every block keeps: life cycle, refusals, independence of how it is called. */
Test(@name@, conforms)
{
    cr_expect_eq(kit_conformance(&@name@_class, NULL, NULL, random_load), 0);
}
