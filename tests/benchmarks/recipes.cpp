// Writes what the built-in proposer tries first on a suite of kernels, without judging it: FOLDER/recipe<k>/KERNEL.cu.
// The CUDA suite's own program times them on a machine that has a device and nothing of Hone (docs/BENCHMARKS.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "tests/transforms/genome_text.h"
#include "tool/os/files/files.h"
#include "tool/transforms/workshop.h"

namespace {

namespace fs = std::filesystem;
using namespace hone;
using test::require;
using test::shown;

bool is_kernel(const fs::path& file) {
  const auto extension = file.extension();
  return (extension == ".cu" || extension == ".cpp" || extension == ".c") && file.stem() != "suite";
}

void write_recipes(const fs::path& file, const fs::path& folder, std::size_t most) {
  test::OpenedFile opened(file);
  frontend::Workshop& workshop = opened.workshop();
  const Catalog catalog = workshop.survey();
  for (std::size_t k = 0; k < std::min(most, catalog.recipes.size()); ++k) {
    const auto to = folder / fmt::format("recipe{}", k) / file.filename();
    fs::create_directories(to.parent_path());
    require(bool(os::write_file_atomically(to, workshop.render(catalog.recipes[k]).source)),
            "cannot write " + to.string());
    fmt::print("{} {}: {}\n", file.stem().string(), k, shown(catalog.recipes[k]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes the built-in proposer's first candidates for a suite of kernels"};
  fs::path folder, kernels = HONE_CUDA_KERNELS;
  std::size_t most = 8;
  app.add_option("FOLDER", folder, "where recipe<k>/KERNEL.* go")->required();
  app.add_option("--most", most, "recipes of a kernel");
  app.add_option("--kernels", kernels, "the folder of *.cu, *.cpp and *.c; the CUDA suite's");
  CLI11_PARSE(app, argc, argv);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::absolute(kernels)))
    if (is_kernel(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) write_recipes(file, folder, most);
}
