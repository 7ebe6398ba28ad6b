// Member functions that use their object's data, through the real program: found, judged, tuned and linked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Private members, a base's and an inner class's; arrays, pointers and containers; const, virtual and operators.
constexpr const char* kMixer = R"(#include <vector>
struct Names {
  virtual ~Names() {}
  int first;
};
struct Device {
  virtual ~Device() {}
  virtual int peak() const = 0;
  int bias;
  float n;
};
class Mixer : public Device {
 public:
  explicit Mixer(int size);
#pragma hone kernel name(mix) inout(levels[0:rows*cols]) problem(rows=40, this->cols=30)
  void mix() {
    for (int i = 0; i < rows * cols; ++i) total += levels[i] *= weight(i);
  }
#pragma hone kernel name(peak) in(log) problem(log.size()=1000)
  int peak() const override {
    int most = bias;
    for (unsigned i = 0; i < log.size(); ++i) most = log[i] > most ? log[i] : most;
    last = most;
    return most;
  }
#pragma hone kernel name(scale) inout(x[0:n]) problem(n=1000, this->n=3)
  Mixer& operator()(int* x, int n) {
    const auto tap = [this](int i) { return taps[i & 7]; };
    for (int i = 0; i < n; ++i) x[i] *= static_cast<int>(this->n) + tap(i);
    return *this;
  }
  template <class T> struct Stage {
    T sums[4];
    const T* from;
    int count;
#pragma hone kernel name(stage) instantiate(T=long) in(from[0:count]) problem(count=1000)
    void add() {
      for (int i = 0; i < count; ++i) sums[i & 3] += from[i];
    }
  };

 private:
  int weight(int i) const { return taps[i & 7] + 1; }
  int taps[8];
  int *levels, rows, cols;
  unsigned odd : 1, even : 3;
  char* unused;
  int n;
  mutable int last;
  std::vector<int> log;
  Names names;
  long total = 0;
};
)";

struct Try {
  const char* kernel;
  const char* candidate;
  const char* reason;  // in part; "": it is right
};

const Try kTries[] = {
    {"mix",
     "inline void Mixer::mix() {\n  long sum = total;\n  int* const to = levels;\n"
     "  for (int i = 0, n = rows * cols; i < n; ++i) sum += to[i] *= weight(i);\n  total = sum;\n}",
     ""},
    {"mix",
     "inline void Mixer::mix() {\n  for (int i = 0; i < rows * cols; ++i) total += levels[i] *= this->weight(i);\n"
     "  taps[3] = 0;\n}",
     "this->taps"},
    {"mix",
     "inline void Mixer::mix() {\n  for (int i = 0; i < rows * cols; ++i) total += levels[i] *= this->weight(i);\n"
     "  odd = 1;\n}",
     "wrote to a member or a variable that the original leaves alone"},
    {"peak",
     "inline int Mixer::peak() const {\n  int most = bias;\n  for (int x : log) most = x > most ? x : most;\n"
     "  return most;\n}",
     "this->last is"},
    {"scale",
     "inline Mixer& Mixer::operator()(int* x, int n) {\n"
     "  for (int i = 0; i < n; ++i) x[i] *= static_cast<int>(Device::n) + taps[i & 7];\n  return *this;\n}",
     "x["},
    {"stage",
     "template <> inline void Mixer::Stage<long>::add() {\n"
     "  for (int i = 0; i <= count; ++i) sums[i & 3] += from[i];\n}",
     "this->sums"},
};

TEST(KernelMembers, TellRightCandidateFromWrong) {
  const SmallProject project(kMixer, "-O2 -std=c++17 -Wall -Wextra -Werror");
  for (const Try& one : kTries) {
    const Ended ended =
        run(project.folder(), {"eval", "--kernel", one.kernel, "-", "--json"}, std::string(one.candidate) + "\n");
    ASSERT_FALSE(ended.out.empty()) << ended.err;
    const json verdict = json::parse(ended.out);
    EXPECT_EQ(verdict["right"], std::string(one.reason).empty()) << one.candidate << verdict["reason"];
    EXPECT_THAT(verdict["reason"].get<std::string>(), HasSubstr(one.reason)) << one.candidate;
  }
}

// The loop stores its sum into a member at each step; in a local it need not.
TEST(KernelMembers, AreTunedAndLinked) {
  const SmallProject project(R"(#include <cstdio>
class Meter {
 public:
  Meter(const float* from, int size) : values(from), count(size) {}
#pragma hone kernel name(add) in(values[0:count]) problem(count=4096) tolerance(rtol=1e-4)
  void add() { for (int i = 0; i < count; ++i) sum += values[i] * values[i]; }
  float sum = 1;
 private:
  const float* values;
  int count;
};
int main() {
  float x[] = {1, 2, 3};
  Meter meter(x, 3);
  meter.add();
  std::printf("%g\n", meter.sum);
  return meter.sum == 15 ? 0 : 1;
}
)");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "4", "--json", "-"});
  ASSERT_EQ(tuned.code, 0) << tuned.out << tuned.err;
  EXPECT_GT(json::parse(tuned.out)["kernels"][0]["speedup"]["median"], 1.0);
  const Ended compiled = run(project.folder(), {"cc", "--lock", project.lock().string(), "--locked", "--", "g++", "-O2",
                                                "-o", "kernel.o", "-c", "kernel.cpp"});
  EXPECT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_EQ(compiled.err, "");
  const std::string program = (project.folder() / "kernel").string();
  EXPECT_EQ(std::system(("g++ -o " + program + " " + program + ".o && " + program).c_str()), 0);
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["linked"], true);
}

// What no clause can build, a function of the user's does.
TEST(KernelMembers, AreBuiltByWorkload) {
  const SmallProject project(R"(#include <hone/workload.h>
class List {
 public:
  virtual ~List() {
    while (Node* one = first) {
      first = one->next;
      delete one;
    }
  }
  void put(int value) { first = new Node{value, first}; }
  virtual int scaled(int value) const { return 3 * value; }
#pragma hone kernel name(total) workload(list_case) problem(n=300)
  long total() const {
    long sum = 0;
    for (const Node* one = first; one; one = one->next) sum += scaled(one->value);
    return sum;
  }
 private:
  struct Node { int value; Node* next; };
  Node* first = nullptr;
};
inline void list_case(hone::workload& w, int n) {
  List list;
  for (int i = 0; i < n; ++i) list.put(w.integer(0, 1000));
  w.exact(w.time([&] { return list.total(); }));
}
)",
                             std::string("-O2 -I") + HONE_HEADERS);
  const auto judged = [&](const std::string& candidate) {
    const Ended ended = run(project.folder(), {"eval", "--kernel", "total", "-", "--json"}, candidate);
    return ended.out.empty() ? json{{"right", ended.err}} : json::parse(ended.out);
  };
  const std::string sum =
      "inline long List::total() const {\n  long sum = 0;\n"
      "  for (const Node* one = first; one; one = one->next) sum += one->value;\n  return ";
  EXPECT_EQ(judged(sum + "3 * sum;\n}\n")["right"], true);
}

TEST(KernelMembers, ThatCannotBeBuiltAreRefused) {
  const SmallProject project(R"(#include <vector>
struct Index {
  std::vector<std::vector<float>> rows;
  int bits : 3;
  virtual int scaled() const { return 3; }
  float value;
#pragma hone kernel name(nested)
  float nested() const { return rows[0][0]; }
#pragma hone kernel name(bits)
  int odd() const { return bits & 1; }
#pragma hone kernel name(virtual)
  int twice() const { return 2 * scaled(); }
#pragma hone kernel name(copy)
  int copy() const { Index other = *this; return other.bits; }
#pragma hone kernel name(misspelled) in(valeu)
  float half() const { return value / 2; }
#pragma hone kernel name(drawn) in(value) problem(value=1)
  float same() const { return value; }
};
)");
  const Ended ended = run(project.folder(), {"list"});
  const std::string said = ended.out + ended.err;
  EXPECT_THAT(said,
              HasSubstr("uses 'rows' of type 'std::vector<std::vector<float>>', whose element is not plain data"));
  EXPECT_THAT(said, HasSubstr("uses the bit-field 'bits', which no clause describes; make the arguments in a function "
                              "of yours, named by workload(fn)"));
  EXPECT_THAT(said, HasSubstr("'Index::twice' calls 'scaled' of its object, which is virtual"));
  EXPECT_THAT(said, HasSubstr("'Index::copy' uses its object as a whole, which has virtual functions"));
  EXPECT_THAT(said, HasSubstr("which is no parameter of 'half' and no member of its object; did you mean 'value'?"));
  EXPECT_THAT(said, HasSubstr("'value' is drawn, since in(…), out(…) or inout(…) names it"));
}

}  // namespace
}  // namespace hone
