// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::session {

namespace {
constexpr std::string_view kEmulatedMark = " (emulated)";
}

std::string_view whereTimed(const Session& session) {
    const auto emulated = [](const Process& process) { return process.origin == Origin::Emulated; };
    return !session.processes().empty() && std::ranges::all_of(session.processes(), emulated) ? "predicted"
                                                                                              : "on the GPU";
}

std::string launchLabel(const Session& session, LaunchIndex index) {
    const Launch& launch = session.launch(index);
    if (!launch.workload.empty()) return launch.workload;
    const Kernel& kernel = session.kernelOf(index);
    return shortKernelName(kernel.name.empty() ? kernel.mangledName : kernel.name);
}

std::string provenance(const Session& session) {
    std::string text;
    for (const Origin origin : {Origin::Measured, Origin::Emulated, Origin::Imported}) {
        bool any = false;
        std::vector<std::size_t> devices;
        for (std::size_t i = 0; i < session.processes().size(); ++i) {
            if (session.processes()[i].origin != origin) continue;
            any = true;
            for (const auto& [key, device] : session.deviceIndex()) {
                if (key.first == i && std::ranges::find(devices, device) == devices.end())
                    devices.push_back(device);
            }
        }
        if (!any) continue;
        if (!text.empty()) text += "; ";
        text += toString(origin);
        // Several GPUs of one model are named once, with their number.
        std::vector<std::pair<std::string_view, int>> names;
        for (const std::size_t device : devices) {
            // The emulator marks its devices' names; the origin has said so already.
            std::string_view name = session.devices()[device].name;
            if (origin == Origin::Emulated && name.ends_with(kEmulatedMark))
                name.remove_suffix(kEmulatedMark.size());
            const auto at = std::ranges::find(names, name, [](const auto& entry) { return entry.first; });
            if (at == names.end()) {
                names.emplace_back(name, 1);
            } else {
                ++at->second;
            }
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto& [name, count] = names[i];
            text += i > 0                        ? ", "
                    : origin == Origin::Measured ? " on "
                    : origin == Origin::Imported ? ", "
                                                 : " ";
            text += count > 1 ? fmt::format("{} x {}", count, name) : std::string(name);
        }
    }
    return text.empty() ? "no data" : text;
}

} // namespace dormer::session
