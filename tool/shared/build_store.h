// The team's store as the compiles of a build ask it: many processes, of which each would find out by itself, and say,
// that the server is gone.
//
// The first one that it fails says so and leaves a stamp in the user's cache folder. For a minute the others leave the
// server alone without a word: nothing is there then. Those that were asking already wait, and say nothing either. The
// stamp is empty but for a mark: its name is the digest of the server's origin, its time of change says when. Where
// none can be written, each compile asks. One thread at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "tool/shared/shared_store.h"

namespace hone::shared {

class BuildStore final : public SharedStore {
 public:
  // `folder`: the user's cache folder.
  BuildStore(std::unique_ptr<SharedStore> store, const std::filesystem::path& folder);
  std::string place() const override { return store_->place(); }
  Result<std::optional<std::string>> get(Kind kind, const cache::Digest& name) override;
  Result<void> put(Kind kind, const cache::Digest& name, const std::string& bytes) override;
  void hang_up() override { store_->hang_up(); }

 private:
  bool is_left_alone() const;
  bool is_first_to_say() const;

  std::unique_ptr<SharedStore> store_;
  std::filesystem::path stamp_;
  bool said_ = false;
};

}  // namespace hone::shared
