#include "tests/transforms/cuda/cuda_bench.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <sstream>

#include "tool/frontend/gate/policy_gate.h"
#include "tool/model/candidate.h"
#include "tool/os/process/process_runner.h"

namespace hone::frontend {

CudaBench::CudaBench(const std::string& text, std::vector<std::string> flags)
    : text_(text), snippet_(text, std::move(flags), "main.cu"), spec_(snippet_.kernel()) {
  auto opened = Workshop::open(spec_, snippet_.command(), Options{});
  if (!opened)
    ADD_FAILURE() << opened.error().message();
  else
    workshop_ = std::move(*opened);
}

std::string CudaBench::refusal(const std::string& candidate) {
  if (!gate_) {
    auto gate = Gate::open(spec_, snippet_.command(), Options{});
    if (!gate) return gate.error().message();
    gate_.emplace(std::move(*gate));
  }
  return gate_->check(candidate);
}

std::string CudaBench::apply(const Genome& genome) {
  Rendered rendered = workshop_->render(genome);
  EXPECT_EQ(rendered.applied.size(), genome.size()) << "not every gene applied; what did gave:\n" << rendered.source;
  return rendered.source;
}

namespace {

std::size_t closing(const std::string& text, std::size_t at) {
  for (int depth = 0;; ++at) {
    depth += text.at(at) == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at;
  }
}

// What the launch asks for is no array on the host: extern __shared__ … unsigned char NAME[];
void point_to_shared(std::string& text) {
  const std::string declared = "extern __shared__ ";
  for (std::size_t at = text.find(declared); at != std::string::npos; at = text.find(declared, at)) {
    const std::size_t end = text.find("[];", at), name = text.rfind(' ', end) + 1;
    text.replace(at, end + 3 - at, "unsigned char* const " + text.substr(name, end - name) + " = host::shared.data();");
  }
}

// kernel<<<grid, block>>>(…) as host::launch(grid, block, [=] { kernel(…); })
std::string launched_on_host(std::string text) {
  point_to_shared(text);
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at)) {
    std::size_t name = at;
    while (name > 0 && (std::isalnum(static_cast<unsigned char>(text[name - 1])) || text[name - 1] == '_')) --name;
    const std::size_t end = text.find(">>>", at), close = closing(text, text.find('(', end));
    const std::string call = text.substr(name, at - name) + text.substr(end + 3, close - end - 2);
    const std::string shape = text.substr(at + 3, end - at - 3);
    text.replace(name, close + 1 - name, "host::launch(" + shape + ", [=] { " + call + "; })");
  }
  return text;
}

std::string without_annotation(const std::string& text) {
  const std::size_t begin = text.find("#pragma hone");
  std::size_t end = text.find('\n', begin);
  while (text[end - 1] == '\\') end = text.find('\n', end + 1);
  return text.substr(0, begin) + text.substr(end);
}

}  // namespace

std::string CudaBench::difference(const std::string& candidate, const std::string& drive) const {
  const SplitSource split = split_includes(candidate);
  const auto program = [&](const std::string& space, const std::string& more) {
    return "namespace " + space + " {\n" + launched_on_host(without_annotation(text_)) + "\n" + more +
           "\nvoid drive(auto keep) {\nusing namespace host;\n" + drive + "\n}\n}\n";
  };
  // The candidate's launcher takes the place of the original's: it is called by another name beside it.
  std::string own = launched_on_host(split.definition), text = program("original", "");
  text += "namespace candidate {\n" + launched_on_host(without_annotation(text_)) + "\nnamespace variant {\n" + own +
          "\nvoid drive(auto keep) {\nusing namespace host;\n" + drive + "\n}\n}\n}\n";
  text +=
      "int main() {\nstd::vector<std::vector<double>> kept[2];\n"
      "const auto keep = [&](int of) { return [&kept, of](const auto& v) { kept[of].emplace_back(v.begin(), v.end()); "
      "}; };\noriginal::drive(keep(0));\ncandidate::variant::drive(keep(1));\nint wrong = 0;\n"
      "for (std::size_t i = 0; i < kept[0].size(); ++i) wrong |= host::differ(kept[0][i], kept[1].at(i));\n"
      "return wrong;\n}\n";
  const auto folder = os::TemporaryFolder::create("hone-cuda-host").value();
  const auto file = folder.path() / "both.cpp";
  EXPECT_TRUE(os::write_file_atomically(file, "#include \"" HONE_HOST_CUDA "\"\n" + text));
  os::PosixProcessRunner runner;
  os::Process compiler, run;
  compiler.arguments = {"g++"};
  std::istringstream flags(HONE_HOST_CUDA_FLAGS);
  for (std::string flag; flags >> flag;) compiler.arguments.push_back(flag);
  compiler.arguments.insert(compiler.arguments.end(), {"-o", (folder.path() / "both").string(), file.string()});
  compiler.timeout = run.timeout = std::chrono::minutes(2);
  run.arguments = {(folder.path() / "both").string()};
  for (const os::Process& process : {compiler, run}) {
    const auto exit = runner.run(process);
    if (!exit) return exit.error().message();
    if (!exit->ok()) return "does not agree: " + exit->out + exit->err;
  }
  return "";
}

const Catalog& CudaBench::catalog() {
  if (!catalog_) catalog_ = workshop_->survey();
  return *catalog_;
}

bool CudaBench::applies(const Gene& gene) {
  return workshop_->render({gene}).applied.size() == 1;
}

std::string suite_kernel(const std::string& name) {
  return os::read_file(std::string(HONE_CUDA_KERNELS) + "/" + name + ".cu").value();
}

const std::vector<std::string>& suite_kernels() {
  static const std::vector<std::string> names{"vector_add",     "saxpy",   "gemm",       "gemv",      "transpose",
                                              "reduction",      "softmax", "layer_norm", "gelu_bias", "convolution_1d",
                                              "convolution_2d", "stencil", "histogram",  "scan",      "batched_matmul"};
  return names;
}

CudaBench& suite_bench(const std::string& name) {
  static std::map<std::string, CudaBench> benches;
  return benches.try_emplace(name, suite_kernel(name)).first->second;
}

std::string complaint_of_nvcc(const std::vector<std::string>& candidates) {
  std::string includes, text;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const SplitSource split = split_includes(candidates[i]);
    const std::string number = std::to_string(i);
    includes += split.includes;
    text += "namespace candidate_" + number + " {\n#line 1 \"candidate " + number + "\"\n" + split.definition + "\n}\n";
  }
  const auto folder = os::TemporaryFolder::create("hone-cuda-transforms").value();
  const auto file = folder.path() / "all.cu";
  EXPECT_TRUE(os::write_file_atomically(file, includes + text));
  os::PosixProcessRunner runner;
  os::Process nvcc;
  // What compiles is asked, not how well: unoptimized it takes a third of the time.
  nvcc.arguments = {kNvcc,        "-std=c++17", "-arch=sm_90",
                    "-w",         "-Xcicc",     "-O0",
                    "-ptx",       "-o",         (folder.path() / "all.ptx").string(),
                    file.string()};
  nvcc.timeout = std::chrono::minutes(5);
  const auto exit = runner.run(nvcc);
  if (!exit) return exit.error().message();
  return exit->ok() ? "" : exit->out + exit->err;
}

bool has_nvcc() {
  return access(kNvcc, X_OK) == 0;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

std::string elementwise(const std::string& body) {
  return R"(__global__ void each(const float* x, float* y, int n) {
)" + body +
         R"(
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(rtol=1e-3)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)";
}

const std::string doubled =
    elementwise("int i = threadIdx.x + blockDim.x * blockIdx.x;\nif (i >= n) return;\ny[i] = 2 * x[i];");

}  // namespace hone::frontend
