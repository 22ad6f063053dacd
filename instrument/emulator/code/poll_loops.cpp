// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/poll_loops.h"

#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace dormer::emulator::code {

using namespace flow;

namespace {

/// Larger loops do more than to wait.
constexpr std::size_t kMostBlocks = program::PollLoop::kMostBlocks;

/// What an instruction means to a loop that waits.
enum class Part {
    Harmless, ///< changes registers only
    Look,     ///< sees what other threads write
    Atomic,   ///< the same, and may change it
    Deed,     ///< anything else: the loop does more than to look
};

bool endsWithAny(const ptx::Instruction& instruction, std::initializer_list<std::string_view> modifiers) {
    return std::ranges::any_of(modifiers,
                               [&](std::string_view modifier) { return hasModifier(instruction, modifier); });
}

Part partOf(const ptx::Instruction& instruction) {
    using namespace std::string_view_literals;
    static constexpr auto kDeeds = std::to_array({"st"sv,
                                                  "red"sv,
                                                  "cp"sv,
                                                  "stmatrix"sv,
                                                  "wmma"sv,
                                                  "mma"sv,
                                                  "tex"sv,
                                                  "tld4"sv,
                                                  "suld"sv,
                                                  "sust"sv,
                                                  "sured"sv,
                                                  "prefetch"sv,
                                                  "prefetchu"sv,
                                                  "discard"sv,
                                                  "applypriority"sv,
                                                  "griddepcontrol"sv,
                                                  "setmaxnreg"sv,
                                                  "ldmatrix"sv,
                                                  "call"sv,
                                                  "bar"sv,
                                                  "barrier"sv,
                                                  "brx"sv,
                                                  "ret"sv,
                                                  "exit"sv,
                                                  "trap"sv,
                                                  "alloca"sv,
                                                  "multimem"sv});
    const std::string& opcode = instruction.opcode;
    if (opcode == "bar" && hasModifier(instruction, "warp")) return Part::Harmless;
    if (std::ranges::find(kDeeds, opcode) != kDeeds.end()) return Part::Deed;
    if (opcode == "atom") return Part::Atomic;
    if (opcode == "mbarrier")
        return endsWithAny(instruction, {"test_wait", "try_wait"}) ? Part::Look : Part::Deed;
    if (opcode == "ld" || opcode == "ldu") {
        if (bypassesL1(instruction)) return Part::Look;
        // What caches keep would depend on how often it looks.
        return endsWithAny(instruction, {"shared", "param", "const"}) ? Part::Harmless : Part::Deed;
    }
    return Part::Harmless;
}

struct Loop {
    std::uint32_t head = 0;
    std::set<std::uint32_t> body;
    bool looks = false, atomic = false;
};

class Finder {
public:
    Finder(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
        : m_function(function), m_blocks(blocks), m_predecessors(blocks.size()) {
        for (std::uint32_t b = 0; b < blocks.size(); ++b)
            for (const std::uint32_t next : blocks[b].successors)
                m_predecessors[next].push_back(b);
    }

    [[nodiscard]] std::vector<Loop> find() const {
        std::vector<Loop> loops;
        for (std::uint32_t head = 0; head < m_blocks.size(); ++head)
            if (std::optional<Loop> loop = loopOf(head)) loops.push_back(std::move(*loop));
        return loops;
    }

    /// The first look stands in front of the loop, as compilers turn `while (!there) pause();` into
    /// `if (!there) do pause(); while (!there);`: that what is waited for is there, it then sees twice.
    [[nodiscard]] bool looksBefore(const Loop& loop) const {
        std::optional<std::uint32_t> before;
        for (const std::uint32_t from : m_predecessors[loop.head]) {
            if (loop.body.contains(from)) continue;
            if (before) return false;
            before = from;
        }
        if (!before || m_blocks[*before].successors.size() != 2) return false;
        const BasicBlock& block = m_blocks[*before];
        bool looks = false;
        for (std::uint32_t i = block.begin; i < block.end; ++i)
            looks = looks || partOf(m_function.body[i]) == Part::Look;
        if (!looks) return false;
        // And past the loop it goes where the loop ends.
        const std::uint32_t past = block.successors[block.successors[0] == loop.head ? 1 : 0];
        return std::ranges::all_of(loop.body, [&](std::uint32_t b) {
            return std::ranges::all_of(m_blocks[b].successors, [&](std::uint32_t next) {
                return loop.body.contains(next) || next == past;
            });
        });
    }

private:
    [[nodiscard]] std::optional<Loop> loopOf(std::uint32_t head) const {
        Loop loop{.head = head, .body = {head}};
        bool turns = false;
        for (const std::uint32_t from : m_predecessors[head]) {
            if (const auto before = onlyBehind(head, from)) {
                turns = true;
                loop.body.insert(before->begin(), before->end());
            }
        }
        if (!turns || loop.body.size() > kMostBlocks || turnsInside(loop)) return std::nullopt;
        for (const std::uint32_t b : loop.body)
            if (!fits(loop, m_blocks[b])) return std::nullopt;
        return loop.looks ? std::optional(std::move(loop)) : std::nullopt;
    }

    /// The blocks on ways from `head` to `from`, where no other way leads there: then an edge back closes a
    /// loop, in whatever order the blocks lie. Absent where they are too many, or the function's entry is
    /// among them.
    [[nodiscard]] std::optional<std::set<std::uint32_t>> onlyBehind(std::uint32_t head,
                                                                    std::uint32_t from) const {
        std::set<std::uint32_t> blocks;
        std::vector<std::uint32_t> open;
        const auto reach = [&](std::uint32_t block) {
            if (block != head && blocks.insert(block).second) open.push_back(block);
        };
        reach(from);
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (block == 0 || blocks.size() > kMostBlocks) return std::nullopt;
            for (const std::uint32_t before : m_predecessors[block])
                reach(before);
        }
        return blocks;
    }

    /// Whether a loop lies in it that does not pass its head.
    [[nodiscard]] bool turnsInside(const Loop& loop) const {
        std::set<std::uint32_t> left = loop.body;
        const auto endsHere = [&](std::uint32_t block) {
            return std::ranges::none_of(m_blocks[block].successors, [&](std::uint32_t next) {
                return next != loop.head && left.contains(next);
            });
        };
        for (auto last = std::ranges::find_if(left, endsHere); last != left.end();
             last = std::ranges::find_if(left, endsHere))
            left.erase(last);
        return !left.empty();
    }

    /// Nothing but looks.
    bool fits(Loop& loop, const BasicBlock& block) const {
        if (block.leaves) return false;
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            const Part part = partOf(m_function.body[i]);
            if (part == Part::Deed) return false;
            loop.looks = loop.looks || part != Part::Harmless;
            loop.atomic = loop.atomic || part == Part::Atomic;
        }
        return true;
    }

    const ptx::Function& m_function;
    const std::vector<BasicBlock>& m_blocks;
    std::vector<std::vector<std::uint32_t>> m_predecessors;
};

using Registers = std::set<std::uint32_t>;

/// Those that the loop writes.
Registers writtenBy(const Loop& loop, const ptx::Function& function, const std::vector<BasicBlock>& blocks) {
    Registers written;
    DefUse found;
    for (const std::uint32_t b : loop.body)
        for (std::uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
            findDefUse(function.body[i], found);
            written.insert(found.defs.begin(), found.defs.end());
        }
    return written;
}

/// Whether whatever a round hands to the next was loaded by it, whole and from the same place each time: then
/// it matters not what earlier rounds found.
bool forgetsRounds(const Loop& loop, const ptx::Function& function, const std::vector<BasicBlock>& blocks,
                   const Registers& written, const Registers& carried) {
    DefUse found;
    for (const std::uint32_t b : loop.body)
        for (std::uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
            const ptx::Instruction& instruction = function.body[i];
            findDefUse(instruction, found);
            if (std::ranges::none_of(found.defs, [&](std::uint32_t r) { return carried.contains(r); }))
                continue;
            if (instruction.guard != ptx::kNone || partOf(instruction) != Part::Look ||
                std::ranges::any_of(found.uses, [&](std::uint32_t r) { return written.contains(r); }))
                return false;
        }
    return true;
}

/// Puts blocks on the edges of a loop.
class Edges {
public:
    Edges(program::Program& program, std::uint32_t firstBlock, const std::vector<BasicBlock>& blocks,
          const Loop& loop, std::uint32_t poll)
        : m_program(program), m_firstBlock(firstBlock), m_blocks(blocks), m_loop(loop), m_poll(poll) {}

    void lead() {
        const std::uint32_t head = m_firstBlock + m_loop.head;
        const auto end = static_cast<std::uint32_t>(m_program.blocks.size());
        const std::uint32_t begins = add(program::Ending::LookBegins, head),
                            again = add(program::Ending::LookAgain, head);
        for (std::uint32_t b = m_firstBlock; b < end; ++b) {
            const bool inside = isInside(b);
            const auto redirect = [&](std::uint32_t to) {
                if (to == head) return inside ? again : begins;
                return !inside || isInside(to) ? to : endAt(to);
            };
            const std::uint32_t target = redirect(m_program.blocks[b].target),
                                next = redirect(m_program.blocks[b].next);
            program::CodeBlock& block = m_program.blocks[b];
            if (block.ending == program::Ending::Branch) block.target = target;
            block.next = next;
            if (block.postDominator == head)
                block.postDominator = !inside ? begins : comesOut(b - m_firstBlock) ? head : again;
            if (block.ending == program::Ending::IndexedBranch)
                for (std::uint32_t& to : m_program.branchTargets[block.operands].blocks)
                    to = redirect(to);
        }
    }

private:
    [[nodiscard]] bool isInside(std::uint32_t block) const {
        return block >= m_firstBlock && m_loop.body.contains(block - m_firstBlock);
    }

    /// Whether lanes that are there may leave the loop on their way to its head, which then is all they have
    /// in common with those that go round.
    [[nodiscard]] bool comesOut(std::uint32_t block) const {
        std::vector<std::uint32_t> open{block};
        std::set<std::uint32_t> seen(open.begin(), open.end());
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            for (const std::uint32_t next : m_blocks[at].successors) {
                if (!m_loop.body.contains(next)) return true;
                if (next != m_loop.head && seen.insert(next).second) open.push_back(next);
            }
        }
        return false;
    }

    std::uint32_t add(program::Ending ending, std::uint32_t next) {
        program::CodeBlock block;
        block.ending = ending;
        block.next = next;
        block.operands = m_poll;
        block.first = m_program.blocks[next].first;
        block.placeIndex = m_program.blocks[next].placeIndex;
        m_program.blocks.push_back(block);
        return static_cast<std::uint32_t>(m_program.blocks.size()) - 1;
    }

    std::uint32_t endAt(std::uint32_t target) {
        for (const auto& [to, end] : m_ends)
            if (to == target) return end;
        m_ends.emplace_back(target, add(program::Ending::LookEnds, target));
        return m_ends.back().second;
    }

    program::Program& m_program;
    std::uint32_t m_firstBlock;
    const std::vector<BasicBlock>& m_blocks;
    const Loop& m_loop;
    std::uint32_t m_poll;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_ends;
};

} // namespace

bool bypassesL1(const ptx::Instruction& instruction) {
    if (endsWithAny(instruction, {"cg", "cv", "volatile", "mmio"})) return true;
    return endsWithAny(instruction, {"relaxed", "acquire"}) && !hasModifier(instruction, "cta");
}

bool ordersThreads(const ptx::Instruction& instruction) {
    return endsWithAny(instruction, {"volatile", "mmio", "relaxed", "acquire", "release"});
}

void markPollLoops(program::Program& program, std::uint32_t firstBlock, const ptx::Function& function,
                   const std::vector<BasicBlock>& blocks, const RegisterFrame& frame) {
    const Finder finder(function, blocks);
    for (const Loop& loop : finder.find()) {
        program::PollLoop poll;
        poll.atomic = loop.atomic;
        poll.looksBefore = finder.looksBefore(loop);
        const Registers written = writtenBy(loop, function, blocks);
        Registers carried;
        for (const std::uint32_t r : written) {
            if (!frame.places[r].present() || !frame.isLiveAt(loop.head, r)) continue;
            carried.insert(r);
            poll.carried.push_back({frame.places[r], registerBytes(function.registers[r].type)});
        }
        poll.forgets = forgetsRounds(loop, function, blocks, written, carried);
        for (const std::uint32_t b : loop.body) {
            const program::CodeBlock& block = program.blocks[firstBlock + b];
            poll.blocks.push_back(firstBlock + b);
            for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
                poll.instructions.push_back(program.insts[i].index);
            if (block.endingIndex != ptx::kNone) poll.instructions.push_back(block.endingIndex);
        }
        program.polls.push_back(std::move(poll));
        Edges(program, firstBlock, blocks, loop, static_cast<std::uint32_t>(program.polls.size()) - 1).lead();
    }
}

} // namespace dormer::emulator::code
