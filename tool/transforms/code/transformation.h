// One source-to-source transformation of the built-in proposer: where it applies in a kernel, and what it makes of it.
//
// Contract: a transformation looks at one parsed kernel and hands back the text of a whole new candidate, or nothing
// where it does not apply. It may be bold about meaning (the judge decides), but what it writes must compile nearly
// always. It never keeps state between calls, never parses, never runs anything. Single-threaded, deterministic.
//
// clang-format off
// Gene names (one file each; `site` counts from 0 in source order; arguments in brackets):
//   loops:   interchange[]               swap a loop with the only loop inside it; scalars around it travel through memory
//            vectorise_outer[width, steps]  a tile of the loop runs in local arrays, innermost: accumulator blocks, outer-loop SIMD
//            unroll_jam[factor]          copies of an outer loop's body, jammed into the loops inside it, then a tail
//            tile[size]                  strip-mine a loop and move the strips outside the loop around it
//            tile_nest[size, size]       tile a loop and the only loop inside it
//            unroll[factor]              copies of an innermost body, for consecutive iterations
//            unroll_full[]               a loop of few constant iterations, written out
//            fission[width]              one loop per group of statements, a strip at a time, scalars expanded
//            canonical_loop[]            a loop that runs by pointers, iterators or any condition counts from zero
//            no_continue[]               what `continue` skips stands under a condition
//            early_exit[width]           a loop that may end early looks ahead whether a strip of it would
//            peel[]                      the first iteration apart: a variable that it sets is known in the others
//            pack[width]                 what is appended where a condition holds, without a branch
//            fusion[]                    a loop joined with the next one of equal bounds
//            skew[sweeps, rows]          sweeps over time as one wave: rows run as soon as those that they need are done
//            pipeline[rows]              the same for nests behind one another, without a loop over time
//            promote_scalar[]            a memory accumulator that a loop does not move becomes a local
//            push[]                      an element that earlier ones bring a sum to: each adds its part to all later ones
//            hoist[bold]                 expressions and loads that a loop does not change, computed once before it
//            tabulate[]                  values of dear functions in a table in front of the loops that ask for them again
//            split_index[]               border iterations peeled off, the tests of the interior resolved
//   values:  single_assignment[]         a local that is set again becomes another one
//            lanes[width]                a loop's reductions into locals split over an array of running values
//            narrow_sums[width]          sums of small numbers in types that hold a strip of them, products of bytes in pairs
//            deferred_modulo[block, widen]  sums modulo a number whose remainders are taken once for a block of elements
//            sum_of_sums[width, narrow]  a sum of running sums in lanes, each with running sums of its own
//            carry[]                     what an iteration reads of the one before travels in a local
//            scan[width]                 running values that every iteration reads, a vector of them at a time
//            member_locals[]             members of an object in locals while the function runs
//            scalar_replacement[]        members of small structs in scalars, and what references name in their place
//            vector_math[unguarded]      exp, log, tanh, sqrt, 1/sqrt without calls or branches (roots: float)
//            select[masks]               a branch that only chooses a value becomes ?:, or a choice of bits
//            reciprocal[]                division by a loop's invariant becomes multiplication
//   calls:   inline_calls[]              the body of a function that is called, in place of its calls
//            parallel[]                  the iterations of an outer loop on several threads, where threads(k) allows
//   flags:   restrict[]                  on all pointers that no alias() names
//            ivdep[]                     on an innermost loop that stores
//            fast_math[level]            relaxed arithmetic for the kernel alone
//            passes[choice]              single passes of the compiler on or off for the kernel alone
//            isa[bits]                   vector width, or clones for several processors
//   CUDA (cuda/; a launcher's own copies of the __global__ functions that it launches, beside most of the loops' ones):
//            block[x, y]                 threads of a block, for the same items
//            swap_axes[]                 x and y exchanged, so that neighboring threads run along memory
//            elements[count, y, adjacent]  several items for each thread, a block apart or side by side
//            interior[]                  loops whose conditions hold at their ends run without them, and without clamps
//            grid_stride[blocks]         a fixed number of blocks, whose threads go on by whole grids
//            vector_access[count, pairs, blocks]  several items for each thread, side by side, loaded together
//            row_group[threads, blocks]  a warp, a block or a cluster for each item in place of a thread, loops dealt out
//            cluster[blocks]             several blocks for each item that had one
//            warp_shuffles[in_order]     a block's reduction in shared memory by shuffles
//            register_tile[rows, columns, across, together, apart]  a tile of a box's elements for each thread, whose sums
//                                        stay in registers; columns across memory; the same rows for a whole block;
//                                        neighbors have equal rests by a number
//            stage_shared[iterations, inward]  what all threads of a block read, through shared memory, so many iterations
//                                        at a time, which then run within the loops and questions inside
//            warp_transpose[iterations, threads, ahead]  threads go along rows of their own, and a warp loads and stores for
//                                        them along memory, through shared memory; ahead: while the iterations run
//            raise_conditions[]          what an innermost loop asks, asked as soon as it is known; loops of every second step
//            fuse_launches[]             two launches behind one another become one, where threads need their own elements alone
//            merge_launches[steps]       launches in a loop of the host become one, whose threads loop
//            chain_launches[blocks, threads]  launches in a loop of the host, each of which needs the one before, become one
//                                        kernel that runs the loop, whose blocks wait for each other between steps
//            tiled_scan[elements, threads]  a prefix sum by one thread or block, over tiles by the whole device
//            tile_product[rows, columns, depth]  tiles in registers and shared memory (gemm)
//            store_through_tile[rows]    a transposing store through shared memory
//            aggregate_atomics[]         one atomic addition to one place for each block
//            privatise_atomics[copies]   atomic additions to a small array in shared memory first
//            plain_access[]              loads and stores without cache hints (__ldg, __stcs)
//            intrinsics[divisions]       the device's fast functions
//            specialise[]                a copy of the kernel for one of the problems' values
//            launch_bounds[blocks]       registers for so many blocks on a multiprocessor
//   choice:  by_size[problem, …]         these problems, and what lies on their side, keep the original; always last
// clang-format on
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tool/frontend/parse/clang_headers.h"
#include "tool/model/candidate.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// One parsed state of the candidate. References are borrowed and valid during one call.
struct KernelContext {
  clang::ASTContext& ast;
  const clang::FunctionDecl* kernel;  // the definition
  const KernelSpec& spec;
  const std::string& candidate;  // text: include lines, then helpers and the definition
  std::size_t includes_begin;    // where the candidate's include lines stand in the parsed main file,
  std::size_t includes_size;     // how much of the candidate they are,
  std::size_t definition_begin;  // and where the rest stands
  // Where `kernel` is a __global__ function: the annotated host function that launches it; else null.
  const clang::FunctionDecl* launcher = nullptr;
  // Whether copies are told from one another by a parameter or a counter where that can be, and not written out: for a
  // winner that people read. Whether it is as fast is for the judge to say.
  bool compact = false;
  clang::Preprocessor* preprocessor = nullptr;  // knows macros; null: nobody does
  // Where it fires, what is looked for in this text is wanted no more; null: it never does.
  const std::stop_token* stop = nullptr;
  // Whether nvcc was told --use_fast_math: the device's fast functions stand for the plain ones.
  bool fast_math_on_device = false;

  const clang::SourceManager& sources() const { return ast.getSourceManager(); }
};

class Transformation {
 public:
  virtual ~Transformation() = default;
  virtual std::string_view name() const = 0;
  // How many places it could apply to; cheap, may be optimistic.
  virtual unsigned sites(const KernelContext& context) const = 0;
  // The statement (a loop, mostly) that a site stands for, so that a recipe can aim; null where it is the whole kernel.
  virtual const clang::Stmt* place(const KernelContext& context, unsigned site) const {
    (void)context, (void)site;
    return nullptr;
  }
  // place() of every site. Where finding one site takes finding all, both are found in the same time.
  virtual std::vector<const clang::Stmt*> places(const KernelContext& context) const {
    std::vector<const clang::Stmt*> all(sites(context));
    for (unsigned site = 0; site < all.size(); ++site) all[site] = place(context, site);
    return all;
  }
  // Per argument of the gene, the values worth trying; the first is the default.
  virtual std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const {
    (void)context, (void)site;
    return {};
  }
  // Does it compute single values by what is rounded otherwise (reciprocals, fast functions)? A kernel that rounds or
  // compares what it computed may not bear that.
  virtual bool is_less_exact() const { return false; }
  // The new candidate's text (Edits::candidate()); nullopt: does not apply. `arguments` may be short, long or absurd:
  // it is what evolution made of a gene.
  virtual std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                           const std::vector<int>& arguments) const = 0;
};

using Transformations = std::vector<std::unique_ptr<Transformation>>;

// Those that suit the processor, or a CUDA device, in a fixed order: the explicit tables in transformations.cpp.
const Transformations& transformations();
const Transformations& device_transformations();
inline const Transformations& transformations_for(const KernelSpec& spec) {
  return spec.cuda ? device_transformations() : transformations();
}
const Transformation* find_transformation(std::string_view name);  // in either, and by_size
// There is such a transformation, and a place for it.
bool is_applicable(const KernelContext& context, std::string_view name);

// arguments[index] where it is there and within [low, high], else `fallback`.
int argument(const std::vector<int>& arguments, std::size_t index, int fallback, int low, int high);

}  // namespace hone::frontend
