// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/types.h"

#include <array>

namespace dormer::emulator::ptx {
namespace {

struct TypeName {
    std::string_view name;
    Type type;
    std::size_t bytes;
};
// In the order of the enumeration.
constexpr auto kTypes = std::to_array<TypeName>({
    {"", Type::None, 0},          {"pred", Type::Pred, 0},     {"b8", Type::B8, 1},
    {"b16", Type::B16, 2},        {"b32", Type::B32, 4},       {"b64", Type::B64, 8},
    {"b128", Type::B128, 16},     {"u8", Type::U8, 1},         {"u16", Type::U16, 2},
    {"u32", Type::U32, 4},        {"u64", Type::U64, 8},       {"s8", Type::S8, 1},
    {"s16", Type::S16, 2},        {"s32", Type::S32, 4},       {"s64", Type::S64, 8},
    {"f16", Type::F16, 2},        {"f16x2", Type::F16x2, 4},   {"bf16", Type::BF16, 2},
    {"bf16x2", Type::BF16x2, 4},  {"tf32", Type::TF32, 4},     {"f32", Type::F32, 4},
    {"f64", Type::F64, 8},        {"texref", Type::Opaque, 0}, {"samplerref", Type::Opaque, 0},
    {"surfref", Type::Opaque, 0},
});

// Of <N> in `%envreg<32>` and the like: any number is taken.
constexpr auto kSpecial = std::to_array<std::string_view>({
    "%tid",
    "%ntid",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%ctaid",
    "%nctaid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
});
constexpr auto kNumbered = std::to_array<std::string_view>({"%pm", "%envreg", "%reserved_smem_offset_"});

} // namespace

std::size_t bytesOf(Type type) {
    return kTypes[static_cast<std::size_t>(type)].bytes;
}

Type typeOf(std::string_view name) {
    for (const TypeName& entry : kTypes)
        if (entry.name == name) return entry.type;
    return Type::None;
}

bool isSpecialRegister(std::string_view name) {
    if (name == "WARP_SZ") return true;
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) name = name.substr(0, dot);
    for (const std::string_view special : kSpecial)
        if (special == name) return true;
    for (const std::string_view prefix : kNumbered)
        if (name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= '0' &&
            name[prefix.size()] <= '9')
            return true;
    return false;
}

} // namespace dormer::emulator::ptx
