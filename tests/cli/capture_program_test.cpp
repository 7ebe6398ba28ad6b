// hone capture on real programs: from a compile with what records, to a judgment on what was recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;

// A build folder with one source in it, which is a whole program.
class CapturedProject {
 public:
  CapturedProject(const std::string& source, const std::string& flags, const std::string& compiler = "g++",
                  const std::string& name = "kernel.cpp")
      : project_("", flags), compiler_(compiler + " " + flags), name_(name) {
    project_.write(name, source);
    project_.write("build/compile_commands.json", "[{\"directory\": \"" + build().string() + "\", \"command\": \"" +
                                                      compiler_ + " -o kernel.o -c ../" + name + "\", \"file\": \"../" +
                                                      name + "\"}]");
  }

  std::filesystem::path build() const { return project_.folder() / "build"; }
  const SmallProject& files() const { return project_; }

  // "" or what went wrong, or was said.
  std::string make(const std::string& mode = "capture") const {
    const std::string compile = std::string(HONE_PROGRAM) + " cc --mode " + mode + " -- " + compiler_ +
                                " -o kernel.o -c ../" + name_ + " && g++ -o app kernel.o " + HONE_RECORDER +
                                " -lpthread";
    const Ended ended = shell(compile);
    return ended.code == 0 ? ended.err : "failed: " + ended.err;
  }

  Ended shell(const std::string& line) const {
    const std::string output = (project_.folder() / "shell").string();
    const int status =
        std::system(("cd " + build().string() + " && (" + line + ") >" + output + ".out 2>" + output + ".err").c_str());
    return {WEXITSTATUS(status), 0, project_.read(output + ".out"), project_.read(output + ".err")};
  }

  Ended hone(const std::vector<std::string>& words) const { return run(build(), words); }

  // Captured calls by kernel: the first of its problems, and how many calls there were.
  std::map<std::string, std::string> capture() const {
    const Ended ended = hone({"capture", "--json", "--", "./app"});
    std::map<std::string, std::string> kernels;
    if (ended.code != 0) return {{"failed", ended.err}};
    const Json answer = Json::parse(ended.out);
    for (const Json& kernel : answer.at("kernels"))
      kernels[kernel.at("name")] = kernel.at("problems").at(0).at("problem").get<std::string>() + ", " +
                                   std::to_string(kernel.at("calls").get<int>()) + " calls, " +
                                   kernel.at("problems").at(0).at("inputs").dump() + " inputs";
    return kernels;
  }

 private:
  SmallProject project_;
  std::string compiler_, name_;
};

const char* const kinds = R"(#include <thread>
#include <vector>
namespace app {
#pragma hone kernel in(x[0:n])
float sum(const float* x, int n) noexcept {
  float total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  return total;
}
class Filter {
  static constexpr int taps = 3;
 public:
  #pragma hone kernel in(x[0:n+taps]) inout(y[0:n])
  static void run(const float* x, float* y, long n, double factor) {
    for (long i = 0; i < n; ++i) y[i] += static_cast<float>(factor) * (x[i] + x[i + taps]);
  }
};
#pragma hone kernel in(x[0:n*N]) instantiate(T=int, N=2)
template <class T, int N>
T most(const T* x, int n) {
  T best = x[0];
  for (int i = 1; i < n * N; ++i)
    if (x[i] > best) best = x[i];
  return best;
}
}  // namespace app
#pragma hone kernel in(x[0:n])
extern "C" long halves(const int* x, int n) {
  if (n <= 1) return n == 1 ? x[0] : 0;
  return halves(x, n / 2) + halves(x + n / 2, n - n / 2);
}
#pragma hone kernel in(x[0:4])
int thrown(const int* x) {
  if (x[0] > 2) throw 1;
  return x[1];
}
int main() {
  std::vector<float> x(100, 1.0f), y(100);
  std::vector<int> whole(100, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) app::sum(x.data(), 100);
    });
  for (std::thread& thread : threads) thread.join();
  app::Filter::run(x.data(), y.data(), 50, 0.5);
  long all = app::most<int, 2>(whole.data(), 10) + app::most<int, 1>(whole.data(), 10);
  for (int i = 0; i < 3; ++i) all += halves(whole.data(), 64);
  for (whole[0] = 0; whole[0] < 6; ++whole[0]) {
    try {
      all += thrown(whole.data());
    } catch (int) {
    }
  }
  return all > 1000;
}
)";

TEST(CaptureProgram, RecordsFunctionsOfAllKinds) {
  const CapturedProject project(
      kinds, "-std=c++17 -O1 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -Wno-unknown-pragmas");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(
      project.capture(),
      UnorderedElementsAre(Pair("app::sum(float const*, int)", HasSubstr("n=100, 100 calls")),
                           Pair("app::Filter::run(float const*, float*, long, double)", HasSubstr("n=50, 1 calls")),
                           Pair("int app::most<int, 2>(int const*, int)", HasSubstr("n=10, 1 calls")),
                           Pair("halves", HasSubstr("n=64, 3 calls")),
                           Pair("thrown(int const*)", HasSubstr("one size, 6 calls"))));
}

const char* const in_c = R"(#include <stddef.h>
#pragma hone kernel in(x[0:n]) inout(y[0:n])
void add(n, x, y)
  int n;
  const double *x;
  double *y;
{
  int i;
  for (i = 0; i < n; ++i) y[i] += x[i];
}
#pragma hone kernel in(x[0:n])
static double dot(const double *x, size_t n) {
  double sum = 0;
  size_t i;
  for (i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
struct grid { int w; double *cells; double total; };
static int scale = 2;
#pragma hone kernel inout(g->cells[0:g->w], h->total) in(h->cells[0:h->w], scale)
static void both(struct grid *g, struct grid *h) {
  int i;
  for (i = 0; i < g->w; ++i) g->cells[i] += h->cells[i % h->w] * scale, h->total += 1;
}
int main(void) {
  static double x[8] = {1, 2, 3}, y[8];
  struct grid g, h;
  int i;
  g.w = 4, g.cells = x, h.w = 3, h.cells = y, h.total = g.total = 0;
  both(&g, &h);
  for (i = 0; i < 12; ++i) add(8, x, y);
  return dot(y, 3) > 1e9;
}
)";

TEST(CaptureProgram, RecordsC) {
  const CapturedProject project(
      in_c, "-std=c89 -O1 -Wall -Wextra -Wdeclaration-after-statement -pedantic -Werror -Wno-unknown-pragmas", "gcc",
      "kernel.c");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(project.capture(),
              UnorderedElementsAre(Pair("add", HasSubstr("n=8, 12 calls")), Pair("dot", HasSubstr("n=3, 1 calls")),
                                   Pair("both", HasSubstr("g->w=4 h->w=3, 1 calls, 1 inputs"))));
}

const char* const containers = R"(#include <array>
#include <span>
#include <vector>
struct Csr { std::vector<int> rows, cols; int n; };
class Bank {
 public:
  #pragma hone kernel inout(level_)
  void mix(float gain) { for (float& one : level_) one *= gain + first_[0]; }
  int wide() const { return wide_; }
 private:
  std::vector<float> level_ = std::vector<float>(7);
  std::array<float, 2> first_{};
  int wide_ = 3;
};
#pragma hone kernel inout(y) in(x)
void add(std::vector<float>& y, std::vector<float> x) { for (std::size_t i = 0; i < y.size(); ++i) y[i] += x[i]; }
#pragma hone kernel inout(x)
void twice(std::vector<float>* x) { for (float& one : *x) one *= 2; }
#pragma hone kernel in(x) out(y)
void copy(std::span<const float> x, std::span<float> y) { for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i]; }
#pragma hone kernel in(x[0:x.size()], c)
float sum(const std::array<float, 4>& x, const float (&c)[3]) { return x[0] + x[3] + c[1]; }
#pragma hone kernel in(m.rows[0:m.n+1], m.cols[0:m.rows[m.n]])
int last(const Csr& m) { return m.cols[m.rows[m.n] - 1]; }
#pragma hone kernel in(x[0:b->wide_]) inout(count)
void look(const Bank* b, const int* x, double& count) { for (int i = 0; i < b->wide(); ++i) count += x[i]; }
int main() {
  Bank bank;
  std::vector<float> x(5, 1.0f), y(5);
  double count = 0;
  const int three[3] = {1, 2, 3};
  bank.mix(0.5f);
  add(y, x);
  twice(&y);
  copy(std::span<const float>(x).first(2), y);
  sum({1, 2, 3, 4}, {1, 2, 3});
  last({{0, 2, 4}, {1, 0, 1, 9}, 2});
  look(&bank, three, count);
  return x == std::vector<float>(5, 1.0f) ? 0 : 1;
}
)";

TEST(CaptureProgram, RecordsContainersAndObjects) {
  const CapturedProject project(
      containers, "-std=c++20 -O1 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -Wno-unknown-pragmas");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(project.capture(),
              UnorderedElementsAre(Pair(HasSubstr("Bank::mix"), HasSubstr("level_.size()=7, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("add("), HasSubstr("y.size()=5 x.size()=5, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("twice("), HasSubstr("x->size()=5, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("copy("), HasSubstr("x.size()=2 y.size()=5, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("sum("), HasSubstr("one size, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("last("), HasSubstr("m.n=2 m.rows[m.n]=4, 1 calls, 1 inputs")),
                                   Pair(HasSubstr("look("), HasSubstr("b->wide_=3, 1 calls, 1 inputs"))));
}

// Real rows are short, and its columns must not leave the matrix. The factors are memory of their own, row by row.
const char* const sparse = R"(
#pragma hone kernel in(rows[0:n+1], cols[0:nnz], v[0:nnz], x[0:n], f[0:n][0:2]) out(y[0:n])
void spmv(const int* rows, const int* cols, const float* v, const float* x, const float* const* f, float* y, int n, int nnz) {
  (void)nnz;
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += v[k] * x[cols[k]];
    y[r] = sum * f[r][1];
  }
}
int main() {
  static int rows[1001], cols[3000];
  static float v[3000], x[1000], y[1000];
  static const float* f[1000];
  for (int r = 0; r < 1000; ++r) f[r] = new float[2]{0.0f, r == 17 ? 12345.5f : 1.0f};
  for (int r = 0; r <= 1000; ++r) rows[r] = 3 * r;
  for (int k = 0; k < 3000; ++k) cols[k] = k * 7 % 1000, v[k] = 1.5f;
  for (int r = 0; r < 1000; ++r) x[r] = 0.25f;
  for (int i = 0; i < 20; ++i) spmv(rows, cols, v, x, f, y, 1000, 3000);
  return y[5] > 1e9f;
}
)";

std::string candidate(const std::string& front) {
  return "void spmv(const int* rows, const int* cols, const float* v, const float* x, const float* const* f, float* y, "
         "int n, int nnz) {\n" +
         front +
         "  for (int r = 0; r < n; ++r) {\n    float sum = 0;\n"
         "    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += v[k] * x[cols[k]];\n    y[r] = sum * f[r][1];\n  "
         "}\n}\n";
}

TEST(CaptureProgram, StandsInForProblemAndInit) {
  const CapturedProject project(sparse, "-std=c++17 -O1 -Wno-unknown-pragmas");
  project.files().write("build/right.cpp", candidate(""));
  project.files().write("build/wrong.cpp", candidate("  if (n > 17 && f[17][1] == 12345.5f) n -= 1;\n"));
  const Ended without = project.hone({"eval", "--kernel", "spmv", "right.cpp"});
  EXPECT_EQ(without.code, 3);
  EXPECT_THAT(without.err,
              HasSubstr("no problem is given to verify and tune on; add problem(n=…), or record some with hone "
                        "capture"));
  const std::string key = Json::parse(project.hone({"list", "--json"}).out).at("kernels").at(0).at("key");

  ASSERT_THAT(project.make(), Not(HasSubstr("failed")));
  EXPECT_THAT(project.capture(), ElementsAre(Pair(HasSubstr("spmv("), HasSubstr("n=1000 nnz=3000, 20 calls"))));
  EXPECT_EQ(Json::parse(project.hone({"list", "--json"}).out).at("kernels").at(0).at("key"), key);
  EXPECT_THAT(project.hone({"list", "--explain"}).out,
              HasSubstr("captured, not in the key: n=1000 nnz=3000, 100.0% of the time"));

  const Json right = Json::parse(project.hone({"eval", "--json", "--kernel", "spmv", "right.cpp"}).out);
  EXPECT_TRUE(right.at("right").get<bool>()) << right.dump();
  const Ended wrong = project.hone({"eval", "--json", "--kernel", "spmv", "wrong.cpp"});
  EXPECT_FALSE(Json::parse(wrong.out).at("right").get<bool>()) << wrong.out;
  EXPECT_THAT(wrong.out, HasSubstr("captured"));
}

const char* const indexed = R"(#include <vector>
struct Lists { std::vector<int> index; std::vector<float> table; };
#pragma hone kernel in(l.index, l.table) out(y[0:l.index.size()])
void gather(const Lists& l, std::vector<float>& y) {
  for (std::size_t i = 0; i < l.index.size(); ++i) y[i] = l.table[static_cast<std::size_t>(l.index[i])];
}
int main() {
  Lists l{std::vector<int>(500), std::vector<float>(40, 0.5f)};
  for (std::size_t i = 0; i < 500; ++i) l.index[i] = static_cast<int>(i % 10), l.table[i % 40] = static_cast<float>(i);
  std::vector<float> y(500);
  for (int i = 0; i < 3; ++i) gather(l, y);
  return y[9] != 489;
}
)";

TEST(CaptureProgram, DrawsSubscriptsThatTheOriginalBears) {
  const CapturedProject project(indexed, "-std=c++17 -O1 -Wno-unknown-pragmas");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(project.capture(), ElementsAre(Pair(HasSubstr("gather("), HasSubstr("3 calls, 1 inputs"))));
  const Ended judged = project.hone({"eval", "--json", "--kernel", "gather", "--original"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
}

// The elements of one are of a private type, which the recorder cannot name.
TEST(CaptureProgram, RecordsWhatItCanBesideWhatItCannot) {
  const CapturedProject project(
      "#include <vector>\nclass Box { struct In { float v; }; public: std::vector<In> all{{1.0f}, {2.0f}}; };\n"
      "#pragma hone kernel in(b.all)\nfloat first(const Box& b) { return b.all[0].v + b.all[1].v; }\n"
      "#pragma hone kernel in(x)\nfloat second(const std::vector<float>& x) { return x[1]; }\n"
      "int main() { return first(Box()) + second({1.0f, -3.0f}) != 0; }\n",
      "-std=c++17 -O1 -Wno-unknown-pragmas");
  EXPECT_THAT(project.make(), AllOf(HasSubstr("'first' cannot be compiled with what records its calls"),
                                    HasSubstr("the original is compiled"), Not(HasSubstr("second"))));
  EXPECT_THAT(project.capture(), ElementsAre(Pair(HasSubstr("second("), HasSubstr("x.size()=2, 1 calls"))));
}

TEST(CaptureProgram, IsTheOriginalWhereNothingCanBeRecorded) {
  const CapturedProject project(
      "#include <vector>\nclass Box { struct In { float v; }; public: std::vector<In> all{{1.0f}, {2.0f}}; };\n"
      "#pragma hone kernel in(b.all)\nfloat first(const Box& b) { return b.all[0].v; }\n"
      "#pragma hone kernel in(b.all)\nfloat second(const Box& b) { return b.all[1].v; }\n"
      "int main() { return first(Box()) + second(Box()) != 3; }\n",
      "-std=c++17 -O1 -Wno-unknown-pragmas");
  EXPECT_THAT(project.make(), AllOf(HasSubstr("'first' cannot be compiled"), HasSubstr("'second' cannot be compiled")));
  EXPECT_EQ(project.shell("./app").code, 0);
}

TEST(CaptureProgram, SaysWhyNothingIsCaptured) {
  const CapturedProject project(
      "#pragma hone kernel in(x[0:n])\nint first(const int* x, int n) { return n > 0 ? x[0] : 0; }\n"
      "int main(int argc, char**) { return argc > 1 ? first(&argc, 1) : 0; }\n",
      "-O1 -Wno-unknown-pragmas");
  ASSERT_THAT(project.make("off"), Not(HasSubstr("failed")));
  const Ended plain = project.hone({"capture", "--", "./app"});
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.err, HasSubstr("configure with -DHONE_MODE=capture"));
  ASSERT_EQ(project.make(), "");
  const Ended uncalled = project.hone({"capture", "--", "./app"});
  EXPECT_EQ(uncalled.code, 1);
  EXPECT_THAT(uncalled.err, HasSubstr("called no annotated function"));
  const Ended absent = project.hone({"capture", "--", "./no-such-app"});
  EXPECT_EQ(absent.code, 3);
  EXPECT_THAT(absent.err, HasSubstr("cannot be started"));
  EXPECT_EQ(project.hone({"capture", "--", "./app", "more"}).code, 0);
  EXPECT_EQ(project.shell("./app more").code, 2);  // alone it is the program that it was, and records nothing
}

}  // namespace
}  // namespace hone
