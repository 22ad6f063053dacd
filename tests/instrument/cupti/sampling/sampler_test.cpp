// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/sampler.h"
#include "tests/instrument/cupti/sampling/sampled_device.h"
#include "tests/support/catch.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// Plays the bursts of a recorded device, one after the other.
class RecordedSource : public SampleSource {
public:
    std::vector<SampleGroup> all{kOneSum};
    std::vector<Burst> bursts;
    std::size_t next = 0;
    bool broken = false;
    std::atomic<int> released = 0;

    const std::vector<SampleGroup>& groups() const override { return all; }
    Result<void> configure(std::size_t, std::int64_t, std::size_t) override { return {}; }
    std::atomic<int> started = 0;
    Result<void> start() override {
        ++started;
        if (broken) return failure(ErrorKind::Device, "held by another tool");
        return {};
    }
    std::function<void()> evaluated = [] {};
    std::atomic<int> stopped = 0;
    Result<Burst> stop() override {
        evaluated();
        ++stopped;
        return next < bursts.size() ? bursts[next++] : Burst{};
    }
    void release() override { ++released; }
};

/// Hands calls on, so that the test keeps the source.
class Lent : public SampleSource {
public:
    explicit Lent(RecordedSource& source) : m_source(source) {}
    const std::vector<SampleGroup>& groups() const override { return m_source.groups(); }
    Result<void> configure(std::size_t group, std::int64_t ns, std::size_t samples) override {
        return m_source.configure(group, ns, samples);
    }
    Result<void> start() override { return m_source.start(); }
    Result<Burst> stop() override { return m_source.stop(); }
    void release() override { m_source.release(); }

private:
    RecordedSource& m_source;
};

struct Run {
    std::mutex mutex;
    std::vector<session::Record> records;
    Timeline timeline;
    RecordedSource source;

    SamplerHost host() {
        return {.emit =
                    [this](const session::Record& record) {
                        const std::lock_guard lock(mutex);
                        records.push_back(record);
                    },
                .flushActivity = [] {},
                .signature = [](std::uint32_t signature) -> std::optional<session::SignatureCounter> {
                    if (signature == 0xffffffff) return std::nullopt;
                    session::SignatureCounter counter;
                    counter.kernel = signature;
                    return counter;
                },
                .nowNs =
                    [] {
                        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                            .count();
                    }};
    }
    Sampler::Open open() {
        return [this]() -> Result<std::unique_ptr<SampleSource>> { return std::make_unique<Lent>(source); };
    }
    template <typename T>
    std::vector<T> all() {
        const std::lock_guard lock(mutex);
        std::vector<T> found;
        for (const session::Record& record : records)
            if (const auto* each = std::get_if<T>(&record)) found.push_back(*each);
        return found;
    }
};

} // namespace

TEST_CASE("A sampler tells each signature's counters, as rates, and each long launch's own") {
    const SampledDevice device = SampledDevice::program({{1, 2.0}, {2, 0.25}}, 60'000, 90'000, 100, 3'000);
    Run run;
    run.source.bursts.push_back(device.burst(5'000, 900));
    std::uint64_t launch = 0;
    for (const KernelInterval& kernel : device.kernels)
        run.timeline.ran(0, {kernel, launch++});
    Sampler sampler(3, run.open(), run.timeline, run.host());
    while (run.source.next == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sampler.finish();
    CHECK(run.source.released == 1);
    std::map<std::uint64_t, session::SignatureCounter> last;
    for (const session::SignatureCounter& counter : run.all<session::SignatureCounter>())
        last[counter.kernel] = counter;
    REQUIRE(last.size() == 2);
    CHECK(last[1].value == Approx(2.0e9).epsilon(0.02));
    CHECK(last[2].value == Approx(0.25e9).epsilon(0.05));
    CHECK(last[1].method == session::CounterMethod::Sampled);
    CHECK(last[1].launches + last[2].launches == Approx(100).epsilon(0.02));
    CHECK(run.all<session::LaunchCounters>().size() == 100);
    CHECK(!run.all<session::LaunchCounters>().front().complete);
    // The device as a whole did what its launches did.
    REQUIRE(run.all<session::DeviceActivity>().size() == 1);
    const session::DeviceActivity activity = run.all<session::DeviceActivity>().front();
    CHECK(activity.device == 3);
    double bytes = 0;
    for (const double perSecond : activity.values.values)
        bytes += perSecond * static_cast<double>(activity.stepNs) * 1e-9;
    const std::int64_t told =
        activity.startNs + activity.stepNs * static_cast<std::int64_t>(activity.values.values.size());
    CHECK(bytes == Approx(device.countedBetween(activity.startNs, told)).epsilon(0.001));
    CHECK(run.all<session::Note>().empty());
}

TEST_CASE("A device that can't be sampled is a note, and the program goes on") {
    Run run;
    Sampler refused(
        0,
        []() -> Result<std::unique_ptr<SampleSource>> {
            return failure(ErrorKind::Device, "no permission for hardware counters");
        },
        run.timeline, run.host());
    refused.finish();
    REQUIRE(run.all<session::Note>().size() == 1);
    CHECK(run.all<session::Note>().front().code == "not-sampled");

    Run held;
    held.source.broken = true;
    held.timeline.ran(0, {{1, 2, 1}, 0});
    Sampler sampler(0, held.open(), held.timeline, held.host());
    while (held.source.released == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sampler.finish();
    REQUIRE(!held.all<session::Note>().empty());
    CHECK(held.all<session::Note>().front().code == "sampling-ended");
}

TEST_CASE("Bursts wait until their launches' times have come") {
    const SampledDevice device = SampledDevice::program({{1, 2.0}}, 60'000, 90'000, 10, 3'000);
    Run run;
    run.source.bursts.push_back(device.burst(5'000));
    run.timeline.called(77, device.kernels.front().startNs); // not told yet
    Sampler sampler(3, run.open(), run.timeline, run.host());
    while (run.source.next == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sampler.stop();
    CHECK(run.all<session::SignatureCounter>().empty());
    for (const KernelInterval& kernel : device.kernels)
        run.timeline.ran(77, {kernel, std::nullopt});
    sampler.finish();
    REQUIRE(!run.all<session::SignatureCounter>().empty());
    CHECK(run.all<session::SignatureCounter>().back().value == Approx(2.0e9).epsilon(0.01));
}

TEST_CASE("A program that is over before its first burst is told so") {
    Run run;
    Sampler sampler(3, run.open(), run.timeline, run.host());
    sampler.launchRan(1'000);
    sampler.finish();
    REQUIRE(run.all<session::Note>().size() == 1);
    CHECK(run.all<session::Note>().front().code == "nothing-sampled");
}

TEST_CASE("A device that memory was taken of and nothing launched on is no matter for a note") {
    Run run;
    Sampler sampler(3, run.open(), run.timeline, run.host());
    sampler.finish();
    CHECK(run.all<session::Note>().empty());
}

TEST_CASE("A kernel's first launch waits for a burst to begin, which ends the pause between bursts") {
    Run run;
    // A burst that takes ten minutes to evaluate is followed by a pause as long.
    std::atomic<std::int64_t> nowNs = 1;
    SamplerHost host = run.host();
    host.nowNs = [&] { return nowNs.load(); };
    run.source.evaluated = [&] { nowNs += 600'000'000'000; };
    Sampler sampler(3, run.open(), run.timeline, std::move(host));
    sampler.awaitBurst();
    CHECK(run.source.started == 1);
    while (run.source.stopped < 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    run.timeline.called(1, nowNs); // the program goes on
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(run.source.started == 1);
    sampler.awaitBurst();
    CHECK(run.source.started == 2);
    sampler.finish();
}

TEST_CASE("A launch that comes early in a burst waits for no other one") {
    Run run;
    std::atomic<std::int64_t> nowNs = 1; // it never passes
    SamplerHost host = run.host();
    host.nowNs = [&] { return nowNs.load(); };
    std::promise<void> goOn;
    run.source.evaluated = [future = goOn.get_future().share()] { future.wait(); };
    Sampler sampler(3, run.open(), run.timeline, std::move(host));
    sampler.awaitBurst();
    sampler.awaitBurst();
    CHECK(run.source.started == 1);
    goOn.set_value();
    sampler.finish();
}

TEST_CASE("Where there is no sampling no launch waits for it") {
    Run run;
    Sampler sampler(
        0,
        []() -> Result<std::unique_ptr<SampleSource>> {
            return failure(ErrorKind::Device, "no permission for hardware counters");
        },
        run.timeline, run.host());
    sampler.awaitBurst();
    CHECK(run.all<session::Note>().size() == 1); // it had ended by then
    sampler.finish();
}
