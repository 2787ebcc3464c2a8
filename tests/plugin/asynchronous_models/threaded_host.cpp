// SPDX-License-Identifier: MIT
#include "threaded_host.h"

#include "host_program.h"

threaded_host::threaded_host(sc_core::sc_module_name name, bool stops, std::chrono::microseconds takes,
                             std::uint64_t accesses)
    : asynchronous_host(name, stops), takes(takes), accesses(accesses)
{
}

void threaded_host::start_of_simulation()
{
    program = std::thread([this] { run_host_program([this](peer_message &each) { return think_and_access(each); }); });
}

threaded_host::~threaded_host()
{
    leave();
    if (program.joinable())
        program.join();
}

bool threaded_host::think_and_access(peer_message &message)
{
    std::this_thread::sleep_for(takes);
    if (accesses && begun++ == accesses) {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return is_over; });
        return false;
    }
    return access(message);
}
