// Writes what the built-in proposer's transformations make of the kernels in kernels/, as one program's sources: each
// gene alone with several arguments, and the recipes. FOLDER/KERNEL.cu each, and FOLDER/all.cu, to be compiled with
// check.cu (see `run`).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/transforms/genome_text.h"
#include "tool/os/files/files.h"
#include "tool/transforms/workshop.h"

namespace {

namespace fs = std::filesystem;
using namespace hone;
using test::require;
using test::shown;

constexpr std::size_t most_choices = 3, most_recipes = 6;

std::vector<Genome> genomes_of(const Catalog& catalog) {
  std::vector<Genome> genomes;
  for (const TransformSite& transform : catalog.transforms)
    for (unsigned site = 0; site < transform.sites; ++site) {
      std::vector<Gene> genes{{transform.transform, site, {}}};
      for (const auto& choices : transform.argument_choices) {
        std::vector<Gene> longer;
        for (const Gene& gene : genes)
          for (std::size_t i = 0; i < std::min(choices.size(), most_choices); ++i) {
            longer.push_back(gene);
            longer.back().arguments.push_back(choices[i]);
          }
        genes = std::move(longer);
      }
      for (const Gene& gene : genes) genomes.push_back({gene});
    }
  const auto& recipes = catalog.recipes;
  genomes.insert(genomes.end(), recipes.begin(),
                 recipes.begin() + static_cast<std::ptrdiff_t>(std::min(recipes.size(), most_recipes)));
  return genomes;
}

// The original and its versions, each in a namespace of its own.
void write_versions(const fs::path& file, const fs::path& folder) {
  test::OpenedFile opened(file);
  frontend::Workshop& workshop = opened.workshop();
  const std::string kernel = file.stem();
  const auto call = [&](const std::string& space) {
    return "[](const void* x, void* y, int rows, int n) {\n  using T = Element<decltype(" + space + kernel +
           ")>::type;\n  " + space + kernel + "(static_cast<const T*>(x), static_cast<T*>(y), rows, n);\n}";
  };
  SplitSource original = split_includes(os::read_file(file).value());
  std::string includes = original.includes, text = "namespace original {\n" + original.definition + "\n}\n";
  std::string table = "{\"\", " + call("original::") + "}";
  std::set<std::string> seen;
  for (const Genome& genome : genomes_of(workshop.survey())) {
    const frontend::Rendered rendered = workshop.render(genome);
    if (rendered.applied.size() != genome.size() || !seen.insert(rendered.source).second) continue;
    const SplitSource version = split_includes(rendered.source);
    const std::string space = fmt::format("version_{}", seen.size());
    includes += version.includes;
    text += "namespace " + space + " {\n" + version.definition + "\n}\n";
    table += ",\n{\"" + shown(genome) + "\", " + call(space + "::") + "}";
  }
  const std::string source = includes +
                             "#include \"check.h\"\ntemplate <class F> struct Element;\ntemplate <class T> "
                             "struct Element<void(const T*, T*, int, int)> { using type = T; };\nnamespace {\n" +
                             text + "}\n\nVersions versions_of_" + kernel + "() {\nreturn {\"" + kernel + "\", {" +
                             table + "}};\n}\n";
  require(bool(os::write_file_atomically(folder / file.filename(), source)), "cannot write to " + folder.string());
  fmt::print("{}: {} versions\n", kernel, seen.size());
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "moves FOLDER");
  const fs::path folder = argv[1];
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(HONE_DEVICE_KERNELS)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  fs::create_directories(folder);
  std::string declared, called;
  for (const fs::path& file : files) {
    write_versions(file, folder);
    declared += "Versions versions_of_" + file.stem().string() + "();\n";
    called += "versions_of_" + file.stem().string() + "(), ";
  }
  const std::string all =
      "#include \"check.h\"\n" + declared + "std::vector<Versions> all_versions() { return {" + called + "}; }\n";
  require(bool(os::write_file_atomically(folder / "all.cu", all)), "cannot write to " + folder.string());
}
