#include "tool/command/nvcc_code.h"

#include <algorithm>

#include "tool/command/cuda_architecture.h"
#include "tool/command/nvcc_options.h"

namespace hone {
namespace {

bool names_code(NvccMeaning meaning) {
  return meaning == NvccMeaning::architecture || meaning == NvccMeaning::gpu_code ||
         meaning == NvccMeaning::generated_code;
}

std::string_view without(std::string_view text, char open, char close) {
  const bool wrapped = text.size() > 1 && text.front() == open && text.back() == close;
  return wrapped ? text.substr(1, text.size() - 2) : text;
}

// "[compute_90,sm_90]" or "sm_90"
std::vector<std::string> images_in(std::string_view list) {
  return nvcc_list(without(without(list, '"', '"'), '[', ']'));
}

// "arch=compute_90,code=[compute_90,sm_90]"; without a code, the PTX.
GeneratedCode generated(std::string_view value) {
  constexpr std::string_view arch = "arch=", code = ",code=";
  value = without(value, '"', '"');
  if (value.starts_with(arch)) value.remove_prefix(arch.size());
  const std::size_t at = value.find(code);
  const std::string_view architecture = value.substr(0, at);
  return {std::string(architecture),
          images_in(at == std::string_view::npos ? architecture : value.substr(at + code.size()))};
}

// "sm_90" → "compute_90"
std::string compiled_as(const std::string& architecture) {
  return architecture.starts_with("sm_") ? "compute_" + architecture.substr(3) : architecture;
}

}  // namespace

std::vector<GeneratedCode> generated_code(const std::vector<std::string>& flags) {
  std::vector<GeneratedCode> all;
  std::string architecture;
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const NvccWord read = read_nvcc_word(flags[i]);
    if (!read.option) continue;
    const std::string value = read.value_follows && i + 1 < flags.size() ? flags[++i] : std::string(read.value);
    if (read.option->meaning == NvccMeaning::generated_code) all.push_back(generated(value));
    if (read.option->meaning == NvccMeaning::architecture) architecture = value;
    if (read.option->meaning == NvccMeaning::gpu_code)
      for (std::string& image : images_in(value)) codes.push_back(std::move(image));
  }
  if (architecture.empty()) {
    if (!codes.empty()) all.push_back({"", std::move(codes)});
    return all;
  }
  const std::string as = compiled_as(architecture);
  if (codes.empty()) codes = architecture == as ? std::vector{as} : std::vector{architecture, as};
  all.push_back({as, std::move(codes)});
  return all;
}

std::vector<std::string> flags_for_device(const std::vector<std::string>& flags, std::string_view device) {
  std::vector<GeneratedCode> all = generated_code(flags);
  std::string target;
  std::size_t images = 0;
  for (const GeneratedCode& one : all)
    for (const std::string& image : one.images) {
      if (architecture_number(image) == 0) return flags;  // "native", "all-major": nobody said which
      target += (images++ == 0 ? "" : " ") + image;
    }
  const std::vector<std::string> kept = images_for(target, device);
  if (kept.empty() || kept.size() == images) return flags;

  std::vector<std::string> changed;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const NvccWord read = read_nvcc_word(flags[i]);
    const std::size_t last = read.value_follows && i + 1 < flags.size() ? i + 1 : i;
    if (!read.option || !names_code(read.option->meaning))
      changed.insert(changed.end(), flags.begin() + static_cast<std::ptrdiff_t>(i),
                     flags.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    i = last;
  }
  for (GeneratedCode& one : all) {
    std::erase_if(one.images, [&](const std::string& image) { return std::ranges::find(kept, image) == kept.end(); });
    if (one.images.empty()) continue;
    std::string list;
    for (const std::string& image : one.images) list += (list.empty() ? "" : ",") + image;
    changed.push_back("--generate-code=arch=" + one.architecture + ",code=[" + list + "]");
  }
  return changed;
}

}  // namespace hone
