// The processors of this machine as a ground. It lends no memory, since runners map the machine's own, and verifying
// takes no turns with timings, since those have processors of their own (machine/processors.h).
#pragma once

#include "tool/judge/ground/ground.h"

namespace hone::judge {

class ProcessorGround : public Ground {
 public:
  const GroundTraits& traits() const override { return traits_; }
  std::string architecture() const override { return ""; }
  std::string machine() const override;
  std::optional<RunnerDevice> shown_to_runners() const override { return std::nullopt; }
  Result<void> health() const override { return {}; }
  Result<std::unique_ptr<LentMemory>> lend(std::size_t) override { return nullptr; }
  std::size_t memory_limit(std::size_t wanted) override;
  std::size_t slots(const SlotNeed& need) override;
  void flush_cache() override {}
  void begin_untimed_work() override {}
  void let_timings_pass() override {}
  void end_untimed_work() override {}
  void begin_start() override {}
  void end_start() override {}
  TimingTurn take_turn(bool quiet) override;
  double seconds_until_free() override { return 0; }
  double copied_per_second() override { return 0; }
  double stored_per_second(unsigned threads) override;
  std::optional<DeviceRates> rates() override { return std::nullopt; }

 private:
  const GroundTraits traits_;
};

}  // namespace hone::judge
