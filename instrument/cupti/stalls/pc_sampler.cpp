// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/stalls/pc_sampler.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cupti.h>
#include <cupti_pcsampling.h>

#include <algorithm>
#include <array>

namespace dormer::instrument::cupti {

namespace {

/// Cycles between two samples of an SM, as a power of two: on an H100 some 0.9 million samples a second,
/// which CUPTI's thread decodes in an eighth of that.
constexpr std::uint32_t kPeriodExponent = 18;
/// CUPTI's default, 512 MB, is device memory that the program may want.
constexpr std::size_t kHardwareBufferBytes = std::size_t{64} << 20;
constexpr std::size_t kScratchBytes = std::size_t{4} << 20;
/// Instructions in one go.
constexpr std::size_t kInstructions = 4096;

} // namespace

/// Room for CUPTI's records.
struct PcSampler::Buffer {
    explicit Buffer(std::size_t states) : instructions(kInstructions), reasons(kInstructions * states) {
        for (std::size_t i = 0; i < kInstructions; ++i) {
            instructions[i].size = sizeof(CUpti_PCSamplingPCData);
            instructions[i].stallReason = &reasons[i * states];
        }
        data.size = sizeof(CUpti_PCSamplingData);
        data.collectNumPcs = kInstructions;
        data.pPcData = instructions.data();
    }
    CUpti_PCSamplingData data = {};
    std::vector<CUpti_PCSamplingPCData> instructions;
    std::vector<CUpti_PCSamplingStallReason> reasons;
};

PcSampler::PcSampler(CUctx_st* context) : m_context(context) {}

Result<std::unique_ptr<PcSampler>> PcSampler::start(CUctx_st* context) {
    const activity::OwnCalls ours;
    try {
        std::unique_ptr<PcSampler> sampler(new PcSampler(context));
        CUpti_PCSamplingEnableParams enable = {};
        enable.size = CUpti_PCSamplingEnableParamsSize;
        enable.ctx = context;
        DORMER_CUPTI(cuptiPCSamplingEnable(&enable));
        sampler->m_enabled = true;
        sampler->readStates(); // told of an enabled context only
        sampler->configure();
        return sampler;
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

void PcSampler::readStates() {
    std::size_t count = 0;
    CUpti_PCSamplingGetNumStallReasonsParams number = {};
    number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
    number.ctx = m_context;
    number.numStallReasons = &count;
    DORMER_CUPTI(cuptiPCSamplingGetNumStallReasons(&number));
    std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
    std::vector<char*> pointers;
    for (auto& text : texts)
        pointers.push_back(text.data());
    std::vector<std::uint32_t> indices(count);
    CUpti_PCSamplingGetStallReasonsParams names = {};
    names.size = CUpti_PCSamplingGetStallReasonsParamsSize;
    names.ctx = m_context;
    names.numStallReasons = count;
    names.stallReasonIndex = indices.data();
    names.stallReasons = pointers.data();
    DORMER_CUPTI(cuptiPCSamplingGetStallReasons(&names));
    for (std::size_t i = 0; i < count; ++i) {
        if (m_states.size() <= indices[i]) m_states.resize(std::size_t{indices[i]} + 1);
        m_states[indices[i]] = profile::StallLog::stateName(pointers[i]);
    }
}

void PcSampler::configure() {
    m_last = std::make_unique<Buffer>(m_states.size());
    m_buffer = std::make_unique<Buffer>(m_states.size());
    std::array<CUpti_PCSamplingConfigurationInfo, 5> wanted = {};
    wanted[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
    wanted[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    wanted[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
    wanted[1].attributeData.samplingPeriodData.samplingPeriod = kPeriodExponent;
    wanted[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE;
    wanted[2].attributeData.hardwareBufferSizeData.hardwareBufferSize = kHardwareBufferBytes;
    wanted[3].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE;
    wanted[3].attributeData.scratchBufferSizeData.scratchBufferSize = kScratchBytes;
    wanted[4].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
    wanted[4].attributeData.samplingDataBufferData.samplingDataBuffer = &m_last->data;
    CUpti_PCSamplingConfigurationInfoParams params = {};
    params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
    params.ctx = m_context;
    params.numAttributes = wanted.size();
    params.pPCSamplingConfigurationInfo = wanted.data();
    DORMER_CUPTI(cuptiPCSamplingSetConfigurationAttribute(&params));
}

void PcSampler::add(const Buffer& buffer, profile::StallLog& log) {
    log.countDropped(buffer.data.droppedSamples);
    log.countUnattributed(buffer.data.nonUsrKernelsTotalSamples);
    for (std::size_t i = 0; i < std::min<std::size_t>(buffer.data.totalNumPcs, kInstructions); ++i) {
        const CUpti_PCSamplingPCData& at = buffer.instructions[i];
        session::WarpStates states;
        for (std::size_t k = 0; k < at.stallReasonCount; ++k) {
            const CUpti_PCSamplingStallReason& reason = at.stallReason[k];
            if (reason.pcSamplingStallReasonIndex >= m_states.size()) continue;
            const auto& name = m_states[reason.pcSamplingStallReasonIndex];
            states.add(name.state, name.notIssued ? 0 : reason.samples, name.notIssued ? reason.samples : 0);
        }
        log.add({static_cast<std::uint32_t>(at.cubinCrc), at.functionName != nullptr ? at.functionName : ""},
                at.pcOffset, states);
    }
}

Result<void> PcSampler::drain(profile::StallLog& log) {
    const activity::OwnCalls ours;
    try {
        do {
            CUpti_PCSamplingGetDataParams params = {};
            params.size = CUpti_PCSamplingGetDataParamsSize;
            params.ctx = m_context;
            params.pcSamplingData = &m_buffer->data;
            const CUptiResult got = cuptiPCSamplingGetData(&params);
            if (got == CUPTI_ERROR_OUT_OF_MEMORY && m_buffer->data.hardwareBufferFull != 0)
                return failure(ErrorKind::Device, "the GPU's buffer of samples is full");
            if (got != CUPTI_SUCCESS) host::throwCuptiError("cuptiPCSamplingGetData", got);
            add(*m_buffer, log);
        } while (m_buffer->data.remainingNumPcs > 0);
        return {};
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, error.what());
    }
}

Result<void> PcSampler::stop(profile::StallLog& log) {
    const activity::OwnCalls ours;
    if (!std::exchange(m_enabled, false)) return {};
    auto drained = drain(log);
    try {
        CUpti_PCSamplingDisableParams disable = {};
        disable.size = CUpti_PCSamplingDisableParamsSize;
        disable.ctx = m_context;
        DORMER_CUPTI(cuptiPCSamplingDisable(&disable));
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, error.what());
    }
    add(*m_last, log);
    return drained;
}

PcSampler::~PcSampler() {
    if (!m_enabled) return;
    const activity::OwnCalls ours; // the context may be gone: nobody to tell of failures
    CUpti_PCSamplingDisableParams disable = {};
    disable.size = CUpti_PCSamplingDisableParamsSize;
    disable.ctx = m_context;
    cuptiPCSamplingDisable(&disable);
}

} // namespace dormer::instrument::cupti
