// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using dormer::instrument::launch::onlyGpu;

namespace {
void addGpu(const std::filesystem::path& proc, const std::string& bus, const std::string& information) {
    const std::filesystem::path folder = proc / "driver/nvidia/gpus" / bus;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "information") << information;
}
} // namespace

TEST_CASE("The only GPU is known by the driver's list, anything else needs the probe") {
    unsetenv("CUDA_VISIBLE_DEVICES");
    const dormer::tests::TemporaryFolder proc;
    CHECK_FALSE(onlyGpu(proc.path()));
    std::filesystem::create_directories(proc.path() / "driver/nvidia/gpus");
    CHECK_FALSE(onlyGpu(proc.path()));
    addGpu(proc.path(), "0000:01:00.0", "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 42\n");
    CHECK(onlyGpu(proc.path()) == "NVIDIA H100 80GB HBM3");

    setenv("CUDA_VISIBLE_DEVICES", "", 1); // hides it
    CHECK_FALSE(onlyGpu(proc.path()));
    unsetenv("CUDA_VISIBLE_DEVICES");

    addGpu(proc.path(), "0000:02:00.0", "Model: \t\t NVIDIA T4\n");
    CHECK_FALSE(onlyGpu(proc.path()));
}

TEST_CASE("A list that does not name the GPU is no answer") {
    unsetenv("CUDA_VISIBLE_DEVICES");
    const dormer::tests::TemporaryFolder proc;
    addGpu(proc.path(), "0000:01:00.0", "IRQ: 42\n");
    CHECK_FALSE(onlyGpu(proc.path()));
    addGpu(proc.path(), "0000:01:00.0", "Model:\n");
    CHECK_FALSE(onlyGpu(proc.path()));
}
