// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model.h"

#include <utility>

/// Records with what a test says of them; the rest is unknown.
namespace dormer::tests {

inline analysis::Workload workloadNamed(std::string name) {
    analysis::Workload workload;
    workload.workload = std::move(name);
    return workload;
}

inline analysis::Transfer transferOf(std::string kind, std::string direction, std::uint64_t count,
                                     std::uint64_t bytes, std::string workload = {}) {
    analysis::Transfer transfer;
    transfer.kind = std::move(kind);
    transfer.direction = std::move(direction);
    transfer.count = count;
    transfer.bytes = bytes;
    transfer.workload = std::move(workload);
    return transfer;
}

inline analysis::MemoryCall memoryCallOf(std::string call, std::string memory, std::uint64_t count,
                                         std::uint64_t bytes, std::string workload = {}) {
    analysis::MemoryCall record;
    record.call = std::move(call);
    record.memory = std::move(memory);
    record.count = count;
    record.bytes = bytes;
    record.workload = std::move(workload);
    return record;
}

} // namespace dormer::tests
