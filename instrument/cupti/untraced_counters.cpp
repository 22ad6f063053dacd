// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/untraced_counters.h"

#include "instrument/cupti/activity/activity_buffers.h"

namespace dormer::instrument::cupti {

using activity::KernelActivity;

Result<void> UntracedCounters::pushRange(const std::string& name) {
    if (Result<void> alone = activity::setKernelActivity(KernelActivity::Alone); !alone) return alone;
    Result<void> pushed = m_counters.pushRange(name);
    if (!pushed) (void)activity::setKernelActivity(KernelActivity::SideBySide); // the first error is told
    return pushed;
}

Result<void> UntracedCounters::popRange() {
    Result<void> popped = m_counters.popRange();
    const Result<void> restored = activity::setKernelActivity(KernelActivity::SideBySide);
    return popped ? restored : popped;
}

} // namespace dormer::instrument::cupti
