// A CUDA device as a ground. It lends the memory that kernels work on. A GPU has no processors to set aside for timing,
// so that whoever verifies there takes turns with whoever times (machine/turn_lock.h).
#pragma once

#include "tool/judge/ground/ground.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

class DeviceGround final : public Ground {
 public:
  // Error: as Device::open(). The clock is borrowed.
  static Result<std::unique_ptr<DeviceGround>> open(int number, const os::Clock& clock);

  const Device& device() const { return *device_; }

  const GroundTraits& traits() const override { return traits_; }
  std::string architecture() const override { return architecture_of(device_->traits()); }
  std::string machine() const override { return device_->traits().name + " (" + architecture() + ")"; }
  std::optional<RunnerDevice> shown_to_runners() const override { return device_->for_runners(); }
  Result<void> health() const override { return device_->health(); }
  Result<std::unique_ptr<LentMemory>> lend(std::size_t bytes) override;
  std::size_t memory_limit(std::size_t wanted) override;
  std::size_t slots(const SlotNeed& need) override;
  void flush_cache() override { device_->flush_cache(); }
  void begin_untimed_work() override { untimed_work_.begin(); }
  void let_timings_pass() override { untimed_work_.let_timings_pass(); }
  void end_untimed_work() override { untimed_work_.end(); }
  void begin_start() override;
  void end_start() override;
  TimingTurn take_turn(bool quiet) override;
  double seconds_until_free() override { return device_->seconds_until_free(clock_); }
  double copied_per_second() override { return device_->bandwidth().copied; }
  double stored_per_second(unsigned threads) override;
  std::optional<DeviceRates> rates() override { return device_->rates(); }

 private:
  DeviceGround(std::shared_ptr<Device> device, const os::Clock& clock);

  const std::shared_ptr<Device> device_;
  const os::Clock& clock_;
  const GroundTraits traits_;
  UntimedWork untimed_work_;
  std::optional<TurnLock> starting_;
};

}  // namespace hone::judge
