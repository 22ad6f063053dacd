// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/tensor_plan.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace dormer::emulator::instructions {
namespace {

TensorFragment place(const FragmentShape& shape) {
    TensorFragment result;
    result.element = shape.element;
    result.registers = static_cast<std::uint8_t>(fragmentRegisters(shape));
    result.parts = static_cast<std::uint8_t>(fragmentParts(shape));
    unsigned next = 0;
    for (unsigned reg = 0; reg < result.registers; ++reg)
        for (unsigned lane = 0; lane < kLanes; ++lane)
            for (unsigned part = 0; part < result.parts; ++part) {
                const auto [row, column] = fragmentElement(shape, lane, reg, part);
                result.index[next++] = static_cast<std::uint16_t>(row * shape.columns() + column);
            }
    return result;
}

} // namespace

const FragmentPlaces* fragmentPlaces(const FragmentShape& shape) {
    static std::mutex mutex;
    static std::map<FragmentShape, std::unique_ptr<FragmentPlaces>> all;
    const std::lock_guard lock(mutex);
    auto& places = all[shape];
    if (places) return places.get();
    places = std::make_unique<FragmentPlaces>();
    const unsigned registers = fragmentRegisters(shape), parts = fragmentParts(shape);
    unsigned next = 0;
    for (unsigned reg = 0; reg < registers; ++reg)
        for (unsigned lane = 0; lane < kLanes; ++lane)
            for (unsigned part = 0; part < parts; ++part, ++next) {
                const auto [row, column] = fragmentElement(shape, lane, reg, part);
                places->row[next] = static_cast<std::uint8_t>(row);
                places->column[next] = static_cast<std::uint8_t>(column);
            }
    return places.get();
}

const TensorPlan* tensorPlan(const ptx::Instruction& instruction) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<TensorPlan>> plans;
    const auto operation = matrixOperation(instruction);
    if (!operation) return nullptr;
    std::string key = instruction.opcode;
    for (const std::string& word : instruction.modifiers)
        key += '.' + word;
    const std::lock_guard lock(mutex);
    auto& plan = plans[key];
    if (!plan)
        plan = std::make_unique<TensorPlan>(
            TensorPlan{operation->a.m, operation->a.n, operation->a.k, operation->saturate,
                       place(operation->a), place(operation->b), place(operation->c), place(operation->d)});
    return plan.get();
}

} // namespace dormer::emulator::instructions
