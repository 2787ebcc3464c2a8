/* The block by itself; kit.h says what the kit can do. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "@name@.h"
#include "hd_extension.h"
#include "kit.h"

#define LATENCY 7
#define BYTES 64

/* The memory below answers at once. Each byte of it is the number of the piece of 64 bytes in which it lies. */
static uint32_t answer(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    int is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    (void)context;
    if (port != @NAME@_MEMORY)
        return 0;
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    response->destination = packet->source;
    response->tag = packet->tag;
    response->argument = HD_STATUS_OK;
    for (uint32_t i = 0; i < response->body_bytes; i++)
        ((uint8_t *)hd_body(response))[i] = (uint8_t)((packet->address + i) / BYTES);
    kit_free(kit, packet);
    kit_send(kit, port, element, response, t);
    return 1;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t port = 0; port < @NAME@_PORTS; port++)
        kit_connect(kit, port, 0, 1, 4);
    kit_respond(kit, answer, NULL);
}

static kit_block *make(const char *latency, const char *room)
{
    kit_block *kit = kit_create(&@name@_class, (const char *[]){latency, room, NULL});
    connect_ports(kit);
    return kit;
}

static void send(kit_block *kit, const char *message, uint64_t tag, hd_time t)
{
    int is_memory = strcmp(message, HD_GLOBAL_LOAD) != 0, is_write = strcmp(message, HD_MEMORY_WRITE) == 0;
    hd_packet *packet = kit_packet(kit, message, is_write ? BYTES : 0);
    packet->source = 1;
    packet->tag = tag;
    packet->address = tag * BYTES;
    packet->argument = BYTES;
    kit_send(kit, is_memory ? @NAME@_ACCESS : @NAME@_IN, 0, packet, t);
}

Test(@name@, brings_requests_down_and_responses_back)
{
    kit_block *kit = make("latency=7 cycles", NULL);
    send(kit, HD_MEMORY_READ, 42, 0);
    send(kit, HD_MEMORY_WRITE, 43, 0);
    hd_packet *response = kit_receive(kit, @NAME@_ACCESS, 0, 1000000);
    cr_assert_not_null(response);
    cr_expect_eq(response->tag, 42);
    cr_expect_eq(((uint8_t *)hd_body(response))[BYTES - 1], 42);
    kit_free(kit, response);
    kit_free(kit, kit_receive(kit, @NAME@_ACCESS, 0, 1000000));
    cr_expect_eq(kit_statistic(kit, "requests"), 2);
    cr_expect_eq(kit_statistic(kit, "responses"), 2);
    kit_destroy(kit);
}

/* There and back, with a link of a cycle on either side each way. */
Test(@name@, takes_its_latency_each_way)
{
    kit_block *kit = make("latency=7 cycles", NULL);
    send(kit, HD_MEMORY_READ, 1, 0);
    hd_time back = kit_edge(kit, LATENCY) + kit_cycles(kit, 1 + LATENCY + 1);
    cr_expect_null(kit_receive(kit, @NAME@_ACCESS, 0, back - 1));
    hd_packet *response = kit_receive(kit, @NAME@_ACCESS, 0, back);
    cr_assert_not_null(response);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(@name@, passes_messages_on_unchanged_and_in_order)
{
    kit_block *kit = make("latency=7 cycles", NULL);
    for (uint64_t tag = 0; tag < 9; tag++)
        send(kit, HD_GLOBAL_LOAD, tag, 0);
    for (uint64_t tag = 0; tag < 9; tag++) {
        hd_packet *packet = kit_receive(kit, @NAME@_OUT, 0, 1000000);
        cr_assert_not_null(packet);
        cr_expect_eq(packet->tag, tag);
        cr_expect_eq(packet->address, tag * BYTES);
        cr_expect_str_eq(kit_message_name(kit, packet->message), HD_GLOBAL_LOAD);
        kit_free(kit, packet);
    }
    cr_expect_eq(kit_statistic(kit, "messages"), 9);
    kit_destroy(kit);
}

Test(@name@, holds_no_more_than_its_room)
{
    kit_block *kit = make("latency=100 cycles", "room=2");
    for (uint64_t tag = 0; tag < 4; tag++)
        send(kit, HD_GLOBAL_LOAD, tag, 0);
    kit_run_until(kit, kit_edge(kit, 50));
    cr_expect_eq(kit_statistic(kit, "held_maximum"), 2);
    kit_run_until(kit, kit_edge(kit, 1000));
    cr_expect_eq(kit_statistic(kit, "held_maximum"), 2);
    cr_expect_eq(kit_statistic(kit, "messages"), 4);
    kit_destroy(kit);
}

static void keep_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep_line(void *context, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(context, 80, format, values);
    va_end(values);
}

/* A hang is told by what still has work. */
Test(@name@, says_what_it_holds)
{
    kit_block *kit = make("latency=100 cycles", NULL);
    hd_block *block = kit_instance(kit);
    const hd_pending *pending = @name@_class.extension(block, HD_EXTENSION_PENDING);
    char line[80] = "";
    const hd_text_sink sink = {line, keep_line};
    cr_assert_not_null(pending);
    cr_expect(!pending->has_work(block));
    kit_hold_credits(kit, @NAME@_OUT, 0, 1);
    for (uint64_t tag = 0; tag < 6; tag++)
        send(kit, HD_GLOBAL_LOAD, tag, 0);
    kit_run_until(kit, kit_edge(kit, 50));
    cr_expect(pending->has_work(block));
    pending->describe(block, &sink);
    cr_expect_str_eq(line, "6 messages are about to leave");
    kit_run_until(kit, kit_edge(kit, 1000));
    pending->describe(block, &sink);
    cr_expect_str_eq(line, "2 messages wait for a credit");
    kit_hold_credits(kit, @NAME@_OUT, 0, 0);
    kit_release_credits(kit, @NAME@_OUT, 0, 4, kit_now(kit));
    kit_run_until(kit, kit_edge(kit, 2000));
    cr_expect(!pending->has_work(block));
    kit_destroy(kit);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    static const char *const messages[] = {HD_MEMORY_READ, HD_MEMORY_WRITE, HD_GLOBAL_LOAD};
    hd_time t = kit_now(kit);
    for (uint64_t i = 0; i < 300; i++) {
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20000;
        send(kit, messages[kit_random(&seed) % 3], i, t);
    }
}

/* The rules that every block keeps: life cycle, refusals, independence of how it is called. */
Test(@name@, conforms)
{
    cr_expect_eq(kit_conformance(&@name@_class, NULL, connect_ports, random_load), 0);
}
