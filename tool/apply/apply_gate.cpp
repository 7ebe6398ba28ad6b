#include "tool/apply/apply_gate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "cache/digest.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/whole/whole_file_check.h"
#include "tool/os/files/this_program.h"

namespace hone::apply {
namespace {

void append(std::string& text, const std::string& part) {
  text += std::to_string(part.size()) + ':' + part;
}

std::string seal(const std::string& key, const std::string& answer) {
  return cache::sha256(key + '\n' + answer);
}

}  // namespace

ApplyGate::ApplyGate(CompileCommand command, const std::string& text, std::string files, frontend::Options options)
    : command_(std::move(command)), text_(text), files_(std::move(files)), options_(std::move(options)) {
  if (auto folder = cache::user_folder())
    store_.emplace(std::vector<cache::Store::Level>{{*folder, true}}, [](const std::string&) {});
}

std::string ApplyGate::object(const frontend::FoundKernel& kernel, const std::string& variant,
                              const std::vector<frontend::Replacement>& others) {
  const std::string key = this->key(kernel, variant, others);
  if (std::optional<std::string> answer = known(key)) return *answer;
  std::string answer = look(kernel, variant, others);
  keep(key, answer);
  return answer;
}

std::string ApplyGate::key(const frontend::FoundKernel& kernel, const std::string& variant,
                           const std::vector<frontend::Replacement>& others) const {
  std::string text;
  // Rules change with the program.
  for (const std::string& part : {std::string("hone apply gate 1"), os::this_program(), command_.directory, files_,
                                  text_, kernel.spec.key, variant})
    append(text, part);
  for (const std::string& argument : command_.arguments) append(text, argument);
  append(text, "beside");
  for (const frontend::Replacement& other : others) append(text, other.variant);
  return cache::sha256(text);
}

std::optional<std::string> ApplyGate::known(const std::string& key) const {
  const auto record = store_ ? store_->record(key) : std::nullopt;
  const auto json = nlohmann::json::parse(record.value_or(""), nullptr, false);
  if (!json.is_object() || !json.contains("refused") || !json["refused"].is_string() || !json.contains("seal"))
    return std::nullopt;
  const std::string answer = json["refused"];
  if (json["seal"] != seal(key, answer)) return std::nullopt;
  return answer;
}

void ApplyGate::keep(const std::string& key, const std::string& answer) {
  const nlohmann::json json = {{"refused", answer}, {"seal", seal(key, answer)}};
  if (store_) (void)store_->put_record(key, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string ApplyGate::look(const frontend::FoundKernel& kernel, const std::string& variant,
                            const std::vector<frontend::Replacement>& others) {
  const frontend::FoundKernel* whole = with_unit(kernel.spec.key);
  if (!whole) return "its unit cannot be made" + (kernels_ && !*kernels_ ? ": " + kernels_->error().message() : "");
  if (std::string why = frontend::gate(whole->spec, variant, command_, options_); !why.empty()) return why;
  std::string why = frontend::object_in_file(*whole, variant, text_, others, command_, options_);
  take_code(why);  // the note has its own
  return why;
}

const frontend::FoundKernel* ApplyGate::with_unit(const std::string& key) {
  if (!kernels_) {
    frontend::Options options = options_;
    options.units = options.goes_on = true;
    kernels_ = frontend::find_kernels(command_, options);
  }
  if (!*kernels_) return nullptr;
  const auto found = std::ranges::find_if((*kernels_)->kernels, [&](const auto& one) { return one.spec.key == key; });
  return found == (*kernels_)->kernels.end() ? nullptr : &*found;
}

}  // namespace hone::apply
