#include "tool/tune/shared_recall.h"

#include <utility>

#include <fmt/format.h>

#include "cache/bound_source.h"
#include "tool/base/printable.h"

namespace hone::tune {
namespace {

using trust::Forged;
using trust::Stranger;
using trust::Trusted;
using trust::Unsigned;

std::string named(const Trusted& by) {
  return by.name.empty() ? by.key.brief() : fmt::format("'{}' ({})", printable_line(by.name), by.key.brief());
}

std::string in_words(const Stranger& by) {
  if (by.withdrawn) return " is withdrawn in hone.trust, so it has to be judged here";
  return fmt::format(
      " is signed by {}, whom this project does not trust, so it has to be judged here; if its owner says that this is "
      "their key: hone cache trust {}",
      by.key.brief(), by.key.text());
}

// A broken one trusts nobody, and is said.
trust::TrustFile trusted_by(const TuningTask& task, report::Progress& progress) {
  auto file = trust::TrustFile::read(trust::trust_file_beside(task.unit.settings.lock));
  if (file) return std::move(*file);
  progress.note(file.error().message());
  return {};
}

std::optional<std::string> source_of(const shared::RecordOffer& offer) {
  return offer.blob ? std::optional(cache::read_bound(*offer.blob).source) : std::nullopt;
}

}  // namespace

SharedRecall recall_shared(const TuningTask& task, shared::RecordOffers& offers, lock::Ledger& ledger,
                           const std::string& device, report::Progress& progress) {
  const auto found = offers.of(task.spec.key, trusted_by(task, progress));
  if (!found) return progress.note(found.error().message()), SharedRecall{};
  if (!*found) return {};
  const shared::RecordOffer& offer = **found;
  const std::string record = fmt::format("the record of '{}' in the shared store", task.spec.name);
  return std::visit(
      trust::Each{[&](const Trusted& by) -> SharedRecall {
                    auto adopted = ledger.adopt(offer.record, offer.blob, device);
                    progress.note(adopted
                                      ? fmt::format("{} is signed by {}, and counts as judged here", record, named(by))
                                      : fmt::format("{} is signed by {}, and not used: {}", record, named(by),
                                                    adopted.error().message()));
                    return {adopted ? std::optional(std::move(*adopted)) : std::nullopt, std::nullopt};
                  },
                  [&](const Stranger& by) -> SharedRecall {
                    progress.note(record + in_words(by));
                    return {std::nullopt, source_of(offer)};
                  },
                  [&](const Unsigned&) -> SharedRecall {
                    progress.note(record +
                                  " is not signed, so it has to be judged here; who made it may sign it: hone cache "
                                  "keygen, then hone cache push");
                    return {std::nullopt, source_of(offer)};
                  },
                  [&](const Forged& what) -> SharedRecall {
                    progress.note(fmt::format("{} ({}) is refused: {}", record, offers.place(), what.why));
                    return {};
                  }},
      offer.standing);
}

}  // namespace hone::tune
