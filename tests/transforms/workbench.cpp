#include "tests/transforms/workbench.h"
#include "tool/frontend/parse/clang_options.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hone::frontend {
namespace {

constexpr const char* driver_tail = R"(
int main(int, char** argv) {
  double tolerance = std::atof(argv[1]);
  for (int n : {0, 1, 2, 3, 7, 8, 16, 33, 64, 70}) {
    kept.clear(); state = n; run_original(n); std::vector<double> expected = kept;
    kept.clear(); state = n; run_candidate(n);
    if (kept.size() != expected.size()) { std::printf("n=%d: %zu values instead of %zu\n", n, kept.size(), expected.size()); return 1; }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      double a = expected[i], b = kept[i], scale = std::fmax(1, std::fmax(std::fabs(a), std::fabs(b)));
      bool same = a == b || (a != a && b != b) || std::fabs(a - b) <= tolerance * scale;
      if (!same) { std::printf("n=%d: value %zu is %g instead of %g\n", n, i, b, a); return 1; }
    }
  }
}
)";

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "transforms-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

// Exit status 0: "". Else what the command printed.
std::string complaint(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    if (output.size() < 4000) output.append(buffer.data(), size);
  int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return output.empty() ? "failed without a word: " + command : output;
}

// All digits: std::to_string() has six behind the point.
std::string decimal(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

Workbench::Workbench(Snippet snippet) : snippet_(std::move(snippet)) {
  spec_.name = spec_.qualified_name = "kernel";
  spec_.language = "c++17";
  spec_.file = "/snippet/kernel.cpp";
  spec_.unit.prologue = snippet_.prologue;
  spec_.unit.definition = snippet_.kernel;
  spec_.threads = snippet_.threads;
  for (int group : snippet_.alias_groups) {
    Parameter parameter;
    parameter.alias_group = group;
    spec_.parameters.push_back(parameter);
  }
  // Stands for whatever the kernel writes.
  ElementType floating;
  floating.fields = {Field{"", ScalarType{ScalarKind::floating, 4}, 0, 1}};
  spec_.result = floating;
  spec_.result_tolerance.exact = snippet_.exact;
  CompileCommand command{
      "/", spec_.file, "kernel.o", {"g++", snippet_.language, "-O3", snippet_.machine, "-c", spec_.file}};
  auto opened = Workshop::open(spec_, command, Options{}, snippet_.form);
  if (!opened)
    ADD_FAILURE() << opened.error().message();
  else
    workshop_ = std::move(*opened);
}

std::string Workbench::apply(const Genome& genome) {
  Rendered rendered = workshop_->render(genome);
  EXPECT_EQ(rendered.applied.size(), genome.size()) << "not every gene applied; what did gave:\n" << rendered.source;
  return rendered.source;
}

std::string Workbench::difference(const std::string& candidate, double tolerance) const {
  Folder folder;
  SplitSource split = split_includes(candidate);
  auto source = folder.path / "both.cpp", program = folder.path / "both";
  std::ofstream(source)
      << "#include \"" HONE_DRIVER_HEAD "\"\n"
      << snippet_.prologue << "\n"
      << split.includes << "namespace original {\n"
      << snippet_.kernel << "\nvoid run(int n) {" << snippet_.drive << "}\n}\nnamespace candidate {\n"
      << split.definition << "\nvoid run(int n) {" << snippet_.drive << "}\n}\n"
      << "void run_original(int n) { original::run(n); }\nvoid run_candidate(int n) { candidate::run(n); }\n"
      << driver_tail;
  std::string compile = "g++ " + snippet_.language + " " + snippet_.machine + " " HONE_DRIVER_FLAGS " -o " +
                        program.string() + " " + source.string();
  if (std::string words = complaint(compile); !words.empty()) return "does not compile:\n" + words + "\n" + candidate;
  if (std::string words = complaint(program.string() + " " + decimal(tolerance)); !words.empty())
    return words + "\n" + candidate;
  return {};
}

}  // namespace hone::frontend
