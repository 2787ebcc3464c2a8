// SPDX-License-Identifier: MIT
// What a thread finds out in real time, and tells SystemC when it is ready.
#ifndef LATE_THOUGHT_H
#define LATE_THOUGHT_H

#include <chrono>
#include <systemc>
#include <thread>

class late_thought : public sc_core::sc_prim_channel
{
  public:
    sc_core::sc_event found;

    late_thought() : sc_prim_channel("thought")
    {
    }
    ~late_thought() override
    {
        if (thread.joinable())
            thread.join();
    }
    void begin(std::chrono::milliseconds takes)
    {
        thread = std::thread([this, takes] {
            std::this_thread::sleep_for(takes);
            async_request_update();
        });
    }

  private:
    std::thread thread;

    void update() override
    {
        found.notify(sc_core::SC_ZERO_TIME);
    }
};

#endif
