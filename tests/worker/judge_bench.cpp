#include "tests/worker/judge_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <regex>

#include "tool/bundle/answer.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::test {
namespace {

const std::filesystem::path& folder() {
  static const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-judge-test").value();
  return folder.path();
}

std::string run_compiler(const std::string& source, const std::string& flags) {
  static std::map<std::string, std::string> made;
  std::string& object = made[flags + "\n" + source];
  if (!object.empty()) return object;
  const auto text = folder() / fmt::format("unit{}.cpp", made.size()),
             output = folder() / fmt::format("unit{}.so", made.size());
  EXPECT_TRUE(os::write_file_atomically(text, source));
  const std::string command =
      fmt::format("g++ -std=c++14 -shared -fPIC -pipe {} {} -o {}", flags, text.string(), output.string());
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = {"/bin/sh", "-c", command}});
  EXPECT_TRUE(exit && exit->ok()) << (exit ? exit->err : exit.error().message());
  object = os::read_file(output).value_or("");
  return object;
}

// <cmath> and <vector> take three quarters of a small unit's compile, and most bodies use neither.
std::string includes_for(const std::string& body) {
  static const std::regex math(
      "std::|NAN|INFINITY|HUGE_VAL|sqrt|cbrt|exp|log|pow|abs|fma|sin|cos|tan|floor|ceil|round|rint|trunc|isnan|isinf|"
      "isfinite|signbit|hypot|ldexp|frexp|copysign|erf|gamma");
  std::string text = "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n";
  if (std::regex_search(body, math)) text += "#include <cmath>\n";
  if (body.find("vector") != std::string::npos) text += "#include <vector>\n";
  return text;
}

}  // namespace

std::string compile(const std::string& source, const std::string& flags) {
  return run_compiler(source, flags);
}
std::string compile_sanitized(const std::string& source) {
  return run_compiler(source, "-O1 -g -fno-sanitize-recover=all -fsanitize=address,undefined");
}

std::string compile_race_checked(const std::string& source) {
  return run_compiler(source, "-O1 -g1 -fno-omit-frame-pointer -fopenmp -fsanitize=thread");
}

ElementType element(const std::string& spelling) {
  static const std::map<std::string, ScalarType> types{{"float", {ScalarKind::floating, 4}},
                                                       {"double", {ScalarKind::floating, 8}},
                                                       {"int", {ScalarKind::signed_integer, 4}},
                                                       {"long", {ScalarKind::signed_integer, 8}},
                                                       {"unsigned char", {ScalarKind::unsigned_integer, 1}},
                                                       {"bool", {ScalarKind::boolean, 1}}};
  const ScalarType type = types.at(spelling);
  return {spelling, type.size, type.size, {{"", type, 0, 1}}};
}

Parameter scalar(const std::string& name, const std::string& type) {
  return {.name = name, .type = type, .pointer = false, .element = element(type)};
}

Parameter array(const std::string& name, const std::string& type, Role role, ExpressionId length) {
  return {.name = name,
          .type = type + " *",
          .pointer = true,
          .element = element(type),
          .role = role,
          .extent = {{std::nullopt, length}}};
}

KernelSpec Saxpy::spec(const std::vector<int>& sizes) {
  KernelSpec spec;
  spec.name = spec.qualified_name = "kernel";
  spec.signature = "void kernel(const float *, float *, int)";
  spec.file = "/src/kernel.cpp";
  spec.line = 3;
  spec.parameters = {array("x", "float", Role::in, 0), array("y", "float", Role::out, 0), scalar("n", "int")};
  for (std::size_t i = 0; i < sizes.size(); ++i) spec.problems.push_back({{2}, 1});
  spec.expression_count = 1;
  return spec;
}

std::string Saxpy::unit(const std::string& body, const std::vector<int>& sizes) {
  std::string text = includes_for(body) + body;
  text +=
      "\nextern \"C\" void hone_call(void* const* s, void*) { kernel((const float*)s[0], (float*)s[1], *(int*)s[2]); "
      "}\n";
  text += "extern \"C\" void hone_problem(unsigned p, void* const* s) { static const int sizes[] = {";
  for (int size : sizes) text += fmt::format("{}, ", size);
  text += "}; *(int*)s[2] = sizes[p]; }\n";
  text +=
      "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) { i[0] = *(int*)s[2]; r[0] = "
      "*(int*)s[2]; }\n";
  return text;
}

bundle::Bundle scaling_bundle(const std::string& factor, std::vector<double> looks) {
  const auto text = [](const std::string& by) {
    return "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = " + by + " * x[i]; }\n";
  };
  bundle::Bundle bundle;
  const KernelSpec spec = Saxpy::spec({2000});
  bundle.kernel = spec;
  bundle.data = spec;
  bundle.plan.seed = 31;
  bundle.plan.rule.looks = std::move(looks);
  bundle.plan.rule.shares = {};
  bundle.reference = compile(Saxpy::unit(text("2"), {2000}));
  bundle.candidate = compile(Saxpy::unit(text(factor), {2000}));
  return bundle;
}

bundle::Answer judge(const bundle::Bundle& bundle, double* seconds) {
  os::PosixProcessRunner runner;
  const auto start = std::chrono::steady_clock::now();
  const std::string input = serialize(bundle);
  const auto exit = runner.run({.arguments = {HONE_WORKER, "-"},
                                .input = input,
                                .timeout = std::chrono::seconds(60),
                                .output_bytes = 64u << 20});
  if (seconds) *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!exit || !exit->ok()) {
    ADD_FAILURE() << (exit ? fmt::format("exit {}: {}", exit->code, exit->err) : exit.error().message());
    return {};
  }
  const auto verdict = bundle::read_answer(exit->out, bundle, input, exit->seconds);
  if (!verdict) {
    ADD_FAILURE() << verdict.error().message() << "\n" << exit->out;
    return {};
  }
  return *verdict;
}

bundle::Answer judge(const Judged& judged, double* seconds) {
  static std::uint64_t seed = 20240;
  bundle::Bundle bundle;
  const KernelSpec spec = judged.spec.parameters.empty() ? Saxpy::spec(judged.sizes) : judged.spec;
  bundle.kernel = spec;
  bundle.data = spec;
  bundle.plan.task = judged.task;
  bundle.plan.seed = ++seed;
  bundle.plan.rule = judged.rule;
  bundle.plan.timeout_seconds = judged.timeout_seconds;
  bundle.plan.depth = judged.depth;
  bundle.plan.finite_math = judged.finite_math;
  if (!judged.precise.empty()) {
    bundle.precise_reference = compile(judged.precise);
    bundle.precise_data = judged.precise_spec;
  }
  const bool whole = !judged.spec.parameters.empty();
  const auto unit = [&](const std::string& body) { return whole ? body : Saxpy::unit(body, judged.sizes); };
  const std::string flags = judged.race_checked ? "-O2 -fopenmp" : "-O2";
  bundle.reference = compile(unit(judged.original), flags);
  if (!judged.candidate.empty()) bundle.candidate = compile(unit(judged.candidate), flags);
  if (judged.race_checked) {
    bundle.race_checked_reference = compile_race_checked(unit(judged.original));
    if (!judged.candidate.empty()) bundle.race_checked_candidate = compile_race_checked(unit(judged.candidate));
  }
  if (judged.sanitized) {
    bundle.sanitized_reference = compile_sanitized(unit(judged.original));
    if (!judged.candidate.empty()) bundle.sanitized_candidate = compile_sanitized(unit(judged.candidate));
  }
  return judge(bundle, seconds);
}

}  // namespace hone::test
