#include "tool/judge/device/device_arithmetic.h"

#include <algorithm>

namespace hone::judge {
namespace {

constexpr unsigned threads = 256,
                   blocks_each = 8;  // as many as any multiprocessor holds, and a tail where it holds fewer
constexpr unsigned first_rounds = 8, most_rounds = 1u << 20;  // doubled until a launch lasts as long as is wanted
constexpr double wanted_seconds = 1e-3;                       // of a launch: its start and end are a hundredth of that
constexpr int tries = 5;                                      // the best counts: what else runs there only slows

// The kernel, loaded, and the events around it.
class Work {
 public:
  Work(const cuda::Driver& driver, const std::string& ptx, int multiprocessors)
      : driver_(driver), blocks_(blocks_each * static_cast<unsigned>(multiprocessors)) {
    usable_ = driver.cuModuleLoadData(&module_, ptx.c_str()) == CUDA_SUCCESS &&
              driver.cuModuleGetFunction(&kernel_, module_, "work") == CUDA_SUCCESS &&
              driver.cuEventCreate(&begin_, CU_EVENT_DEFAULT) == CUDA_SUCCESS &&
              driver.cuEventCreate(&end_, CU_EVENT_DEFAULT) == CUDA_SUCCESS;
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    if (begin_) driver_.cuEventDestroy(begin_);
    if (end_) driver_.cuEventDestroy(end_);
    if (module_) driver_.cuModuleUnload(module_);
  }

  double warps() const { return blocks_ * (threads / 32.0); }

  // 0: it does not run.
  double seconds(unsigned rounds) {
    CUdeviceptr out = 0;
    void* arguments[] = {&out, &rounds};
    float milliseconds = 0;
    const bool ran =
        usable_ && driver_.cuEventRecord(begin_, nullptr) == CUDA_SUCCESS &&
        driver_.cuLaunchKernel(kernel_, blocks_, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS &&
        driver_.cuEventRecord(end_, nullptr) == CUDA_SUCCESS && driver_.cuEventSynchronize(end_) == CUDA_SUCCESS &&
        driver_.cuEventElapsedTime(&milliseconds, begin_, end_) == CUDA_SUCCESS;
    return ran ? 1e-3 * milliseconds : 0;
  }

 private:
  const cuda::Driver& driver_;
  const unsigned blocks_;
  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
  bool usable_ = false;
};

}  // namespace

double measured_arithmetic(const cuda::Driver& driver, ArithmeticPipe pipe, int multiprocessors) {
  const ArithmeticProgram program = arithmetic_program(pipe);
  Work work(driver, program.ptx, multiprocessors);
  work.seconds(1);  // the first call has the driver bring the code there
  const double brief = work.seconds(first_rounds);
  if (brief <= 0) return 0;
  const auto rounds = static_cast<unsigned>(
      std::clamp(first_rounds * wanted_seconds / brief, double{first_rounds}, double{most_rounds}));
  double rate = 0;
  for (int turn = 0; turn < tries; ++turn)
    if (const double seconds = work.seconds(rounds); seconds > 0)
      rate = std::max(rate, program.operations * work.warps() * rounds / seconds);
  return rate;
}

}  // namespace hone::judge
