// What a signature costs: a record's bytes, and the time to sign it, to check it, and to read it without.
//
//   hone_signed_records RECORD      a file of ~/.cache/hone/ac
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tool/base/median.h"
#include "tool/os/files/files.h"
#include "tool/trust/signed_record.h"

namespace hone {
namespace {

constexpr int kRounds = 500;

template <class Do>
double microseconds(Do work) {
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return median(std::move(times));
}

int measure(const char* file) {
  const auto record = os::read_file(file);
  const auto key = trust::SigningKey::generate();
  if (!record || !key) return std::fprintf(stderr, "%s cannot be read\n", file), 1;
  const auto text = trust::sign_record(*record, *key);
  if (!text) return std::fprintf(stderr, "%s\n", text.error().message().c_str()), 1;
  std::printf("bytes %zu, signed %zu\n", record->size(), text->size());
  std::printf("sign  %.0f us\n", microseconds([&] { (void)trust::sign_record(*record, *key); }));
  std::printf("check %.0f us\n", microseconds([&] { (void)trust::read_signed(*text); }));
  std::printf("read unsigned %.0f us\n", microseconds([&] { (void)trust::read_signed(*record); }));
  return 0;
}

}  // namespace
}  // namespace hone

int main(int argc, char** argv) {
  return argc == 2 ? hone::measure(argv[1]) : (std::fprintf(stderr, "usage: hone_signed_records RECORD\n"), 2);
}
