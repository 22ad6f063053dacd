// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity/activity_timing.h"

#include "instrument/cupti/activity/activity_buffers.h"

#include <algorithm>
#include <iterator>

namespace dormer::instrument::cupti::activity {

namespace {
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
}

Result<void> ActivityTiming::start() {
    m_delivered = std::make_shared<Delivered>();
    return startActivity(
        [delivered = m_delivered](passes::Timings more) {
            const std::lock_guard lock(delivered->mutex);
            std::ranges::move(more.kernels, std::back_inserter(delivered->timings.kernels));
            std::ranges::move(more.transfers, std::back_inserter(delivered->timings.transfers));
        },
        kBufferBytes);
}

Result<passes::Timings> ActivityTiming::stop() {
    if (const Result<void> flushed = flushActivity(true); !flushed) return std::unexpected(flushed.error());
    if (const Result<void> stopped = stopActivity(); !stopped) return std::unexpected(stopped.error());
    const std::lock_guard lock(m_delivered->mutex);
    return std::move(m_delivered->timings);
}

std::string ActivityTiming::limitation() const {
    return activityLimitation();
}

} // namespace dormer::instrument::cupti::activity
