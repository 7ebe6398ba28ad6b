// From one thread for each item (a row, mostly) to a group of threads: part of a warp, a warp, or a block. The loops
// over the item's elements are dealt out, so that neighboring threads read neighboring elements; what the loops sum
// up is combined by shuffles, and every thread of the group goes on with the result. Where items are few, a group is
// several blocks: a cluster, whose blocks read each other's shared memory.
//
// A loop that writes down a running sum goes a group's width at a time: each thread learns by shuffles what those in
// front of it add.
//
// A loop that reads what it wrote some iterations before goes in rounds: as many iterations at once as the group has
// threads, if that is fewer.
//
// What a loop has written to memory may be read by the next one: the group waits for each other in between.
#include <bit>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/group_reduction.h"
#include "tool/transforms/cuda/loop_dealer.h"

namespace hone::frontend {
namespace {

constexpr int least_threads = 128;     // of a block
int blocks_of(const std::vector<int>& arguments) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(argument(arguments, 1, 1, 1, most_blocks_of_cluster))));
}

class RowGroup final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "row_group"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    std::vector<std::vector<int>> choices{{32, 128, 256, 64, 512, 16, 8, 1024}, {1}};
    if (has_clusters(context.spec)) choices[1] = {1, 4, 8, 2};
    return choices;
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (kernel.items.size() != 1 || !kernel.along('x')) return false;
    LoopNest nest(context);
    const auto loops = nest.where([&](const Loop& loop) { return is_shareable(context.ast, loop); });
    return !loops.empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(argument(arguments, 0, 32, 2, 1024))));
    const int rows = lanes > 32 ? 1 : least_threads / lanes;
    const int blocks = rows == 1 && has_clusters(context.spec) ? blocks_of(arguments) : 1;
    Substitution changes(context.ast);
    Team team;
    team.lanes = lanes * blocks;
    team.is_one_block = blocks == 1;
    team.barrier = blocks > 1 ? barrier_of_cluster : lanes > 32 ? "__syncthreads();" : "__syncwarp();";
    team.combined = [&](ReductionKind kind, const std::string& value) {
      return blocks > 1 ? over_cluster(edits, context, kind, lanes, blocks, value)
                        : over_group(edits, context, kind, lanes, value);
    };
    LoopDealer dealer(context, edits, changes, team);
    if (!dealer.deal(kernel.work) || dealer.dealt() == 0) return false;

    const std::string threads = std::to_string(lanes), several = std::to_string(blocks);
    std::string in_group = rows == 1 ? "threadIdx.x" : "threadIdx.x % " + threads;
    std::string row = rows == 1 ? "blockIdx.x" : "blockIdx.x * " + std::to_string(rows) + " + threadIdx.x / " + threads;
    if (blocks > 1) {
      row += " / " + several;
      in_group += " + blockIdx.x % " + several + " * " + threads;
    }
    replace_body(edits, context,
                 index_declaration(kernel.items.front(), row) + "const int " + dealer.lane() + " = " + in_group +
                     ";\n" + item_text(changes, kernel));
    const std::string grid = covering_grid(edits, context, kernel.launch, std::to_string(rows));
    edits.replace(kernel.launch.block_range, std::to_string(lanes * rows));
    if (blocks > 1)
      launch_clusters(edits, context, kernel.launch, grid, blocks);
    else
      edits.replace(kernel.launch.grid_range, grid);
    return !changes.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_row_group() {
  return std::make_unique<RowGroup>();
}

}  // namespace hone::frontend
