// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <utility>

/// Records with what a test says of them; the rest is unknown.
namespace dormer::tests {

inline session::Workload workloadNamed(std::string name) {
    session::Workload workload;
    workload.workload = std::move(name);
    return workload;
}

inline session::Transfer transferOf(session::TransferKind kind, session::TransferDirection direction,
                                    std::uint64_t count, std::uint64_t bytes, std::string workload = {}) {
    session::Transfer transfer;
    transfer.kind = kind;
    transfer.direction = direction;
    transfer.count = count;
    transfer.bytes = bytes;
    transfer.workload = std::move(workload);
    return transfer;
}

inline session::MemoryCall memoryCallOf(std::string call, session::MemoryKind memory, std::uint64_t count,
                                        std::uint64_t bytes, std::string workload = {}) {
    session::MemoryCall record;
    record.call = std::move(call);
    record.memory = memory;
    record.count = count;
    record.bytes = bytes;
    record.workload = std::move(workload);
    return record;
}

} // namespace dormer::tests
