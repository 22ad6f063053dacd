// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/lazy_module.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

/// benchmark_ptx_parse FILE.ptx...: processor time to read a module, without bodies and with all of them; the
/// best of ten.
int main(int argc, char** argv) {
    using dormer::emulator::ptx::parser::LazyModule;
    const auto cpuMilliseconds = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    for (int i = 1; i < argc; ++i) {
        std::ifstream file(argv[i]);
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        double heads = 1e9, all = 1e9;
        std::size_t instructions = 0;
        for (int round = 0; round < 10; ++round) {
            const double begin = cpuMilliseconds();
            auto module = LazyModule::parse(text);
            heads = std::min(heads, cpuMilliseconds() - begin);
            instructions = 0;
            for (std::size_t f = 0; module && f < module->module().functions.size(); ++f) {
                if (const auto body = module->parseBody(f); !body) {
                    fmt::print(stderr, "{}: {}\n", argv[i], body.error().message);
                    return 5;
                }
                instructions += module->module().functions[f].body.size();
            }
            if (!module) {
                fmt::print(stderr, "{}: {}\n", argv[i], module.error().message);
                return 5;
            }
            all = std::min(all, cpuMilliseconds() - begin);
        }
        const double megabytes = static_cast<double>(text.size()) / 1e6;
        fmt::print("{}: {:.2f} MB, {} instructions; heads {:.2f} ms, with bodies {:.1f} ms = {:.0f} MB/s\n",
                   argv[i], megabytes, instructions, heads, all, 1e3 * megabytes / all);
    }
}
