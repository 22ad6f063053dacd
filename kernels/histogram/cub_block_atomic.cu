// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/cub_block.cuh"
#include "kernels/histogram/groups.h"

namespace dormer::kernels::histogram {

namespace {

template <int kBins>
std::vector<Expectation> answers(std::size_t size) {
    return {atomics(0, size, kBins, mergeReason(kBins)), readOnce(size),
            exactly("shared_atomic_instructions", static_cast<double>(size / 32),
                    "one shared atomic per element, 32 per warp")};
}

template <int kBins, Input kInput>
Row<TemperaturesOf<kInput>> row() {
    return cubBlockRow<cub::BLOCK_HISTO_ATOMIC, kBins, kInput>(
        "cub_block_atomic", "cub::BlockHistogram by shared atomics: what `shared` does by hand",
        answers<kBins>);
}

} // namespace

std::vector<Group> cubBlockAtomicGroups() {
    return {groupOfRows<Input::Uniform>({row<10, Input::Uniform>(), row<256, Input::Uniform>()},
                                        kPrivateSizes, kTile),
            groupOfRows<Input::OneBin>({row<10, Input::OneBin>()}, kPrivateSizes, kTile)};
}

} // namespace dormer::kernels::histogram
