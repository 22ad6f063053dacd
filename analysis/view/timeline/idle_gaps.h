// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <array>

namespace dormer::view::timeline {

/// What a GPU without a running kernel waited for.
enum class IdleCause { Host, Synchronization, Copy, Dependency, LaunchLatency, Unknown };
inline constexpr std::size_t kIdleCauseCount = 6;
[[nodiscard]] std::string_view toString(IdleCause cause); ///< "host", "synchronization", ...
/// "the host was waiting for the GPU, and launched the next kernel only then"
[[nodiscard]] std::string_view meaning(IdleCause cause);

/// A stretch of time between two launches in which no kernel ran on a device.
struct IdleGap {
    std::size_t device = 0;              ///< index into Session::devices()
    std::int64_t beginNs = 0, endNs = 0; ///< since the epoch
    IdleCause cause = IdleCause::Unknown;
    session::LaunchIndex next{}; ///< that ended it
    bool operator==(const IdleGap&) const = default;
};

/// Gaps of all devices, by device and begin. A copy or fill that covers at least half of a gap is its cause.
/// Else the next kernel tells: it was launched after the gap had begun, by a thread that had waited for the
/// GPU (synchronization) or had not (host); or it was launched before, and waited for an event, another
/// stream or its place in the queue (dependency), for longer than a launch takes to begin (launch latency:
/// 10 µs at most; an H100 needs 1 to 5 µs).
[[nodiscard]] std::vector<IdleGap> idleGaps(const session::Session& session);

/// How a device spent the time from its first launch to the end of its last.
struct DeviceTime {
    std::size_t device = 0;
    double spanNs = 0;
    std::array<double, kIdleCauseCount> idleNs{};          ///< by IdleCause
    std::array<std::size_t, kIdleCauseCount> gaps{};       ///< likewise
    std::array<std::int64_t, kIdleCauseCount> longestNs{}; ///< likewise
    [[nodiscard]] double busyNs() const;                   ///< a kernel ran
};
/// Of each device with launches that have a place in time, by its index.
[[nodiscard]] std::vector<DeviceTime> deviceTimes(const session::Session& session,
                                                  const std::vector<IdleGap>& gaps);

/// Stretches of time in which a transfer ran, as far as it is known: of many equal ones the first
/// session::Spans::kMost.
struct TransferSpan {
    std::int64_t beginNs = 0, endNs = 0; ///< since the epoch
};
[[nodiscard]] std::vector<TransferSpan> spansOf(const session::Transfer& transfer);

/// Whether a time of a session can be one: after the epoch, before 2096. Files may hold anything.
[[nodiscard]] bool isTime(std::int64_t ns);
/// When a launch was over; its start where its duration is not known.
[[nodiscard]] std::int64_t endOf(const session::Launch& launch);
/// Launches that ran on a GPU, at times that are known.
[[nodiscard]] bool hasPlaceInTime(const session::Session& session, session::LaunchIndex launch);

} // namespace dormer::view::timeline
