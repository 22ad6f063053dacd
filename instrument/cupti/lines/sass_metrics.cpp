// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/lines/sass_metrics.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/counting/range_profiler.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/sass/sass_lines.h"

#include <cuda.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>

#include <algorithm>

namespace dormer::instrument::cupti {

using session::LineCounts;

/// One value CUPTI counted: a metric at an instruction.
struct SassMetrics::Record {
    std::uint32_t cubinCrc = 0;
    std::string function;
    std::uint64_t pc = 0;
    std::uint64_t metric = 0;
    std::uint64_t value = 0;
};

Result<std::unique_ptr<SassMetrics>> SassMetrics::create(CUctx_st* context, int device,
                                                         const std::string& chip, bool rangeProfilerEnabled) {
    const activity::OwnCalls ours;
    try {
        awaitProfilerInitialization();
        std::unique_ptr<SassMetrics> metrics(new SassMetrics(context, device));
        if (!rangeProfilerEnabled) {
            CUpti_RangeProfiler_Enable_Params enable = {};
            enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
            enable.ctx = context;
            DORMER_CUPTI(cuptiRangeProfilerEnable(&enable));
            metrics->m_rangeProfiler = enable.pRangeProfilerObject;
        }
        metrics->configure(chip);
        return metrics;
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, error.what());
    }
}

void SassMetrics::configure(const std::string& chip) {
    CUpti_SassMetrics_GetNumOfMetrics_Params count = {};
    count.structSize = CUpti_SassMetrics_GetNumOfMetrics_Params_STRUCT_SIZE;
    count.pChipName = chip.c_str();
    DORMER_CUPTI(cuptiSassMetricsGetNumOfMetrics(&count));
    std::vector<CUpti_SassMetrics_MetricDetails> offered(count.numOfMetrics);
    CUpti_SassMetrics_GetMetrics_Params list = {};
    list.structSize = CUpti_SassMetrics_GetMetrics_Params_STRUCT_SIZE;
    list.pChipName = chip.c_str();
    list.numOfMetrics = offered.size();
    list.pMetricsList = offered.data();
    DORMER_CUPTI(cuptiSassMetricsGetMetrics(&list));

    std::vector<CUpti_SassMetrics_Config> wanted;
    for (const CUpti_SassMetrics_MetricDetails& metric : offered) {
        const auto known = std::ranges::find(sass::sassLineMetrics(), std::string_view(metric.pMetricName));
        if (known == sass::sassLineMetrics().end()) continue;
        m_names.emplace(metric.metricId, *known);
        wanted.push_back({metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    }
    CUpti_SassMetricsSetConfig_Params config = {};
    config.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
    config.numOfMetricConfig = wanted.size();
    config.pConfigs = wanted.data();
    config.deviceIndex = static_cast<std::uint32_t>(m_device);
    DORMER_CUPTI(cuptiSassMetricsSetConfig(&config));
    m_configured = true;
}

SassMetrics::~SassMetrics() {
    const activity::OwnCalls ours; // the context may be gone already: nobody to tell of failures
    if (m_configured) {
        CUpti_SassMetricsUnsetConfig_Params unset = {};
        unset.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
        unset.deviceIndex = static_cast<std::uint32_t>(m_device);
        cuptiSassMetricsUnsetConfig(&unset);
    }
    if (m_rangeProfiler != nullptr) {
        CUpti_RangeProfiler_Disable_Params disable = {};
        disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
        disable.pRangeProfilerObject = m_rangeProfiler;
        cuptiRangeProfilerDisable(&disable);
    }
}

Result<void> SassMetrics::begin() {
    const activity::OwnCalls ours;
    try {
        CUpti_SassMetricsEnable_Params enable = {};
        enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
        enable.ctx = m_context;
        enable.enableLazyPatching = 1; // the launched kernel only
        DORMER_CUPTI(cuptiSassMetricsEnable(&enable));
        return {};
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, error.what());
    }
}

std::vector<SassMetrics::Record> SassMetrics::flush() {
    CUpti_SassMetricsGetDataProperties_Params properties = {};
    properties.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
    properties.ctx = m_context;
    DORMER_CUPTI(cuptiSassMetricsGetDataProperties(&properties));
    const std::size_t count = properties.numOfPatchedInstructionRecords;
    const std::size_t instances = properties.numOfInstances;
    if (count == 0 || instances == 0) return {};

    std::vector<CUpti_SassMetrics_InstanceValue> values(count * instances);
    std::vector<CUpti_SassMetrics_Data> data(count);
    for (std::size_t i = 0; i < count; ++i) {
        data[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE; // what the header asks for
        data[i].pInstanceValues = &values[i * instances];
    }
    CUpti_SassMetricsFlushData_Params flush = {};
    flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
    flush.ctx = m_context;
    flush.numOfPatchedInstructionRecords = count;
    flush.numOfInstances = instances;
    flush.pMetricsData = data.data();
    DORMER_CUPTI(cuptiSassMetricsFlushData(&flush));

    std::vector<Record> records;
    records.reserve(count);
    for (const CUpti_SassMetrics_Data& each : data)
        records.push_back({each.cubinCrc, each.functionName != nullptr ? each.functionName : "",
                           each.pcOffset, each.pInstanceValues[0].metricId, each.pInstanceValues[0].value});
    return records;
}

std::optional<session::KernelCode> SassMetrics::code() {
    if (m_lastFunction.empty()) return std::nullopt;
    return m_places.code(m_lastCubin, m_lastFunction);
}

Result<std::vector<session::LineCounts>> SassMetrics::end() {
    const activity::OwnCalls ours;
    try {
        DORMER_CUDA(cuCtxSynchronize());
        const std::vector<Record> records = flush();
        CUpti_SassMetricsDisable_Params disable = {};
        disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
        disable.ctx = m_context;
        DORMER_CUPTI(cuptiSassMetricsDisable(&disable));

        m_lastCubin = records.empty() ? 0 : records.front().cubinCrc;
        m_lastFunction = records.empty() ? "" : records.front().function;
        std::map<std::uint64_t, sass::SassValues> byPc;
        for (const Record& record : records)
            if (const auto name = m_names.find(record.metric); name != m_names.end())
                byPc[record.pc][name->second] = record.value;
        std::vector<session::LineCounts> lines;
        for (const auto& [pc, values] : byPc) {
            auto line = sass::lineCounts(values);
            if (!line) continue;
            line->pc = pc;
            m_places.describe(*line, m_lastCubin, m_lastFunction);
            lines.push_back(std::move(*line));
        }
        return lines;
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, error.what());
    }
}

} // namespace dormer::instrument::cupti
