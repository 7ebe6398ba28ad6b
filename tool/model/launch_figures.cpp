#include "tool/model/launch_figures.h"

namespace hone {
namespace {

using Kind = LaunchFigure::Kind;
using C = LaunchCounters;

constexpr LaunchFigure figures[] = {
    {"memory_share", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", Kind::share, &C::memory_share},
    {"dram_share", "dram__throughput.avg.pct_of_peak_sustained_elapsed", Kind::share, &C::dram_share},
    {"l2_share", "lts__throughput.avg.pct_of_peak_sustained_elapsed", Kind::share, &C::l2_share},
    {"l1_share", "l1tex__throughput.avg.pct_of_peak_sustained_active", Kind::share, &C::l1_share},
    {"bytes_read", "dram__bytes_read.sum", Kind::bytes, &C::bytes_read},
    {"bytes_written", "dram__bytes_write.sum", Kind::bytes, &C::bytes_written},
    {"l2_hits", "lts__t_sector_hit_rate.pct", Kind::share, &C::l2_hits},
    {"l1_hits", "l1tex__t_sector_hit_rate.pct", Kind::share, &C::l1_hits},
    {"load_sectors", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Kind::number,
     &C::load_sectors},
    {"store_sectors", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", Kind::number,
     &C::store_sectors},
    {"bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", Kind::number, &C::bank_conflicts},
    {"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", Kind::number, &C::shared_wavefronts},
    {"compute_share", "sm__throughput.avg.pct_of_peak_sustained_elapsed", Kind::share, &C::compute_share},
    {"issue_share", "smsp__issue_active.avg.pct_of_peak_sustained_active", Kind::share, &C::issue_share},
    {"fma_share", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", Kind::share, &C::fma_share},
    {"tensor_share", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", Kind::share, &C::tensor_share},
    {"double_share", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", Kind::share, &C::double_share},
    {"float_instructions", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum", Kind::number, &C::float_instructions},
    {"float_multiply_adds", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", Kind::number,
     &C::float_multiply_adds},
    {"double_instructions", "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum", Kind::number,
     &C::double_instructions},
    {"double_multiply_adds", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", Kind::number,
     &C::double_multiply_adds},
    {"active_threads", "smsp__thread_inst_executed_per_inst_executed.ratio", Kind::number, &C::active_threads},
    {"warps_share", "sm__warps_active.avg.pct_of_peak_sustained_active", Kind::share, &C::warps_share},
    {"possible_warps_share", "sm__maximum_warps_per_active_cycle_pct", Kind::share, &C::possible_warps_share},
    {"fit_by_registers", "launch__occupancy_limit_registers", Kind::number, &C::fit_by_registers},
    {"fit_by_shared_memory", "launch__occupancy_limit_shared_mem", Kind::number, &C::fit_by_shared_memory},
    {"fit_by_blocks", "launch__occupancy_limit_blocks", Kind::number, &C::fit_by_blocks},
    {"fit_by_warps", "launch__occupancy_limit_warps", Kind::number, &C::fit_by_warps},
    {"registers", "launch__registers_per_thread", Kind::number, &C::registers},
    {"static_shared_bytes", "launch__shared_mem_per_block_static", Kind::bytes, &C::static_shared_bytes},
    {"dynamic_shared_bytes", "launch__shared_mem_per_block_dynamic", Kind::bytes, &C::dynamic_shared_bytes},
    {"blocks", "launch__grid_size", Kind::number, &C::blocks},
    {"threads", "launch__block_size", Kind::number, &C::threads},
    {"multiprocessors", "device__attribute_multiprocessor_count", Kind::number, &C::multiprocessors},
    {"waves", "launch__waves_per_multiprocessor", Kind::number, &C::waves},
    {"cycles_between", "smsp__average_warp_latency_per_inst_issued.ratio", Kind::number, &C::cycles_between},
    {"stall_long_scoreboard", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", Kind::number,
     &C::stall_long_scoreboard},
    {"stall_short_scoreboard", "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
     Kind::number, &C::stall_short_scoreboard},
    {"stall_barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", Kind::number,
     &C::stall_barrier},
    {"stall_math_pipe", "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", Kind::number,
     &C::stall_math_pipe},
    {"stall_lg_throttle", "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", Kind::number,
     &C::stall_lg_throttle},
    {"stall_mio_throttle", "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", Kind::number,
     &C::stall_mio_throttle},
    {"stall_wait", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", Kind::number, &C::stall_wait},
};

}  // namespace

std::span<const LaunchFigure> launch_figures() {
  return figures;
}

}  // namespace hone
