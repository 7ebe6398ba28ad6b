#include "tool/transforms/code/transformation.h"

#include <algorithm>

namespace hone::frontend {

// One maker per file.
std::unique_ptr<Transformation> make_canonical_loop();
std::unique_ptr<Transformation> make_single_assignment();
std::unique_ptr<Transformation> make_no_continue();
std::unique_ptr<Transformation> make_early_exit();
std::unique_ptr<Transformation> make_fission();
std::unique_ptr<Transformation> make_fusion();
std::unique_ptr<Transformation> make_hoist();
std::unique_ptr<Transformation> make_unroll();
std::unique_ptr<Transformation> make_interchange();
std::unique_ptr<Transformation> make_pack();
std::unique_ptr<Transformation> make_peel();
std::unique_ptr<Transformation> make_promote_scalar();
std::unique_ptr<Transformation> make_push();
std::unique_ptr<Transformation> make_skew();
std::unique_ptr<Transformation> make_pipeline();
std::unique_ptr<Transformation> make_split_index();
std::unique_ptr<Transformation> make_tabulate();
std::unique_ptr<Transformation> make_tile();
std::unique_ptr<Transformation> make_tile_nest();
std::unique_ptr<Transformation> make_unroll_full();
std::unique_ptr<Transformation> make_vectorise_outer();
std::unique_ptr<Transformation> make_unroll_jam();
std::unique_ptr<Transformation> make_reduction_lanes();
std::unique_ptr<Transformation> make_narrow_sums();
std::unique_ptr<Transformation> make_deferred_modulo();
std::unique_ptr<Transformation> make_sum_of_sums();
std::unique_ptr<Transformation> make_carry();
std::unique_ptr<Transformation> make_scan();
std::unique_ptr<Transformation> make_vector_math();
std::unique_ptr<Transformation> make_branch_to_select();
std::unique_ptr<Transformation> make_reciprocal();
std::unique_ptr<Transformation> make_member_locals();
std::unique_ptr<Transformation> make_scalar_replacement();
std::unique_ptr<Transformation> make_restrict_pointers();
std::unique_ptr<Transformation> make_independent_iterations();
std::unique_ptr<Transformation> make_fast_math();
std::unique_ptr<Transformation> make_instruction_set();
std::unique_ptr<Transformation> make_parallel_loop();
std::unique_ptr<Transformation> make_compiler_passes();
std::unique_ptr<Transformation> make_inline_calls();
std::unique_ptr<Transformation> make_by_size();
// In cuda/.
std::unique_ptr<Transformation> make_launch_shape();
std::unique_ptr<Transformation> make_swap_axes();
std::unique_ptr<Transformation> make_elements();
std::unique_ptr<Transformation> make_grid_stride();
std::unique_ptr<Transformation> make_vector_access();
std::unique_ptr<Transformation> make_row_group();
std::unique_ptr<Transformation> make_column_group();
std::unique_ptr<Transformation> make_tile_product();
std::unique_ptr<Transformation> make_store_through_tile();
std::unique_ptr<Transformation> make_aggregate_atomics();
std::unique_ptr<Transformation> make_privatise_atomics();
std::unique_ptr<Transformation> make_intrinsics();
std::unique_ptr<Transformation> make_specialise();
std::unique_ptr<Transformation> make_launch_bounds();
std::unique_ptr<Transformation> make_interior();
std::unique_ptr<Transformation> make_warp_shuffles();
std::unique_ptr<Transformation> make_tiled_scan();
std::unique_ptr<Transformation> make_register_tile();
std::unique_ptr<Transformation> make_raise_conditions();
std::unique_ptr<Transformation> make_stage_shared();
std::unique_ptr<Transformation> make_warp_transpose();
std::unique_ptr<Transformation> make_merge_launches();
std::unique_ptr<Transformation> make_chain_launches();
std::unique_ptr<Transformation> make_cluster();
std::unique_ptr<Transformation> make_fuse_launches();
std::unique_ptr<Transformation> make_plain_access();

const Transformations& transformations() {
  static const Transformations table = [] {
    Transformations all;
    all.push_back(make_canonical_loop());
    all.push_back(make_single_assignment());
    all.push_back(make_no_continue());
    all.push_back(make_early_exit());
    all.push_back(make_fission());
    all.push_back(make_fusion());
    all.push_back(make_hoist());
    all.push_back(make_unroll());
    all.push_back(make_interchange());
    all.push_back(make_pack());
    all.push_back(make_peel());
    all.push_back(make_promote_scalar());
    all.push_back(make_push());
    all.push_back(make_skew());
    all.push_back(make_pipeline());
    all.push_back(make_split_index());
    all.push_back(make_tabulate());
    all.push_back(make_tile());
    all.push_back(make_tile_nest());
    all.push_back(make_unroll_full());
    all.push_back(make_vectorise_outer());
    all.push_back(make_unroll_jam());
    all.push_back(make_reduction_lanes());
    all.push_back(make_narrow_sums());
    all.push_back(make_deferred_modulo());
    all.push_back(make_sum_of_sums());
    all.push_back(make_carry());
    all.push_back(make_scan());
    all.push_back(make_vector_math());
    all.push_back(make_branch_to_select());
    all.push_back(make_reciprocal());
    all.push_back(make_member_locals());
    all.push_back(make_scalar_replacement());
    all.push_back(make_restrict_pointers());
    all.push_back(make_independent_iterations());
    all.push_back(make_fast_math());
    all.push_back(make_parallel_loop());
    all.push_back(make_instruction_set());
    all.push_back(make_compiler_passes());
    all.push_back(make_inline_calls());
    return all;
  }();
  return table;
}

// Without those that speak to g++ alone, to threads of the host or to its vectors.
const Transformations& device_transformations() {
  static const Transformations table = [] {
    Transformations all;
    all.push_back(make_launch_shape());
    all.push_back(make_swap_axes());
    all.push_back(make_elements());
    all.push_back(make_grid_stride());
    all.push_back(make_vector_access());
    all.push_back(make_row_group());
    all.push_back(make_column_group());
    all.push_back(make_tile_product());
    all.push_back(make_store_through_tile());
    all.push_back(make_aggregate_atomics());
    all.push_back(make_privatise_atomics());
    all.push_back(make_intrinsics());
    all.push_back(make_specialise());
    all.push_back(make_launch_bounds());
    all.push_back(make_interior());
    all.push_back(make_warp_shuffles());
    all.push_back(make_tiled_scan());
    all.push_back(make_register_tile());
    all.push_back(make_raise_conditions());
    all.push_back(make_stage_shared());
    all.push_back(make_warp_transpose());
    all.push_back(make_merge_launches());
    all.push_back(make_chain_launches());
    all.push_back(make_cluster());
    all.push_back(make_fuse_launches());
    all.push_back(make_plain_access());
    all.push_back(make_restrict_pointers());
    all.push_back(make_hoist());
    all.push_back(make_reciprocal());
    all.push_back(make_promote_scalar());
    all.push_back(make_branch_to_select());
    all.push_back(make_fusion());
    all.push_back(make_interchange());
    all.push_back(make_unroll());
    all.push_back(make_unroll_full());
    all.push_back(make_unroll_jam());
    all.push_back(make_vectorise_outer());
    all.push_back(make_inline_calls());
    return all;
  }();
  return table;
}

// What a search asks for by what it measured; nobody draws it.
static const Transformations& measured_choices() {
  static const Transformations table = [] {
    Transformations all;
    all.push_back(make_by_size());
    return all;
  }();
  return table;
}

const Transformation* find_transformation(std::string_view name) {
  for (const auto* table : {&transformations(), &device_transformations(), &measured_choices()})
    for (const auto& transformation : *table)
      if (transformation->name() == name) return transformation.get();
  return nullptr;
}

bool is_applicable(const KernelContext& context, std::string_view name) {
  const Transformation* transformation = find_transformation(name);
  return transformation && transformation->sites(context) > 0;
}

int argument(const std::vector<int>& arguments, std::size_t index, int fallback, int low, int high) {
  if (index >= arguments.size() || arguments[index] < low || arguments[index] > high) return fallback;
  return arguments[index];
}

}  // namespace hone::frontend
