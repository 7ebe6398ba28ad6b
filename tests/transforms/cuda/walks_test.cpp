// Threads that each walk along memory of their own, whose warp loads and stores for them.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A launcher of one thread for each row, whose body is given; x and y hold `type`.
std::string rows_of(const std::string& body, const std::string& type = "float", const std::string& clauses = "") {
  return "__global__ void each(const " + type + "* x, " + type +
         "* y, const int* start, int m, int n) {\nint r = blockIdx.x * blockDim.x + threadIdx.x;\nif (r >= m) "
         "return;\n" +
         body + "\n}\n#pragma hone kernel in(x[0:m * n], start[0:m + 1]) inout(y[0:m * n]) " + clauses +
         " problem(m=1000, n=1024)\nvoid run(const " + type + "* x, " + type +
         "* y, const int* start, int m, int n) { each<<<(m + 127) / 128, 128>>>(x, y, start, m, n); }\n";
}

// Memory ends where the arrays do; start: rows of 0 to n elements each.
std::string rows_of_all_sizes(const std::string& type = "float") {
  return "for (int m : {1, 31, 33, 150}) for (int n : {0, 1, 2, 31, 32, 33, 70, 129}) {\n"
         "std::vector<" +
         type + "> x = numbers<" + type + ">(m * n), y = numbers<" + type +
         ">(m * n + 1);\nx.resize(m * n);\ny.resize(m * n);\nstd::vector<int> start{0};\n"
         "for (int r = 0; r < m; ++r) start.push_back(start.back() + (r % 3 ? (r * 7) % (n + 1) : n));\n"
         "auto* const out = guarded(y);\nrun(guarded(x), out, guarded(start), m, n);\n"
         "keep(std::vector<" +
         type + ">(out, out + m * n)); }";
}

const std::string recurrence =
    "float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; y[r * n + t] = s; }";

bool transposes(const std::string& text) {
  return CudaBench(text).applies({"warp_transpose", 0, {}});
}

TEST_F(CudaTransforms, WarpTransposeLoadsAndStoresAlongMemory) {
  CudaBench bench(rows_of(recurrence));
  const std::string text = bench.apply({{"warp_transpose", 0, {32, 64}}});
  EXPECT_THAT(text, AllOf(Says("const bool exists = r < m; __shared__ float x_tile[2][32][33];"),
                          Says("if (!__any_sync(0xffffffffu, t_left > 0)) break;"),
                          Says("x_next[pass] = column < count ? x[t_from_row + column] : static_cast<float>(0);"),
                          Says("for (int t_step = 0; t_step < t_left; ++t_step, ++t) {"),
                          Says("s = 0.5f * s + x_tile[warp][lane][t_step]; y_tile[warp][lane][t_step] = s;"),
                          Says("if (column < count) y[t_from_row + column] = y_tile[warp][row][column];"),
                          Says("<<<run_grid((m + 127) / 128, 128, 64), 64>>>")));
  EXPECT_EQ(bench.refusal(text), "");
  std::vector<std::string> candidates{text};
  EXPECT_EQ(bench.difference(text, rows_of_all_sizes()), "");
  for (const std::vector<int>& arguments :
       std::vector<std::vector<int>>{{64, 32}, {16, 128}, {8, 32}, {32, 256}, {32, 32, 1}, {16, 64, 1}, {64, 32, 1}}) {
    candidates.push_back(bench.apply({{"warp_transpose", 0, arguments}}));
    EXPECT_EQ(bench.difference(candidates.back(), rows_of_all_sizes()), "") << candidates.back();
  }
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(CudaTransforms, WarpTransposeKeepsMeaningOfEveryWalk) {
  std::vector<std::string> candidates;
  for (const std::string body :
       {// backwards, what is only asked for under conditions, and the neighbor
        "const float* v = x + (size_t)r * n;\nfloat s = 0;\nfor (int t = n - 1; t >= 0; --t) {\nsize_t i = "
        "(size_t)r * n + t;\nif (y[i] > 900.0f) s = v[t]; else s = v[t] + 0.5f * s + (t + 1 < n ? v[t + 1] : 0);\n"
        "y[i] = s; }",
        "float s = 0;\nfor (int t = n; t-- > 0;) { s = 0.5f * s + x[r * n + t]; y[r * n + t] = s; }",
        "float s = 0;\nfor (size_t t = n; t--;) { s = 0.5f * s + x[r * n + t]; y[r * n + t] = s; }",
        "float s = 0;\nfor (int t = 1; t <= n; t++) { s = 0.5f * s + x[r * n + n - t]; y[r * n + t - 1] = s; }",
        // as long as each row is
        "float s = 0;\nfor (int t = start[r]; t < start[r + 1]; ++t) { s = 0.5f * s + x[t]; y[t] = s; }",
        // rows whose beginnings memory holds, by other names
        "const float* row = x + start[r];\nfloat* out = &y[start[r]];\nint length = start[r + 1] - start[r];\nfloat s "
        "= 0;\n"
        "for (int t = 0; t < length; ++t) { s = 0.5f * s + row[t] + (t > 0 ? row[t - 1] : 0); out[t] = s; }",
        // in place, and what the iteration before left
        "float last = n > 0 ? x[r * n] : 0;\nfor (int t = 1; t < n; t += 1) { y[r * n + t] += last; "
        "last = 0.5f * x[r * n + t] + x[r * n + t - 1]; }",
        // masked, by an array with the same index
        "float s = 0;\nfor (int t = 0; t < n; ++t) { if (x[r * n + t] < 99) continue; s = 0.5f * s + y[r * n + t]; }\n"
        "if (n > 0) y[r * n] = s;",
        // two conditions, of which the second one differs from thread to thread
        "int w = (n + 31) / 32, first = r % (w > 0 ? w : 1) * 32, row = r / (w > 0 ? w : 1);\nunsigned bits = 0;\n"
        "for (int b = 0; b < 32 && first + b < n; ++b) if (x[row * n + first + b] > 500) bits |= 1u << b;\n"
        "if (n > 0) y[r * n] = bits % 1021;",
        // names of the device's functions, and loops that are told to be unrolled
        "float max = 0, w[4], min = n;\n#pragma unroll\nfor (int k = 0; k < 4; ++k) w[k] = k;\n#pragma unroll 4\n"
        "for (int t = 0; t < n; ++t) {\n#pragma unroll\nfor (int k = 0; k < 4; ++k) w[k] = 0.5f * w[k] + x[r * n + t];"
        "\nmax = max * 0.5f + w[t % 4];\ny[r * n + t] = max + min; }",
        // one after the other, in a loop that all threads run
        "for (int k = 0; k < n && k < 1; ++k) y[r * n] += 1;\nfor (int k = 0; k < 3; ++k) {\nfloat s = k;\n"
        "for (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; y[r * n + t] = s + k; }\n"
        "for (int t = n - 1; t > 0; --t) { s = 0.25f * s + y[r * n + t]; y[r * n + t] = s; } }"}) {
    CudaBench bench(rows_of(body));
    const int ahead = candidates.size() % 2;
    candidates.push_back(bench.apply({{"warp_transpose", 0, {32, 64, ahead}}}));
    EXPECT_EQ(bench.difference(candidates.back(), rows_of_all_sizes()), "") << candidates.back();
  }
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(CudaTransforms, WarpTransposeMovesNumbersOfEverySize) {
  std::vector<std::string> candidates;
  for (const std::string type : {"double", "long long", "unsigned char", "short", "unsigned"}) {
    CudaBench bench(
        rows_of("int s = 0;\nfor (int t = 0; t < n; ++t) { s = (s * 3 + (int)x[r * n + t]) % 97; "
                "y[r * n + t] = s; }",
                type));
    candidates.push_back(bench.apply({{"warp_transpose", 0, {32, 128}}}));
    EXPECT_EQ(bench.difference(candidates.back(), rows_of_all_sizes(type)), "") << candidates.back();
  }
  CudaBench half("#include <cuda_fp16.h>\n" + rows_of("float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + "
                                                      "__half2float(x[r * n + t]); y[r * n + t] = __float2half(s); }",
                                                      "__half"));
  const std::string text = half.apply({{"warp_transpose", 0, {}}});
  EXPECT_THAT(text, Says("__shared__ __half x_tile[4][32][33];"));
  candidates.push_back("#include <cuda_fp16.h>\n" + text);
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(CudaTransforms, WarpTransposeNeedsConditionUnlessBlocksAreDivided) {
  const auto without = [](const std::string& block) {
    std::string text = rows_of(recurrence);
    text.erase(text.find("if (r >= m) return;"), 19);
    return text.replace(text.find("/ 128, 128"), 10, "/ 128, " + block);
  };
  EXPECT_THAT(CudaBench(without("128")).apply({{"warp_transpose", 0, {32, 64}}}),
              AllOf(Says("const int t_left = static_cast<int>("), Not(HasSubstr("exists"))));
  EXPECT_FALSE(CudaBench(without("128")).applies({"warp_transpose", 0, {32, 256}}));
  EXPECT_FALSE(transposes(without("n")));
}

// 48 KiB are there on every device.
TEST_F(CudaTransforms, WarpTransposeTakesFewerIterationsWhereTilesAreTooLarge) {
  const std::string two = rows_of(recurrence, "double");
  EXPECT_THAT(CudaBench(two).apply({{"warp_transpose", 0, {32, 64}}}), HasSubstr("x_tile[2][32][33]"));
  EXPECT_THAT(CudaBench(two).apply({{"warp_transpose", 0, {32, 128}}}), HasSubstr("x_tile[4][32][17]"));
}

TEST_F(CudaTransforms, WarpTransposeLeavesInMemoryWhatIsNotSurelyThere) {
  const auto applied = [](const std::string& body, const std::string& clauses = "") {
    return CudaBench(rows_of(body, "float", clauses)).apply({{"warp_transpose", 0, {}}});
  };
  EXPECT_THAT(applied("float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; "
                      "if (s > 1) y[r * n + t] = s; }"),
              AllOf(HasSubstr("x_tile"), Says("if (s > 1) y[r * n + t] = s;"), Not(HasSubstr("y_tile"))));
  EXPECT_THAT(applied("float s = 0;\nfor (int t = 1; t < n; ++t) { s = y[r * n + t - 1] + x[r * n + t]; "
                      "y[r * n + t] = s; }"),
              AllOf(HasSubstr("x_tile"), Not(HasSubstr("y_tile"))));
  EXPECT_THAT(applied("float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; "
                      "if (start) s += start[r * n + t]; y[r * n + t] = s; }"),
              AllOf(HasSubstr("x_tile"), HasSubstr("y_tile"), Not(HasSubstr("start_tile"))));
  EXPECT_THAT(applied("float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; "
                      "if (t + r < n) s += start[r * n + t + r]; y[r * n + t] = s; }"),
              AllOf(HasSubstr("x_tile"), Not(HasSubstr("start_tile"))));
}

// A mask does not excuse what else a condition asks: whether the row, or the whole array, has elements at all.
TEST_F(CudaTransforms, WarpTransposeFetchesWhatIsMaskedIfWholeConditionAsksMemory) {
  const auto fetches = [](const std::string& condition, const std::string& before = "") {
    const std::string body = "float s = 0;\nfor (int t = 0; t < n; ++t) { " + before + "if (" + condition +
                             ") s += y[r * n + t]; s = 0.5f * s + x[r * n + t]; }\nif (n > 0 && s > 1e30f) y[0] = s;";
    const std::string text = CudaBench(rows_of(body)).apply({{"warp_transpose", 0, {}}});
    EXPECT_THAT(text, HasSubstr("x_tile")) << condition;
    return text.find("y_tile") != std::string::npos;
  };
  const std::string mask = "x[r * n + t] > 9";
  for (const std::string condition : {mask, "!(" + mask + ")", mask + " && " + mask + " + 1"})
    EXPECT_TRUE(fetches(condition)) << condition;
  EXPECT_TRUE(fetches("v > 9", "const float v = x[r * n + t]; "));
  for (const std::string condition :
       {mask + " && r < 7", "r < 7 && " + mask, "!(" + mask + " || r >= 7)", "(" + mask + ") & (r < 7)",
        "(" + mask + ") * (r < 7)", mask + " ? r < 7 : false", mask + " && start"})
    EXPECT_FALSE(fetches(condition)) << condition;
  EXPECT_FALSE(fetches("on", "const bool on = " + mask + " && r < 7; "));
  EXPECT_FALSE(fetches("on", "const int on = start[r]; "));
}

TEST_F(CudaTransforms, WarpTransposeRejectsLoopsThatAreNoWalks) {
  EXPECT_TRUE(transposes(rows_of(recurrence)));
  EXPECT_FALSE(transposes(rows_of(recurrence, "float", "alias(x, y)")));
  for (const std::string body :
       {// left early
        "float s = 0;\nfor (int t = 0; t < n; ++t) { s = 0.5f * s + x[r * n + t]; if (s > 9) break; }\ny[r] = s;",
        // across memory, or by two elements
        "float s = 0;\nfor (int t = 0; t < n; ++t) s = 0.5f * s + x[t * m + r];\ny[r] = s;",
        "float s = 0;\nfor (int t = 0; t < n; ++t) s = 0.5f * s + x[r * n + 2 * t];\ny[r] = s;",
        "float s = 0;\nfor (int t = 0; t < n; t += 2) s = 0.5f * s + x[r * n + t];\ny[r] = s;",
        // the same for all threads, or side by side with the neighbor's
        "float s = 0;\nfor (int t = 0; t < n; ++t) s = 0.5f * s + x[t];\ny[r] = s;",
        "float s = 0;\nfor (int t = 0; t < n; ++t) s = 0.5f * s + x[r + t];\ny[r] = s;",
        // as short as registers want it
        "float s = 0;\nfor (int t = 0; t < 8; ++t) s = 0.5f * s + x[r * 8 + t];\ny[r] = s;",
        "float s = 0;\nfor (int t = 7; t >= 0; --t) s = 0.5f * s + x[r * 8 + t];\ny[r] = s;",
        // not reached by all threads, or not as often
        "float s = 0;\nif (start[r] > 0) for (int t = 0; t < n; ++t) s = 0.5f * s + x[r * n + t];\ny[r] = s;",
        "float s = 0;\nfor (int k = 0; k < start[r]; ++k) for (int t = 0; t < n; ++t) s = 0.5f * s + x[r * n + t];\n"
        "y[r] = s;",
        // by two names, one of which may stand for what is written by the other
        "const float* own = r % 2 ? x : y;\nfloat s = 0;\n"
        "for (int t = 0; t < n; ++t) { s = 0.5f * s + own[r * n + t]; y[r * n + t] = s; }",
        // to an end that the loop moves, or whose place it is told by memory
        "float s = 0;\nfor (int t = 0; t < n - (int)s; ++t) s = 0.5f * s + x[r * n + t];\ny[r] = s;",
        "float s = 0;\nfor (int t = 0; t < n; ++t) s = 0.5f * s + x[start[t]];\ny[r] = s;"})
    EXPECT_FALSE(transposes(rows_of(body))) << body;
}

}  // namespace
}  // namespace hone::frontend
