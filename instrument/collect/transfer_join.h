// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <cstdint>
#include <vector>

namespace dormer::instrument::collect {

/// Joins equal transfers, and equal calls for memory, of one run of a workload into one record each: a
/// program that copies a hundred thousand times must not leave a hundred thousand records. Equal are those of
/// one kind, direction, memory, stream and place; their sizes may differ.
class TransferJoin {
public:
    /// `run` is another number for each run of a workload.
    void add(const session::Transfer& transfer, std::uint64_t run);
    void add(const session::MemoryCall& call, std::uint64_t run);
    /// What came together since the last call, in the order of each record's first.
    [[nodiscard]] std::vector<session::Record> take();
    [[nodiscard]] bool empty() const { return m_open.empty(); }

private:
    struct Open {
        std::uint64_t run = 0;
        session::Record record;
    };
    /// The open record of that run that is equal to this one; null when there is none.
    template <typename T>
    T* find(const T& value, std::uint64_t run);

    std::vector<Open> m_open;
};

} // namespace dormer::instrument::collect
