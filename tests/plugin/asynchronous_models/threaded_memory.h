// SPDX-License-Identifier: MIT
// A memory that is served by threads, each request in a real time of its own.
#ifndef THREADED_MEMORY_H
#define THREADED_MEMORY_H

#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>
#include <vector>

#include "../foreign_models/memory_pages.h"
#include "asynchronous_memory.h"

class threaded_memory : public asynchronous_memory
{
  public:
    // takes: at most, real time; answered: requests, 0: all.
    threaded_memory(sc_core::sc_module_name name, const settings &how, std::chrono::microseconds takes,
                    std::uint64_t answered);
    ~threaded_memory() override;

  private:
    struct work {
        std::uint64_t tag;
        tlm::tlm_generic_payload *payload;
    };
    const std::chrono::microseconds takes;
    const std::uint64_t answered;
    std::mutex lock;
    std::condition_variable changed;
    std::deque<work> waiting;
    bool is_over = false;
    memory_pages pages;
    std::vector<std::thread> threads;

    void ask(std::uint64_t tag, tlm::tlm_generic_payload &payload) override;
    void fetch(std::uint64_t, tlm::tlm_generic_payload &) override;
    unsigned int access_untimed(tlm::tlm_generic_payload &payload) override;
    void serve();
};

#endif
