#include "tool/command/cuda_architecture.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace hone {
namespace {

constexpr unsigned minors = 10;  // 86 is 8.6

// One image of an object: machine code, or PTX for the driver to translate.
struct Image {
  unsigned number = 0;
  bool translated = false;
  char reach = 0;  // 'a': its very architecture; 'f': from there on, within the family
  std::string_view word;

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
    images.push_back({number, translated, std::isdigit(static_cast<unsigned char>(last)) ? '\0' : last, word});
  }
  return images;
}

// What the driver takes: machine code before PTX, and the newest of each.
std::optional<Image> taken_by(unsigned device, const std::vector<Image>& images) {
  std::optional<Image> best;
  for (const Image& image : images) {
    if (!image.runs_on(device)) continue;
    if (!best || image.translated < best->translated ||
        (image.translated == best->translated && image.number > best->number))
      best = image;
  }
  return best;
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

std::vector<unsigned> code_architectures(std::string_view target) {
  std::vector<unsigned> architectures;
  for (const Image& image : images_of(target)) architectures.push_back(image.number);
  std::ranges::sort(architectures);
  architectures.erase(std::unique(architectures.begin(), architectures.end()), architectures.end());
  return architectures;
}

std::vector<unsigned> code_families(std::string_view target) {
  std::vector<unsigned> families;
  for (const unsigned architecture : code_architectures(target)) families.push_back(architecture / minors);
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return families;
}

unsigned code_family(std::string_view target, std::string_view device) {
  const auto taken = taken_by(architecture_number(device), images_of(target));
  return taken ? taken->family() : 0;
}

std::vector<std::string> images_for(std::string_view target, std::string_view device) {
  const unsigned number = architecture_number(device);
  const std::vector<Image> images = images_of(target);
  const auto taken = taken_by(number, images);
  std::vector<std::string> kept;
  for (const Image& image : images)
    if (taken && image.number == taken->number && image.runs_on(number)) kept.emplace_back(image.word);
  return kept;
}

}  // namespace hone
