// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/ordered_worker.h"

#include "tests/support/catch.h"

#include <vector>

using dormer::instrument::OrderedWorker;

TEST_CASE("Jobs run in order on one other thread, and finish() waits for all of them") {
    OrderedWorker worker;
    std::vector<int> order;
    std::vector<std::thread::id> threads;
    for (int i = 0; i < 100; ++i) {
        worker.add([&, i] {
            order.push_back(i);
            threads.push_back(std::this_thread::get_id());
        });
    }
    worker.finish();
    REQUIRE(order.size() == 100);
    for (int i = 0; i < 100; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
    CHECK(threads.front() != std::this_thread::get_id());
    CHECK(threads.front() == threads.back());
}

TEST_CASE("A worker goes on after finish(), and needs no job to be ended") {
    OrderedWorker idle;
    idle.finish();
    OrderedWorker worker;
    int done = 0;
    for (int round = 1; round <= 3; ++round) {
        worker.add([&] { ++done; });
        worker.finish();
        CHECK(done == round);
    }
    worker.add([&] { ++done; });
    // the destructor waits, too
}
