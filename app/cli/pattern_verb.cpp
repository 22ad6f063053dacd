// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"
#include "analysis/report/svg/pattern_svg.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace dormer::cli {

namespace {

struct PatternOptions {
    access::PatternQuestion question;
    std::string type = "float";
    std::string cc = "9.0";
    std::string block = "256", grid = "1024", bid = "0";
    bool store = false, atomic = false;
    std::string format = "table";
};

/// "256", "32x8", "8x8x4".
Result<session::Dim3> dimensions(const std::string& text, std::string_view option) {
    std::array<std::uint32_t, 3> sizes{};
    std::size_t count = 0;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (; count < 3; ++at) {
        const auto parsed = std::from_chars(at, end, sizes[count]);
        if (parsed.ec != std::errc{}) break;
        ++count;
        at = parsed.ptr;
        if (at == end || *at != 'x') break;
    }
    if (count == 0 || at != end || text.ends_with('x'))
        return failure(ErrorKind::Usage, fmt::format("{} '{}': expected N, NxM or NxMxK", option, text));
    const std::uint32_t missing = option == "--bid" ? 0 : 1;
    for (std::size_t i = count; i < 3; ++i)
        sizes[i] = missing;
    return session::Dim3{sizes[0], sizes[1], sizes[2]};
}

Result<void> readCapability(const std::string& text, access::PatternQuestion& question) {
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, question.ccMajor);
    if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.') {
        const auto minor = std::from_chars(major.ptr + 1, end, question.ccMinor);
        if (minor.ec == std::errc{} && minor.ptr == end && question.ccMajor >= 2 && question.ccMajor < 100 &&
            question.ccMinor >= 0)
            return {};
    }
    return failure(ErrorKind::Usage,
                   fmt::format("--cc '{}': expected a compute capability such as 9.0", text));
}

Result<access::LanePattern> answer(PatternOptions options) {
    access::PatternQuestion& question = options.question;
    const auto width = access::widthOfType(options.type);
    if (!width)
        return failure(ErrorKind::Usage,
                       fmt::format("--type '{}' is unknown: expected char, short, half, int, float, double, "
                                   "float2, float4, ...",
                                   options.type));
    question.widthBytes = *width;
    if (const auto read = readCapability(options.cc, question); !read) return std::unexpected(read.error());
    const auto block = dimensions(options.block, "--block");
    const auto grid = dimensions(options.grid, "--grid");
    const auto bid = dimensions(options.bid, "--bid");
    for (const auto* each : {&block, &grid, &bid})
        if (!*each) return std::unexpected(each->error());
    question.block = *block;
    question.grid = *grid;
    question.blockIndex = *bid;
    question.op = options.atomic  ? access::AccessOp::Atomic
                  : options.store ? access::AccessOp::Store
                                  : access::AccessOp::Load;
    return access::lanePattern(question);
}

int pattern(const PatternOptions& options) {
    const auto found = answer(options);
    if (!found) return fail(found.error());
    if (options.format == "json") return printResult(access::patternJson(*found).dump(2));
    return printResult(options.format == "svg" ? report::patternSvg(*found) : access::patternText(*found));
}

} // namespace

void addPatternVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand(
        "pattern", "Shows what a memory access costs: sectors, banks, and a picture of the lanes");
    auto options = std::make_shared<PatternOptions>();
    verb->add_option("EXPR", options->question.expression,
                     "element that a thread accesses, as an expression of tid, lane, warp, bid, bdim, gdim "
                     "(or threadIdx.x, ...) and "
                     "numbers: 'tid*2', 'a[tid - 2]', 'tile[lane][3]'")
        ->required();
    verb->add_option("--type", options->type, "type of an element")->capture_default_str();
    verb->add_flag("--shared", options->question.shared, "shared memory instead of global");
    auto* store = verb->add_flag("--store", options->store, "a store instead of a load");
    verb->add_flag("--atomic", options->atomic, "an atomic instead of a load")->excludes(store);
    verb->add_option("--active", options->question.active, "access only if this is true: 'lane < 16'");
    verb->add_option("--row", options->question.rowElements, "elements per row of name[y][x]")
        ->check(CLI::PositiveNumber);
    verb->add_option("--base", options->question.baseBytes, "byte address of element 0");
    verb->add_option("--cc", options->cc, "compute capability")->capture_default_str();
    verb->add_flag("--bypass-l1", options->question.bypassL1, "loads bypass L1; matters below 6.0");
    verb->add_option("--block", options->block, "threads per block, N or NxMxK")->capture_default_str();
    verb->add_option("--grid", options->grid, "blocks in the grid")->capture_default_str();
    verb->add_option("--bid", options->bid, "which block")->capture_default_str();
    verb->add_option("--warp", options->question.warp, "which warp of the block")->capture_default_str();
    verb->add_option("--format", options->format, "table, json or svg")
        ->check(CLI::IsMember({"table", "json", "svg"}))
        ->capture_default_str();
    verb->callback([options, &action] { action = [options] { return pattern(*options); }; });
}

} // namespace dormer::cli
