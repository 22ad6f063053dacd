// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/calls.h"
#include "instrument/emulator/memory/device_memory.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace dormer::emulator::exec {

namespace {

std::byte* areaOf(const WarpState& w, unsigned lane) {
    return w.parameterArea + std::size_t{lane} * w.parameterStride + w.parameterOffset;
}

template <typename T>
T argument(const WarpState& w, const program::CallOperands& call, unsigned lane, std::size_t index) {
    T value{};
    if (index < call.arguments.size())
        std::memcpy(&value, areaOf(w, lane) + call.arguments[index].offset,
                    std::min<std::size_t>(sizeof value, call.arguments[index].bytes));
    return value;
}

template <typename T>
void setResult(const WarpState& w, const program::CallOperands& call, unsigned lane, T value) {
    if (!call.results.empty())
        std::memcpy(areaOf(w, lane) + call.results[0].offset, &value,
                    std::min<std::size_t>(sizeof value, call.results[0].bytes));
}

/// Readable bytes from a generic address on, of global, local or shared memory; empty when there are none.
std::span<const std::byte> readable(const WarpState& w, unsigned lane, std::uint64_t address) {
    if (address - program::kLocalWindow < w.localStride)
        return {w.local + std::size_t{lane} * w.localStride + (address - program::kLocalWindow),
                w.localStride - (address - program::kLocalWindow)};
    if (address - program::kSharedWindow < w.sharedBytes)
        return {w.shared + (address - program::kSharedWindow),
                w.sharedBytes - (address - program::kSharedWindow)};
    if (const std::optional<memory::Allocation> found = w.memory->find(address))
        return {reinterpret_cast<const std::byte*>(address), found->end() - address};
    return {};
}

std::string textAt(const WarpState& w, unsigned lane, std::uint64_t address) {
    const std::span<const std::byte> bytes = readable(w, lane, address);
    if (bytes.data() == nullptr) {
        if (address == 0) return "(null)";
        throw FaultSignal{
            memory::Fault::Kind::IllegalAddress, lane, address,
            fmt::format("printf reads a string at {:#x}, which lies in no allocation", address)};
    }
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return {text, strnlen(text, bytes.size())};
}

/// Takes the arguments of a vprintf from their buffer, each at its natural alignment.
class ArgumentReader {
public:
    ArgumentReader(const WarpState& w, unsigned lane, std::uint64_t address)
        : m_bytes(readable(w, lane, address)) {}
    template <typename T>
    T next() {
        m_at = (m_at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        if (m_at + sizeof(T) <= m_bytes.size()) std::memcpy(&value, m_bytes.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return value;
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
};

template <typename T>
std::string formatOne(const std::string& specification, T value) {
    std::array<char, 512> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // checked: one conversion, of the type passed
    const int length = std::snprintf(buffer.data(), buffer.size(), specification.c_str(), value);
#pragma GCC diagnostic pop
    if (length < 0) return {};
    return {buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1)};
}

/// One conversion, "%-8.3f", formatted with the next arguments.
std::string formatConversion(const WarpState& w, unsigned lane, std::string flags, bool isLong, char type,
                             ArgumentReader& arguments) {
    switch (type) {
    case 'd':
    case 'i':
        return isLong ? formatOne(flags + "ll" + type, arguments.next<long long>())
                      : formatOne(flags + type, arguments.next<int>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        return isLong ? formatOne(flags + "ll" + type, arguments.next<unsigned long long>())
                      : formatOne(flags + type, arguments.next<unsigned>());
    case 'c':
        return formatOne(flags + type, arguments.next<int>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return formatOne(flags + type, arguments.next<double>());
    case 'p':
        return fmt::format("{:#x}", arguments.next<std::uint64_t>());
    case 's':
        return formatOne(flags + type, textAt(w, lane, arguments.next<std::uint64_t>()).c_str());
    default:
        return flags + type;
    }
}

std::string formatPrintf(const WarpState& w, unsigned lane, const std::string& format, std::uint64_t buffer) {
    ArgumentReader arguments(w, lane, buffer);
    std::string out;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            out += format[i];
            continue;
        }
        if (i + 1 < format.size() && format[i + 1] == '%') {
            out += '%';
            ++i;
            continue;
        }
        std::string flags = "%";
        bool isLong = false;
        for (++i; i < format.size(); ++i) {
            const char c = format[i];
            if (c == '*')
                flags += std::to_string(arguments.next<int>());
            else if (std::strchr("-+ #0123456789.", c) != nullptr)
                flags += c;
            else if (c == 'l' || c == 'z' || c == 'j' || c == 't')
                isLong = true;
            else if (c != 'h')
                break;
        }
        if (flags.size() > 32) flags = "%"; // nobody means a field wider than a screen
        if (i < format.size()) out += formatConversion(w, lane, flags, isLong, format[i], arguments);
    }
    return out;
}

void callPrintf(const WarpState& w, const program::CallOperands& call) {
    std::string all;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::string format = textAt(w, lane, argument<std::uint64_t>(w, call, lane, 0));
        all += formatPrintf(w, lane, format, argument<std::uint64_t>(w, call, lane, 1));
        setResult<std::int32_t>(w, call, lane, 0);
    }
    static std::mutex s_output; // lines of different warps stay whole
    const std::lock_guard lock(s_output);
    std::fwrite(all.data(), 1, all.size(), stdout);
}

void callMalloc(const WarpState& w, const program::CallOperands& call) {
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const auto bytes = argument<std::uint64_t>(w, call, lane, 0);
        setResult(w, call, lane, w.memory->allocate(bytes, memory::Allocation::Kind::Device).value_or(0));
    }
}

void callFree(const WarpState& w, const program::CallOperands& call) {
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const auto address = argument<std::uint64_t>(w, call, lane, 0);
        if (address != 0 && !w.memory->release(address))
            throw FaultSignal{memory::Fault::Kind::IllegalAddress, lane, address,
                              fmt::format("free of {:#x}, where no allocation begins", address)};
    }
}

/// Sets the value of a condition of a graph: its handle is the address.
void callSetConditional(const WarpState& w, const program::CallOperands& call) {
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const auto handle = argument<std::uint64_t>(w, call, lane, 0);
        const std::optional<memory::Allocation> found = w.memory->find(handle);
        if (!found || found->kind != memory::Allocation::Kind::Internal || found->address != handle)
            throw FaultSignal{memory::Fault::Kind::IllegalAddress, lane, handle,
                              fmt::format("cudaGraphSetConditional of {:#x}, which is no handle", handle)};
        const auto value = argument<std::uint32_t>(w, call, lane, 1);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(handle), value, __ATOMIC_RELAXED);
    }
}

[[noreturn]] void callAssertFail(const WarpState& w, const program::CallOperands& call) {
    const auto lane = static_cast<unsigned>(std::countr_zero(w.exec));
    throw FaultSignal{memory::Fault::Kind::Assert, lane, 0,
                      fmt::format("assertion `{}` failed ({}:{})",
                                  textAt(w, lane, argument<std::uint64_t>(w, call, lane, 0)),
                                  textAt(w, lane, argument<std::uint64_t>(w, call, lane, 1)),
                                  argument<std::uint32_t>(w, call, lane, 2))};
}

} // namespace

namespace {
constexpr std::string_view kSetConditional = "cudaGraphSetConditional";
} // namespace

bool isExternal(std::string_view name) {
    return name == "vprintf" || name == "malloc" || name == "free" || name == "__assertfail" ||
           name == kSetConditional;
}

void callExternal(WarpState& w, const program::CallOperands& call) {
    w.wrote |= w.exec;
    if (call.external == "vprintf")
        callPrintf(w, call);
    else if (call.external == "malloc")
        callMalloc(w, call);
    else if (call.external == "free")
        callFree(w, call);
    else if (call.external == kSetConditional)
        callSetConditional(w, call);
    else
        callAssertFail(w, call);
}

} // namespace dormer::emulator::exec
