#include "tool/transforms/phrases.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hone::frontend {
namespace {

using Phrase = std::pair<std::string_view, std::string_view>;
constexpr std::array phrases{
    Phrase{"interchange", "loops swapped so that the inner one runs along memory"},
    Phrase{"vectorise_outer", "strips of the outer loop computed as vectors in local arrays"},
    Phrase{"unroll_jam", "several outer iterations share what the inner loop loads"},
    Phrase{"tile", "iterations in strips that stay in the cache"},
    Phrase{"tile_nest", "iterations in tiles that stay in the cache"},
    Phrase{"unroll", "several iterations at a time"},
    Phrase{"unroll_full", "short loops written out"},
    Phrase{"fission", "statements in loops of their own, which vectorize"},
    Phrase{"canonical_loop", "a loop that counts from zero, with elements by their index"},
    Phrase{"no_continue", "conditions in place of `continue`"},
    Phrase{"single_assignment", "a variable for each value"},
    Phrase{"early_exit", "a loop that may end early looks ahead a strip at a time"},
    Phrase{"pack", "values appended without a branch"},
    Phrase{"peel", "the first iteration apart, so that what it hands on is known"},
    Phrase{"fusion", "neighboring loops joined"},
    Phrase{"promote_scalar", "an accumulator kept in a register"},
    Phrase{"push", "elements added to all later ones along memory"},
    Phrase{"skew", "several sweeps in one pass, each row as soon as the rows that it needs are done"},
    Phrase{"pipeline", "neighboring loops in one pass, each row as soon as the rows that it needs are done"},
    Phrase{"hoist", "what a loop does not change computed before it"},
    Phrase{"tabulate", "values of dear functions in a table, computed once"},
    Phrase{"split_index", "borders apart, so that the interior needs no tests"},
    Phrase{"lanes", "a reduction over many running values, which vectorizes"},
    Phrase{"deferred_modulo", "remainders taken once for a block of elements"},
    Phrase{"sum_of_sums", "sums of running sums in lanes"},
    Phrase{"narrow_sums", "sums of small numbers in narrow types, a strip at a time"},
    Phrase{"carry", "a value of the iteration before kept in a register"},
    Phrase{"scan", "running values of a vector's lanes at once"},
    Phrase{"member_locals", "members kept in locals"},
    Phrase{"scalar_replacement", "structs taken apart into scalars"},
    Phrase{"vector_math", "mathematical functions without calls or branches"},
    Phrase{"select", "a choice of values without a branch"},
    Phrase{"reciprocal", "a division replaced by a multiplication"},
    Phrase{"inline_calls", "the body of a called function in place of the call"},
    Phrase{"parallel", "iterations on several threads"},
    Phrase{"restrict", "pointers that do not alias"},
    Phrase{"ivdep", "iterations declared independent"},
    Phrase{"fast_math", "relaxed arithmetic for this function"},
    Phrase{"passes", "a pass of the compiler switched for this function"},
    Phrase{"isa", "other vector instructions for this function"},
    Phrase{"block", "other threads in a block"},
    Phrase{"swap_axes", "neighboring threads run along memory"},
    Phrase{"elements", "several items for each thread"},
    Phrase{"interior", "loops without tests or clamps where these change nothing"},
    Phrase{"grid_stride", "a fixed number of blocks that go on by whole grids"},
    Phrase{"vector_access", "several items loaded together"},
    Phrase{"register_tile", "a tile of items in registers for each thread"},
    Phrase{"stage_shared", "what all threads of a block read passes through shared memory"},
    Phrase{"warp_transpose", "a warp loads and stores for its threads along memory, through shared memory"},
    Phrase{"raise_conditions", "tests as far outside of loops as they are known"},
    Phrase{"fuse_launches", "two launches as one"},
    Phrase{"merge_launches", "launches in a loop as one launch"},
    Phrase{"chain_launches", "launches in a loop as one kernel, whose blocks wait for each other between steps"},
    Phrase{"column_group", "several threads for each item, whose neighbors stay side by side"},
    Phrase{"row_group", "a warp, a block or a cluster for each item"},
    Phrase{"cluster", "a cluster of blocks for each item"},
    Phrase{"warp_shuffles", "a reduction by shuffles"},
    Phrase{"tiled_scan", "a prefix sum over tiles by the whole device"},
    Phrase{"tile_product", "tiles in registers and shared memory"},
    Phrase{"store_through_tile", "a transposing store through shared memory"},
    Phrase{"aggregate_atomics", "one atomic addition for each block"},
    Phrase{"privatise_atomics", "atomic additions in shared memory first"},
    Phrase{"plain_access", "loads and stores without cache hints"},
    Phrase{"intrinsics", "the device's fast functions"},
    Phrase{"specialise", "a copy for one problem's values"},
    Phrase{"launch_bounds", "registers for more blocks on a multiprocessor"},
    Phrase{"by_size", "the original for sizes on which the rest was slower"},
};

}  // namespace

std::string_view phrase_of(std::string_view transformation) {
  const auto found = std::ranges::find(phrases, transformation, &Phrase::first);
  return found == phrases.end() ? std::string_view() : found->second;
}

}  // namespace hone::frontend
