// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <functional>

/// CUPTI's stream of activity records, of which a process has one: its callbacks carry no user data.
namespace dormer::instrument::cupti::activity {

/// Takes what ran, on whatever thread CUPTI delivers it.
using Sink = std::function<void(passes::Timings)>;

/// Lets kernels, copies, fills and migrations be recorded from now on. Times are since the epoch.
/// `bufferBytes` is what CUPTI fills before it delivers: small for what should arrive soon.
[[nodiscard]] Result<void> startActivity(Sink sink, std::size_t bufferBytes);
/// Delivers what has ended; `all` also what was called and has not ended, without times, and waits until it
/// is delivered.
[[nodiscard]] Result<void> flushActivity(bool all);
[[nodiscard]] Result<void> stopActivity();
/// Times of kernels alone, between startActivity() and stopActivity(). Takes some 10 µs.
[[nodiscard]] Result<void> setKernelActivity(bool on);

/// Migrations and faults of managed memory, where CUPTI doesn't give them: one line, else empty.
[[nodiscard]] std::string activityLimitation();
/// Records that CUPTI had to drop so far.
[[nodiscard]] std::size_t droppedActivity();
/// Nanoseconds to add to CUPTI's clock to get those since the epoch.
[[nodiscard]] std::int64_t toEpochNs();

} // namespace dormer::instrument::cupti::activity
