// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/counting/range_profiler.h"

#include "instrument/cupti/activity/guarded.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>
#include <utility>

namespace dormer::instrument::cupti {

namespace {

CUptiResult initializeProfiler() {
    CUpti_Profiler_Initialize_Params params = {};
    params.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
    return cuptiProfilerInitialize(&params);
}

/// Enough for most programs' sequences, as twice as many can be had later; every hundred cost 0.1 s at the
/// first start.
constexpr std::size_t kFirstRanges = 40;

/// All but what a range would say of itself: some 10 µs more than the launch in it takes.
std::vector<metrics::CounterName> countersOfLaunches(const metrics::CounterSet& set) {
    std::vector<metrics::CounterName> counters(set.counters.begin(), set.counters.end());
    std::erase_if(counters, [](const metrics::CounterName& counter) {
        return counter.name == "gpu__time_duration.sum" || counter.name == "sm__cycles_elapsed.max";
    });
    return counters;
}

/// Inside the injection call CUPTI answers that the driver is not ready; it is a moment later.
constexpr int kInitializationAttempts = 500;
constexpr std::chrono::milliseconds kAttemptInterval{1};

std::future<CUptiResult>& initialization() {
    static auto* const pending =
        new std::future<CUptiResult>; // outlives the thread whenever the process ends
    return *pending;
}

std::vector<std::uint8_t> availabilityImage(CUcontext context) {
    CUpti_Profiler_GetCounterAvailability_Params params = {};
    params.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE;
    params.ctx = context;
    DORMER_CUPTI(cuptiProfilerGetCounterAvailability(&params));
    std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    DORMER_CUPTI(cuptiProfilerGetCounterAvailability(&params));
    image.resize(params.counterAvailabilityImageSize);
    return image;
}

} // namespace

void beginProfilerInitialization() {
    initialization() = std::async(std::launch::async, [] {
        const activity::OwnCalls ours;
        CUptiResult result = initializeProfiler();
        for (int attempt = 1; result != CUPTI_SUCCESS && attempt < kInitializationAttempts; ++attempt) {
            std::this_thread::sleep_for(kAttemptInterval);
            result = initializeProfiler();
        }
        return result;
    });
}

void awaitProfilerInitialization() {
    static const bool ahead = initialization().valid() && initialization().get() == CUPTI_SUCCESS;
    if (!ahead) DORMER_CUPTI(initializeProfiler());
}

Result<std::unique_ptr<RangeProfiler>> RangeProfiler::create(CUctx_st* context, const std::string& chip,
                                                             const metrics::CounterSet& set) {
    const activity::OwnCalls ours;
    try {
        awaitProfilerInitialization();
        std::unique_ptr<RangeProfiler> profiler(new RangeProfiler);
        // The availability image costs 0.13 s on an H200 and is only needed for chips newer than this CUPTI.
        std::vector<std::uint8_t> availability;
        const std::vector<metrics::CounterName> wanted = countersOfLaunches(set);
        metrics::CounterSet counted = set;
        counted.counters = wanted;
        Result<host::CounterPlan> plan = host::planCounters(chip, counted);
        if (!plan) {
            availability = availabilityImage(context);
            plan = host::planCounters(chip, counted, availability);
        }
        if (!plan) return std::unexpected(plan.error());
        profiler->m_plan = std::move(*plan);
        profiler->m_host = std::make_unique<host::HostMetrics>(chip, availability);

        profiler->m_context = context;
        profiler->enable();
        return profiler;
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

void RangeProfiler::enable() {
    CUpti_RangeProfiler_Enable_Params params = {};
    params.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
    params.ctx = m_context;
    DORMER_CUPTI(cuptiRangeProfilerEnable(&params));
    m_object = params.pRangeProfilerObject;
    m_firstRanges = 0;
}

void RangeProfiler::disable() {
    if (m_object == nullptr) return;
    const activity::OwnCalls ours;
    CUpti_RangeProfiler_Disable_Params params = {};
    params.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
    params.pRangeProfilerObject = m_object;
    cuptiRangeProfilerDisable(&params); // the context may be gone already: nobody to tell
    m_object = nullptr;
}

RangeProfiler::~RangeProfiler() {
    disable();
}

Result<void> RangeProfiler::configure(std::size_t ranges) {
    return activity::guarded([&] {
        // CUPTI (13.0) loses the ranges of later configurations beyond twice the number of the first one.
        if (m_firstRanges != 0 && ranges > 2 * m_firstRanges) {
            disable();
            enable();
        }
        std::vector<const char*> names;
        for (const std::string& name : m_plan.chipNames)
            names.push_back(name.c_str());
        CUpti_RangeProfiler_GetCounterDataSize_Params size = {};
        size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
        size.pRangeProfilerObject = m_object;
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = ranges;
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
        DORMER_CUPTI(cuptiRangeProfilerGetCounterDataSize(&size));

        m_counterData.assign(size.counterDataSize, 0);
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize = {};
        initialize.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
        initialize.pRangeProfilerObject = m_object;
        initialize.counterDataSize = m_counterData.size();
        initialize.pCounterData = m_counterData.data();
        DORMER_CUPTI(cuptiRangeProfilerCounterDataImageInitialize(&initialize));

        CUpti_RangeProfiler_SetConfig_Params config = {};
        config.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
        config.pRangeProfilerObject = m_object;
        config.configSize = m_plan.configImage.size();
        config.pConfig = m_plan.configImage.data();
        config.counterDataImageSize = m_counterData.size();
        config.pCounterDataImage = m_counterData.data();
        config.range = CUPTI_UserRange;
        config.replayMode = CUPTI_UserReplay;
        config.maxRangesPerPass = std::max(ranges, m_firstRanges == 0 ? kFirstRanges : 0);
        if (m_firstRanges == 0) m_firstRanges = config.maxRangesPerPass;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        config.passIndex = 0;
        config.targetNestingLevel = 1;
        DORMER_CUPTI(cuptiRangeProfilerSetConfig(&config));
    });
}

Result<void> RangeProfiler::startPass() {
    return activity::guarded([&] {
        CUpti_RangeProfiler_Start_Params params = {};
        params.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = m_object;
        DORMER_CUPTI(cuptiRangeProfilerStart(&params));
    });
}

Result<void> RangeProfiler::pushRange(const std::string& name) {
    return activity::guarded([&] {
        CUpti_RangeProfiler_PushRange_Params params = {};
        params.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = m_object;
        params.pRangeName = name.c_str();
        DORMER_CUPTI(cuptiRangeProfilerPushRange(&params));
    });
}

Result<void> RangeProfiler::popRange() {
    return activity::guarded([&] {
        CUpti_RangeProfiler_PopRange_Params params = {};
        params.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = m_object;
        DORMER_CUPTI(cuptiRangeProfilerPopRange(&params));
    });
}

Result<bool> RangeProfiler::stopPass() {
    return activity::guarded([&] {
        CUpti_RangeProfiler_Stop_Params params = {};
        params.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = m_object;
        DORMER_CUPTI(cuptiRangeProfilerStop(&params));
        return params.isAllPassSubmitted != 0;
    });
}

std::map<std::string, double> RangeProfiler::valuesOf(std::size_t range) const {
    const std::vector<double> values = m_host->evaluate(m_counterData, range, m_plan.chipNames);
    std::map<std::string, double> byName;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) byName.emplace(m_plan.names[i], values[i]);
    }
    return byName;
}

Result<std::map<std::string, std::map<std::string, double>>> RangeProfiler::decode() {
    return activity::guarded([&] {
        std::map<std::string, std::map<std::string, double>> result;
        CUpti_RangeProfiler_DecodeData_Params decode = {};
        decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
        decode.pRangeProfilerObject = m_object;
        DORMER_CUPTI(cuptiRangeProfilerDecodeData(&decode));

        CUpti_RangeProfiler_GetCounterDataInfo_Params all = {};
        all.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
        all.pCounterDataImage = m_counterData.data();
        all.counterDataImageSize = m_counterData.size();
        DORMER_CUPTI(cuptiRangeProfilerGetCounterDataInfo(&all));
        for (std::size_t range = 0; range < all.numTotalRanges; ++range) {
            CUpti_RangeProfiler_CounterData_GetRangeInfo_Params info = {};
            info.structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE;
            info.pCounterDataImage = m_counterData.data();
            info.counterDataImageSize = m_counterData.size();
            info.rangeIndex = range;
            info.rangeDelimiter = "/";
            DORMER_CUPTI(cuptiRangeProfilerCounterDataGetRangeInfo(&info));
            result[info.rangeName].merge(valuesOf(range));
        }
        return result;
    });
}

} // namespace dormer::instrument::cupti
