// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/launch_signature.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dormer::session {

/// Signature of a record's launches within a process: `kernel` and `device` are numbers of that process.
[[nodiscard]] LaunchSignature signatureOf(const SignatureCounter& counter);
[[nodiscard]] LaunchSignature signatureOf(const Launch& launch);

/// True for a counter that adds up over time and launches; false for what is a rate, a share or a mean.
[[nodiscard]] bool isSum(std::string_view counter);

/// Counters that belong to a signature instead of to one launch: found by launch as fast as its own.
class SignatureCounters {
public:
    static constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

    /// The slot of a signature, made when new.
    std::uint32_t slot(LaunchSignature signature);
    /// Keeps a counter, the last word counts; `column` is its place in the session's counter table.
    void set(std::uint32_t slot, std::size_t column, const SignatureCounter& counter);
    /// What a launch of this duration did by it; absent when the signature has no such counter, or the
    /// duration of the launch is not known and needed.
    [[nodiscard]] std::optional<double> value(std::uint32_t slot, std::size_t column,
                                              std::optional<double> durationNs) const;
    /// Null when the signature has no such counter.
    [[nodiscard]] const SignatureCounter* find(std::uint32_t slot, std::size_t column) const;
    [[nodiscard]] bool hasAny(std::uint32_t slot) const;
    /// In order of appearance.
    [[nodiscard]] const std::vector<SignatureCounter>& all() const { return m_all; }

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::vector<SignatureCounter> m_all;
    std::unordered_map<LaunchSignature, std::uint32_t, LaunchSignatureHash> m_slots;
    std::vector<std::vector<std::uint32_t>> m_places; ///< by slot and column: index into m_all, or kNone
    std::vector<bool> m_isSum;                        ///< by column
};

} // namespace dormer::session
