// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/flow/control_flow.h"

#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace dormer::emulator::flow {

namespace {

bool readsClock(const ptx::Instruction& instruction) {
    return instruction.opcode == "mov" && instruction.operands.size() == 2 &&
           instruction.operands[1].kind == ptx::Operand::Kind::Special &&
           (instruction.operands[1].name.starts_with("%clock") ||
            instruction.operands[1].name.starts_with("%globaltimer"));
}

/// Has to begin its block: the runner may come back to it, for lanes with another target or that arrive
/// later.
bool standsAlone(const ptx::Instruction& instruction) {
    if (instruction.opcode == "brx" || instruction.opcode == "barrier") return true;
    if (readsClock(instruction)) return true; // the clock goes on from block to block
    if (instruction.opcode == "bar" || instruction.opcode == "wgmma") return endsBlock(instruction);
    if (instruction.opcode != "call") return false;
    return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
        return operand.kind == ptx::Operand::Kind::Register;
    });
}

using Labels = std::unordered_map<std::string, std::uint32_t>; // to instruction indices

std::vector<std::uint32_t> targetsOf(const ptx::Instruction& instruction, const ptx::Function& function,
                                     const Labels& labels) {
    std::vector<std::uint32_t> targets;
    const auto add = [&](const std::string& name) {
        if (const auto found = labels.find(name); found != labels.end()) targets.push_back(found->second);
    };
    for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind != ptx::Operand::Kind::Symbol) continue;
        add(operand.name);
        for (const auto& [name, list] : function.targetLists)
            if (name == operand.name) std::ranges::for_each(list, add);
    }
    return targets;
}

/// Immediate post-dominators: dominators of the graph with all edges turned round, rooted at a virtual end.
class PostDominators {
public:
    explicit PostDominators(std::vector<BasicBlock>& blocks)
        : m_blocks(blocks)
        , m_end(static_cast<std::uint32_t>(blocks.size()))
        , m_predecessors(blocks.size() + 1)
        , m_order(blocks.size() + 1, ptx::kNone)
        , m_dominator(blocks.size() + 1, ptx::kNone) {
        for (std::uint32_t i = 0; i < m_end; ++i) {
            for (const std::uint32_t next : blocks[i].successors)
                m_predecessors[next].push_back(i);
            if (blocks[i].leaves) m_predecessors[m_end].push_back(i);
        }
    }

    void compute() {
        number();
        m_dominator[m_end] = m_end;
        for (bool changed = true; changed;) {
            changed = false;
            for (auto block = m_postorder.rbegin(); block != m_postorder.rend(); ++block) {
                if (*block == m_end) continue;
                std::uint32_t common = ptx::kNone;
                const auto meet = [&](std::uint32_t next) {
                    if (m_dominator[next] == ptx::kNone) return;
                    common = common == ptx::kNone ? next : intersect(common, next);
                };
                for (const std::uint32_t next : m_blocks[*block].successors)
                    meet(next);
                if (m_blocks[*block].leaves) meet(m_end);
                if (common != m_dominator[*block]) {
                    m_dominator[*block] = common;
                    changed = true;
                }
            }
        }
        for (std::uint32_t i = 0; i < m_end; ++i)
            m_blocks[i].postDominator = m_dominator[i] == m_end ? ptx::kNone : m_dominator[i];
    }

private:
    /// Postorder of a walk from the end along reversed edges; blocks that never reach it keep none.
    void number() {
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{m_end, 0}};
        std::vector<bool> seen(m_order.size());
        seen[m_end] = true;
        while (!stack.empty()) {
            auto& [block, child] = stack.back();
            if (child < m_predecessors[block].size()) {
                const std::uint32_t next = m_predecessors[block][child++];
                if (!seen[next]) {
                    seen[next] = true;
                    stack.emplace_back(next, 0);
                }
            } else {
                m_order[block] = static_cast<std::uint32_t>(m_postorder.size());
                m_postorder.push_back(block);
                stack.pop_back();
            }
        }
    }

    std::uint32_t intersect(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            while (m_order[a] < m_order[b])
                a = m_dominator[a];
            while (m_order[b] < m_order[a])
                b = m_dominator[b];
        }
        return a;
    }

    std::vector<BasicBlock>& m_blocks;
    std::uint32_t m_end;
    std::vector<std::vector<std::uint32_t>> m_predecessors;
    std::vector<std::uint32_t> m_postorder, m_order, m_dominator;
};

} // namespace

bool endsBlock(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "bar") return !hasModifier(instruction, "warp");
    if (opcode == "wgmma") return hasModifier(instruction, "wait_group");
    return opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" || opcode == "trap" ||
           opcode == "call" || opcode == "barrier" || opcode == "nanosleep";
}

std::vector<BasicBlock> findBlocks(const ptx::Function& function) {
    const auto count = static_cast<std::uint32_t>(function.body.size());
    Labels labels;
    std::vector<bool> begins(count + 1);
    begins[0] = true;
    for (const auto& [name, index] : function.labels) {
        labels.emplace(name, index);
        begins[index] = true;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (endsBlock(function.body[i])) begins[i + 1] = true;
        if (standsAlone(function.body[i])) begins[i] = true;
    }
    std::vector<BasicBlock> blocks;
    std::vector<std::uint32_t> blockAt(count + 1, ptx::kNone);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (begins[i]) {
            if (!blocks.empty()) blocks.back().end = i;
            blockAt[i] = static_cast<std::uint32_t>(blocks.size());
            blocks.push_back({i, count, false, {}, false, ptx::kNone});
        }
    }
    // What falls off the end leaves: an empty block stands for it, so that labels there have a block.
    blockAt[count] = static_cast<std::uint32_t>(blocks.size());
    blocks.push_back({count, count, false, {}, true, ptx::kNone});

    for (std::uint32_t b = 0; b + 1 < blocks.size(); ++b) {
        BasicBlock& block = blocks[b];
        const ptx::Instruction& last = function.body[block.end - 1];
        block.hasEnding = endsBlock(last);
        const bool guarded = last.guard != ptx::kNone;
        const bool jumps = last.opcode == "bra" || last.opcode == "brx";
        const bool leaves = last.opcode == "ret" || last.opcode == "exit" || last.opcode == "trap";
        if (jumps)
            for (const std::uint32_t target : targetsOf(last, function, labels))
                block.successors.push_back(blockAt[target]);
        block.leaves = leaves;
        if (!(jumps || leaves) || guarded) block.successors.push_back(b + 1);
        std::ranges::sort(block.successors);
        const auto [first, end] = std::ranges::unique(block.successors);
        block.successors.erase(first, end);
    }
    PostDominators(blocks).compute();
    return blocks;
}

} // namespace dormer::emulator::flow
