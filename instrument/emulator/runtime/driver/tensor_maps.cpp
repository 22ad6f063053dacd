// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Tensor maps: what tensor copies of kernels know of arrays in global memory.

#include "instrument/emulator/memory/tensor_map.h"
#include "instrument/emulator/runtime/driver/driver.h"

#include <cstring>
#include <optional>

using namespace dormer::emulator;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;
using memory::TensorMap;

namespace {

struct ElementType {
    TensorMap::Element element = TensorMap::Element::U8;
    unsigned bytes = 1;
};

/// Nothing for those that are packed or lose their denormals on the way.
std::optional<ElementType> elementOf(CUtensorMapDataType type) {
    using Element = TensorMap::Element;
    switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
        return ElementType{Element::U8, 1};
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
        return ElementType{Element::U16, 2};
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
        return ElementType{Element::U32, 4};
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
        return ElementType{Element::S32, 4};
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
        return ElementType{Element::U64, 8};
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
        return ElementType{Element::S64, 8};
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
        return ElementType{Element::F16, 2};
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
        return ElementType{Element::F32, 4};
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
        return ElementType{Element::F64, 8};
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
        return ElementType{Element::BF16, 2};
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
        return ElementType{Element::TF32, 4};
    default:
        return std::nullopt;
    }
}

std::optional<std::uint8_t> spanOf(CUtensorMapSwizzle swizzle) {
    switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE:
        return 0;
    case CU_TENSOR_MAP_SWIZZLE_32B:
        return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
        return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B:
        return 128;
    default:
        return std::nullopt;
    }
}

struct Arguments {
    CUtensorMapDataType type;
    cuuint32_t rank;
    void* address;
    const cuuint64_t *size, *strides;
    const cuuint32_t *box, *steps;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
};

/// What cuda.h demands of the arguments.
Outcome<TensorMap> encode(const Arguments& a) {
    const auto invalid = fails(cudaErrorInvalidValue);
    if (a.address == nullptr || reinterpret_cast<std::uint64_t>(a.address) % 16 != 0 || a.size == nullptr ||
        a.box == nullptr || a.steps == nullptr || a.rank == 0 || a.rank > TensorMap::kMostDimensions ||
        (a.rank > 1 && a.strides == nullptr) || a.type > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B)
        return invalid;
    if (a.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
        return api::lacking("cuTensorMapEncodeTiled with an interleaved layout");
    if (a.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
        return api::lacking("cuTensorMapEncodeTiled that fills with NaN");
    const std::optional<ElementType> element = elementOf(a.type);
    if (!element) return api::lacking("cuTensorMapEncodeTiled for packed elements or ones without denormals");
    const std::optional<std::uint8_t> span = spanOf(a.swizzle);
    if (!span) return api::lacking("cuTensorMapEncodeTiled with a swizzle of larger pieces than 16 bytes");
    TensorMap map;
    map.magic = TensorMap::kMagic;
    map.address = reinterpret_cast<std::uint64_t>(a.address);
    map.dimensions = static_cast<std::uint8_t>(a.rank);
    map.element = element->element;
    map.swizzle = *span;
    map.stride[0] = element->bytes;
    for (unsigned d = 0; d < a.rank; ++d) {
        const cuuint32_t step = d == 0 ? 1 : a.steps[d]; // of dimension 0 it is ignored
        if (a.size[d] == 0 || a.size[d] > cuuint64_t{1} << 32 || a.box[d] == 0 || a.box[d] > 256 ||
            step == 0 || step > 8)
            return invalid;
        if (d > 0) {
            const cuuint64_t stride = a.strides[d - 1];
            if (stride % 16 != 0 || stride >= cuuint64_t{1} << 40) return invalid;
            map.stride[d] = stride;
        }
        map.size[d] = a.size[d];
        map.step[d] = static_cast<std::uint8_t>(step);
        map.box[d] = static_cast<std::uint16_t>((a.box[d] + step - 1) / step);
    }
    const unsigned rowBytes = map.box[0] * element->bytes;
    if (rowBytes % 16 != 0 || (*span != 0 && rowBytes > *span)) return invalid;
    return map;
}

CUresult onMap(CUtensorMap* map, const auto& body) {
    return withoutContext([&] {
        return api::call([&](Runtime&) -> Outcome<void> {
            if (map == nullptr || reinterpret_cast<std::uint64_t>(map) % 64 != 0)
                return fails(cudaErrorInvalidValue);
            return body();
        });
    });
}

} // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* size, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill fill) {
    return onMap(map, [&]() -> Outcome<void> {
        const Outcome<TensorMap> made =
            encode({type, rank, address, size, strides, box, steps, interleave, swizzle, fill});
        if (!made) return std::unexpected(made.error());
        *map = {};
        std::memcpy(map->opaque, &*made, sizeof *made);
        return {};
    });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
    return onMap(map, [&]() -> Outcome<void> {
        TensorMap known;
        std::memcpy(&known, map->opaque, sizeof known);
        known.address = reinterpret_cast<std::uint64_t>(address);
        if (known.magic != TensorMap::kMagic || known.address == 0 || known.address % 16 != 0)
            return fails(cudaErrorInvalidValue);
        std::memcpy(map->opaque, &known, sizeof known);
        return {};
    });
}

} // extern "C"
