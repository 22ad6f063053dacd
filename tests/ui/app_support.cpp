// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/app_support.h"

#include "analysis/store/session_file.h"
#include "instrument/stream/codec.h"

namespace dormer::tests {

ui::sessions::Environment withoutGpu(const QTemporaryDir& folder) {
    ui::sessions::Environment environment;
    environment.probeGpus = [] {
        instrument::launch::GpuStatus status;
        status.problem = "no NVIDIA driver (libcuda.so.1 was not found)";
        status.remedy = "Install the NVIDIA driver.";
        return status;
    };
    environment.listWorkloads = []() -> Result<std::vector<instrument::launch::WorkloadInfo>> {
        return failure(ErrorKind::Device, "dormer-workloads was not built here: it needs the CUDA Toolkit");
    };
    environment.sessionFolder = folder.filePath("sessions");
    return environment;
}

ui::sessions::Environment withFakeSuite(const QTemporaryDir& folder) {
    ui::sessions::Environment environment = withoutGpu(folder);
    environment.installation.workloads = DORMER_SLOW_TARGET;
    environment.installation.collector = "/nowhere/libdormer-inject.so"; // the fake suite links no CUDA
    environment.probeGpus = [] {
        instrument::launch::GpuStatus status;
        session::Device device;
        device.name = "NVIDIA H100 80GB HBM3";
        status.devices.push_back(device);
        return status;
    };
    environment.listWorkloads = []() -> Result<std::vector<instrument::launch::WorkloadInfo>> {
        return std::vector<instrument::launch::WorkloadInfo>{
            {"roofline", "scale", "y = 3x in FP64: 1 FLOP per 16 bytes, bound by DRAM", {"size=134217728"}},
            {"roofline", "vector_add", "c = a + b in FP32: 1 FLOP per 12 bytes, bound by DRAM", {}},
            {"roofline", "fma_chain", "fused multiply-adds in registers, FP32", {}},
            {"vector_sum", "coalesced", "4 sectors per request", {}},
            {"vector_sum", "uncoalesced", "32 sectors per request", {}},
            {"transpose", "tiled", "32-way bank conflict", {}},
            {"transpose", "tiled_padded", "conflict-free", {}}};
    };
    return environment;
}

void setSlowTarget(int delayMs, int exitCode) {
    qputenv("DORMER_TEST_DELAY_MS", QByteArray::number(delayMs));
    qputenv("DORMER_TEST_EXIT", QByteArray::number(exitCode));
}

bool sameSession(const session::Session& a, const session::Session& b) {
    const auto lines = [](const session::Session& session) {
        std::vector<std::string> all;
        for (const auto& [process, record] : store::recordsOf(session))
            all.push_back(std::to_string(process) + instrument::stream::formatRecord(record));
        return all;
    };
    return lines(a) == lines(b);
}

} // namespace dormer::tests
