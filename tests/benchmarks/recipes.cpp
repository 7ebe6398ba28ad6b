// Writes what the built-in proposer tries first on a suite of kernels, without judging it: FOLDER/recipe<k>/KERNEL.cu.
// The CUDA suite's own program times them on a machine that has a device and nothing of Hone (docs/BENCHMARKS.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>

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

// "restrict@0() tile_nest@1(16,32)", as the lists of recipes show it.
Genome genome_of(const std::string& text) {
  Genome genome;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto at = word.find('@'), open = word.find('('), close = word.find(')');
    require(at < open && open < close && close != word.npos, word + " is no gene: NAME@SITE(NUMBER,...)");
    Gene gene{word.substr(0, at), static_cast<unsigned>(std::stoul(word.substr(at + 1, open - at - 1))), {}};
    std::istringstream arguments(word.substr(open + 1, close - open - 1));
    for (std::string number; std::getline(arguments, number, ',');) gene.arguments.push_back(std::stoi(number));
    genome.push_back(std::move(gene));
  }
  return genome;
}

// What comes of one genome, and which of its genes applied.
void show(const fs::path& file, const Genome& genome) {
  test::OpenedFile opened(file);
  const frontend::Rendered rendered = opened.workshop().render(genome);
  fmt::print("// {}: {}\n{}\n", file.stem().string(), shown(rendered.applied), rendered.source);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes the built-in proposer's first candidates for a suite of kernels"};
  fs::path folder, kernels = HONE_CUDA_KERNELS;
  std::string genome;
  std::size_t most = 8;
  app.add_option("FOLDER", folder, "where recipe<k>/KERNEL.* go")->required();
  app.add_option("--most", most, "recipes of a kernel");
  app.add_option("--kernels", kernels, "the folder of *.cu, *.cpp and *.c; the CUDA suite's");
  app.add_option("--genome", genome, "print what comes of it, and write no recipes: \"restrict@0() tile_nest@1(16,32)\"");
  CLI11_PARSE(app, argc, argv);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::absolute(kernels)))
    if (is_kernel(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) genome.empty() ? write_recipes(file, folder, most) : show(file, genome_of(genome));
}
