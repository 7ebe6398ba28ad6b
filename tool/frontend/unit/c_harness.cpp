#include "tool/frontend/unit/c_harness.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <vector>

#include "tool/frontend/describe/workload_function.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/unit/argument_text.h"
#include "tool/frontend/unit/clause_lines.h"
#include "tool/frontend/unit/harness.h"
#include "tool/frontend/unit/row_text.h"
#include "tool/frontend/unit/workload_text.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kStore =
    "static void hone_store(long long *hone_integer, double *hone_real, long double hone_value) {\n"
    "  *hone_real = (double)hone_value;\n"
    "  *hone_integer = *hone_real > -9.2e18 && *hone_real < 9.2e18 ? (long long)hone_value : 0;\n"
    "}\n";

// What puts arguments together declares where it needs, in C89 too, and casts as it must.
constexpr const char* kQuietArguments =
    "#pragma GCC diagnostic ignored \"-Wpedantic\"\n#pragma GCC diagnostic ignored \"-Wdeclaration-after-statement\"\n"
    "#pragma GCC diagnostic ignored \"-Wcast-qual\"\n#pragma GCC diagnostic ignored \"-Wcast-align\"\n"
    "#pragma GCC diagnostic ignored \"-Wconversion\"\n#pragma GCC diagnostic ignored \"-Wsign-conversion\"\n"
    "#pragma GCC diagnostic ignored \"-Wshadow\"\n#pragma GCC diagnostic ignored \"-Wunused-variable\"\n";

std::string c_type(std::size_t parameter) {
  return "hone_type_" + std::to_string(parameter);
}

// How the value begins that a problem gives to a parameter; the expression and ");" follow on lines of their own.
std::string c_assigned_value(std::size_t parameter) {
  return " = (" + c_type(parameter) + ")(\n";
}

class CWriter {
 public:
  CWriter(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec, const std::string& file)
      : kernel_(kernel), description_(description), spec_(spec), lines_(file) {
    if (!description.workload) return;
    const auto found = find_workload(kernel, *description.workload);
    if (const auto* function = std::get_if<const FunctionDecl*>(&found)) workload_ = *function;
  }

  std::string harness() {
    lines_.text = lines_.own_lines() + kStore;
    if (spec_.built) out() += std::string(kQuietArguments) + kArgumentSupport + kRowSupport;
    write_types();
    if (spec_.built) write_lengths();
    if (workload_)
      write_workload();
    else
      write_call();
    write_problems();
    write_expressions();
    for (const std::string& definition : description_.arguments.definitions) out() += definition + "\n";
    return std::move(lines_.text);
  }

 private:
  std::string& out() { return lines_.text; }

  void write_expression(const annotations::Expression& expression) {
    lines_.add(expression, with_data(expression.text, description_.arguments));
  }

  // What clauses may name: all parameters that are what their slots say, and the numbers that others are made of; of a
  // workload its numbers, which come first.
  std::vector<std::size_t> named() const {
    std::vector<std::size_t> data;
    if (workload_) {
      for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
        if (!spec_.parameters[i].pointer) data.push_back(i);
      return data;
    }
    for (std::size_t i = 0; i < spec_.parameters.size() && i < kernel_.getNumParams(); ++i)
      if (!spec_.built || is_in_its_slot(static_cast<unsigned>(i))) data.push_back(i);
    for (const auto& [datum, spelling] : description_.arguments.types) data.push_back(datum);
    return data;
  }

  bool is_in_its_slot(unsigned parameter) const {
    const Parameter& described = spec_.parameters[parameter];
    return !described.composed && !description_.arguments.object_of.contains(parameter) &&
           (!described.pointer || kernel_.getParamDecl(parameter)->getType()->isPointerType());
  }

  std::string name(std::size_t parameter) const {
    if (!workload_ && parameter >= kernel_.getNumParams()) return "hone_datum_" + std::to_string(parameter);
    const std::string& given = spec_.parameters[parameter].name;
    return given.empty() ? "hone_argument_" + std::to_string(parameter) : given;
  }

  // What a variably modified pointer points to is known within the function alone.
  std::string spelled_type(const ParmVarDecl& parameter, const std::string& name) const {
    const QualType plain = parameter.getType().getCanonicalType().getUnqualifiedType();
    return plain->isVariablyModifiedType() ? "void *" + name : spelled(plain, kernel_.getASTContext(), name);
  }

  void write_types() {
    if (workload_)
      for (const std::size_t i : named()) write_type(i, *workload_->getParamDecl(static_cast<unsigned>(i) + 1));
    else
      for (unsigned i = 0; i < kernel_.getNumParams(); ++i) write_type(i, *kernel_.getParamDecl(i));
    for (const auto& [datum, spelling] : description_.arguments.types)
      out() += "typedef " + spelling + " " + c_type(datum) + ";\n";
    if (spec_.result)
      out() += "typedef " +
               spelled(kernel_.getReturnType().getCanonicalType().getUnqualifiedType(), kernel_.getASTContext(),
                       std::string("hone_result_type")) +
               ";\n";
    define_for_others(kernel_);
    if (workload_) define_for_others(*workload_);
  }

  void write_type(std::size_t number, const ParmVarDecl& parameter) {
    out() += "typedef " + spelled_type(parameter, c_type(number)) + ";\n";
  }

  // An inline definition of C99 is no definition for others; this declaration makes it one.
  void define_for_others(const FunctionDecl& defined) {
    const std::string function = defined.getNameAsString();
    if (defined.isInlined() && defined.isExternallyVisible() && !defined.isInlineDefinitionExternallyVisible())
      out() += "extern __typeof__(" + function + ") " + function + ";\n";
  }

  static std::string slot(std::size_t parameter) { return "hone_slots[" + std::to_string(parameter) + "]"; }

  std::string value_in_slot(std::size_t parameter) const {
    return spec_.parameters[parameter].pointer ? slot(parameter) : "*(" + c_type(parameter) + " *)" + slot(parameter);
  }

  std::string values_in_slots() const {
    std::string text;
    for (const std::size_t i : named()) text += (text.empty() ? "" : ", ") + value_in_slot(i);
    return text;
  }

  std::string parameters() const {
    std::string text;
    for (const std::size_t i : named()) text += "const " + c_type(i) + " " + name(i) + ", ";
    return text;
  }

  std::string unused() const {
    std::string text;
    for (const std::size_t i : named()) text += "  (void)" + name(i) + ";\n";
    return text;
  }

  std::string locals(const std::string& constant) const {
    std::string text;
    for (const std::size_t i : named())
      text += "  " + constant + c_type(i) + " " + name(i) + " = " + value_in_slot(i) + ";\n";
    return text;
  }

  void write_lengths() {
    for (const ExpressionId id : lengths_in(description_.arguments, spec_)) {
      out() += "static long long hone_length_" + std::to_string(id) + "(void *const *hone_slots) {\n" +
               locals("const ") + "  (void)hone_slots;\n" + unused() + "  return (long long)(\n";
      write_expression(description_.expressions[id]);
      out() += "  );\n}\n";
    }
  }

  std::string argument(unsigned i) const {
    const Arguments& made = description_.arguments;
    for (const PointerPair& pair : made.pairs)
      if (pair.last == i) return argument(pair.first) + " + " + value_in_slot(pair.datum);
    std::string place = address_text(made, spec_, i);
    if (const auto object = made.object_of.find(i); object != made.object_of.end())
      place = "(void *)hone_at_" + std::to_string(object->second);
    const bool pointer = kernel_.getParamDecl(i)->getType()->isPointerType();
    if (pointer) return spec_.built ? "(" + c_type(i) + ")" + place : place;
    return "*(" + c_type(i) + " *)" + place;
  }

  std::string arguments() const {
    std::string text;
    for (unsigned i = 0; i < kernel_.getNumParams(); ++i) text += (i ? ", " : "") + argument(i);
    return text;
  }

  // Prototypes first: warnings about their lack are errors in some projects.
  void export_function(const std::string& signature) {
    out() += "__attribute__((visibility(\"default\"))) void " + signature + ";\nvoid " + signature + " {\n";
  }

  // In brackets, as a macro may have the function's name.
  void write_call() {
    export_function("hone_call(void *const *hone_slots, void *hone_result)");
    out() += "  (void)hone_slots;\n  (void)hone_result;\n";
    if (spec_.built) out() += text_before_call(description_.arguments, spec_);
    out() += spec_.result ? "  *(hone_result_type *)hone_result = " : "  ";
    out() += "(" + kernel_.getNameAsString() + ")(" + arguments() + ");\n";
    if (spec_.built) out() += text_after_call(description_.arguments, spec_);
    out() += "}\n";
  }

  void write_workload() {
    WorkloadText text{.whole = {}, .called = workload_->getNameAsString(), .c = true};
    for (const std::size_t i : named()) {
      const auto& fields = spec_.parameters[i].element.fields;
      text.whole.push_back(fields.size() == 1 && fields.front().type.kind != ScalarKind::floating);
    }
    out() += "typedef __typeof__(&" + text.called + ") hone_function;\n" + workload_text(text);
    export_function("hone_call(void *const *hone_slots, void *hone_result)");
    out() += "  hone_call_here(hone_slots, hone_result);\n}\n";
    export_function(
        "hone_prepare(void *const *hone_slots, void (*hone_ready)(void *, void (*)(void *), void *), void "
        "*hone_self)");
    out() += "  hone_workload_here(hone_slots, hone_ready, hone_self);\n}\n";
  }

  // What the clauses of a workload name beside its numbers.
  std::string measured() const {
    if (!workload_) return "";
    std::string passed;
    for (const std::size_t i : named()) passed += (passed.empty() ? "" : ", ") + name(i);
    return "  const struct hone_sizes_of hone_sizes = hone_measured(" + passed + ");\n";
  }

  // The scalars under their names, so that one value may use another.
  void write_problems() {
    export_function("hone_problem(unsigned hone_number, void *const *hone_slots)");
    out() += locals("") + "  (void)hone_number;\n  (void)hone_slots;\n" + unused();
    for (std::size_t p = 0; p < description_.problem_values.size(); ++p) {
      out() += "  if (hone_number == " + std::to_string(p) + ") {\n";
      for (const ProblemValue& value : description_.problem_values[p]) {
        out() += "    " + name(value.parameter) + c_assigned_value(value.parameter);
        write_expression(value.value);
        out() += "    );\n";
      }
      out() += "  }\n";
    }
    for (const std::size_t i : named())
      if (!spec_.parameters[i].pointer) out() += "  " + value_in_slot(i) + " = " + name(i) + ";\n";
    out() += "}\n";
  }

  void write_expressions() {
    out() += "static void hone_evaluate_here(" + parameters() + "long long *hone_integers, double *hone_reals) {\n" +
             measured() + "  (void)hone_integers;\n  (void)hone_reals;\n" + unused();
    for (std::size_t i = 0; i < description_.expressions.size(); ++i) {
      const std::string at = " + " + std::to_string(i);
      out() += "  hone_store(hone_integers" + at + ", hone_reals" + at + ",\n";
      write_expression(description_.expressions[i]);
      out() += "  );\n";
    }
    out() += "}\n";
    export_function("hone_evaluate(void *const *hone_slots, long long *hone_integers, double *hone_reals)");
    const std::string given = values_in_slots();
    out() += "  (void)hone_slots;\n  (void)hone_store;\n  hone_evaluate_here(" + given + (given.empty() ? "" : ", ") +
             "hone_integers, hone_reals);\n}\n";
  }

  const FunctionDecl& kernel_;
  const FunctionDecl* workload_ = nullptr;  // what is called in the kernel's place, and calls it
  const Description& description_;
  const KernelSpec& spec_;
  ClauseLines lines_;
};

}  // namespace

std::string c_harness_text(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec,
                           const std::string& file) {
  return CWriter(kernel, description, spec, file).harness();
}

std::string c_constants_text(const Description& description, const std::string& file) {
  ClauseLines lines(file);
  lines.text = lines.own_lines();
  // In functions: at file scope what is no constant would be an error, and not every one must be a constant.
  for (std::size_t i = 0; i < description.constants.size(); ++i) {
    const std::string number = std::to_string(i);
    lines.text +=
        "static void hone_constants_" + number + "(void) {\nconst double hone_constant_" + number + " = (double)(\n";
    lines.add(description.constants[i].expression);
    lines.text += ");\n(void)hone_constant_" + number + ";\n}\n";
  }
  return std::move(lines.text);
}

std::string with_narrow_c_scalars(std::string harness, const std::vector<unsigned>& narrow) {
  harness.insert(harness.find('\n') + 1, "typedef float hone_narrow;\n");
  for (const unsigned i : narrow) {
    const std::string plain = c_assigned_value(i), rounded = " = (" + c_type(i) + ")(hone_narrow)(\n";
    for (std::size_t at = harness.find(plain); at != std::string::npos; at = harness.find(plain, at + rounded.size()))
      harness.replace(at, plain.size(), rounded);
  }
  return harness;
}

}  // namespace hone::frontend
