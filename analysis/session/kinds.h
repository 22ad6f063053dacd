// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

/// What stream, session file, JSON and CSV spell as one keyword. None is the empty one; a keyword that this
/// version does not know reads as Unknown, so that recordings of a later version stay readable.
namespace dormer::session {

enum class MemorySpace : std::uint8_t { None, Global, Shared, Local, Constant, Texture, Generic, Unknown };
enum class MemoryOperation : std::uint8_t { None, Load, Store, Atomic, Reduction, Copy, Branch, Unknown };

enum class TransferKind : std::uint8_t { None, Copy, Fill, Migration, GpuFault, CpuFault, Unknown };
[[nodiscard]] constexpr bool isFault(TransferKind kind) {
    return kind == TransferKind::GpuFault || kind == TransferKind::CpuFault;
}
enum class TransferDirection : std::uint8_t {
    None,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    HostToHost,
    Peer,
    Unknown
};
/// What the memory at one end of a transfer is.
enum class MemoryKind : std::uint8_t { None, Pageable, Pinned, Managed, Device, Array, Unknown };

enum class CodeLanguage : std::uint8_t { None, Sass, Ptx, Unknown };

/// How counters that belong to a signature were got: sampled at the program's own speed, or counted by passes
/// that were spread over its launches.
enum class CounterMethod : std::uint8_t { None, Sampled, Counted, Unknown };

[[nodiscard]] std::string_view toString(MemorySpace space);           ///< "global"
[[nodiscard]] std::string_view toString(MemoryOperation op);          ///< "load"
[[nodiscard]] std::string_view toString(TransferKind kind);           ///< "gpu_fault"
[[nodiscard]] std::string_view toString(TransferDirection direction); ///< "host_to_device"
[[nodiscard]] std::string_view toString(MemoryKind memory);           ///< "pageable"
[[nodiscard]] std::string_view toString(CodeLanguage language);       ///< "sass"
[[nodiscard]] std::string_view toString(CounterMethod method);        ///< "sampled"

/// One of the enumerations above.
template <typename T>
concept Keyword = std::is_enum_v<T> && requires(T value) {
    T::None;
    T::Unknown;
    requires std::is_same_v<decltype(toString(value)), std::string_view>;
};

/// The enumerator that toString() spells so; Unknown when there is none.
template <Keyword K>
bool fromString(std::string_view text, K& value) {
    for (value = K::None; value != K::Unknown && toString(value) != text;)
        value = static_cast<K>(static_cast<int>(value) + 1);
    return true;
}

} // namespace dormer::session
