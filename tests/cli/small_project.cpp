#include "small_project.h"

#include <fstream>
#include <sstream>

namespace hone {

const char* const slow_product = R"(
#pragma hone kernel in(a[0:n*n], b[0:n*n]) out(c[0:n*n]) problem(n=96) tolerance(rtol=1e-4)
void product(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
)";

const char* const twice_in_steps = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000) tolerance(rtol=1e-4)
void twice(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[i] * 0.25f;
    y[i] = sum;
  }
}
)";

const char* const plain_copy = R"(
#pragma hone kernel in(from[0:n]) out(to[0:n]) problem(n=200000)
void copy(const float* from, float* to, int n) {
  __builtin_memcpy(to, from, sizeof(float) * n);
}
)";

SmallProject::SmallProject(const std::string& source, const std::string& flags, const std::string& compiler)
    : folder_(*os::TemporaryFolder::create("hone-small-project")) {
  write("kernel.cpp", source);
  write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  const std::string build = (folder() / "build").string();
  write("build/compile_commands.json", "[{\"directory\": \"" + build + "\", \"command\": \"" + compiler + " " + flags +
                                           " -o kernel.o -c ../kernel.cpp\", \"file\": \"../kernel.cpp\"}]");
}

void SmallProject::write(const std::string& name, const std::string& text) const {
  if (!os::write_file_atomically(folder() / name, text)) std::abort();
}

std::string SmallProject::read(const std::filesystem::path& path) const {
  return os::read_file(path).value_or("");
}

std::vector<std::string> SmallProject::journal() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "build" / "hone" / "runs", error)) {
    // Not the recordings beside it: <key>-<seed>.calls.jsonl and .replay.jsonl.
    if (entry.path().extension() != ".jsonl" || entry.path().stem().has_extension()) continue;
    std::ifstream file(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      if (line != "{\"done\":true}") lines.push_back(line);
    if (!lines.empty()) lines.erase(lines.begin());
    return lines;
  }
  return {};
}

}  // namespace hone
