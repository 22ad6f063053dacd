// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/remote_devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace dormer::instrument::launch {

using namespace process;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

/// Appends what is there; false once there is no more to come.
bool drain(int fd, std::string& into) {
    std::array<char, 16384> buffer;
    while (true) {
        const ssize_t got = read(fd, buffer.data(), buffer.size());
        if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
        if (into.size() < kMostBytes) into.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

std::string textOf(const nlohmann::json& json, const char* name) {
    const auto at = json.find(name);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

} // namespace

std::string quotedPath(const std::string& path) {
    constexpr std::string_view kHome = "~/";
    if (path.starts_with(kHome) && path.size() > kHome.size())
        return std::string(kHome) + quotedPath(path.substr(kHome.size()));
    std::string quoted = "'";
    for (const char c : path)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string devicesJson(const GpuStatus& status, const Installation& installation) {
    nlohmann::json devices = nlohmann::json::array();
    for (const ChosenDevice& device : devicesToChoose(status, installation))
        devices.push_back(
            {{"on", device.onName()},
             {"name", device.name},
             {"id", device.id},
             {"chip", device.chip != nullptr ? nlohmann::json(device.chip->key) : nlohmann::json()}});
    const auto orNull = [](const std::string& text) {
        return text.empty() ? nlohmann::json() : nlohmann::json(text);
    };
    return nlohmann::json{{"version", DORMER_VERSION},
                          {"devices", std::move(devices)},
                          {"problem", orNull(status.problem)},
                          {"remedy", orNull(status.remedy)}}
        .dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<ChosenDevice>> devicesFrom(const RemoteHost& host, std::string_view text) {
    // Login scripts may print before it.
    const std::size_t begin = text.find('{');
    const nlohmann::json json = begin == std::string_view::npos
                                    ? nlohmann::json()
                                    : nlohmann::json::parse(text.substr(begin), nullptr, false);
    const auto listed = json.is_object() ? json.find("devices") : json.end();
    if (!json.is_object() || listed == json.end() || !listed->is_array())
        return failure(
            ErrorKind::Device,
            fmt::format("{}: '{}' there did not list its devices; install the same version on both "
                        "machines",
                        host.host, host.dormer));
    const std::string problem = textOf(json, "problem");
    std::vector<ChosenDevice> gpus, emulated;
    for (const nlohmann::json& each : *listed) {
        if (!each.is_object()) continue;
        ChosenDevice device;
        device.name = textOf(each, "name");
        device.probed = true;
        device.remote = host;
        if (const std::string chip = textOf(each, "chip"); !chip.empty()) {
            if (chip != device::kDefaultChip) continue;
            device.chip = device::findChip(chip);
            device.whyEmulated = problem;
            emulated.push_back(std::move(device));
            continue;
        }
        const auto id = each.find("id");
        if (id == each.end() || !id->is_number_integer()) continue;
        device.id = id->get<int>();
        gpus.push_back(std::move(device));
    }
    if (!gpus.empty()) return gpus;
    if (!emulated.empty()) return emulated;
    return failure(ErrorKind::Device, fmt::format("{}: nothing to run on there ({})", host.host,
                                                  problem.empty() ? "no GPU and no emulator" : problem));
}

Result<std::vector<ChosenDevice>> remoteDevices(const RemoteHost& host,
                                                std::chrono::duration<double> timeout) {
    auto child = startThere(host, quotedPath(host.dormer) + " list --devices --format json");
    if (!child) return std::unexpected(child.error());
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
    child->closeInput();
    std::string output, said;
    for (bool exited = false; !exited;) {
        if (Clock::now() > deadline) {
            child->signalGroup(SIGKILL);
            return failure(ErrorKind::Device,
                           fmt::format("{} did not answer in {:.0f} s", host.host, timeout.count()));
        }
        exited = child->exited();
        std::array<pollfd, 2> waiting{{{child->pipe(), POLLIN, 0}, {child->errors(), POLLIN, 0}}};
        // Not for long: what ssh leaves behind may hold its stderr.
        if (!exited) poll(waiting.data(), waiting.size(), 10);
        const bool open = drain(child->pipe(), output);
        (void)drain(child->errors(), said);
        if (!open && !exited) poll(nullptr, 0, 5);
    }
    const ExitStatus status = child->reap();
    // Without a device, `dormer list` still ends well.
    if (status.exitCode != 0) return std::unexpected(remoteProblem(host, status, said));
    return devicesFrom(host, output);
}

} // namespace dormer::instrument::launch
