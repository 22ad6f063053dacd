// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/shared_memory_backend.h"

#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::cupti::passes;

namespace {

struct Memory : MemoryBackend {
    Result<void> save() override {
        if (!room) return failure(ErrorKind::Device, "no room");
        ++saved;
        return {};
    }
    Result<void> restore() override {
        ++restored;
        return {};
    }
    void release() override { ++released; }
    int saved = 0, restored = 0, released = 0;
    bool room = true;
};

} // namespace

TEST_CASE("Two who want the memory as it was before a launch share a copy, until the last gives it back") {
    Memory memory;
    SharedMemoryBackend shared(memory);
    REQUIRE(shared.save());
    REQUIRE(shared.save());
    CHECK(memory.saved == 1);
    shared.release();
    REQUIRE(shared.restore());
    CHECK(memory.released == 0);
    shared.release();
    shared.release(); // once too often
    CHECK(memory.released == 1);
    memory.room = false;
    CHECK_FALSE(shared.save());
    memory.room = true;
    REQUIRE(shared.save());
    CHECK(memory.saved == 2);
}
