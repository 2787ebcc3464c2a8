// SPDX-License-Identifier: MIT
#include "door.h"

door::door(bool suspends) : sc_prim_channel("door"), suspends(suspends)
{
    if (suspends)
        async_attach_suspending();
}

door::~door()
{
    if (suspends)
        async_detach_suspending();
}

void door::put(std::uint64_t tag)
{
    {
        std::lock_guard<std::mutex> guard(lock);
        answered.push_back(tag);
    }
    async_request_update();
}

void door::fail(const std::string &why)
{
    {
        std::lock_guard<std::mutex> guard(lock);
        failed = why;
    }
    async_request_update();
}

bool door::take(std::uint64_t &tag)
{
    std::lock_guard<std::mutex> guard(lock);
    if (answered.empty())
        return false;
    tag = answered.front();
    answered.pop_front();
    return true;
}

std::string door::failure()
{
    std::lock_guard<std::mutex> guard(lock);
    return failed;
}

void door::update()
{
    opened.notify(sc_core::SC_ZERO_TIME);
}
