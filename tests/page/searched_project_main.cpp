// searched_project FOLDER KERNELS TRIALS PAIRS [TEXT]: writes such a project (searched_project.h), for the browser's
// test.
#include <cstdio>
#include <cstdlib>

#include "tests/page/searched_project.h"

int main(int argc, char** argv) {
  if (argc < 5) return std::fputs("usage: searched_project FOLDER KERNELS TRIALS PAIRS [TEXT]\n", stderr), 2;
  const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(argv[i], nullptr, 10)); };
  const auto written = hone::tests::write({argv[1], number(2), number(3), number(4), argc > 5 ? argv[5] : "", 10});
  if (!written) return std::fprintf(stderr, "%s\n", written.error().message().c_str()), 3;
}
