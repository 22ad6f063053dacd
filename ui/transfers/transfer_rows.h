// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <optional>
#include <string>
#include <vector>

/// Transfers and calls for memory as people compare them: alike ones of one workload added up. Plain C++.
namespace dormer::ui::transfers {

/// Transfers of one workload (or NVTX range) that differ in nothing but when they ran.
struct TransferRow {
    std::string place; ///< workload, else NVTX range, else empty
    std::string workload;
    session::TransferKind kind = session::TransferKind::None;
    session::TransferDirection direction = session::TransferDirection::None;
    session::MemoryKind source = session::MemoryKind::None, destination = session::MemoryKind::None;
    bool asynchronous = false;
    session::Origin origin = session::Origin::Measured;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::optional<double> durationNs; ///< of all; absent as soon as one has none
    std::optional<double> callNs;

    /// Bytes a second while the copy engines worked, and while the host waited in the calls.
    [[nodiscard]] std::optional<double> engineBytesPerSecond() const;
    [[nodiscard]] std::optional<double> callBytesPerSecond() const;
};
/// In order of their first transfer.
[[nodiscard]] std::vector<TransferRow> transferRows(const session::Session& session);

struct MemoryCallRow {
    std::string place;
    std::string workload;
    std::string call; ///< as in session::MemoryCall
    session::MemoryKind memory = session::MemoryKind::None;
    session::Origin origin = session::Origin::Measured;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::optional<double> durationNs; ///< of all; absent as soon as one has none

    [[nodiscard]] std::optional<double> nsPerCall() const;
};
[[nodiscard]] std::vector<MemoryCallRow> memoryCallRows(const session::Session& session);

/// Kind, direction and memories in few words: "copy pageable \u2192 device", "copy to device" where the
/// memories are not known, "fill device", "migration to host", "page fault on the GPU".
[[nodiscard]] std::string nameOf(const TransferRow& row);

} // namespace dormer::ui::transfers
