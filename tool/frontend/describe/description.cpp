#include "tool/frontend/describe/description.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "annotations/nearest_word.h"
#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/parameter_type.h"
#include "tool/frontend/describe/describer.h"
#include "tool/frontend/describe/object_use.h"
#include "tool/frontend/describe/own_object.h"
#include "tool/frontend/describe/workload_data.h"
#include "tool/frontend/describe/workload_function.h"
#include "tool/frontend/parse/device_code.h"

namespace hone::frontend {

using annotations::Directive;
using annotations::Expression;
using annotations::Location;

namespace {

std::string advice_on_parameter(const clang::FunctionDecl& function) {
  return std::string(is_in_cuda(function) ? "" : "make it in a function of yours, named by workload(fn), or ") +
         "move the loop into a function that takes plain arrays and scalars, and annotate that function";
}

constexpr const char* kPlainParameters =
    "behind its first parameter a workload takes numbers, to which problem(…) gives values; it makes all else itself";

}  // namespace

Describer::Describer(const clang::FunctionDecl& function, const clang::FunctionDecl& called, const Directive& directive,
                     const std::string& folder, KernelSpec& spec)
    : function_(called),
      directive_(directive),
      folder_(folder),
      spec_(spec),
      context_(function.getASTContext()),
      first_(&called == &function ? 0 : 1),
      plan_(called, first_, spec, description_.arguments) {}

Description Describer::run() {
  refuse_stray_clauses();
  if (first_ > 0) begin_workload();
  if (!description_.mistakes.empty()) return std::move(description_);  // its clauses name the kernel's parameters
  add_parameters();
  if (first_ == 0) add_own_object();
  if (first_ == 0) add_result();
  add_sections();
  add_aliases();
  add_inits();
  add_problems();
  add_conditions();
  add_bounds();
  if (description_.mistakes.empty())
    for (std::string& flaw : plan_.finish())
      mistake(DiagnosticCode::member_undescribed, directive_.location, std::move(flaw));
  add_tolerances();
  add_fixed();
  add_threads();
  add_stream();
  add_launch();
  look_for_null_tests();
  if (description_.mistakes.empty()) check_pointers();
  if (description_.mistakes.empty()) check_problems();
  if (first_ > 0) end_workload();
  spec_.expression_count = static_cast<unsigned>(description_.expressions.size());
  return std::move(description_);
}

void Describer::mistake(DiagnosticCode code, Location location, std::string message) {
  for (const Mistake& known : description_.mistakes)
    if (known.location == location && known.message == message) return;  // one clause may concern several outputs
  description_.mistakes.push_back({code, location, std::move(message)});
}

ExpressionId Describer::number(const Expression& expression) {
  note_scalars(expression);
  description_.expressions.push_back(expression);
  return static_cast<ExpressionId>(description_.expressions.size() - 1);
}

// What an expression says of members and sizes becomes data of the kernel.
std::vector<unsigned> Describer::note_scalars(const Expression& expression) {
  std::string flaw;
  std::vector<unsigned> data = plan_.scalars_in(expression.text, flaw);
  if (!flaw.empty()) mistake(DiagnosticCode::bad_path, expression.location, flaw);
  return data;
}

void Describer::constant(const Expression& expression, std::function<std::string(KernelSpec&, double)> store,
                         bool required) {
  const std::optional<double> value = plain_number(expression.text);
  if (!value) {
    description_.constants.push_back({expression, std::move(store), required});
  } else if (std::string why = store(spec_, *value); !why.empty()) {
    mistake(DiagnosticCode::value_out_of_range, expression.location, why);
  }
}

// A value that only a look at it needs: one that names a parameter or a member has many.
void Describer::look_at_constant(const Expression& expression, std::function<std::string(double)> look) {
  for (const std::string& word : identifiers_in(expression.text))
    if (std::ranges::count(spec_.parameters, word, &Parameter::name)) return;
  if (!note_scalars(expression).empty()) return;
  constant(
      expression, [look = std::move(look)](KernelSpec&, double value) { return look(value); }, false);
}

// Index of the parameter of that name, or a mistake at the name.
std::optional<unsigned> Describer::parameter(const annotations::Name& name, const char* clause) {
  std::vector<std::string_view> known;
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    if (spec_.parameters[i].name == name.text) return i;
    const std::string& one = spec_.parameters[i].name;
    if (!one.empty() && one != "this") known.push_back(one);
  }
  const std::vector<std::string> members = members_of(function_);
  known.insert(known.end(), members.begin(), members.end());
  std::string message = std::string(clause) + " names '" + name.text + "', which is no parameter of '" +
                        function_.getNameAsString() + "'" + (members.empty() ? "" : " and no member of its object");
  if (!known.empty()) message += "; " + annotations::suggestion(name.text, known);
  mistake(DiagnosticCode::unknown_parameter, name.location, message);
  return std::nullopt;
}

// What the clause names: a parameter, or what else the arguments are made of.
std::optional<unsigned> Describer::datum(const annotations::Name& name, const char* clause, Lookup look_up) {
  const ArgumentPlan::Datum found = (plan_.*look_up)(name.text);
  if (const unsigned* index = std::get_if<unsigned>(&found)) return *index;
  const std::string& why = std::get<std::string>(found);
  if (why.empty()) return parameter(name, clause);
  mistake(DiagnosticCode::bad_path, name.location, "'" + name.text + "' " + why);
  return std::nullopt;
}

// What another clause named already, or a parameter.
std::optional<unsigned> Describer::named_before(const annotations::Name& name, const char* clause) {
  const std::optional<unsigned> known = plan_.known(name.text);
  return known ? known : parameter(name, clause);
}

void Describer::refuse_stray_clauses() {
  if (function_.getTemplateSpecializationKind() == TSK_Undeclared && !directive_.instantiations.empty() && first_ == 0)
    mistake(DiagnosticCode::instantiate_without_template, directive_.instantiations.front().location,
            "instantiate(…) belongs to a template; '" + function_.getNameAsString() + "' is a plain function");
}

// What a workload says itself, no clause may say.
void Describer::begin_workload() {
  const std::string why = " beside workload(" + directive_.workload->text + "), which makes the arguments itself";
  for (const annotations::Section& section : directive_.sections)
    mistake(DiagnosticCode::clause_beside_workload, section.name.location,
            "in(…), out(…) or inout(…)" + why + "; drop the clause");
  for (const annotations::Alias& alias : directive_.aliases)
    mistake(DiagnosticCode::clause_beside_workload, alias.names.front().location,
            "alias(…)" + why + "; drop the clause");
  for (const annotations::Name& name : directive_.fixed)
    mistake(DiagnosticCode::clause_beside_workload, name.location, "fixed(…)" + why + "; drop the clause");
  if (directive_.stream)
    mistake(DiagnosticCode::clause_beside_workload, directive_.stream->location,
            "stream(…)" + why + "; drop the clause");
  if (directive_.launch)
    mistake(DiagnosticCode::clause_beside_workload, directive_.launch->location,
            "launch(…)" + why + "; annotate the host function");
  description_.workload = directive_.workload;
  description_.workload_is_template = function_.isTemplated();
  description_.expressions = workload_expressions(directive_.workload->location);
}

// Behind everything that goes through the workload's own parameters.
void Describer::end_workload() {
  const Tolerance close = spec_.result_tolerance;
  add_workload_data(spec_);
  spec_.result_tolerance = {};
  for (Parameter& parameter : spec_.parameters)
    if (parameter.role == Role::out && !parameter.tolerance.exact) parameter.tolerance = close;
}

void Describer::add_parameters() {
  for (const clang::ParmVarDecl* declared : function_.parameters().drop_front(first_)) {
    std::string flaw = first_ ? plan_.add_plain(*declared) : plan_.add(*declared);
    if (const std::string advice = advice_on_arguments(function_); flaw.ends_with(advice))
      flaw.resize(flaw.size() - advice.size());  // what follows says that, and more
    if (!flaw.empty()) refused_.insert(static_cast<unsigned>(spec_.parameters.size() - 1));
    if (!flaw.empty())
      mistake(first_ ? DiagnosticCode::workload_signature : DiagnosticCode::parameter_type,
              first_ ? directive_.workload->location : directive_.location,
              "parameter '" + declared->getNameAsString() + "' of type '" +
                  declared->getType().getAsString(context_.getPrintingPolicy()) + "' " + flaw + "; " +
                  (first_ ? kPlainParameters : advice_on_parameter(function_)));
    const Parameter& described = spec_.parameters.back();
    if (first_ && flaw.empty() && (described.pointer || described.stream || described.name.empty()))
      mistake(DiagnosticCode::workload_signature, directive_.workload->location,
              "'" + function_.getNameAsString() + "' takes more than numbers with names; " + kPlainParameters);
  }
  plan_.add_tables();
}

// The one that the runner calls on; a kernel can have no other.
void Describer::add_stream() {
  const std::optional<unsigned> named =
      directive_.stream ? parameter(*directive_.stream, "stream") : std::optional<unsigned>();
  if (directive_.stream && !named) return;
  if (named && !spec_.parameters[*named].stream)
    return mistake(DiagnosticCode::stream_type, directive_.stream->location,
                   "'" + directive_.stream->text + "' is not a cudaStream_t");
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    const Parameter& described = spec_.parameters[i];
    if (!described.stream || (named && *named == i)) continue;
    if (directive_.stream)
      mistake(DiagnosticCode::stream_type, directive_.stream->location,
              "'" + described.name + "' is a second cudaStream_t; only one stream can be given");
    else
      mistake(DiagnosticCode::stream_missing, directive_.location,
              "'" + described.name + "' is the stream to work on; say so with stream(" + described.name + ")");
  }
}

void Describer::add_launch() {
  const std::string name = "'" + function_.getNameAsString() + "'";
  if (is_global(function_) && !directive_.launch)
    mistake(DiagnosticCode::launch_missing, directive_.location,
            name +
                " is a __global__ kernel; say how it is launched with launch(grid(…), "
                "block(…)), or annotate the host function that launches it");
  if (directive_.launch && !is_global(function_))
    mistake(DiagnosticCode::launch_on_host, directive_.launch->location,
            "launch(…) belongs to a __global__ kernel; " + name + " is a host function, which launches its own");
  if (is_global(function_) && directive_.threads)
    mistake(DiagnosticCode::threads_on_device, directive_.threads->location,
            "threads(k) counts threads of the processor; a __global__ kernel has none");
  description_.launch = directive_.launch;
}

std::vector<Expression> Describer::launch_expressions() const {
  if (!directive_.launch) return {};
  std::vector<Expression> expressions = directive_.launch->grid;
  expressions.insert(expressions.end(), directive_.launch->block.begin(), directive_.launch->block.end());
  if (directive_.launch->shared) expressions.push_back(*directive_.launch->shared);
  return expressions;
}

void Describer::add_own_object() {
  if (const std::string flaw = add_object(function_, plan_); !flaw.empty())
    mistake(DiagnosticCode::object_type, directive_.location, "'" + function_.getQualifiedNameAsString() + "' " + flaw);
}

void Describer::add_result() {
  if (function_.getReturnType()->isVoidType() || returns_its_object(function_)) return;
  auto layout = result_type(function_);
  if (auto* why = std::get_if<std::string>(&layout))
    return mistake(
        DiagnosticCode::result_type, directive_.location,
        "the return value of type '" + function_.getReturnType().getAsString(context_.getPrintingPolicy()) + "' " +
            *why + (is_in_cuda(function_) ? "; " : "; compare it in a function of yours, named by workload(fn), or ") +
            "return an arithmetic value or nothing");
  spec_.result = std::get<ElementType>(std::move(layout));
}

void Describer::add_threads() {
  if (!directive_.threads) return;
  constant(*directive_.threads, [](KernelSpec& spec, double value) -> std::string {
    if (!(value >= 1 && value <= 65536) || value != std::floor(value))
      return "threads(k) needs a whole number of 1 or more";
    spec.threads = static_cast<unsigned>(value);
    return "";
  });
}

std::vector<Expression> all_expressions(const Description& description) {
  std::vector<Expression> expressions = description.expressions;
  for (const auto& values : description.problem_values)
    for (const ProblemValue& value : values) expressions.push_back(value.value);
  for (const PendingConstant& constant : description.constants) expressions.push_back(constant.expression);
  if (description.launch) {
    expressions.insert(expressions.end(), description.launch->grid.begin(), description.launch->grid.end());
    expressions.insert(expressions.end(), description.launch->block.begin(), description.launch->block.end());
    if (description.launch->shared) expressions.push_back(*description.launch->shared);
  }
  return expressions;
}

Description describe(const clang::FunctionDecl& function, const Directive& directive, const std::string& folder,
                     KernelSpec& spec) {
  if (!directive.workload) return Describer(function, function, directive, folder, spec).run();
  const auto workload = find_workload(function, *directive.workload);
  if (const auto* why = std::get_if<Mistake>(&workload)) {
    Description none;
    none.mistakes.push_back(*why);
    return none;
  }
  return Describer(function, *std::get<const clang::FunctionDecl*>(workload), directive, folder, spec).run();
}

}  // namespace hone::frontend
