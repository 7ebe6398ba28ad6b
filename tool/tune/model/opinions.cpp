#include "tool/tune/model/opinions.h"

#include <fmt/format.h>

namespace hone::tune {

void Opinions::paid(const llm::Usage& usage) {
  ++calls_;
  tokens_ += usage.input_tokens + usage.output_tokens;
}

void Opinions::judged(const search::Opinion& opinion, const Verdict& verdict) {
  Group& group = opinion.right ? trusted_ : doubted_;
  ++(verdict.right ? group.right : group.wrong);
  if (!opinion.right) seconds_ += verdict.seconds;
}

void Opinions::left_out() {
  ++left_out_;
}

std::string Opinions::text() const {
  const unsigned judged = doubted_.right + doubted_.wrong, others = trusted_.right + trusted_.wrong;
  if (calls_ + judged + others + left_out_ == 0) return "";
  std::string text = fmt::format("opinions: {} calls, {} tokens; {} doubted", calls_, tokens_, judged + left_out_);
  if (left_out_ > 0) text += fmt::format(", {} of them not judged", left_out_);
  if (judged > 0)
    text += fmt::format(", {} of {} judged ones wrong ({:.1f} s of judging)", doubted_.wrong, judged, seconds_);
  if (others > 0) text += fmt::format("; {} of {} others wrong", trusted_.wrong, others);
  return text;
}

Verdict doubted(const search::Opinion& opinion) {
  Verdict verdict;
  verdict.code = DiagnosticCode::candidate_doubted;
  verdict.reason = "not judged, since a second look by the model says that it is wrong";
  if (!opinion.reason.empty()) verdict.reason += ": " + opinion.reason;
  return verdict;
}

}  // namespace hone::tune
