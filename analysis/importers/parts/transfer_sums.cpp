// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/transfer_sums.h"

#include <algorithm>

namespace dormer::importers {

void TransferSums::add(const session::Transfer& each) {
    const Key key{each.process,     each.device, each.kind,         each.direction, each.source,
                  each.destination, each.stream, each.asynchronous, each.bytes,     each.nvtx};
    const auto [at, isNew] = m_sums.try_emplace(key, each);
    if (isNew) return;
    session::Transfer& sum = at->second;
    ++sum.count;
    sum.bytes += each.bytes;
    // The sum is known where that of each is.
    const auto addUp = [](std::optional<double>& total, const std::optional<double>& one) {
        total = total && one ? std::optional(*total + *one) : std::nullopt;
    };
    addUp(sum.durationNs, each.durationNs);
    addUp(sum.callNs, each.callNs);
    sum.startNs = std::min(sum.startNs, each.startNs);
    sum.endNs = std::max(sum.endNs, each.endNs);
}

void TransferSums::write(SessionBuilder& builder) const {
    for (const auto& [key, sum] : m_sums)
        builder.add(sum.process, sum);
}

} // namespace dormer::importers
