// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/schedule.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "heliodor/targets/machine/rates.h"

namespace heliodor::machine {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

/// The words that an operation on a chunk touches: in one window chunks of limbs of one width are
/// disjoint; kScattered stands for words of any chunk.
constexpr std::uint8_t kScattered = 0xff;

std::uint8_t window_read(const MicroOp& op) noexcept {
  const bool scattered = op.code == MicroCode::permute_eval || op.code == MicroCode::permute_coeff;
  return scattered ? kScattered : op.window;
}

/// `to` follows `from` chunk by chunk, or after all of it.
struct Edge {
  std::uint32_t to;
  bool by_chunk;
  double lag;
};

struct Node {
  std::uint32_t unit = 0;
  double cycles = 0;
  double lag = 0;  // from entering the unit to being ready to enter another
  std::vector<Edge> after;
  std::uint32_t before = 0;  // parts not yet scheduled that it depends on
  double ready = 0;
  double path = 0;  // to the end of the program
};

/// Parts with what they cost and depend on.
class Graph {
 public:
  Graph(const MachineDescription& description, const MicroProgram& program,
        const std::vector<Part>& parts)
      : description_(description),
        program_(program),
        chunks_(program.layout.chunks()),
        limbs_(program.rows / chunks_ + program.spill_slots),
        nodes_(parts.size()) {
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      if (parts[i].ops.front().resident) continue;
      add_cost(nodes_[i], parts[i]);
      for (const MicroOp& op : parts[i].ops) add_reads(i, op);
      for (const MicroOp& op : parts[i].ops) add_writes(i, op);
    }
    find_paths();
  }

  std::vector<Node>& nodes() noexcept { return nodes_; }

  /// All accesses of all parts.
  double port_cycles_in_all() const noexcept { return port_cycles_; }

 private:
  struct Access {
    std::uint32_t part = kNone;
    std::uint8_t window = 0;
    std::uint32_t rows = 1;  // of a chunk
  };

  /// Who touched a frame or spill slot.
  struct LimbState {
    Access writer;
    std::vector<Access> readers;  // since
  };

  void add_cost(Node& node, const Part& part) {
    const std::uint32_t words = program_.layout.chunk_words();
    double busy = 0;
    std::uint32_t reads = 0, writes = 0;
    for (const MicroOp& op : part.ops) {
      const Operation operation = info(op.code).operation;
      const bool wide = is_wide(op, program_);
      busy += operation == Operation::transfer ? transfer_cycles(description_, words, wide)
                                               : unit_cycles(description_, operation, words, wide);
      for (unsigned i = 0; i < info(op.code).reads; ++i) reads += rows_read(op, i, program_);
      writes += rows_written(op, program_);
    }
    const double accesses = port_cycles(description_, reads, writes);
    node.cycles = chunks_ * std::max(busy, accesses);
    port_cycles_ += chunks_ * accesses;
    const Operation operation = info(part.ops.front().code).operation;
    node.lag = 1 + description_.scratchpad.latency;
    if (operation == Operation::transfer) {
      node.unit = static_cast<std::uint32_t>(description_.units.size());
      node.lag += description_.dram.latency;
    } else {
      const Unit* unit = description_.unit_for(operation);
      node.unit = static_cast<std::uint32_t>(unit - description_.units.data());
      node.lag += static_cast<double>(unit->depth) * description_.clock_mhz / unit->clock_mhz;
    }
  }

  template <typename Visit>
  void visit(Place place, std::uint32_t rows, const Visit& visit) {
    if (place.is_register()) return;
    const std::uint32_t frame = place.number() / chunks_;
    for (std::uint32_t i = 0; i < rows; ++i) visit(limbs_[frame + i]);
  }

  LimbState& slot(const MicroOp& op) {
    return limbs_[program_.rows / chunks_ + static_cast<std::uint32_t>(op.immediate)];
  }

  void add_reads(std::uint32_t part, const MicroOp& op) {
    Access access{part, window_read(op)};
    const auto read = [&](LimbState& limb) {
      if (limb.writer.part != kNone) depend(limb.writer, access, nodes_[limb.writer.part].lag);
      if (limb.readers.empty() || limb.readers.back().part != part) limb.readers.push_back(access);
    };
    for (unsigned i = 0; i < info(op.code).reads; ++i) {
      access.rows = rows_read(op, i, program_);
      visit(op.in[i], access.rows, read);
    }
    if (op.code == MicroCode::reload) read(slot(op));
  }

  void add_writes(std::uint32_t part, const MicroOp& op) {
    const Access access{part, op.window, std::max(1u, rows_written(op, program_))};
    const auto write = [&](LimbState& limb) {
      for (const Access& reader : limb.readers) depend(reader, access, 1);
      depend(limb.writer, access, 1);
      limb.readers.clear();
      limb.writer = access;
    };
    if (write_count(op) != 0) visit(op.out, access.rows, write);
    if (op.code == MicroCode::spill) write(slot(op));
  }

  void depend(const Access& on, const Access& access, double lag) {
    if (on.part == kNone || on.part == access.part) return;
    const bool by_chunk =
        on.window == access.window && on.window != kScattered && on.rows == access.rows;
    nodes_[on.part].after.push_back({access.part, by_chunk, lag});
    ++nodes_[access.part].before;
  }

  void find_paths() {
    for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
      Node& node = nodes_[i];
      node.path = node.cycles + node.lag;
      for (const Edge& edge : node.after) {
        const double own = edge.by_chunk ? node.cycles / chunks_ : node.cycles;
        node.path = std::max(node.path, own + edge.lag + nodes_[edge.to].path);
      }
    }
  }

  const MachineDescription& description_;
  const MicroProgram& program_;
  std::uint32_t chunks_;
  std::vector<LimbState> limbs_;  // frames, then spill slots
  std::vector<Node> nodes_;
  double port_cycles_ = 0;
};

/// A unit's parts: those ready, by their path, and those that will be.
struct Queue {
  std::priority_queue<std::pair<double, std::int64_t>> ready;  // path, then program order
  std::priority_queue<std::pair<double, std::int64_t>, std::vector<std::pair<double, std::int64_t>>,
                      std::greater<>>
      waiting;  // time, part
  double free = 0;

  bool is_empty() const { return ready.empty() && waiting.empty(); }
  double next_start() const { return ready.empty() ? std::max(free, waiting.top().first) : free; }
};

/// When `edge.to` may start if `node` starts at `start`.
double ready_after(const Node& node, double start, const Edge& edge, const Node& to,
                   std::uint32_t chunks) {
  if (!edge.by_chunk) return start + node.cycles + edge.lag;
  const double first_chunk = node.cycles / chunks;
  const double last_chunk = node.cycles - to.cycles * (chunks - 1) / chunks;
  return start + std::max(first_chunk, last_chunk) + edge.lag;
}

}  // namespace

Schedule schedule(const MachineDescription& description, const MicroProgram& program,
                  const std::vector<Part>& parts) {
  Graph graph(description, program, parts);
  std::vector<Node>& nodes = graph.nodes();
  std::vector<Queue> queues(description.units.size() + 1);
  const auto enqueue = [&](std::uint32_t part) {
    queues[nodes[part].unit].waiting.emplace(nodes[part].ready, part);
  };
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].before == 0 && !parts[i].ops.front().resident) enqueue(i);
  }
  Schedule result{{}, graph.port_cycles_in_all()};
  while (true) {
    Queue* next = nullptr;
    for (Queue& queue : queues) {
      if (queue.is_empty()) continue;
      if (next == nullptr || queue.next_start() < next->next_start()) next = &queue;
    }
    if (next == nullptr) return result;
    const double start = next->next_start();
    for (; !next->waiting.empty() && next->waiting.top().first <= start; next->waiting.pop()) {
      const std::int64_t part = next->waiting.top().second;
      next->ready.emplace(nodes[static_cast<std::size_t>(part)].path, -part);
    }
    const auto part = static_cast<std::uint32_t>(-next->ready.top().second);
    next->ready.pop();
    const Node& node = nodes[part];
    next->free = start + node.cycles;
    result.slots.push_back({part, node.unit, start, node.cycles});
    result.cycles = std::max(result.cycles, start + node.cycles + node.lag);
    for (const Edge& edge : node.after) {
      Node& to = nodes[edge.to];
      to.ready = std::max(to.ready, ready_after(node, start, edge, to, program.layout.chunks()));
      if (--to.before == 0) enqueue(edge.to);
    }
  }
}

}  // namespace heliodor::machine
