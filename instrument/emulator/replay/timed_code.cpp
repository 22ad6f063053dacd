// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/timed_code.h"

#include "instrument/emulator/instructions/tensor_plan.h"
#include "instrument/emulator/replay/instruction_use.h"
#include "instrument/emulator/replay/latencies.h"
#include "instrument/emulator/replay/schedule.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace dormer::emulator::replay {

namespace {

using instructions::Inst;
using instructions::Ref;
using instructions::Work;

/// What the assembler assumes of accesses, whose true latency shows when they run: ptxas 13.0 places 21 loads
/// before the first use of 32 that could all go first.
constexpr double kAssumedGlobal = 42, kAssumedShared = 30, kAccessIssue = 2;
/// Instructions of the machine that one of PTX becomes, from which on they wait for each other.
constexpr float kSequence = 5;
constexpr double kLanesOfPart = 4; ///< an SM's four parts have a quarter of its lanes each

} // namespace

TimedCode::TimedCode(const program::Program& program, const device::Architecture& architecture)
    : m_program(program), m_architecture(architecture), m_blocks(program.blocks.size()) {}

std::uint32_t TimedCode::valueOf(std::uint32_t raw) {
    return m_values.try_emplace(raw, static_cast<std::uint32_t>(m_values.size())).first->second;
}

/// Turns a block's instructions into ops with the values they wait for, then orders them.
class BlockBuilder {
public:
    BlockBuilder(TimedCode& code, const program::CodeBlock& block)
        : m_code(code), m_program(code.m_program), m_block(block) {}

    TimedBlock build() {
        countUses();
        for (std::uint32_t i = m_block.first; i < m_block.first + m_block.count; ++i) {
            // Of instructions that decoding made of one, all read and write, and the last takes the time.
            const bool last =
                i + 1 == m_program.insts.size() || m_program.insts[i].index != m_program.insts[i + 1].index;
            gather(m_program.insts[i], last);
            if (last) add(i, m_program.instructions[m_program.insts[i].index]);
            m_writer[m_program.insts[i].dst.raw] = i;
        }
        if (m_block.guard != Ref::kNowhere) read(Ref{m_block.guard});
        m_timed.endingSources = std::move(m_reads);
        for (const auto& [raw, value] : m_current)
            for (const std::int32_t source : value)
                m_timed.results.push_back({source, m_code.valueOf(raw)});
        if (m_block.ending == program::Ending::Call)
            m_timed.callsLibrary = !m_program.calls[m_block.operands].external.empty();
        order();
        return std::move(m_timed);
    }

private:
    using Value = std::vector<std::int32_t>; ///< all that it waits for

    /// How often the block reads what each of its instructions wrote.
    void countUses() {
        std::unordered_map<std::uint32_t, std::uint32_t> writer;
        for (std::uint32_t i = m_block.first; i < m_block.first + m_block.count; ++i) {
            const Inst& inst = m_program.insts[i];
            for (const Ref ref : {inst.a, inst.b, inst.c, inst.d})
                if (const auto found = writer.find(ref.raw); found != writer.end()) ++m_uses[found->second];
            for (std::uint32_t k = 0; k < inst.moreCount && inst.more != nullptr; ++k)
                if (const auto found = writer.find(inst.more[k].raw); found != writer.end())
                    ++m_uses[found->second];
            writer[inst.dst.raw] = i;
        }
    }

    void read(Ref ref) {
        if (!ref.present() || (ref.raw & 3) != instructions::kRegisters) return;
        if (const auto found = m_current.find(ref.raw); found != m_current.end())
            m_reads.insert(m_reads.end(), found->second.begin(), found->second.end());
        else
            m_reads.push_back(-1 - static_cast<std::int32_t>(m_code.valueOf(ref.raw)));
    }
    void write(Ref ref) {
        if (ref.present() && (ref.raw & 3) == instructions::kRegisters) m_writes.push_back(ref.raw);
    }

    void gather(const Inst& inst, bool last) {
        const program::InstructionFacts& facts = m_program.instructions[inst.index];
        read(Ref{inst.guard});
        for (const Ref ref : {inst.a, inst.b, inst.c, inst.d})
            read(ref);
        const bool loads = facts.isMemory && facts.op == counts::MemoryOp::Load;
        std::uint32_t destinations = inst.moreCount,
                      sources = inst.moreCount; // of a flat mov: which is unknown
        std::uint32_t firstSource = 0;
        if (facts.work == Work::Tensor && last && !isOfWarpGroup(facts)) {
            destinations = reinterpret_cast<const instructions::TensorPlan*>(inst.imm)->d.registers;
            firstSource = destinations;
        } else if (facts.isMemory) {
            destinations = loads ? inst.moreCount : 0;
            sources = loads ? 0 : inst.moreCount;
        }
        if (inst.more != nullptr) {
            for (std::uint32_t k = firstSource; k < sources; ++k)
                read(inst.more[k]);
            for (std::uint32_t k = 0; k < std::min<std::uint32_t>(destinations, inst.moreCount); ++k)
                write(inst.more[k]);
        }
        write(inst.dst);
        write(inst.dst2);
        // A value under a guard may stay what it was.
        if (inst.guard != Ref::kNowhere) {
            const std::vector<std::uint32_t> written = m_writes;
            for (const std::uint32_t raw : written)
                read(Ref{raw});
        }
    }

    void add(std::uint32_t place, const program::InstructionFacts& facts) {
        const Inst& inst = m_program.insts[place];
        std::ranges::sort(m_reads);
        m_reads.erase(std::ranges::unique(m_reads).begin(), m_reads.end());
        float instructions = facts.instructions;
        // The assembler folds the product or shift that makes an address into the addition: IMAD.WIDE, LEA.
        if (facts.text == "add.s64" && isFolded(inst.a, inst.b)) instructions = 0;
        // Two additions or logic operations in a row are one: IADD3, LOP3.
        if (const int kind = threeWay(facts.text); kind != 0) {
            for (const Ref ref : {inst.a, inst.b}) {
                const auto writer = ref.present() ? m_writer.find(ref.raw) : m_writer.end();
                if (writer == m_writer.end() || m_merged.contains(writer->second)) continue;
                const auto uses = m_uses.find(writer->second);
                if (uses == m_uses.end() || uses->second != 1 ||
                    threeWay(m_program.instructions[m_program.insts[writer->second].index].text) != kind)
                    continue;
                instructions = 0;
                m_merged.insert(place);
                break;
            }
        }
        // A constant at a fixed address is an operand of what reads it.
        const bool operand = facts.isMemory && facts.space == counts::MemorySpace::Constant &&
                             (inst.a.raw & 3) != instructions::kRegisters;
        if ((instructions == 0 && !facts.isMemory) || operand) { // another name for what it reads
            for (const std::uint32_t raw : m_writes)
                m_current[raw] = m_reads;
            finish();
            return;
        }
        TimedOp op;
        Scheduled scheduled;
        op.issue = std::max(1.0F, instructions);
        op.latency = std::max(facts.latency, instructions);
        const PipeUse use = pipeOf(facts.work, m_code.m_architecture);
        op.pipe = use.pipe;
        op.busy = use.lanes > 0
                      ? op.issue * static_cast<float>(instructions::kLanes * kLanesOfPart / use.lanes)
                      : 0.0F;
        // Divisions and roots: each instruction needs the one before, and some end in a rare branch, over
        // which nothing is moved.
        if (op.issue >= kSequence) op.hold = op.latency - 4;
        op.isExchange = facts.work == Work::Exchange;
        op.isFence = isFence(facts.text);
        op.wait = waitOf(facts, m_code.m_architecture);
        op.throttle = throttleOf(facts, op.pipe);
        op.instruction = inst.index;
        if (facts.work == Work::Tensor) tensor(facts, op);
        scheduled.issue = op.issue;
        scheduled.latency = op.latency;
        const auto index = static_cast<std::uint32_t>(m_timed.ops.size());
        for (const std::int32_t source : m_reads)
            if (source >= 0) scheduled.edges.push_back({static_cast<std::uint32_t>(source), true});
        if (facts.isMemory) {
            op.memory = static_cast<std::uint16_t>(m_timed.memory.size());
            op.hold = kAccessIssue;
            m_timed.memory.push_back(place);
            scheduled.issue = kAccessIssue;
            scheduled.latency = facts.op == counts::MemoryOp::Store || facts.op == counts::MemoryOp::Reduce
                                    ? 1
                                : facts.space == counts::MemorySpace::Shared   ? kAssumedShared
                                : facts.space == counts::MemorySpace::Constant ? kConstantLoad
                                                                               : kAssumedGlobal;
            keepMemoryInOrder(inst, facts, index, scheduled);
        } else if (facts.work == Work::Control || facts.text.starts_with("bar") ||
                   facts.text.starts_with("fence") || facts.text.starts_with("membar") ||
                   facts.text.starts_with("mbarrier") || op.hold > 0) {
            barrierInOrder(index, scheduled);
        }
        op.firstSource = static_cast<std::uint32_t>(m_timed.sources.size());
        op.sources = static_cast<std::uint32_t>(m_reads.size());
        m_timed.sources.insert(m_timed.sources.end(), m_reads.begin(), m_reads.end());
        m_timed.ops.push_back(op);
        m_scheduled.push_back(std::move(scheduled));
        for (const std::uint32_t raw : m_writes)
            m_current[raw] = {static_cast<std::int32_t>(index)};
        finish();
    }

    void finish() {
        m_reads.clear();
        m_writes.clear();
    }

    /// An addition of what a product or shift made just for it.
    [[nodiscard]] bool isFolded(Ref a, Ref b) const {
        for (const Ref ref : {a, b}) {
            const auto writer = ref.present() ? m_writer.find(ref.raw) : m_writer.end();
            if (writer == m_writer.end()) continue;
            const auto uses = m_uses.find(writer->second);
            const std::string& text = m_program.instructions[m_program.insts[writer->second].index].text;
            if (uses != m_uses.end() && uses->second == 1 &&
                (text.starts_with("mul.wide") || text == "shl.b64"))
                return true;
        }
        return false;
    }

    void tensor(const program::InstructionFacts& facts, TimedOp& op) const {
        const auto format = static_cast<std::size_t>(facts.tensorFormat);
        const double rate = m_code.m_architecture.tensor.perClock[format];
        op.pipe = Pipe::Tensor;
        op.busy = rate > 0 ? static_cast<float>(facts.tensorMacs * kLanesOfPart / rate) : 16.0F;
        // One of a warp group follows the one before on the same sums without a gap.
        op.latency = isOfWarpGroup(facts) ? op.busy : std::max(facts.latency, 17 + op.busy);
    }

    struct Access {
        std::uint32_t op;
        counts::MemorySpace space;
        bool writes;
        std::vector<std::int32_t> base; ///< values that its address hangs on
        std::uint64_t offset;
        std::uint32_t width;
        bool volatileOrder;
    };

    /// Loads stay behind stores that might change what they read, stores behind all that might touch the
    /// same.
    void keepMemoryInOrder(const Inst& inst, const program::InstructionFacts& facts, std::uint32_t index,
                           Scheduled& scheduled) {
        if (facts.space == counts::MemorySpace::Constant || facts.space == counts::MemorySpace::Texture ||
            facts.text.find(".nc") != std::string::npos)
            return;
        Access self{index,
                    facts.space,
                    facts.op != counts::MemoryOp::Load,
                    {},
                    inst.imm,
                    facts.widthBytes,
                    facts.text.find("volatile") != std::string::npos ||
                        facts.text.find("acquire") != std::string::npos ||
                        facts.op == counts::MemoryOp::Atomic};
        if (inst.a.present()) {
            const auto found = m_current.find(inst.a.raw);
            if (found != m_current.end())
                self.base = found->second;
            else
                self.base = {-1 - static_cast<std::int32_t>(inst.a.raw)};
        }
        for (const Access& other : m_accesses) {
            if (!self.writes && !other.writes && !self.volatileOrder && !other.volatileOrder) continue;
            if (other.space != self.space) continue;
            const bool apart = other.base == self.base && (other.offset + other.width <= self.offset ||
                                                           self.offset + self.width <= other.offset);
            if (!apart) scheduled.edges.push_back({other.op, false});
        }
        if (m_barrier) scheduled.edges.push_back({*m_barrier, false});
        m_accesses.push_back(std::move(self));
    }

    void barrierInOrder(std::uint32_t index, Scheduled& scheduled) {
        for (const Access& other : m_accesses)
            scheduled.edges.push_back({other.op, false});
        if (m_barrier) scheduled.edges.push_back({*m_barrier, false});
        m_barrier = index;
        m_accesses.clear();
    }

    void order() {
        const std::vector<std::uint32_t> sequence = schedule(m_scheduled);
        std::vector<std::int32_t> placeOf(sequence.size());
        std::vector<TimedOp> ops;
        ops.reserve(sequence.size());
        for (const std::uint32_t op : sequence) {
            placeOf[op] = static_cast<std::int32_t>(ops.size());
            ops.push_back(m_timed.ops[op]);
        }
        m_timed.ops = std::move(ops);
        const auto move = [&](std::int32_t& source) {
            if (source >= 0) source = placeOf[static_cast<std::size_t>(source)];
        };
        std::ranges::for_each(m_timed.sources, move);
        std::ranges::for_each(m_timed.endingSources, move);
        for (TimedBlock::Result& result : m_timed.results)
            move(result.source);
    }

    TimedCode& m_code;
    const program::Program& m_program;
    const program::CodeBlock& m_block;
    TimedBlock m_timed;
    std::vector<Scheduled> m_scheduled;
    std::unordered_map<std::uint32_t, Value> m_current;      ///< by Ref::raw: what the block has made of it
    std::unordered_map<std::uint32_t, std::uint32_t> m_uses; ///< by place of an instruction
    std::unordered_set<std::uint32_t> m_merged;              ///< places that became part of what they read
    std::unordered_map<std::uint32_t, std::uint32_t>
        m_writer; ///< by Ref::raw: place of the last that wrote it
    std::vector<std::int32_t> m_reads;
    std::vector<std::uint32_t> m_writes;
    std::vector<Access> m_accesses;
    std::optional<std::uint32_t> m_barrier;
};

const TimedBlock& TimedCode::block(std::uint32_t index) {
    std::unique_ptr<TimedBlock>& block = m_blocks[index];
    if (block == nullptr)
        block = std::make_unique<TimedBlock>(BlockBuilder(*this, m_program.blocks[index]).build());
    return *block;
}

} // namespace dormer::emulator::replay
