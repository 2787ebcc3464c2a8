// SPDX-License-Identifier: MIT
#include "threaded_memory.h"

#include <random>

static constexpr unsigned int servers = 3;

threaded_memory::threaded_memory(sc_core::sc_module_name name, const settings &how, std::chrono::microseconds takes,
                                 std::uint64_t answered)
    : asynchronous_memory(name, how), takes(takes), answered(answered)
{
    for (unsigned int i = 0; i < servers; i++)
        threads.emplace_back(&threaded_memory::serve, this);
}

threaded_memory::~threaded_memory()
{
    {
        std::lock_guard<std::mutex> guard(lock);
        is_over = true;
    }
    changed.notify_all();
    for (std::thread &each : threads)
        each.join();
}

void threaded_memory::ask(std::uint64_t tag, tlm::tlm_generic_payload &payload)
{
    std::lock_guard<std::mutex> guard(lock);
    if (answered && tag >= answered)
        return;
    waiting.push_back({tag, &payload});
    changed.notify_one();
}

// The thread has done it.
void threaded_memory::fetch(std::uint64_t, tlm::tlm_generic_payload &)
{
}

unsigned int threaded_memory::access_untimed(tlm::tlm_generic_payload &payload)
{
    std::lock_guard<std::mutex> guard(lock);
    return pages.access(payload);
}

void threaded_memory::serve()
{
    std::random_device chance;
    std::unique_lock<std::mutex> guard(lock);
    for (;;) {
        changed.wait(guard, [this] { return is_over || !waiting.empty(); });
        if (is_over)
            return;
        const work mine = waiting.front();
        waiting.pop_front();
        pages.access(*mine.payload); // in the order of requests; only the answer takes its time
        guard.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(chance() % (takes.count() + 1)));
        answers.put(mine.tag);
        guard.lock();
    }
}
