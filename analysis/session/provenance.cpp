// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::session {

namespace {

constexpr std::string_view kEmulatedMark = " (emulated)";

/// How the numbers of a process were got: what was sampled rests on fewer looks than what was measured whole.
enum class Got { Measured, Sampled, Emulated, Imported };

Got howGot(const Session& session, std::size_t process) {
    switch (session.processes()[process].origin) {
    case Origin::Emulated:
        return Got::Emulated;
    case Origin::Imported:
        return Got::Imported;
    case Origin::Measured:
        break;
    }
    bool sampled = false;
    for (const SignatureCounter& counter : session.signatureCounters()) {
        if (counter.process != process) continue;
        if (counter.method != CounterMethod::Sampled) return Got::Measured;
        sampled = true;
    }
    return sampled ? Got::Sampled : Got::Measured;
}

std::string_view wordOf(Got got) {
    switch (got) {
    case Got::Measured:
        return toString(Origin::Measured);
    case Got::Sampled:
        return toString(CounterMethod::Sampled);
    case Got::Emulated:
        return toString(Origin::Emulated);
    case Got::Imported:
        return toString(Origin::Imported);
    }
    return {};
}

} // namespace

std::string_view whereTimed(const Session& session) {
    const auto emulated = [](const Process& process) { return process.origin == Origin::Emulated; };
    return !session.processes().empty() && std::ranges::all_of(session.processes(), emulated) ? "predicted"
                                                                                              : "on the GPU";
}

std::string provenance(const Session& session) {
    std::string text;
    std::vector<Got> got;
    for (std::size_t i = 0; i < session.processes().size(); ++i)
        got.push_back(howGot(session, i));
    for (const Got way : {Got::Measured, Got::Sampled, Got::Emulated, Got::Imported}) {
        bool any = false;
        std::vector<std::size_t> devices;
        for (std::size_t i = 0; i < session.processes().size(); ++i) {
            if (got[i] != way) continue;
            any = true;
            for (const auto& [key, device] : session.deviceIndex()) {
                if (key.first == i && std::ranges::find(devices, device) == devices.end())
                    devices.push_back(device);
            }
        }
        if (!any) continue;
        if (!text.empty()) text += "; ";
        text += wordOf(way);
        // Several GPUs of one model are named once, with their number.
        std::vector<std::pair<std::string_view, int>> names;
        for (const std::size_t device : devices) {
            // The emulator marks its devices' names; the origin has said so already.
            std::string_view name = session.devices()[device].name;
            if (way == Got::Emulated && name.ends_with(kEmulatedMark))
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
            text += i > 0 || way == Got::Imported ? ", " : way == Got::Emulated ? " " : " on ";
            text += count > 1 ? fmt::format("{} x {}", count, name) : std::string(name);
        }
    }
    return text.empty() ? "no data" : text;
}

} // namespace dormer::session
