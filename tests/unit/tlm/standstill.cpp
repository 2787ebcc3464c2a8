// SPDX-License-Identifier: MIT
// Who is waited for in real time, for how long, and what ends it; without a machine.
#include <chrono>
#include <criterion/criterion.h>
#include <cstdarg>
#include <string>
#include <systemc>
#include <thread>

#include "standstill.h"

using namespace heddle;

// Whose thread works on a request, or does not.
class played_end : public port_end
{
  public:
    bool holds = false, is_late = false;

    explicit played_end(surroundings &around) : port_end(around, "l2.memory")
    {
    }
    void transmit(hd_packet *) override
    {
    }
    void credit(hd_link *) override
    {
    }
    bool peer_is_ours() override
    {
        return false;
    }
    bool holds_time() const override
    {
        return holds;
    }
    std::string describe_overdue(real_clock::time_point, const char *ours) const override
    {
        return is_late ? std::string("nothing for ") + ours : "";
    }
};

// What a model's thread says to SystemC, after a while.
class played_door : public sc_core::sc_prim_channel
{
  public:
    void open_later()
    {
        thread = std::thread([this] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            async_request_update();
        });
    }
    ~played_door() override
    {
        if (thread.joinable())
            thread.join();
    }

  private:
    std::thread thread;
};

static void append_line(void *context, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    static_cast<std::string *>(context)->append(line).append("\n");
}

struct played {
    surroundings around;
    bool interrupts = false;
    standstill still{around, [this] { return interrupts; }};
    played_end end{around};
    played_door door;

    played()
    {
        around.engine = hd_engine_create();
        still.add(end, "l2.memory", "dram.access");
    }
    ~played()
    {
        hd_engine_destroy(around.engine);
    }
    const char *fault() const
    {
        return hd_engine_fault(around.engine, nullptr, nullptr);
    }
    std::string silent() const
    {
        std::string text;
        const hd_text_sink sink = {&text, append_line};
        still.describe_silent(sink);
        return text;
    }
    double seconds_of_wait_for_beginning(bool expected)
    {
        const auto began = real_clock::now();
        cr_expect_eq(still.wait_for_beginning(true), expected);
        return std::chrono::duration<double>(real_clock::now() - began).count();
    }
};

static constexpr hd_time ms = HD_PS_PER_SECOND / 1000;

Test(standstill, waits_for_nobody_who_works_on_nothing)
{
    played test;
    cr_expect_not(test.still.wait());
    cr_expect_not(test.still.wait_for_beginning(true));
    cr_expect_str_empty(test.silent().c_str());
}

Test(standstill, ends_when_a_thread_has_something_to_say)
{
    played test;
    test.end.holds = true;
    test.door.open_later();
    cr_expect(test.still.wait());
    cr_expect_not(test.still.is_interrupted());
    cr_expect_null(test.fault());
}

Test(standstill, ends_with_a_fault_when_an_answer_is_overdue)
{
    played test;
    test.end.holds = test.end.is_late = true;
    cr_expect_not(test.still.wait());
    cr_assert_not_null(test.fault());
    cr_expect_str_eq(test.fault(), "dram.access: nothing for l2.memory");
    test.end.is_late = false;
    cr_expect_not(test.still.wait(), "after a fault nobody is waited for");
    test.still.add_beginner("cpu.bus", 86400000 * ms);
    cr_expect_not(test.still.wait_for_beginning(true));
}

Test(standstill, is_interrupted)
{
    played test;
    test.end.holds = test.interrupts = true;
    cr_expect_not(test.still.wait());
    cr_expect(test.still.is_interrupted());
    cr_expect_null(test.fault());
}

Test(standstill, for_a_beginning_lasts_until_a_thread_says_so)
{
    played test;
    test.still.add_beginner("cpu.bus", 100000 * ms);
    cr_expect_not(test.still.wait_for_beginning(false), "something moves");
    test.door.open_later();
    cr_expect(test.still.wait_for_beginning(true));
    cr_expect_str_empty(test.silent().c_str());
}

Test(standstill, for_a_beginning_ends_in_time_and_is_not_repeated_before_something_moves)
{
    played test;
    test.still.add_beginner("cpu.bus", 100 * ms);
    test.still.add_beginner("uart.event", 400 * ms);
    cr_expect_geq(test.seconds_of_wait_for_beginning(false), 0.4, "the longest time is that of all");
    cr_expect_not(test.still.is_interrupted());
    const std::string text = test.silent();
    cr_expect_neq(
        text.find("cpu.bus, a model from elsewhere: is waited for while nothing else moves, and has begun nothing "
                  "(begins_within: 100 ms)\nuart.event, "),
        std::string::npos, "%s", text.c_str());
    cr_expect_lt(test.seconds_of_wait_for_beginning(false), 0.4);
    cr_expect_eq(test.silent(), text);
    cr_expect_not(test.still.wait_for_beginning(false));
    cr_expect_str_empty(test.silent().c_str());
    cr_expect_geq(test.seconds_of_wait_for_beginning(false), 0.4);
}

Test(standstill, for_a_beginning_is_interrupted)
{
    played test;
    test.interrupts = true;
    test.still.add_beginner("cpu.bus", 86400000 * ms);
    cr_expect_not(test.still.wait_for_beginning(true));
    cr_expect(test.still.is_interrupted());
    cr_expect_neq(test.silent().find("(begins_within: 86400 s)"), std::string::npos, "%s", test.silent().c_str());
}

Test(standstill, for_a_beginning_is_over_when_a_model_has_stopped_simulation)
{
    played test;
    test.still.add_beginner("cpu.bus", 86400000 * ms);
    sc_core::sc_stop();
    cr_expect_not(test.still.wait_for_beginning(true));
    cr_expect_str_empty(test.silent().c_str());
}
