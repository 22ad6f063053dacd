// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/counting/untraced_counters.h"

#include "instrument/cupti/activity/activity_buffers.h"

namespace dormer::instrument::cupti {

Result<void> UntracedCounters::pushRange(const std::string& name) {
    if (Result<void> off = activity::setKernelActivity(false); !off) return off;
    Result<void> pushed = m_counters.pushRange(name);
    if (!pushed) (void)activity::setKernelActivity(true); // the first error is told
    return pushed;
}

Result<void> UntracedCounters::popRange() {
    Result<void> popped = m_counters.popRange();
    const Result<void> restored = activity::setKernelActivity(true);
    return popped ? restored : popped;
}

} // namespace dormer::instrument::cupti
