#include "tests/corpus/cuda/kernels.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "tests/worker/cuda_bench.h"
#include "tests/worker/judge_bench.h"
#include "tool/os/files/files.h"

namespace hone::corpus {
namespace {

using test::array;
using test::scalar;

// Values of the size parameters, one row a problem, and the clauses' expressions, all in terms of the parameters.
struct Clauses {
  std::vector<Parameter> parameters;
  std::vector<unsigned> sizes;  // which parameters problem() assigns
  std::vector<std::vector<double>> problems;
  std::vector<std::string> expressions;
};

// "*(int*)s[2]" for an int, "(const float*)s[0]" for an array.
std::string argument(const Parameter& parameter, std::size_t index) {
  if (parameter.pointer) return fmt::format("({})s[{}]", parameter.type, index);
  return fmt::format("*({}*)s[{}]", parameter.type, index);
}

std::string harness_of(const std::string& name, const Clauses& clauses) {
  std::string call, names, problems, values;
  for (std::size_t i = 0; i < clauses.parameters.size(); ++i) {
    const Parameter& parameter = clauses.parameters[i];
    call += (i ? ", " : "") + argument(parameter, i);
    if (!parameter.pointer && !parameter.stream)
      names += fmt::format("  const {0} {1} = *({0}*)s[{2}]; (void){1};\n", parameter.type, parameter.name, i);
  }
  for (std::size_t k = 0; k < clauses.sizes.size(); ++k) {
    const std::string& type = clauses.parameters[clauses.sizes[k]].type;
    problems += fmt::format("  static const double size{}[] = {{", k);
    for (const auto& problem : clauses.problems) problems += fmt::format("{}, ", problem[k]);
    problems += fmt::format("}};\n  *({0}*)s[{1}] = ({0})size{2}[p];\n", type, clauses.sizes[k], k);
  }
  for (std::size_t e = 0; e < clauses.expressions.size(); ++e)
    values += fmt::format("  i[{0}] = (long long)({1}); r[{0}] = (double)({1});\n", e, clauses.expressions[e]);
  return fmt::format(
      "\nextern \"C\" void hone_call(void* const* s, void*) {{ {}({}); }}\n"
      "extern \"C\" void hone_problem(unsigned p, void* const* s) {{\n{}}}\n"
      "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) {{\n{}{}}}\n",
      name, call, problems, names, values);
}

Parameter stream(const std::string& name) {
  Parameter parameter = scalar(name, "long");
  parameter.type = "cudaStream_t";
  parameter.stream = true;
  return parameter;
}

Parameter between_ones(Parameter parameter, ExpressionId low, ExpressionId high) {
  parameter.init = Init{.distribution = Distribution::uniform, .arguments = {low, high}, .path = ""};
  return parameter;
}

Parameter within(Parameter parameter, double rtol) {
  parameter.tolerance.rtol = rtol;
  return parameter;
}

// The array is const where it is read only, as its type says.
Parameter input(const std::string& name, const std::string& type, ExpressionId length) {
  Parameter parameter = array(name, type, Role::in, length);
  parameter.type = "const " + parameter.type;
  return parameter;
}

const std::map<std::string, Clauses>& all_clauses() {
  static const std::map<std::string, Clauses> all{
      {"scale",
       {.parameters = {input("x", "float", 0), array("y", "float", Role::out, 0), scalar("n", "int")},
        .sizes = {2},
        .problems = {{1 << 20}, {999983}},
        .expressions = {"n"}}},
      {"rows",
       {.parameters = {input("x", "float", 0), array("sums", "float", Role::out, 1), scalar("h", "int"),
                       scalar("w", "int")},
        .sizes = {2, 3},
        .problems = {{4096, 1000}, {1000, 777}},
        .expressions = {"(long long)h * w", "h"}}},
      {"product",
       {.parameters = {between_ones(input("a", "float", 0), 1, 2), between_ones(input("b", "float", 0), 1, 2),
                       within(array("c", "float", Role::out, 0), 2e-2), scalar("n", "int")},
        .sizes = {3},
        .problems = {{512}, {300}},
        .expressions = {"(long long)n * n", "-1", "1"}}},
      {"relax",
       {.parameters = {input("x", "float", 0), array("y", "float", Role::inout, 0), scalar("n", "int"),
                       stream("stream")},
        .sizes = {2},
        .problems = {{1 << 18}, {100003}},
        .expressions = {"n"}}},
      {"histogram",
       {.parameters = {input("x", "unsigned char", 0), array("counts", "int", Role::out, 1), scalar("n", "int")},
        .sizes = {2},
        .problems = {{1 << 20}, {700001}},
        .expressions = {"n", "256"}}},
      {"argmax",
       {.parameters = {input("x", "float", 0), array("best", "int", Role::out, 1), scalar("n", "int")},
        .sizes = {2},
        .problems = {{1 << 20}, {300007}},
        .expressions = {"n", "1"}}},
      {"axpy",
       {.parameters = {input("x", "float", 0), array("y", "float", Role::inout, 0), scalar("n", "int"),
                       scalar("alpha", "float")},
        .sizes = {2, 3},
        .problems = {{1 << 20, 2}, {999983, 2}},
        .expressions = {"n"}}},
      {"softmax",
       {.parameters = {input("x", "float", 0), array("y", "float", Role::out, 0), scalar("h", "int"),
                       scalar("w", "int")},
        .sizes = {2, 3},
        .problems = {{5000, 100}, {300, 777}},
        .expressions = {"(long long)h * w"}}},
      {"compact",
       {.parameters = {input("x", "float", 0), array("place", "int", Role::out, 0), scalar("n", "int")},
        .sizes = {2},
        .problems = {{1 << 18}, {100003}},
        .expressions = {"n"}}},
      {"transpose",
       {.parameters = {input("a", "float", 0), array("b", "float", Role::out, 0), scalar("h", "int"),
                       scalar("w", "int")},
        .sizes = {2, 3},
        .problems = {{700, 1500}, {333, 512}},
        .expressions = {"(long long)h * w"}}},
      {"smooth",
       {.parameters = {input("x", "float", 0), array("y", "float", Role::out, 0), scalar("n", "int")},
        .sizes = {2},
        .problems = {{1 << 20}, {999983}},
        .expressions = {"n"}}}};
  return all;
}

CudaKernel make(const std::string& name) {
  const auto found = all_clauses().find(name);
  const auto file = std::filesystem::path(HONE_CUDA_CORPUS_FOLDER) / "kernels" / (name + ".cu");
  auto text = os::read_file(file);
  if (found == all_clauses().end() || !text) throw std::runtime_error(file.string() + ": no such kernel");
  const Clauses& clauses = found->second;
  CudaKernel kernel{.original = *std::move(text), .harness = harness_of(name, clauses)};
  kernel.spec.name = kernel.spec.qualified_name = name;
  kernel.spec.file = file;
  kernel.spec.line = 1;
  kernel.spec.parameters = clauses.parameters;
  for (std::size_t i = 0; i < clauses.problems.size(); ++i) kernel.spec.problems.push_back({clauses.sizes, 1});
  kernel.spec.expression_count = static_cast<unsigned>(clauses.expressions.size());
  kernel.spec.cuda = true;
  return kernel;
}

}  // namespace

const CudaKernel& cuda_kernel(const std::string& name) {
  static std::map<std::string, CudaKernel> made;
  auto found = made.find(name);
  if (found == made.end()) found = made.emplace(name, make(name)).first;
  return found->second;
}

std::string cuda_unit(const CudaKernel& kernel, const std::string& definition) {
  return definition + kernel.harness + test::device_error_text;
}

}  // namespace hone::corpus
