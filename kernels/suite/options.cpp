// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace dormer::kernels {

Result<Options> parseOptions(int argc, const char* const* argv) {
    Options options;
    CLI::App app{"Runs Dormer's workload kernels and checks their results.", "dormer-workloads"};
    app.add_option("--size", options.size, "Elements per workload (default: each workload's own)")
        ->check(CLI::Range(std::int64_t{1}, kMaxSize));
    std::string sizes = "gpu";
    app.add_option("--sizes", sizes, "Whose default sizes: those for a GPU, or the emulator's smaller ones")
        ->check(CLI::IsMember({"gpu", "emulator"}))
        ->capture_default_str();
    app.add_option("--repeat", options.repeat, "Launches of each variant (default: 5; fewer of slow ones)")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    app.add_option("--device", options.device, "CUDA device")
        ->check(CLI::Range(0, 1023))
        ->capture_default_str();
    // CLI11 would wrap a negative number around.
    app.add_option("--seed", options.seed, "Seed of the generated inputs")
        ->check(CLI::Validator(
            [](const std::string& text) {
                return text.starts_with('-') ? "--seed must not be negative" : "";
            },
            "", "not negative"))
        ->capture_default_str();
    app.add_flag("--describe", options.describe, "Print what the suite holds as JSON; needs no GPU");
    app.add_flag(
        "--digest", options.digest,
        "Print a digest of each array when its family is done: equal on two devices that compute the same");
    app.add_option("PATTERN", options.patterns, "family, family/variant, or a glob over them (default: all)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        options.help = app.help();
    } catch (const CLI::ParseError& error) {
        std::string message = error.what();
        std::ranges::replace(message, '\n', ' ');
        return failure(ErrorKind::Usage, message + " (--help lists the options)");
    }
    options.emulatorSizes = sizes == "emulator";
    return options;
}

} // namespace dormer::kernels
