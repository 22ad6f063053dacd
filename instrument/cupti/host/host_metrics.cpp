// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/host/host_metrics.h"

#include "instrument/cupti/host/cupti_error.h"

#include <cupti_profiler_host.h>

#include <limits>

namespace dormer::instrument::cupti::host {

namespace {

std::vector<const char*> pointers(const std::vector<std::string>& names) {
    std::vector<const char*> result;
    result.reserve(names.size());
    for (const std::string& name : names)
        result.push_back(name.c_str());
    return result;
}

int passesOf(std::vector<std::uint8_t>& configImage) {
    CUpti_Profiler_Host_GetNumOfPasses_Params params = {};
    params.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
    params.configImageSize = configImage.size();
    params.pConfigImage = configImage.data();
    DORMER_CUPTI(cuptiProfilerHostGetNumOfPasses(&params));
    return static_cast<int>(params.numOfPasses);
}

} // namespace

std::vector<std::string> supportedChips() {
    CUpti_Profiler_Host_GetSupportedChips_Params params = {};
    params.structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE;
    if (cuptiProfilerHostGetSupportedChips(&params) != CUPTI_SUCCESS) return {};
    return {params.ppChipNames, params.ppChipNames + params.numChips};
}

HostMetrics::HostMetrics(const std::string& chip, const std::vector<std::uint8_t>& availability, Use use) {
    CUpti_Profiler_Host_Initialize_Params params = {};
    params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
    params.profilerType =
        use == Use::Ranges ? CUPTI_PROFILER_TYPE_RANGE_PROFILER : CUPTI_PROFILER_TYPE_PM_SAMPLING;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    DORMER_CUPTI(cuptiProfilerHostInitialize(&params));
    m_object = params.pHostObject;
}

HostMetrics::~HostMetrics() {
    CUpti_Profiler_Host_Deinitialize_Params params = {};
    params.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
    params.pHostObject = m_object;
    cuptiProfilerHostDeinitialize(&params); // a destructor has nobody to tell
}

bool HostMetrics::offers(const std::string& chipName) const {
    // What stands before ".sum", ".avg", ".ratio" and the like; "TPC.TriageCompute.sm__cycles_active" has
    // dots of its own.
    for (std::size_t dot = chipName.find('.'); dot != std::string::npos; dot = chipName.find('.', dot + 1)) {
        const std::string base = chipName.substr(0, dot);
        const std::string submetric = chipName.substr(dot);
        for (const CUpti_MetricType type :
             {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
            CUpti_Profiler_Host_GetSubMetrics_Params params = {};
            params.structSize = CUpti_Profiler_Host_GetSubMetrics_Params_STRUCT_SIZE;
            params.pHostObject = m_object;
            params.metricType = type;
            params.pMetricName = base.c_str();
            if (cuptiProfilerHostGetSubMetrics(&params) != CUPTI_SUCCESS) continue;
            for (std::size_t i = 0; i < params.numOfSubmetrics; ++i) {
                if (submetric == params.ppSubMetrics[i]) return true;
            }
        }
    }
    return false;
}

std::vector<std::uint8_t> HostMetrics::configImage(const std::vector<std::string>& chipNames) {
    std::vector<const char*> names = pointers(chipNames);
    CUpti_Profiler_Host_ConfigAddMetrics_Params add = {};
    add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
    add.pHostObject = m_object;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    DORMER_CUPTI(cuptiProfilerHostConfigAddMetrics(&add));

    CUpti_Profiler_Host_GetConfigImageSize_Params size = {};
    size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
    size.pHostObject = m_object;
    DORMER_CUPTI(cuptiProfilerHostGetConfigImageSize(&size));

    std::vector<std::uint8_t> image(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params get = {};
    get.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
    get.pHostObject = m_object;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    DORMER_CUPTI(cuptiProfilerHostGetConfigImage(&get));
    return image;
}

std::vector<double> HostMetrics::evaluate(const std::vector<std::uint8_t>& counterData, std::size_t range,
                                          const std::vector<std::string>& chipNames) const {
    std::vector<const char*> names = pointers(chipNames);
    std::vector<double> values(names.size(), std::numeric_limits<double>::quiet_NaN());
    CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {};
    params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
    params.pHostObject = m_object;
    params.pCounterDataImage = counterData.data();
    params.counterDataImageSize = counterData.size();
    params.rangeIndex = range;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = values.data();
    DORMER_CUPTI(cuptiProfilerHostEvaluateToGpuValues(&params));
    return values;
}

int samplingPasses(const std::string& chip, const std::vector<std::string>& chipNames) {
    try {
        HostMetrics host(chip, {}, HostMetrics::Use::Sampling);
        std::vector<std::uint8_t> image = host.configImage(chipNames);
        return passesOf(image);
    } catch (const CallError&) {
        return 0; // what the host refuses to schedule can't be read
    }
}

Result<CounterPlan> planCounters(const std::string& chip, const metrics::CounterSet& set,
                                 const std::vector<std::uint8_t>& availability) {
    try {
        HostMetrics host(chip, availability);
        CounterPlan plan;
        for (const metrics::CounterName& counter : set.counters) {
            const std::string canonical(counter.name);
            const std::string alternative(counter.alternative);
            if (host.offers(canonical)) {
                plan.chipNames.push_back(canonical);
            } else if (!alternative.empty() && host.offers(alternative)) {
                plan.chipNames.push_back(alternative);
            } else {
                if (!counter.optional) plan.missing.push_back(canonical);
                continue;
            }
            plan.names.push_back(canonical);
        }
        if (plan.names.empty())
            return failure(ErrorKind::Device,
                           "chip " + chip + " offers no counter of the set " + std::string(set.name));
        plan.configImage = host.configImage(plan.chipNames);
        plan.passes = passesOf(plan.configImage);
        return plan;
    } catch (const CallError& error) {
        return failure(ErrorKind::Device, "counters of chip " + chip + ": " + error.what());
    }
}

} // namespace dormer::instrument::cupti::host
