// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/cuda_program.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fstream>

using namespace dormer;
using namespace dormer::instrument::launch;
namespace fs = std::filesystem;

TEST_CASE("Programs are found as a shell finds them") {
    CHECK(findProgram("/bin/sh").value() == "/bin/sh");
    CHECK(findProgram("sh").value().filename() == "sh");
    const auto missing = findProgram("no-such-program-here");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().kind == ErrorKind::Target);
    CHECK_THAT(missing.error().message, Catch::Contains("not on the PATH"));
    CHECK_THAT(findProgram("./no/such/file").error().message, Catch::Contains("no such file"));
    CHECK_THAT(findProgram("/etc/passwd").error().message, Catch::Contains("not an executable"));
}

TEST_CASE("What a program is linked with is read from its file") {
    const auto self = readProgram("/proc/self/exe");
    REQUIRE(self);
    CHECK(self->isElf);
    CHECK_FALSE(self->hasDeviceCode);
    CHECK(std::ranges::find(self->needed, "libc.so.6") != self->needed.end());
    CHECK(checkEmulatable("/proc/self/exe")); // it may start another that uses CUDA

    const tests::TemporaryFolder folder;
    const fs::path script = folder / "run.sh";
    std::ofstream{script} << "#!/bin/sh\n./app\n";
    CHECK_FALSE(readProgram(script).value().isElf);
    CHECK(checkEmulatable(script));
    std::ofstream{folder / "broken"} << "\x7f"
                                        "ELF and nothing that follows";
    CHECK(checkEmulatable(folder / "broken")); // starting it will tell
    CHECK_FALSE(readProgram(folder / "missing"));
}

#ifdef DORMER_CUDA_PROGRAMS
TEST_CASE("A program whose CUDA runtime can't be replaced is refused with the flag to add") {
    CHECK(checkEmulatable(DORMER_CUDA_PROGRAMS "/dormer_sample_shared"));
    const auto refused = checkEmulatable(DORMER_CUDA_PROGRAMS "/dormer_sample_static");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Target);
    CHECK_THAT(refused.error().message, Catch::Contains("-cudart shared"));
}
#endif

TEST_CASE("Programs linked with CUDA's libraries get their handles from the emulator", "[program]") {
    const auto needs = [](std::vector<std::string> libraries) {
        return needsHandles({true, false, std::move(libraries), {}});
    };
    CHECK(needs({"libcudart.so.13", "libcublas.so.13"}));
    CHECK(needs({"libcudnn.so.9"}));
    CHECK(needs({"libcuda.so.1", "libnvrtc.so.13"})); // for PTX in place of machine code
    CHECK_FALSE(needs({"libcudart.so.13", "libcuda.so.1"}));
    // The address sanitizer has to come before all other libraries.
    CHECK_FALSE(needs({"libasan.so.8", "libcublas.so.13"}));
}
