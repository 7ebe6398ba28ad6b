// gate(): Clang's look at a candidate before anything compiles it. Hygiene, so that honest mistakes get an honest
// reason; the wall is the sandbox.
#include "tool/frontend/gate/policy_gate.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <map>

#include "tool/frontend/arguments/variable_uses.h"
#include "tool/frontend/describe/effects.h"
#include "tool/frontend/describe/wide_products.h"
#include "tool/frontend/gate/attribute_policy.h"
#include "tool/frontend/gate/candidate_macros.h"
#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/gate/directive_policy.h"
#include "tool/frontend/gate/feature_policy.h"
#include "tool/frontend/gate/launch_policy.h"
#include "tool/frontend/gate/meaning_policy.h"
#include "tool/frontend/gate/original_names.h"
#include "tool/frontend/gate/unit_text.h"
#include "tool/frontend/gate/warp_policy.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/frontend/parse/forked_call.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

using namespace clang;

std::string as_reason(const Message& error) {
  if (error.file == kCandidateFile) return to_string({DiagnosticCode::none, error.line, error.text});
  return "behind the candidate, " + error.file + ":" + std::to_string(error.line) + ": " + error.text;
}

// A candidate that brings the kernel's template once more, or a specialization that fits no template.
bool is_template_again(const Message& error) {
  return error.text.starts_with("redefinition of") || error.text.find("specialization") != std::string::npos;
}

struct Original {
  std::string promises;
  OriginalNames names;
  Features features;
  std::map<std::string, VariableUse> variables;
  Effects effects;
  WideFactors wide_factors;
  bool reads_lanes_that_left = false;
};

// What clauses name is protected while a candidate runs; what a workload sets is not.
std::string changed_variable(const std::map<std::string, VariableUse>& original,
                             const std::map<std::string, VariableUse>& candidate) {
  for (const auto& [name, use] : candidate)
    if (const auto before = original.find(name); before != original.end() && use > before->second) return name;
  return "";
}

// A candidate may include what the original does not, and CUB takes seconds to read.
constexpr CallLimits kCudaLimits{std::chrono::seconds(30), std::size_t{6} << 30};

// The kernel as the original defines it: parsed in the candidate's place.
Result<Original> look_at_original(const KernelSpec& spec, Parser& parser) {
  HONE_TRY(auto parsed, parser.parse(with_definition(spec, {"", spec.unit.definition, 1})));
  const Meaning meaning = look_at_meaning(*parsed, spec, nullptr);
  if (!meaning.kernel) {
    const std::vector<Message>& errors = parsed->errors();
    return failure("the kernel's unit does not define '" + spec.signature + "'" +
                       (errors.empty() ? "" : "; Clang's first error: " + as_reason(errors.front())),
                   spec.file);
  }
  WideFactors wide = spec.wide_factors;
  leave_out_narrow(*meaning.kernel, wide);
  return Original{promises(*meaning.kernel),
                  original_names_of(*meaning.kernel),
                  features_beyond_target(*parsed, *meaning.kernel),
                  variable_uses(*meaning.kernel),
                  effects_of(*meaning.kernel),
                  std::move(wide),
                  spec.cuda && reads_lanes_that_left(*parsed)};
}

// Arrays of more than 2^31 elements fit into no test. All functions are looked at: kernels of a launch that the
// candidate brings are called by their launcher alone.
std::optional<Objection> object_to_products(const Parsed& parsed, const WideFactors& wide) {
  const auto product = narrow_product(functions_of(parsed, Whose::candidate), wide);
  if (!product) return std::nullopt;
  return Objection{DiagnosticCode::candidate_width, candidate_line(parsed.sources(), product->location),
                   "'" + product->text + "' is computed in 32 bits, and an extent of the annotation multiplies by '" +
                       product->factor +
                       "' in 64, because arrays may have more than 2^31 elements; convert a factor to size_t first"};
}

// What the text alone shows; the macros that it defines.
std::string object_to_source(const std::string& source, const SplitSource& split, const LangOptions& language,
                             const KernelSpec& spec, DirectiveFindings& findings) {
  if (auto objection = object_to_text(source, split, language)) return to_string(*objection);
  DirectiveFindings directives = look_at_directives(split, language, spec.threads, spec.unit.definition);
  if (directives.objection) return to_string(*directives.objection);
  findings = directives;
  if (auto objection = object_to_words(split, language, spec.own_launch.name, spec.unit.definition))
    return to_string(*objection);
  if (auto objection = object_to_attributes(split, language, spec.unit.definition)) return to_string(*objection);
  if (brings_launch(spec, source))
    if (auto objection = object_to_copy(split, spec, language)) return to_string(*objection);
  return "";
}

// What Clang makes of it.
std::string object_to_parse(const KernelSpec& spec, const SplitSource& split, const DirectiveFindings& directives,
                            const Original& original, Parser& parser) {
  auto parsed = parser.parse(with_definition(spec, split));
  if (!parsed) return with_code(parsed.error().message(), DiagnosticCode::candidate_syntax);
  const std::vector<Message>& errors = (*parsed)->errors();
  const auto own = std::ranges::find(errors, kCandidateFile, &Message::file);
  if (own != errors.end())
    return with_code(as_reason(*own) + (is_template_again(*own) && !wanted(spec).empty() ? "; " + wanted(spec) : ""),
                     DiagnosticCode::candidate_syntax);
  if (std::string why = object_to_macros(**parsed, directives.macros); !why.empty()) return why;

  const Meaning meaning = look_at_meaning(**parsed, spec, &original.names);
  if (meaning.objection) return to_string(*meaning.objection);
  if (!meaning.kernel)
    return to_string({DiagnosticCode::candidate_signature, split.definition_line,
                      "the candidate does not define '" + spec.signature + "' with exactly this signature and linkage" +
                          (wanted(spec).empty() ? "" : "; " + wanted(spec))});
  if (meaning.namesake) return to_string(*meaning.namesake);
  if (brings_launch(spec, split.definition))
    if (auto objection = object_to_launches(**parsed, spec, *meaning.kernel)) return to_string(*objection);
  if (spec.cuda && !original.reads_lanes_that_left)
    if (auto objection = object_to_lanes_that_left(**parsed)) return to_string(*objection);
  if (auto objection = object_to_features(**parsed, *meaning.kernel, directives.targets, original.features))
    return to_string(*objection);
  if (auto objection = object_to_products(**parsed, original.wide_factors)) return to_string(*objection);
  if (promises(*meaning.kernel) != original.promises)
    return to_string({DiagnosticCode::candidate_promise, split.definition_line,
                      "the original's inline, constexpr, noexcept and default arguments must be kept (it has: " +
                          (original.promises.empty() ? "none" : original.promises) + ")"});
  if (const std::string missing = missing_complaint(original.effects, effects_of(*meaning.kernel)); !missing.empty())
    return to_string({DiagnosticCode::candidate_promise, split.definition_line, missing});
  if (has_workload(spec))
    if (const std::string changed = changed_variable(original.variables, variable_uses(*meaning.kernel));
        !changed.empty())
      return to_string({DiagnosticCode::candidate_promise, split.definition_line,
                        "'" + changed +
                            "' may be changed where the original only reads it; take a const "
                            "reference or pointer to it"});
  return errors.empty() ? "" : with_code(as_reason(errors.front()), DiagnosticCode::candidate_syntax);
}

}  // namespace

struct Gate::State {
  KernelSpec spec;
  Parser parser;
  Original original;
};

Gate::Gate(std::unique_ptr<State> state) : state_(std::move(state)) {}
Gate::Gate(Gate&&) noexcept = default;
Gate& Gate::operator=(Gate&&) noexcept = default;
Gate::~Gate() = default;

Result<Gate> Gate::open(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  HONE_TRY(Parser parser, Parser::create(command, options));
  HONE_TRY(Original original, look_at_original(spec, parser));
  return Gate(std::make_unique<State>(State{spec, std::move(parser), std::move(original)}));
}

std::string Gate::check(const std::string& candidate) {
  std::string why = objection(candidate);
  take_code(why);
  return why;
}

std::string Gate::objection(const std::string& candidate) {
  const KernelSpec& spec = state_->spec;
  Parser& parser = state_->parser;
  const SplitSource split = split_includes(candidate);
  DirectiveFindings directives;
  if (std::string why = object_to_source(candidate, split, parser.language(), spec, directives); !why.empty())
    return why;

  // The headers are trusted and stay for the candidates to come; what stands behind them is not.
  parser.prepare(with_definition(spec, split));
  const CallOutcome outcome =
      isolated_call([&] { return object_to_parse(spec, split, directives, state_->original, parser); },
                    parser.language().CUDA ? kCudaLimits : CallLimits());
  if (outcome.answer) return *outcome.answer;
  return to_string(
      {DiagnosticCode::candidate_costly, split.definition_line,
       "Clang cannot take it in: " + outcome.failure + "; use fewer templates, macros and constant evaluations"});
}

std::string gate(const KernelSpec& spec, const std::string& candidate, const CompileCommand& command,
                 const Options& options) {
  auto gate = Gate::open(spec, command, options);
  return gate ? gate->check(candidate) : gate.error().message();
}

}  // namespace hone::frontend
