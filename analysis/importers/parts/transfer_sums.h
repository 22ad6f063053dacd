// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/importers/parts/session_builder.h"

namespace dormer::importers {

/// Adds up equal transfers, as Transfer has them.
class TransferSums {
public:
    /// One transfer.
    void add(const session::Transfer& transfer);
    /// Puts the sums into the session.
    void write(SessionBuilder& builder) const;

private:
    using Key =
        std::tuple<std::uint32_t, std::int32_t, session::TransferKind, session::TransferDirection,
                   session::MemoryKind, session::MemoryKind, std::uint64_t, bool, std::uint64_t, std::string>;
    std::map<Key, session::Transfer> m_sums;
};

} // namespace dormer::importers
