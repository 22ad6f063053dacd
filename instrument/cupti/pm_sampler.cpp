// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/pm_sampler.h"

#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/guarded.h"
#include "instrument/cupti/counting/range_profiler.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/host/host_metrics.h"
#include "instrument/cupti/sampling/wanted_counters.h"

#include <cuda.h>
#include <cupti_pmsampling.h>

#include <algorithm>

namespace dormer::instrument::cupti {

namespace {

constexpr std::size_t kHardwareBufferBytes = std::size_t{256} << 20;

} // namespace

PmSampler::PmSampler(int device, std::string chip, bool byTime)
    : m_device(device), m_chip(std::move(chip)), m_byTime(byTime) {}

PmSampler::~PmSampler() {
    release();
}

Result<std::unique_ptr<sampling::SampleSource>> PmSampler::open(int device) {
    return activity::guarded([&]() -> std::unique_ptr<sampling::SampleSource> {
        awaitProfilerInitialization();
        const session::Device facts = describeDevice(device);
        const int capability = facts.computeCapabilityMajor * 10 + facts.computeCapabilityMinor;
        // Turing and GA100 know the clock only (cupti_pmsampling.h).
        std::unique_ptr<PmSampler> sampler(new PmSampler(device, facts.chip, capability >= 86));
        sampler->plan();
        if (sampler->m_groups.empty())
            throw host::CallError("PM sampling", CUPTI_ERROR_NOT_SUPPORTED,
                                  "the chip " + facts.chip + " has no counters that can be sampled");
        return sampler;
    });
}

void PmSampler::plan() {
    const host::HostMetrics all(m_chip, {}, host::HostMetrics::Use::Sampling);
    m_groups = sampling::planGroups(
        [&](const std::string& name) { return all.offers(name); },
        [&](const std::vector<std::string>& names) { return host::samplingPasses(m_chip, names) == 1; });
}

void PmSampler::release() {
    if (m_object == nullptr) return;
    const activity::OwnCalls ours;
    CUpti_PmSampling_Disable_Params params = {};
    params.structSize = CUpti_PmSampling_Disable_Params_STRUCT_SIZE;
    params.pPmSamplingObject = m_object;
    cuptiPmSamplingDisable(&params); // nobody to tell: the device is given back either way
    m_object = nullptr;
}

Result<void> PmSampler::configure(std::size_t group, std::int64_t intervalNs, std::size_t samples) {
    release();
    return activity::guarded([&] { enable(group, intervalNs, samples); });
}

void PmSampler::enable(std::size_t group, std::int64_t intervalNs, std::size_t samples) {
    m_names.clear();
    for (const sampling::SampledMetric& metric : m_groups[group])
        m_names.push_back(metric.chipName);
    m_group = group;
    m_intervalNs = intervalNs;
    m_host = std::make_unique<host::HostMetrics>(m_chip, std::vector<std::uint8_t>{},
                                                 host::HostMetrics::Use::Sampling);
    m_config = m_host->configImage(m_names);

    CUpti_PmSampling_Enable_Params enable = {};
    enable.structSize = CUpti_PmSampling_Enable_Params_STRUCT_SIZE;
    enable.deviceIndex = static_cast<std::size_t>(m_device);
    DORMER_CUPTI(cuptiPmSamplingEnable(&enable));
    m_object = enable.pPmSamplingObject;

    CUpti_PmSampling_SetConfig_Params config = {};
    config.structSize = CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE;
    config.pPmSamplingObject = m_object;
    config.configSize = m_config.size();
    config.pConfig = m_config.data();
    config.hardwareBufferSize = kHardwareBufferBytes;
    // The system's clock runs at 1 to 1.6 GHz on the chips that need it: about a nanosecond.
    config.samplingInterval = static_cast<std::uint64_t>(intervalNs);
    config.triggerMode = m_byTime ? CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL
                                  : CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
    config.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
    DORMER_CUPTI(cuptiPmSamplingSetConfig(&config));

    m_namePointers.clear();
    for (const std::string& name : m_names)
        m_namePointers.push_back(name.c_str());
    CUpti_PmSampling_GetCounterDataSize_Params size = {};
    size.structSize = CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE;
    size.pPmSamplingObject = m_object;
    size.pMetricNames = m_namePointers.data();
    size.numMetrics = m_namePointers.size();
    size.maxSamples = samples;
    DORMER_CUPTI(cuptiPmSamplingGetCounterDataSize(&size));
    m_data.assign(size.counterDataSize, 0);
    CUpti_PmSampling_CounterDataImage_Initialize_Params initialize = {};
    initialize.structSize = CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE;
    initialize.pPmSamplingObject = m_object;
    initialize.counterDataSize = m_data.size();
    initialize.pCounterData = m_data.data();
    DORMER_CUPTI(cuptiPmSamplingCounterDataImageInitialize(&initialize));
    m_blank = m_data;
}

Result<void> PmSampler::start() {
    return activity::guarded([&] {
        CUpti_PmSampling_Start_Params params = {};
        params.structSize = CUpti_PmSampling_Start_Params_STRUCT_SIZE;
        params.pPmSamplingObject = m_object;
        DORMER_CUPTI(cuptiPmSamplingStart(&params));
    });
}

Result<sampling::Burst> PmSampler::stop() {
    return activity::guarded([&] {
        CUpti_PmSampling_Stop_Params params = {};
        params.structSize = CUpti_PmSampling_Stop_Params_STRUCT_SIZE;
        params.pPmSamplingObject = m_object;
        DORMER_CUPTI(cuptiPmSamplingStop(&params));
        return decoded();
    });
}

sampling::Burst PmSampler::decoded() {
    sampling::Burst burst;
    burst.group = m_group;
    burst.intervalNs = m_intervalNs;
    std::ranges::copy(m_blank, m_data.begin()); // cheaper than to initialize it anew
    CUpti_PmSampling_DecodeData_Params decode = {};
    decode.structSize = CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE;
    decode.pPmSamplingObject = m_object;
    decode.pCounterDataImage = m_data.data();
    decode.counterDataImageSize = m_data.size();
    DORMER_CUPTI(cuptiPmSamplingDecodeData(&decode));
    burst.overflowed = decode.overflow != 0;

    CUpti_PmSampling_GetCounterDataInfo_Params info = {};
    info.structSize = CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE;
    info.pCounterDataImage = m_data.data();
    info.counterDataImageSize = m_data.size();
    DORMER_CUPTI(cuptiPmSamplingGetCounterDataInfo(&info));
    // The first one reaches back to the last burst.
    for (std::size_t i = 1; i < info.numCompletedSamples; ++i) {
        CUpti_PmSampling_CounterData_GetSampleInfo_Params sample = {};
        sample.structSize = CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE;
        sample.pPmSamplingObject = m_object;
        sample.pCounterDataImage = m_data.data();
        sample.counterDataImageSize = m_data.size();
        sample.sampleIndex = i;
        DORMER_CUPTI(cuptiPmSamplingCounterDataGetSampleInfo(&sample));
        if (sample.endTimestamp <= sample.startTimestamp) continue;
        burst.startNs.push_back(static_cast<std::int64_t>(sample.startTimestamp) + activity::toEpochNs());
        burst.endNs.push_back(static_cast<std::int64_t>(sample.endTimestamp) + activity::toEpochNs());
        const std::vector<double> values = m_host->evaluate(m_data, i, m_names);
        burst.values.insert(burst.values.end(), values.begin(), values.end());
    }
    return burst;
}

} // namespace dormer::instrument::cupti
