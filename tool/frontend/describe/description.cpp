#include "tool/frontend/describe/description.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "annotations/nearest_word.h"
#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/null_tests.h"
#include "tool/frontend/arguments/parameter_type.h"
#include "tool/frontend/describe/loop_bounds.h"
#include "tool/frontend/describe/possible_value.h"
#include "tool/frontend/describe/workload_data.h"
#include "tool/frontend/describe/workload_function.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

using annotations::Directive;
using annotations::Expression;
using annotations::Location;

constexpr const char* kPlainArguments =
    "make it in a function of yours, named by workload(fn), or move the loop into a function that takes plain arrays "
    "and scalars, and annotate that function";

constexpr const char* kPlainParameters =
    "behind its first parameter a workload takes numbers, to which problem(…) gives values; it makes all else itself";

class Describer {
 public:
  // `called`: the function itself, or its workload.
  Describer(const clang::FunctionDecl& function, const clang::FunctionDecl& called, const Directive& directive,
            const std::string& folder, KernelSpec& spec)
      : function_(called),
        directive_(directive),
        folder_(folder),
        spec_(spec),
        context_(function.getASTContext()),
        first_(&called == &function ? 0 : 1),
        plan_(called, first_, spec, description_.arguments) {}

  Description run() {
    refuse_stray_clauses();
    if (first_ > 0) begin_workload();
    add_parameters();
    if (first_ == 0) add_result();
    add_sections();
    add_aliases();
    add_inits();
    add_problems();
    add_conditions();
    add_bounds();
    if (description_.mistakes.empty())
      for (std::string& flaw : plan_.finish()) mistake(directive_.location, std::move(flaw));
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

 private:
  void mistake(Location location, std::string message) {
    for (const Mistake& known : description_.mistakes)
      if (known.location == location && known.message == message) return;  // one clause may concern several outputs
    description_.mistakes.push_back({location, std::move(message)});
  }

  ExpressionId number(const Expression& expression) {
    note_scalars(expression);
    description_.expressions.push_back(expression);
    return static_cast<ExpressionId>(description_.expressions.size() - 1);
  }

  // What an expression says of members and sizes becomes data of the kernel.
  std::vector<unsigned> note_scalars(const Expression& expression) {
    std::string flaw;
    std::vector<unsigned> data = plan_.scalars_in(expression.text, flaw);
    if (!flaw.empty()) mistake(expression.location, flaw);
    return data;
  }

  void constant(const Expression& expression, std::function<std::string(KernelSpec&, double)> store,
                bool required = true) {
    const std::optional<double> value = plain_number(expression.text);
    if (!value) {
      description_.constants.push_back({expression, std::move(store), required});
    } else if (std::string why = store(spec_, *value); !why.empty()) {
      mistake(expression.location, why);
    }
  }

  // A value that only a look at it needs: one that names a parameter has many.
  void look_at_constant(const Expression& expression, std::function<std::string(double)> look) {
    for (const std::string& word : identifiers_in(expression.text))
      if (std::ranges::count(spec_.parameters, word, &Parameter::name)) return;
    constant(
        expression, [look = std::move(look)](KernelSpec&, double value) { return look(value); }, false);
  }

  // Index of the parameter of that name, or a mistake at the name.
  std::optional<unsigned> parameter(const annotations::Name& name, const char* clause) {
    std::vector<std::string_view> known;
    for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
      if (spec_.parameters[i].name == name.text) return i;
      if (!spec_.parameters[i].name.empty()) known.push_back(spec_.parameters[i].name);
    }
    std::string message = std::string(clause) + " names '" + name.text + "', which is no parameter of '" +
                          function_.getNameAsString() + "'";
    if (!known.empty()) message += "; " + annotations::suggestion(name.text, known);
    mistake(name.location, message);
    return std::nullopt;
  }

  using Lookup = ArgumentPlan::Datum (ArgumentPlan::*)(const std::string&);

  // What the clause names: a parameter, or what else the arguments are made of.
  std::optional<unsigned> datum(const annotations::Name& name, const char* clause, Lookup look_up) {
    const ArgumentPlan::Datum found = (plan_.*look_up)(name.text);
    if (const unsigned* index = std::get_if<unsigned>(&found)) return *index;
    const std::string& why = std::get<std::string>(found);
    if (why.empty()) return parameter(name, clause);
    mistake(name.location, "'" + name.text + "' " + why);
    return std::nullopt;
  }

  // What another clause named already, or a parameter.
  std::optional<unsigned> named_before(const annotations::Name& name, const char* clause) {
    const std::optional<unsigned> known = plan_.known(name.text);
    return known ? known : parameter(name, clause);
  }

  void refuse_stray_clauses() {
    if (function_.getTemplateSpecializationKind() == TSK_Undeclared && !directive_.instantiations.empty() &&
        first_ == 0)
      mistake(directive_.instantiations.front().location,
              "instantiate(…) belongs to a template; '" + function_.getNameAsString() + "' is a plain function");
  }

  // What a workload says itself, no clause may say.
  void begin_workload() {
    const std::string why = " beside workload(" + directive_.workload->text + "), which makes the arguments itself";
    for (const annotations::Section& section : directive_.sections)
      mistake(section.name.location, "in(…), out(…) or inout(…)" + why + "; drop the clause");
    for (const annotations::Alias& alias : directive_.aliases)
      mistake(alias.names.front().location, "alias(…)" + why + "; drop the clause");
    for (const annotations::Name& name : directive_.fixed)
      mistake(name.location, "fixed(…)" + why + "; drop the clause");
    if (directive_.stream) mistake(directive_.stream->location, "stream(…)" + why + "; drop the clause");
    if (directive_.launch) mistake(directive_.launch->location, "launch(…)" + why + "; annotate the host function");
    description_.workload = directive_.workload;
    description_.workload_is_template = function_.isTemplated();
    description_.expressions = workload_expressions(directive_.workload->location);
  }

  // Behind everything that goes through the workload's own parameters.
  void end_workload() {
    const Tolerance close = spec_.result_tolerance;
    add_workload_data(spec_);
    spec_.result_tolerance = {};
    for (Parameter& parameter : spec_.parameters)
      if (parameter.role == Role::out && !parameter.tolerance.exact) parameter.tolerance = close;
  }

  void add_parameters() {
    for (const clang::ParmVarDecl* declared : function_.parameters().drop_front(first_)) {
      const std::string flaw = first_ ? plan_.add_plain(*declared) : plan_.add(*declared);
      if (!flaw.empty())
        mistake(first_ ? directive_.workload->location : directive_.location,
                "parameter '" + declared->getNameAsString() + "' of type '" +
                    declared->getType().getAsString(context_.getPrintingPolicy()) + "' " + flaw + "; " +
                    (first_ ? kPlainParameters : kPlainArguments));
      const Parameter& described = spec_.parameters.back();
      if (first_ && flaw.empty() && (described.pointer || described.stream || described.name.empty()))
        mistake(directive_.workload->location,
                "'" + function_.getNameAsString() + "' takes more than numbers with names; " + kPlainParameters);
    }
  }

  // The one that the runner calls on; a kernel can have no other.
  void add_stream() {
    const std::optional<unsigned> named =
        directive_.stream ? parameter(*directive_.stream, "stream") : std::optional<unsigned>();
    if (directive_.stream && !named) return;
    if (named && !spec_.parameters[*named].stream)
      return mistake(directive_.stream->location, "'" + directive_.stream->text + "' is not a cudaStream_t");
    for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
      const Parameter& described = spec_.parameters[i];
      if (!described.stream || (named && *named == i)) continue;
      if (directive_.stream)
        mistake(directive_.stream->location,
                "'" + described.name + "' is a second cudaStream_t; only one stream can be given");
      else
        mistake(directive_.location,
                "'" + described.name + "' is the stream to work on; say so with stream(" + described.name + ")");
    }
  }

  void add_launch() {
    const std::string name = "'" + function_.getNameAsString() + "'";
    if (is_global(function_) && !directive_.launch)
      mistake(directive_.location, name +
                                       " is a __global__ kernel; say how it is launched with launch(grid(…), "
                                       "block(…)), or annotate the host function that launches it");
    if (directive_.launch && !is_global(function_))
      mistake(directive_.launch->location,
              "launch(…) belongs to a __global__ kernel; " + name + " is a host function, which launches its own");
    if (is_global(function_) && directive_.threads)
      mistake(directive_.threads->location, "threads(k) counts threads of the processor; a __global__ kernel has none");
    description_.launch = directive_.launch;
  }

  std::vector<Expression> launch_expressions() const {
    if (!directive_.launch) return {};
    std::vector<Expression> expressions = directive_.launch->grid;
    expressions.insert(expressions.end(), directive_.launch->block.begin(), directive_.launch->block.end());
    if (directive_.launch->shared) expressions.push_back(*directive_.launch->shared);
    return expressions;
  }

  void add_result() {
    if (function_.getReturnType()->isVoidType()) return;
    auto layout = result_type(function_);
    if (auto* why = std::get_if<std::string>(&layout))
      return mistake(
          directive_.location,
          "the return value of type '" + function_.getReturnType().getAsString(context_.getPrintingPolicy()) + "' " +
              *why +
              "; compare it in a function of yours, named by workload(fn), or return an arithmetic value or nothing");
    spec_.result = std::get<ElementType>(std::move(layout));
  }

  void add_sections() {
    std::set<unsigned> seen;
    for (const annotations::Section& section : directive_.sections) {
      const char* word = section.role == annotations::Role::in    ? "in"
                         : section.role == annotations::Role::out ? "out"
                                                                  : "inout";
      const std::optional<unsigned> index = datum(section.name, word, &ArgumentPlan::array);
      if (!index) continue;
      if (spec_.parameters[*index].composed) {
        mistake(section.name.location, "'" + section.name.text + "' is put together of its members; name those");
      } else if (!spec_.parameters[*index].pointer) {
        mistake(section.name.location,
                "'" + section.name.text + "' is not a pointer; scalars need no " + word + " clause");
      } else if (!seen.insert(*index).second) {
        mistake(section.name.location, "'" + section.name.text + "' has a role already; name it in one clause");
      } else if (plan_.facts(*index).constant && section.role != annotations::Role::in) {
        mistake(section.name.location, "'" + section.name.text + "' points to const data, so it can only be in(…)");
      } else {
        spec_.parameters[*index].role = static_cast<Role>(section.role);
        has_role_.insert(*index);
        add_extent(section, *index);
      }
    }
  }

  ExpressionId extent(const Expression& expression) {
    for (const unsigned scalar : note_scalars(expression)) sizes_.insert(scalar);
    return number(expression);
  }

  void add_extent(const annotations::Section& section, unsigned index) {
    std::vector<Dimension> extents;
    for (const annotations::Dimension& dimension : section.dimensions) {
      Dimension one;
      if (dimension.start && plain_number(dimension.start->text) != 0.0) one.start = extent(*dimension.start);
      one.length = extent(dimension.length);
      if (dimension.stride) one.stride = extent(*dimension.stride);
      extents.push_back(one);
    }
    if (section.null && !plan_.facts(index).pointer)
      mistake(section.name.location, "'" + section.name.text + "' is no pointer, so it cannot be null");
    Parameter& described = spec_.parameters[index];
    described.extent = std::move(extents);
    described.null = described.null_declared = section.null;
    const DatumFacts& facts = plan_.facts(index);
    const std::vector<std::string>& inner = facts.inner;
    if (section.dimensions.empty() && declared_extent(index).empty())
      return mistake(section.name.location,
                     "the extent of '" + section.name.text + "' is missing; write " + section.name.text + "[0:n]");
    if (inner.empty() || section.dimensions.empty() || section.dimensions.size() == inner.size() + 1) return;
    if (section.dimensions.size() != 1)
      return mistake(section.name.location, "'" + section.name.text + "' has " + std::to_string(inner.size() + 1) +
                                                " dimensions; give one extent or one for each");
    for (const std::string& length : inner)
      described.extent.push_back({std::nullopt, declared_length_number(length, section.name.location), std::nullopt});
  }

  // `float x[16]` says its extent itself, and so do C's `float x[n][m]`, std::array, a container of x.size() elements
  // and a single object.
  std::vector<std::string> declared_extent(unsigned index) const {
    const DatumFacts& facts = plan_.facts(index);
    std::vector<std::string> lengths = facts.declared;
    if (!facts.size.empty()) {
      lengths = {facts.size};
    } else if (lengths.empty() && plan_.declared(index)) {
      const std::string outermost = declared_length(*plan_.declared(index));
      if (!outermost.empty()) lengths = {outermost};
    } else {
      return lengths;
    }
    if (!lengths.empty()) lengths.insert(lengths.end(), facts.inner.begin(), facts.inner.end());
    return lengths;
  }

  bool add_declared_extent(unsigned index) {
    for (const std::string& length : declared_extent(index)) {
      for (const unsigned scalar : note_scalars({length, directive_.location})) sizes_.insert(scalar);
      const ExpressionId id = declared_length_number(length, directive_.location);
      spec_.parameters[index].extent.push_back({std::nullopt, id, std::nullopt});
    }
    return !spec_.parameters[index].extent.empty();
  }

  ExpressionId declared_length_number(const std::string& length, Location location) {
    for (std::string& word : identifiers_in(length)) in_declared_lengths_.insert(std::move(word));
    return number({length, location});
  }

  void check_pointers() {
    for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
      if (!spec_.parameters[i].pointer) continue;
      const bool whole = !spec_.parameters[i].extent.empty() || add_declared_extent(i);
      const Parameter& described = spec_.parameters[i];
      if (!plan_.facts(i).constant && !plan_.facts(i).role_by_rule && !has_role_.contains(i)) {
        mistake(directive_.location, "'" + described.name +
                                         "' is written through or read; say which with in(…), out(…) or inout(" +
                                         described.name + "[0:n])");
      } else if (!whole) {
        mistake(directive_.location, "the extent of '" + described.name + "' is missing; write " +
                                         (described.role == Role::in    ? "in("
                                          : described.role == Role::out ? "out("
                                                                        : "inout(") +
                                         described.name + "[0:n])");
      }
      if (described.enumerators.empty() && !described.init && points_to_enum(i))
        mistake(directive_.location, "'" + described.name +
                                         "' points to an enumeration; say which values it may hold with init(" +
                                         described.name + ": index(low, high))");
    }
  }

  bool points_to_enum(unsigned index) const {
    if (!plan_.declared(index)) return false;
    clang::QualType type = plan_.declared(index)->getType();
    return type->isPointerType() && type->getPointeeType()->isEnumeralType();
  }

  void add_aliases() {
    int group = 0;
    for (const annotations::Alias& alias : directive_.aliases) {
      for (const annotations::Name& name : alias.names) {
        const std::optional<unsigned> index = datum(name, "alias", &ArgumentPlan::array);
        if (!index) continue;
        Parameter& described = spec_.parameters[*index];
        if (!described.pointer)
          mistake(name.location, "'" + name.text + "' is not a pointer; only pointers can overlap");
        else if (described.alias_group >= 0 && described.alias_group != group)
          mistake(name.location, "'" + name.text + "' stands in two alias clauses; name all that overlap in one");
        else
          described.alias_group = group;
      }
      ++group;
    }
  }

  Init drawn_as(const annotations::Init& init) {
    Init drawn;
    drawn.distribution = static_cast<Distribution>(init.distribution);
    for (const Expression& argument : init.arguments) drawn.arguments.push_back(number(argument));
    if (init.arguments.size() == 2) check_bounds(drawn.distribution, init.arguments[0], init.arguments[1]);
    if (!init.path.empty()) drawn.path = (std::filesystem::path(folder_) / init.path).lexically_normal().string();
    return drawn;
  }

  // "cells.x": a member of each element of an array of structs.
  bool add_member_init(const annotations::Init& init) {
    const std::string& path = init.name.text;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
      const std::optional<unsigned> index = plan_.known(path.substr(0, dot));
      if (!index || !spec_.parameters[*index].pointer || description_.arguments.object_of.contains(*index)) continue;
      const std::string member = path.substr(dot + 1);
      const auto& fields = spec_.parameters[*index].element.fields;
      if (std::ranges::find(fields, member, &Field::name) == fields.end()) continue;
      if (init.distribution == annotations::Distribution::file)
        mistake(init.name.location, "file(…) holds whole elements; name the array itself, without '." + member + "'");
      Init drawn = drawn_as(init);
      spec_.parameters[*index].member_inits.push_back({member, std::move(drawn)});
      return true;
    }
    return false;
  }

  // Without a word of how it is drawn, an array whose last element is an extent holds offsets.
  void add_bounds() {
    for (const auto& [array, path] : plan_.bounds()) {
      if (spec_.parameters[array].init) continue;
      Init drawn{Distribution::sorted, {}, ""};
      for (const std::string& end : {std::string("0"), path})
        drawn.arguments.push_back(number({end, directive_.location}));
      spec_.parameters[array].init = std::move(drawn);
    }
  }

  void add_inits() {
    for (const annotations::Init& init : directive_.inits) {
      if (add_member_init(init)) continue;
      const std::optional<unsigned> index = datum(init.name, "init", &ArgumentPlan::drawn);
      if (!index) continue;
      Parameter& described = spec_.parameters[*index];
      if (described.init) mistake(init.name.location, "'" + init.name.text + "' is initialized twice");
      if (described.composed)
        mistake(init.name.location, "'" + init.name.text + "' is put together of its members; name those");
      Init drawn = drawn_as(init);
      spec_.parameters[*index].init = std::move(drawn);
    }
  }

  void check_bounds(Distribution distribution, const Expression& first, const Expression& second) {
    struct Bounds {
      std::optional<double> first, second;
    };
    const auto bounds = std::make_shared<Bounds>();  // whichever is known last finds the other
    const auto look = [&](const Expression& expression, std::optional<double> Bounds::*mine) {
      look_at_constant(expression, [bounds, mine, distribution](double value) {
        (*bounds).*mine = value;
        return bounds->first && bounds->second ? why_nothing_to_draw(distribution, *bounds->first, *bounds->second)
                                               : std::string();
      });
    };
    look(first, &Bounds::first);
    look(second, &Bounds::second);
  }

  using Bound = std::optional<double> Tolerance::*;

  // The clause without names speaks for the outputs that no other clause names.
  void add_tolerances() {
    std::set<std::string> named;
    for (const annotations::Tolerance& clause : directive_.tolerances)
      for (const annotations::Name& name : clause.names) named.insert(name.text);
    for (const annotations::Tolerance& clause : directive_.tolerances) {
      std::vector<int> targets;  // parameters; -1: the return value
      for (const annotations::Name& name : clause.names)
        if (const std::optional<unsigned> index = named_before(name, "tolerance")) {
          if (!is_output(*index))
            mistake(name.location, "'" + name.text + "' is not an output; a tolerance belongs to out(…) and inout(…)");
          targets.push_back(static_cast<int>(*index));
        }
      if (clause.names.empty()) {
        for (unsigned i = 0; i < spec_.parameters.size(); ++i)
          if (is_output(i) && !named.contains(spec_.parameters[i].name)) targets.push_back(static_cast<int>(i));
        targets.push_back(-1);
      }
      for (int target : targets) set_tolerance(clause, target);
    }
  }

  bool is_output(unsigned index) const {
    return spec_.parameters[index].pointer && spec_.parameters[index].role != Role::in;
  }

  static Tolerance& tolerance_of(KernelSpec& spec, int target) {
    return target < 0 ? spec.result_tolerance : spec.parameters[static_cast<unsigned>(target)].tolerance;
  }

  void set_tolerance(const annotations::Tolerance& clause, int target) {
    tolerance_of(spec_, target).exact = clause.exact;
    const auto set = [&](const std::optional<Expression>& expression, Bound bound) {
      if (!expression) return;
      constant(*expression, [target, bound](KernelSpec& spec, double value) -> std::string {
        if (!(value >= 0) || !std::isfinite(value)) return "a tolerance must be a number that is not negative";
        tolerance_of(spec, target).*bound = value;
        for (Parameter& parameter : spec.parameters)  // evaluated late, when results have their arrays
          if (has_workload(spec) && parameter.role == Role::out && !parameter.tolerance.exact)
            parameter.tolerance.*bound = value;
        return "";
      });
    };
    set(clause.rtol, &Tolerance::rtol);
    set(clause.atol, &Tolerance::atol);
    set(clause.ulp, &Tolerance::ulp);
  }

  void add_problems() {
    for (const annotations::Problem& clause : directive_.problems) {
      const std::size_t number = spec_.problems.size();
      Problem problem;
      std::vector<ProblemValue> values;
      for (const annotations::Assignment& assignment : clause.values) {
        const std::optional<unsigned> index = datum(assignment.name, "problem", &ArgumentPlan::scalar);
        if (!index) continue;
        note_scalars(assignment.value);
        if (spec_.parameters[*index].composed)
          mistake(assignment.name.location,
                  "'" + assignment.name.text + "' is put together of its members; give those values");
        else if (spec_.parameters[*index].pointer || spec_.parameters[*index].stream)
          mistake(assignment.name.location,
                  "'" + assignment.name.text + "' is a pointer; a problem gives values to scalars");
        if (std::ranges::count(problem.assigned, *index))
          mistake(assignment.name.location, "'" + assignment.name.text + "' is given two values in one problem");
        problem.assigned.push_back(*index);
        values.push_back({*index, assignment.value});
        look_at_constant(assignment.value, [parameter = spec_.parameters[*index]](double value) {
          return why_impossible(parameter, value);
        });
      }
      spec_.problems.push_back(std::move(problem));
      description_.problem_values.push_back(std::move(values));
      if (clause.weight)
        constant(*clause.weight, [number](KernelSpec& spec, double value) -> std::string {
          if (!(value > 0) || !std::isfinite(value)) return "a weight must be a positive number";
          spec.problems[number].weight = value;
          return "";
        });
    }
  }

  void add_fixed() {
    for (const annotations::Name& name : directive_.fixed) {
      const std::optional<unsigned> index = parameter(name, "fixed");
      if (!index) continue;
      if (spec_.parameters[*index].type.ends_with('&') || spec_.parameters[*index].composed) {
        mistake(name.location, "'" + name.text + "' is no number that is passed by value; fixed(…) takes such alone");
        continue;
      }
      Parameter& described = spec_.parameters[*index];
      const std::vector<Field>& fields = described.element.fields;
      if (described.pointer || described.stream || fields.size() != 1 || fields.front().count != 1) {
        mistake(name.location, "'" + name.text + "' is " + (described.pointer ? "a pointer" : "no number") +
                                   "; fixed(…) takes scalars that every problem sets");
        continue;
      }
      described.fixed = true;
      for (const auto& values : description_.problem_values)
        for (const ProblemValue& value : values)
          if (value.parameter == *index) check_fixed_value(name.text, value.value);
    }
  }

  // The linked code compares with it before anything else.
  void check_fixed_value(const std::string& name, const Expression& value) {
    for (const std::string& word : identifiers_in(value.text))
      if (std::ranges::count(spec_.parameters, word, &Parameter::name))
        mistake(value.location, "'" + name + "' is fixed, and its value depends on the parameter '" + word +
                                    "'; give it a constant, or drop it from fixed(…)");
  }

  // What extents, launches and loops need, every problem must give.
  void check_problems() {
    std::map<unsigned, const char*> needed;
    const std::set<const clang::ParmVarDecl*> bounds = loop_bounds(function_);
    for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
      if (spec_.parameters[i].pointer || spec_.parameters[i].composed) continue;
      if (sizes_.contains(i)) needed[i] = "on which an extent depends";
      const clang::ParmVarDecl* own = plan_.declared(i);
      if (!own) continue;
      if (bounds.contains(own) && !spec_.parameters[i].init) needed[i] = "which bounds a loop";
      if (spec_.parameters[i].fixed) needed[i] = "which is fixed";
      if (used_in_launch(spec_.parameters[i].name)) needed[i] = "on which the launch depends";
      if (used_in_extent(spec_.parameters[i].name)) needed[i] = "on which an extent depends";
    }
    for (const auto& [index, why] : needed)
      if (!spec_.parameters[index].pointer) description_.sizes.push_back(index);
    if (spec_.problems.empty() && !needed.empty()) {
      const std::string& name = spec_.parameters[needed.begin()->first].name;
      const std::string sentence = "no problem is given to verify and tune on; add problem(" + name + "=…)";
      if (first_ > 0 || !directive_.fixed.empty()) return mistake(directive_.location, sentence);
      description_.lacks_problem = sentence + ", or record some with hone capture";
    }
    for (std::size_t p = 0; p < spec_.problems.size(); ++p)
      for (const auto& [index, why] : needed) {
        if (std::ranges::count(spec_.problems[p].assigned, index)) continue;
        const std::string& name = spec_.parameters[index].name;
        mistake(directive_.problems[p].location,
                "this problem gives no value to '" + name + "', " + why + "; add " + name + "=…");
      }
    if (spec_.problems.empty()) {  // every extent is constant: there is one problem, and nothing to set
      spec_.problems.emplace_back();
      description_.problem_values.emplace_back();
    }
  }

  bool used_in_launch(const std::string& name) const {
    return std::ranges::any_of(launch_expressions(), [&](const Expression& expression) {
      return std::ranges::count(identifiers_in(expression.text), name) > 0;
    });
  }

  bool used_in_extent(const std::string& name) const {
    if (in_declared_lengths_.contains(name)) return true;
    for (const annotations::Section& section : directive_.sections)
      for (const annotations::Dimension& dimension : section.dimensions) {
        const auto uses = [&](const Expression& expression) {
          return std::ranges::count(identifiers_in(expression.text), name) > 0;
        };
        if (uses(dimension.length) || (dimension.start && uses(*dimension.start))) return true;
      }
    return false;
  }

  void add_conditions() {
    for (const Expression& condition : directive_.conditions) spec_.conditions.push_back(number(condition));
  }

  // A pointer that the function tests may be null, whether a clause says so or not; whether the original bears it shows
  // when it runs.
  void look_for_null_tests() {
    const std::set<const clang::Decl*> tested = tested_against_null(function_);
    for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
      Parameter& described = spec_.parameters[i];
      const bool apart = described.alias_group < 0 && !description_.arguments.object_of.contains(i);
      if (described.pointer && apart && tested.contains(plan_.facts(i).pointer)) described.null = true;
    }
  }

  void add_threads() {
    if (!directive_.threads) return;
    constant(*directive_.threads, [](KernelSpec& spec, double value) -> std::string {
      if (!(value >= 1 && value <= 65536) || value != std::floor(value))
        return "threads(k) needs a whole number of 1 or more";
      spec.threads = static_cast<unsigned>(value);
      return "";
    });
  }

  const clang::FunctionDecl& function_;
  const Directive& directive_;
  const std::string& folder_;
  KernelSpec& spec_;
  clang::ASTContext& context_;
  const unsigned first_;  // parameter of function_ that is one of the spec's
  Description description_;
  ArgumentPlan plan_;
  std::set<unsigned> has_role_;
  std::set<std::string> in_declared_lengths_;
  std::set<unsigned> sizes_;  // scalars that are no parameters and that an extent depends on
};

}  // namespace

Description describe(const clang::FunctionDecl& function, const Directive& directive, const std::string& folder,
                     KernelSpec& spec) {
  if (!directive.workload) return Describer(function, function, directive, folder, spec).run();
  const auto workload = find_workload(function, *directive.workload);
  if (const auto* why = std::get_if<std::string>(&workload)) {
    Description none;
    none.mistakes.push_back({directive.workload->location, *why});
    return none;
  }
  return Describer(function, *std::get<const clang::FunctionDecl*>(workload), directive, folder, spec).run();
}

}  // namespace hone::frontend
