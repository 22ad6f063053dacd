// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/launch_filter.h"

#include "tests/support/answering_launcher.h"
#include "tests/support/catch.h"

using namespace dormer::instrument::collect;

using namespace dormer::instrument::stream;

namespace {

LaunchCall call(const char* mangled, std::uint32_t blocks, const char* nvtx = "") {
    LaunchCall launch;
    launch.function = mangled;
    launch.mangledName = mangled;
    launch.grid = {blocks, 1, 1};
    launch.nvtx = nvtx;
    return launch;
}

} // namespace

TEST_CASE("Names are shown as the source has them") {
    CHECK(demangled("_Z3addPfi") == "add(float*, int)");
    CHECK(demangled("plain_c_name") == "plain_c_name");
}

TEST_CASE("Option --kernels looks at the demangled name and --nvtx at the path") {
    CollectOptions options;
    options.kernels = "^add\\(float";
    options.nvtx = "step *";
    const dormer::tests::AnsweringLauncher launcher{options.kernels};
    LaunchFilter filter{options};
    CHECK(filter.whyNotCounted(call("_Z3addPfi", 1, "step 7")).empty());
    CHECK(filter.whyNotCounted(call("_Z3subPfi", 1, "step 7")) ==
          "its name does not match --kernels ^add\\(float");
    CHECK(filter.whyNotCounted(call("_Z3addPfi", 1, "warm-up")) ==
          "its NVTX range does not match --nvtx step *");
}

TEST_CASE("Option --launches counts launches of one kernel and shape") {
    CollectOptions options;
    options.launches = 2;
    LaunchFilter filter{options};
    const char* add = "_Z3addPfi";
    CHECK(filter.whyNotCounted(call(add, 8)).empty());
    CHECK(filter.whyNotCounted(call(add, 8)).empty());
    CHECK(filter.whyNotCounted(call(add, 16)).empty());
    CHECK(filter.whyNotCounted(call(add, 8)) ==
          "--launches 2: that many launches like it were already counted");
}

TEST_CASE("Option --kernels looks at the workload and the short name, too") {
    CollectOptions options;
    options.kernels = "^suite/add$|^sub$";
    const dormer::tests::AnsweringLauncher launcher{options.kernels};
    LaunchFilter filter{options};
    LaunchCall add = call("_Z3addPfi", 1);
    CHECK_FALSE(filter.whyNotCounted(add).empty());
    add.workload = "suite/add";
    CHECK(filter.whyNotCounted(add).empty());
    CHECK(filter.whyNotCounted(call("_Z3subPfi", 1)).empty());
    // Names of templates can be longer than a question.
    CHECK_FALSE(filter.whyNotCounted(call(std::string(512 * 1024, 'x').c_str(), 1)).empty());
}

TEST_CASE("Without a launcher that answers --kernels, nothing is counted and the reason is said") {
    CollectOptions options;
    options.kernels = "add";
    LaunchFilter filter{options};
    CHECK(filter.whyNotCounted(call("_Z3addPfi", 1)) ==
          "the launcher did not say whether it matches --kernels add");
    const dormer::tests::AnsweringLauncher launcher{options.kernels};
    CHECK(filter.whyNotCounted(call("_Z3addPfi", 1)).empty());
}
