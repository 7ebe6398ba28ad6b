#include "tool/base/cuda_architecture.h"

#include <algorithm>
#include <cctype>

namespace hone {
namespace {

constexpr unsigned minors = 10;  // 86 is 8.6

// One image of an object: machine code, or PTX for the driver to translate.
struct Image {
  unsigned number = 0;
  bool translated = false;
  char reach = 0;  // 'a': its very architecture; 'f': from there on, within the family

  unsigned family() const { return number / minors; }
  bool runs_on(unsigned device) const {
    if (number > device) return false;
    if (reach == 'a') return number == device;
    return (translated && reach != 'f') || family() == device / minors;
  }
};

std::vector<Image> images_of(std::string_view target) {
  std::vector<Image> images;
  while (!target.empty()) {
    const std::string_view word = target.substr(0, target.find(' '));
    target.remove_prefix(std::min(word.size() + 1, target.size()));
    const bool translated = word.starts_with("compute_");
    const unsigned number = architecture_number(word);
    if (number == 0 || !(translated || word.starts_with("sm_") || word.starts_with("lto_"))) continue;
    const char last = word.back();
    images.push_back({number, translated, std::isdigit(static_cast<unsigned char>(last)) ? '\0' : last});
  }
  return images;
}

}  // namespace

unsigned architecture_number(std::string_view architecture) {
  const std::size_t digits = architecture.find('_') + 1;
  unsigned number = 0;
  for (std::size_t i = digits; digits > 0 && i < architecture.size() && number < 1000; ++i) {
    if (!std::isdigit(static_cast<unsigned char>(architecture[i]))) break;
    number = number * 10 + static_cast<unsigned>(architecture[i] - '0');
  }
  return number;
}

std::vector<unsigned> code_families(std::string_view target) {
  std::vector<unsigned> families;
  for (const Image& image : images_of(target)) families.push_back(image.family());
  std::ranges::sort(families);
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return families;
}

// Machine code goes before PTX, as with the driver.
unsigned code_family(std::string_view target, std::string_view device) {
  const unsigned number = architecture_number(device);
  unsigned translated = 0;
  for (const Image& image : images_of(target)) {
    if (!image.runs_on(number)) continue;
    if (!image.translated) return image.family();
    translated = std::max(translated, image.family());
  }
  return translated;
}

}  // namespace hone
