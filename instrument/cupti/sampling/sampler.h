// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "analysis/session/signature_counters.h"
#include "instrument/cupti/sampling/attribution.h"
#include "instrument/cupti/sampling/burst_plan.h"
#include "instrument/cupti/sampling/timeline.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace dormer::instrument::cupti::sampling {

/// What the sampler needs of the process it lives in.
struct SamplerHost {
    std::function<void(const session::Record&)> emit;
    /// Asks CUPTI for the times of what has run.
    std::function<void()> flushActivity;
    /// Signature of launches, with everything but the counter; absent for what is no launch.
    std::function<std::optional<session::SignatureCounter>(std::uint32_t signature)> signature;
    std::function<std::int64_t()> nowNs;
};

/// Samples a device while the program runs, on a thread of its own, and tells the counters of its launches by
/// signature, again and again as more of them are seen, and what the device did over time.
class Sampler {
public:
    /// `open` reaches for the hardware, on the sampler's thread: that takes some 0.3 s, in which the program
    /// runs on.
    using Open = std::function<Result<std::unique_ptr<SampleSource>>()>;
    Sampler(std::int32_t device, Open open, Timeline& timeline, SamplerHost host);
    ~Sampler();
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    /// Of each launch, from any thread.
    void launchRan(std::int64_t durationNs);
    /// Before the first launch of a kernel, on any thread: returns when a burst has begun that it will be in.
    /// Waits for at most a second until sampling is set up, and later for a quarter of a second in all.
    void awaitBurst();
    /// Ends sampling and gives the counters back. What was sampled is told by finish(), when the last times
    /// have come.
    void stop();
    void finish();

private:
    void run();
    void open();
    [[nodiscard]] Result<void> sample(SampleSource& source);
    /// False when the sampler is to end.
    bool wait(std::int64_t ns);
    /// The same, and shorter when a burst is wanted.
    bool pause(std::int64_t ns);
    void burstBegan(std::int64_t nowNs, std::int64_t lengthNs);
    [[nodiscard]] bool isWanted();
    void attribute(bool everything);
    void tell(bool everything);
    void note(const std::string& code, const std::string& text);

    std::int32_t m_device; ///< session::Device::id
    Open m_open;
    Timeline& m_timeline;
    SamplerHost m_host;
    std::vector<SampleGroup> m_groups;
    std::deque<Burst> m_pending; ///< whose launches' times have not all come
    Attribution m_attribution;
    ClockOffset m_offset;
    std::map<std::uint32_t, double> m_told; ///< by signature: covered time that was told
    std::int64_t m_nextTellNs = 0, m_tellEveryNs = 0;
    std::size_t m_overflows = 0, m_bursts = 0, m_attributed = 0; ///< bursts
    bool m_opened = false;                                       ///< the hardware can be sampled

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_wake;
    BurstPlan m_plan;
    bool m_stop = false;
    bool m_wanted = false; ///< a burst, by awaitBurst()
    bool m_ended = false;  ///< there will be no bursts
    std::condition_variable m_begun;
    std::size_t m_started = 0;       ///< bursts
    std::int64_t m_freshUntilNs = 0; ///< a launch until then is well within the burst
    std::int64_t m_waitLeftNs;
    bool m_launched = false; ///< a launch ran
    std::thread m_thread;    ///< last: it uses all of the above
};

} // namespace dormer::instrument::cupti::sampling
