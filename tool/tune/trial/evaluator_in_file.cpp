// The part of the Evaluator that looks at a candidate in the user's whole file.
#include <future>
#include <utility>

#include "tool/compile/object/object_gain.h"
#include "tool/compile/object/same_code.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/whole_file.h"

namespace hone::tune {

// What cannot be compiled there (a file that includes what the sandbox does not show) is not compared, and said so.
Result<void> Evaluator::freeze_file(std::stop_token stop) {
  if (file_unit_ || !why_no_file_.empty()) return {};
  const auto whole = with_whole_file(spec_, command_, options_);
  auto unit = whole ? compiler_.freeze(*whole) : tl::unexpected(whole.error());
  if (!unit) {
    why_no_file_ = unit.error().message();
    return {};
  }
  unit->whole_file = true;
  HONE_TRY(auto code, compiler_.compile_code(*unit, unit->definition, stop));
  if (const Verdict* refused = std::get_if<Verdict>(&code)) {
    why_no_file_ = refused->reason;
  } else {
    original_in_file_ = std::move(std::get<std::string>(code));
    file_unit_ = std::move(*unit);
  }
  return {};
}

Result<Evaluator::InFile> Evaluator::in_its_file(const std::string& source, std::stop_token stop) {
  InFile found;
  if (spec_.cuda || other_compiler_) return found;
  auto cut = std::async(std::launch::async, [&] { return compiler_.compile_code(unit_, source, stop); });
  HONE_CHECK(freeze_file(stop));
  if (!file_unit_) {
    found.said =
        "whether its code in the whole file is the code that was judged could not be looked at: " + why_no_file_;
    return found;
  }
  const auto placed = source_in_file(spec_, source, command_, options_);
  if (!placed) {
    found.refused = refusal(Stage::compile, "in its file it cannot stand: " + placed.error().message(),
                            DiagnosticCode::candidate_misfit);
    return found;
  }
  HONE_TRY(const auto code, compiler_.compile_code(*file_unit_, *placed, stop));
  HONE_TRY(const auto judged, cut.get());
  const auto *here = std::get_if<std::string>(&judged), *there = std::get_if<std::string>(&code);
  if (here && there) {
    if (std::string gains = compile::object_gain(original_in_file_, *there, spec_.threads > 1); !gains.empty()) {
      found.refused = refusal(Stage::compile, "in its file " + gains, DiagnosticCode::object_brings);
      return found;
    }
    const std::string difference = compile::code_difference(*here, *there, {"hone_call", spec_.mangled_name});
    found.said = difference.empty() ? "the code that is linked is the code that was judged"
                                    : "judged was the code that the whole file gives: there " + difference;
    if (difference.empty()) return found;
  }
  HONE_TRY(auto compiled, compiler_.compile(*file_unit_, *placed, stop));
  if (auto* refused = std::get_if<Verdict>(&compiled)) {
    refused->reason = "in its file it does not compile: " + refused->reason;
    found.refused = std::move(*refused);
  } else {
    found.other = std::move(std::get<compile::Objects>(compiled));
  }
  return found;
}

}  // namespace hone::tune
