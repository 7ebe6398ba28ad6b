// What a message is about, as a name that stays: [hone-extent-missing] behind the message, `hone explain` for the rest.
//
// Every message about a user's mistake takes a code, so a code that is not listed here does not compile. Each has one
// explanation (explanation.h). A code is never renamed and never used for something else: people search for it.
#pragma once

#include <string>
#include <string_view>

namespace hone {

enum class DiagnosticCode : unsigned char {
  none,  // no message has it

  // The pragma's text.
  bad_character,
  unterminated_text,
  bad_string,
  directive_too_large,
  unbalanced_brackets,
  unexpected_token,
  unknown_directive,
  unknown_clause,
  unknown_word,
  empty_clause,
  repeated_clause,
  argument_count,
  launch_incomplete,
  problem_without_values,
  tolerance_conflict,

  // What it stands above.
  no_function,
  function_kind,
  annotated_twice,
  header_not_included,
  defined_in_class,
  lambda_kind,
  not_written_out,
  instantiate_missing,
  instantiate_without_template,
  template_kind,
  unknown_template_parameter,
  template_argument_missing,
  template_argument,
  instance_in_use,

  // What the function takes.
  unknown_parameter,
  bad_path,
  parameter_type,
  result_type,
  object_type,
  member_undescribed,
  not_a_pointer,
  members_instead,
  role_missing,
  role_repeated,
  const_output,
  extent_missing,
  extent_dimensions,
  alias_twice,
  enumeration_values,

  // The data it is called on.
  init_twice,
  init_file_member,
  problem_missing,
  problem_value_missing,
  problem_value_twice,
  problem_not_scalar,
  value_out_of_range,
  constant_expected,
  tolerance_not_output,
  fixed_not_scalar,
  fixed_not_constant,
  fixed_behind_null,
  fixed_unsupported,
  clause_expression,
  clauses_do_not_fit,

  // How it is called, and what it does.
  clause_beside_workload,
  workload_missing,
  workload_signature,
  workload_on_device,
  workload_undefined,
  stream_missing,
  stream_type,
  stream_unused,
  launch_missing,
  launch_on_host,
  threads_on_device,
  variable_undescribed,
  not_self_contained,
  side_effect,
  device_arguments,
  device_language,
  device_architecture,
  clang_refuses,

  // What a compile links.
  not_tuned,
  family_unknown,
  entry_distrusted,
  entry_unconfirmed,
  entry_unvouched,
  variant_slower_here,
  variant_missing,
  variant_misfit,
  variant_refused,
  variant_not_compiled,
  source_not_parsed,
  crashed,
  not_captured,
  several_sources,

  // Files and commands.
  lock_conflicts,
  lock_damaged,
  lock_newer,
  lock_entry,
  no_lock,
  no_commands,
  no_kernels,
  unknown_kernel,

  // Single commands, and budgets.
  no_cmake_project,
  unknown_function,
  file_changed,
  not_answered,
  program_missing,
  not_sampled,
  nothing_to_annotate,
  nothing_recorded,
  capture_unusable,
  port_taken,
  git_failed,
  unknown_revision,
  bad_budget,
  bad_strategy,

  // What a candidate may be.
  candidate_unreadable,
  candidate_doubted,
  candidate_text,
  candidate_directive,
  candidate_attribute,
  candidate_syntax,
  candidate_signature,
  candidate_promise,
  candidate_use,
  candidate_state,
  candidate_reach,
  candidate_assembly,
  candidate_processor,
  candidate_threads,
  candidate_device,
  candidate_width,
  candidate_costly,
  candidate_misfit,

  // What becomes of it when it is judged.
  compile_failed,
  compile_limit,
  object_brings,
  original_unfit,
  problem_unusable,
  result_wrong,
  result_unsteady,
  call_fails,
  call_too_long,
  call_strays,
  call_leaves,
  memory_error,
  data_race,
  wrong_while_timed,
  not_faster,

  // Executors.
  executor_unknown,
  executor_unreachable,
  executor_failed,
  executor_machine,

  // Stores and keys.
  store_folder,
  store_unwritable,
  store_entry_missing,
  shared_store,
  shared_store_failed,
  signing_key,
  public_key,
  trust_file,
  trust_name,

  // Language models.
  model_settings,
  model_unnamed,
  model_key,
  model_endpoint,
  model_not_allowed,
  model_price,
  model_failed,

  count  // how many there are
};

// "extent-missing": what stands behind `hone-` in a message, and what `hone explain` takes.
std::string_view code_name(DiagnosticCode code);

// The code of that name, however it was copied: extent-missing, hone-extent-missing, [hone-extent-missing]. `none`: no
// code is called so.
DiagnosticCode code_called(std::string_view name);

// "the extent of 'x' is missing [hone-extent-missing]": at the end of the message's first line.
std::string with_code(std::string message, DiagnosticCode code);

// Takes a code off the message's end, for what the sentence goes on with. `none`: it has none.
DiagnosticCode take_code(std::string& message);

}  // namespace hone
