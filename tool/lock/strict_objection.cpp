#include "tool/lock/strict_objection.h"

#include <algorithm>

#include "tool/base/printable.h"
#include "tool/trust/trust_file.h"

namespace hone::lock {

bool is_vouched_for(const cache::LockEntry& entry, const std::filesystem::path& lock) {
  if (entry.signed_by.empty()) return true;
  const auto key = trust::PublicKey::parse(entry.signed_by);
  const auto trusted = trust::TrustFile::read(trust::trust_file_beside(lock));
  return key && trusted && trusted->find(*key) && !(entry.variant && trusted->withdrawn.contains(*entry.variant));
}

std::optional<StrictObjection> strict_objection(const KernelSpec& spec, const std::vector<MeasuredEntry>& measured,
                                                const std::filesystem::path& lock) {
  if (std::ranges::any_of(measured, [](const MeasuredEntry& one) { return one.entry->unconfirmed; }))
    return StrictObjection{
        DiagnosticCode::entry_unconfirmed,
        "'" + spec.name + "' is locked as the search measured it, and nobody has measured it afresh; build hone-tune"};
  for (const MeasuredEntry& one : measured)
    if (!is_vouched_for(*one.entry, lock))
      return StrictObjection{DiagnosticCode::entry_unvouched,
                             "'" + spec.name + "' is locked on the word of " + printable_line(one.entry->signed_by) +
                                 ", which hone.trust does not take for it; build hone-tune, which judges it here"};
  return std::nullopt;
}

}  // namespace hone::lock
