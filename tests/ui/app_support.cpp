// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/app_support.h"

#include "analysis/session_file.h"
#include "instrument/stream/codec.h"

namespace dormer::tests {

ui::Environment withoutGpu(const QTemporaryDir& folder) {
    ui::Environment environment;
    environment.probeGpus = [] {
        instrument::GpuStatus status;
        status.problem = "no NVIDIA driver (libcuda.so.1 was not found)";
        status.remedy = "Install the NVIDIA driver.";
        return status;
    };
    environment.listWorkloads = []() -> Result<std::vector<instrument::WorkloadInfo>> {
        return failure(ErrorKind::Device, "dormer-workloads was not built here: it needs the CUDA Toolkit");
    };
    environment.sessionFolder = folder.filePath("sessions");
    return environment;
}

ui::Environment withFakeSuite(const QTemporaryDir& folder) {
    ui::Environment environment = withoutGpu(folder);
    environment.installation.workloads = DORMER_SLOW_TARGET;
    environment.probeGpus = [] {
        instrument::GpuStatus status;
        analysis::Device device;
        device.name = "NVIDIA H100 80GB HBM3";
        status.devices.push_back(device);
        return status;
    };
    environment.listWorkloads = []() -> Result<std::vector<instrument::WorkloadInfo>> {
        return std::vector<instrument::WorkloadInfo>{
            {"roofline", "scale", "y = 3x in FP64: 1 FLOP per 16 bytes, bound by DRAM", {"size=134217728"}},
            {"roofline", "vector_add", "c = a + b in FP32: 1 FLOP per 12 bytes, bound by DRAM", {}},
            {"roofline", "fma_chain", "fused multiply-adds in registers, FP32", {}},
            {"vector_sum", "coalesced", "4 sectors a request", {}},
            {"vector_sum", "uncoalesced", "32 sectors a request", {}},
            {"transpose", "tiled", "32-way bank conflict", {}},
            {"transpose", "tiled_padded", "conflict-free", {}}};
    };
    return environment;
}

void setSlowTarget(int delayMs, int exitCode) {
    qputenv("DORMER_TEST_DELAY_MS", QByteArray::number(delayMs));
    qputenv("DORMER_TEST_EXIT", QByteArray::number(exitCode));
}

bool sameSession(const analysis::Session& a, const analysis::Session& b) {
    const auto lines = [](const analysis::Session& session) {
        std::vector<std::string> all;
        for (const auto& [process, record] : analysis::recordsOf(session))
            all.push_back(std::to_string(process) + instrument::formatRecord(record));
        return all;
    };
    return lines(a) == lines(b);
}

} // namespace dormer::tests
