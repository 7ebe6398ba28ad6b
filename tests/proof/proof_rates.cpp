// What is proved of candidates, up to which size and in what time: proof_rates SECONDS KERNEL [CANDIDATE]…
//
// KERNEL: a file with one annotated kernel. CANDIDATE: a file as `hone eval` takes it; "-": the original itself. A line
// each: kernel, candidate, seconds of hone-prove, what is proved or why not.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "tests/proof/proof_bench.h"

namespace {

std::string text_of(const char* path) {
  auto text = hone::os::read_file(path);
  if (!text) throw std::runtime_error(text.error().message());
  return *text;
}

std::string words_of(const hone::bundle::Proof& proof) {
  if (proof.example) return "differs: " + proof.difference;
  return proof.proved.empty() ? "not proved: " + proof.why
                              : proof.in_words() + (proof.why.empty() ? "" : "; then " + proof.why);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: proof_rates SECONDS KERNEL [CANDIDATE]...\n", stderr), 2;
  const std::string name = std::filesystem::path(argv[2]).stem();
  try {
    hone::test::ProofBench bench(text_of(argv[2]));
    for (int i = 3; i < argc; ++i) {
      const std::string candidate = argv[i];
      const hone::bundle::Proof proof =
          bench.prove(candidate == "-" ? bench.original() : text_of(argv[i]), std::strtod(argv[1], nullptr));
      std::printf("%-18s %-28s %5.2f  %s\n", name.c_str(), std::filesystem::path(candidate).stem().c_str(),
                  proof.seconds, words_of(proof).c_str());
      std::fflush(stdout);
    }
    return 0;
  } catch (const std::exception& exception) {
    return std::fprintf(stderr, "%s: %s\n", name.c_str(), exception.what()), 2;
  }
}
