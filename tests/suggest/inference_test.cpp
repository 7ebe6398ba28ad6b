// What a function's text says of its annotation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cuda_objects.h"
#include "tool/frontend/infer/survey.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<SurveyedFunction> functions_of(const std::string& text, const std::string& name = "a.cpp") {
  const os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-infer");
  const std::string file = (folder.path() / name).string();
  if (!os::write_file_atomically(file, text)) std::abort();
  const std::string compiler = file.ends_with(".cu") ? tests::nvcc_program : "g++";
  const CompileCommand command{folder.path().string(), file, "a.o", {compiler, "-O2", "-c", file, "-o", "a.o"}};
  auto found = survey(command, {}, [](const std::string&) { return true; });
  EXPECT_TRUE(found) << (found ? "" : found.error().message());
  return found ? *found : std::vector<SurveyedFunction>(1);
}

// The suggested clauses, without "#pragma hone kernel " and without the problem.
std::string clauses_of(const std::string& text) {
  std::string pragma = functions_of(text).back().inferred.pragma;
  pragma.erase(0, std::string("#pragma hone kernel ").size());
  return pragma.substr(0, pragma.find(" problem("));
}

TEST(Infer, FollowsSubscriptsToTheirLargest) {
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"),
            "in(x[0:n]) out(y[0:n])");
  EXPECT_EQ(clauses_of(R"(void f(const double* a, const double* b, double* c, int m, int n, int k) {
              for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                  double s = 0;
                  for (int p = 0; p < k; p++) s += a[i * k + p] * b[p * n + j];
                  c[i * n + j] = s;
                }
            })"),
            "in(a[0:m*k], b[0:n*k]) out(c[0:m*n])");
}

TEST(Infer, TakesWindowWithinItsLoops) {
  EXPECT_EQ(clauses_of(R"(void f(const float* src, float* dst, int w, int h) {
              for (int y = 1; y < h - 1; ++y)
                for (int x = 1; x < w - 1; ++x) dst[y * w + x] = src[(y - 1) * w + x - 1] + src[(y + 1) * w + x + 1];
            })"),
            "in(src[0:w*h]) inout(dst[0:w*h - w - 1])")
      << "what is not written keeps what it had";
}

TEST(Infer, NarrowsCountersByWhatIsAsked) {
  EXPECT_EQ(clauses_of(R"(void f(const float* x, float* y, int n) {
              for (int i = 0; i < n; ++i) y[i] = i > 0 && i < n - 1 ? x[i - 1] + x[i + 1] : x[i];
            })"),
            "in(x[0:n]) out(y[0:n])");
  EXPECT_EQ(clauses_of(R"(void f(const float* x, float* y, int n) {
              for (int i = 0; i < n; ++i) { if (i + 3 < n) y[i] = x[i + 3]; }
            })"),
            "in(x[0:n]) inout(y[0:n - 3])");
}

TEST(Infer, LeavesOpenWhichOfTwoLengthsIsLarger) {
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int n, int m) { for (int i = 0; i < n; ++i) y[i] = x[i];"
                       " for (int i = 0; i < m; ++i) y[i] += x[i]; }"),
            "in(x[0:(n > m ? n : m)]) inout(y[0:(n > m ? n : m)])");
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] + x[0];"
                       " for (int i = 0; i < n - 1; ++i) y[i] += x[i + 1]; }"),
            "in(x[0:n]) inout(y[0:n])");
}

TEST(Infer, BelievesAssertsAndLoopsThatSkip) {
  EXPECT_EQ(clauses_of(R"(#include <cassert>
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    if (i + 2 >= n) continue;
    y[i] = x[i + 2];
  }
})"),
            "in(x[0:n]) inout(y[0:n - 2])");
  EXPECT_EQ(clauses_of(R"(#undef NDEBUG
#include <cassert>
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    assert(i + 1 < n);
    y[i] = x[i + 1];
  }
})"),
            "in(x[0:n]) inout(y[0:n - 1])");
}

TEST(Infer, GuessesLengthByItsName) {
  const auto found = functions_of(
      "unsigned f(const unsigned char* data, unsigned len) {"
      " unsigned s = 0; while (len != 0) { unsigned k = len > 9 ? 9 : len; len -= k; while (k--) s += *data++; } "
      "return s; }");
  EXPECT_THAT(found.back().inferred.pragma, HasSubstr("in(data[0:len])"));
  EXPECT_THAT(found.back().inferred.open, IsEmpty());
  EXPECT_THAT(found.back().inferred.guesses, ElementsAre(HasSubstr("'len' is its length by its name")));
}

TEST(Infer, TakesVectorsOfIntrinsics) {
  EXPECT_EQ(clauses_of("#include <immintrin.h>\nvoid f(const float* x, float* y, int n) {"
                       " for (int i = 0; i + 4 <= n; i += 4) _mm_storeu_ps(y + i, _mm_loadu_ps(x + i)); }"),
            "in(x[0:n]) inout(y[0:n])");
}

std::string pragma_of(const std::string& text, const std::string& name = "a.cpp") {
  return functions_of(text, name).back().inferred.pragma;
}

TEST(Infer, NamesMembersBehindPointer) {
  EXPECT_EQ(pragma_of(R"(struct Filter { int half, at; const float* taps; float* buffer; double sum; };
void f(struct Filter* filter, float gain) {
  int i, n;
  n = filter->half;
  for (i = 0; i < n; i++) filter->buffer[filter->at + i] = gain * filter->taps[i];
})",
                      "a.c"),
            "#pragma hone kernel in(filter->taps[0:filter->half]) inout(filter->buffer[0:filter->half + filter->at]) "
            "problem(filter->at=65536, filter->half=65536)");
}

TEST(Infer, GuessesSizesThatFitTheirTypes) {
  EXPECT_EQ(pragma_of("void f(float* x, unsigned char n) { for (int i = 0; i < n; ++i) x[i] = 1; }"),
            "#pragma hone kernel out(x[0:n]) problem(n=255)");
  EXPECT_EQ(pragma_of("struct Head { signed char depth; }; struct Hash { Head head; int* words; };\n"
                      "void f(Hash* hash) { for (int i = 0; i < hash->head.depth; ++i) hash->words[i] = 1; }"),
            "#pragma hone kernel out(hash->words[0:hash->head.depth]) problem(hash->head.depth=127)");
}

TEST(Infer, LeavesLengthOfMemberOpenWhereDataSayIt) {
  const auto found = functions_of(
      "struct List { int n; const int* places; const float* x; };"
      "float f(const List& l) { float s = 0; for (int i = 0; i < l.n; ++i) s += l.x[l.places[i]];"
      " return s; }");
  EXPECT_EQ(found.back().inferred.pragma, "#pragma hone kernel in(l.places[0:l.n], l.x[0:?]) problem(l.n=65536)");
  EXPECT_THAT(found.back().inferred.open, ElementsAre(HasSubstr("'l.x': where line 1 goes in it")));
}

TEST(Infer, NamesMembersOfItsOwnObject) {
  EXPECT_EQ(pragma_of(R"(class Mixer {
  float *levels, gain;
  int rows, cols;
 public:
  void mix(int rows) { for (int i = 0; i < rows * cols + this->rows; ++i) levels[i] *= gain; }
};)"),
            "#pragma hone kernel inout(levels[0:rows*cols + this->rows]) problem(rows=480, cols=640, this->rows=480)");
}

TEST(Infer, FollowsObjectsIntoCalls) {
  EXPECT_EQ(pragma_of(R"(struct Layer { const float* weights; const float* bias; int in, out; };
struct Model { struct Layer first; int unused; };
static void linear(const struct Layer* layer, float* out, const float* in) {
  int i, j, N = layer->out;
  for (i = 0; i < N; i++) {
    out[i] = layer->bias[i];
    for (j = 0; j < layer->in; j++) out[i] += layer->weights[i * layer->in + j] * in[j];
  }
}
void f(const struct Model* model, float* out, const float* in) { linear(&model->first, out, in); })",
                      "a.c"),
            "#pragma hone kernel in(in[0:model->first.in], model->first.bias[0:model->first.out], "
            "model->first.weights[0:model->first.out*model->first.in]) inout(out[0:model->first.out]) "
            "problem(model->first.in=512, model->first.out=512)");
}

TEST(Infer, TakesContainersByTheirSizes) {
  EXPECT_EQ(pragma_of("#include <vector>\nvoid f(const std::vector<float>& x, std::vector<float>& y) {"
                      " for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i]; }"),
            "#pragma hone kernel in(x) out(y[0:x.size()]) problem(x.size()=65536)");
  EXPECT_EQ(pragma_of("#include <vector>\nstruct Image { int w, h; std::vector<float> pixels; };"
                      "void f(Image& im) { for (int i = 0; i < im.w * im.h; ++i) im.pixels[i] += 1; }"),
            "#pragma hone kernel inout(im.pixels[0:im.w*im.h]) problem(im.h=480, im.w=640)");
}

TEST(Infer, TakesContainerAsWrittenWhoseElementsAreLent) {
  const std::string vectors = "#include <algorithm>\n#include <vector>\n";
  EXPECT_EQ(clauses_of(vectors + "void f(std::vector<float>& x, float v) { std::fill(x.begin(), x.end(), v); }"),
            "inout(x)");
  EXPECT_EQ(clauses_of(vectors + "void f(std::vector<float>& x) { for (float& v : x) v *= 2; }"), "inout(x)");
  EXPECT_EQ(clauses_of(vectors + "float f(const std::vector<float>& x) { float s = 0; for (float v : x) s += v; return "
                                 "s; }"),
            "in(x)");
  const std::string image = vectors +
                            "class Image {\n  std::vector<int> data_;\n public:\n"
                            "  int size() const { return data_.size(); }\n  int* data() { return &data_[0]; }\n"
                            "  int& at(int i) { return data_[i]; }\n";
  EXPECT_EQ(clauses_of(image + "  void f() { int* p = data(); for (int i = 0; i < size(); ++i) *p++ = 0; }\n};"),
            "inout(data_)")
      << "a const member function looks first";
  EXPECT_EQ(clauses_of(image + "  void f() { for (int i = 0; i < size(); ++i) at(i) = 0; }\n};"), "inout(data_)");
}

TEST(Infer, LooksIntoOpenMPRegions) {
  const std::string text =
      "void f(const float* x, float* y, int n) {\n#pragma omp parallel for\n"
      "for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }";
  const os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-infer");
  const std::string file = (folder.path() / "a.cpp").string();
  ASSERT_TRUE(os::write_file_atomically(file, text));
  const CompileCommand command{folder.path().string(), file, "a.o", {"g++", "-fopenmp", "-c", file, "-o", "a.o"}};
  const auto found = survey(command, {}, [](const std::string&) { return true; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->back().inferred.pragma, "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=65536)");
}

TEST(Infer, GivesInstanceOfClassTemplatesMember) {
  const auto found = functions_of(R"(template <class T, int N> struct Gain {
  T* x;
  void run(int n) { for (int i = 0; i < n * N; ++i) x[i] *= 2; }
};
void use(Gain<float, 3>& gain) { gain.run(5); })");
  EXPECT_EQ(found.front().inferred.pragma,
            "#pragma hone kernel inout(x[0:3*n]) instantiate(T=float, N=3) problem(n=65536)");
}

std::string hindrance_in(const std::string& text) {
  return functions_of(text).back().inferred.hindrance;
}

TEST(Infer, NamesQuotientsOfNumbersThatStay) {
  EXPECT_EQ(clauses_of(R"(void f(const float* x, float* y, int T, int C, int NH) {
              int hs = C / NH;
              for (int t = 0; t < T; t++)
                for (int h = 0; h < NH; h++) {
                  const float* row = x + t * C + h * hs;
                  float* sum = y + t * NH + h;
                  *sum = 0;
                  for (int i = 0; i < hs; i++) *sum += row[i];
                }
            })"),
            "in(x[0:T*C]) inout(y[0:T*NH])");
  EXPECT_EQ(clauses_of("void f(float* x, int n, int k) { for (int i = 0; i < n / k; ++i) x[i] *= 2; }"),
            "inout(x[0:(n/k)])");
  EXPECT_THAT(clauses_of("void f(float* x, int k, int m) { for (int i = 0; i < m; ++i) x[i / k] *= 2; }"),
              HasSubstr("x[0:?]"))
      << "what changes from one iteration to the next has no name";
}

TEST(Infer, SaysThatGivenContainerIsResized) {
  const std::string vectors = "#include <vector>\nstruct S { std::vector<float> v; };\n";
  EXPECT_THAT(hindrance_in(vectors + "void f(std::vector<float>& out, int n) {\n  for (int i = 0; i < n; ++i) "
                                     "out.push_back(i);\n}\n"),
              HasSubstr("it changes the size of 'out' at line 4: "));
  EXPECT_THAT(hindrance_in(vectors + "void f(S* s, int n) {\n  auto& v = s->v;\n  v.resize(n);\n}\n"),
              HasSubstr("at line 5: "));
  EXPECT_THAT(hindrance_in(vectors + "void g(S& s) { s.v.clear(); }\nvoid f(S* s) { g(*s); }\n"),
              HasSubstr("at line 3: "))
      << "in what it calls";
  EXPECT_THAT(hindrance_in(vectors + "void f(std::vector<float>& a, std::vector<float>& b) { a = b; }\n"),
              HasSubstr("'a'"));
  EXPECT_EQ(hindrance_in(vectors + "float f(const std::vector<float>& x) {\n  std::vector<float> own;\n  "
                                   "own.resize(x.size());\n  std::vector<float>& other = own;\n  other.clear();\n"
                                   "  S s;\n  s.v.push_back(x[0]);\n  return s.v[0];\n}\n"),
            "")
      << "its own may grow";
}

TEST(Infer, SaysThatResultsDifferFromCallToCall) {
  EXPECT_THAT(hindrance_in("#include <cstdlib>\nvoid f(float* x, int n) {\n  for (int i = 0; i < n; ++i)\n    x[i] = "
                           "std::rand();\n}\n"),
              HasSubstr("it calls 'rand' at line 4: "));
  EXPECT_THAT(hindrance_in("#include <chrono>\nlong f() { return "
                           "std::chrono::steady_clock::now().time_since_epoch().count(); }\n"),
              HasSubstr("it calls 'now'"));
  EXPECT_EQ(hindrance_in("struct R { int rand() { return 4; } };\nint rand(int x) { return x; }\n"
                         "int f(R& r) { return r.rand() + rand(3); }\n"),
            "")
      << "the project's own";
}

TEST(Infer, SaysThatGivenPointerIsAllocated) {
  const std::string text = "#include <stdlib.h>\nstruct M { float* x; int n; };\n";
  EXPECT_THAT(hindrance_in(text + "void f(M* m) {\n  if (!m->x) m->x = (float*)calloc(m->n, 4);\n}\n"),
              HasSubstr("it allocates 'm->x' at line 4: "));
  EXPECT_EQ(hindrance_in(text + "float f(int n) {\n  M m;\n  m.x = (float*)calloc(n, 4);\n  float* p;\n"
                                "  p = new float[n];\n  return m.x[0] + p[0];\n}\n"),
            "");
}

TEST(Infer, LeadsNoFunctionOfCudaToAWorkload) {
  if (!tests::has_nvcc()) GTEST_SKIP() << "there is no " << tests::nvcc_program;
  const std::string hindrance = functions_of(R"(#include <vector>
__global__ void twice(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
void f(std::vector<float>& sizes, float* x, int n) {
  sizes.resize(n);
  twice<<<1, 256>>>(x, n);
}
)",
                                             "a.cu")
                                    .back()
                                    .inferred.hindrance;
  EXPECT_THAT(hindrance, HasSubstr("it changes the size of 'sizes' at line 4: "));
  EXPECT_THAT(hindrance, Not(HasSubstr("workload")));
}

TEST(Infer, NamesFileOfLineWhereItIsAnotherOne) {
  const os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-infer");
  const std::string file = (folder.path() / "a.cpp").string();
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "inner.h",
                                        "\ninline float at(const float* x, const int* p) { return x[*p]; }\n"));
  ASSERT_TRUE(os::write_file_atomically(
      file, "#include \"inner.h\"\nfloat f(const float* x, const int* p) { return at(x, p); }\n"));
  const auto found = survey({folder.path().string(), file, "a.o", {"g++", "-c", file}}, {},
                            [&](const std::string& name) { return name == file; });
  ASSERT_TRUE(found);
  EXPECT_THAT(found->back().inferred.open, ElementsAre(HasSubstr("line 2 of inner.h")));
}

TEST(Infer, RoundsWhatIsUsedInLargerSteps) {
  const auto stepping = [](const std::string& end, const std::string& step, const std::string& body) {
    return clauses_of("void f(const float* x, float* y, int n) { for (int i = 0; i < " + end + "; i += " + step +
                      ") { " + body + " } }");
  };
  const std::string vectors = "y[i] = x[i]; y[i + 7] = x[i + 7];";
  EXPECT_EQ(stepping("n", "8", vectors), "in(x[0:(n + 7)/8*8]) inout(y[0:(n + 7)/8*8])");
  EXPECT_EQ(stepping("n", "8", vectors + " } for (int i = 0; i < n; ++i) { y[i] = x[i];"),
            "in(x[0:(n + 7)/8*8]) inout(y[0:(n + 7)/8*8])");
  EXPECT_EQ(stepping("n - 7", "8", vectors), "in(x[0:n]) inout(y[0:n])");
  EXPECT_EQ(stepping("n", "4", "y[i] = x[i] + x[i + 2];"), "in(x[0:((n + 3)/4*4) - 1]) inout(y[0:n])");
  EXPECT_EQ(stepping("2*n", "2", "y[i] = x[i + 1]; y[i + 1] = x[i];"), "in(x[0:2*n]) inout(y[0:2*n])");
  EXPECT_EQ(stepping("20", "8", vectors), "in(x[0:24]) inout(y[0:24])");
}

TEST(Infer, BoundsDataByItsTypeAndByMasks) {
  EXPECT_EQ(clauses_of("void f(const unsigned char* x, unsigned* counts, int n) {"
                       " for (int i = 0; i < n; ++i) counts[x[i]]++; }"),
            "in(x[0:n]) inout(counts[0:256])");
  EXPECT_EQ(clauses_of("void f(const int* x, unsigned* counts, int n) {"
                       " for (int i = 0; i < n; ++i) counts[x[i] & 15]++; }"),
            "in(x[0:n]) inout(counts[0:16])");
}

TEST(Infer, FollowsPointersThatCountAlong) {
  EXPECT_EQ(clauses_of("void f(const char* s, char* d, int n) { for (int i = 0; i < n; ++i) *d++ = *s++; }"),
            "in(s[0:n]) inout(d[0:n])");
  EXPECT_EQ(clauses_of("void f(const char* s, char* d, int n) { while (n--) *d++ = *s++; }"),
            "in(s[0:n]) inout(d[0:n])");
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int w, int h) {"
                       " for (int r = 0; r < h; ++r) { const float* row = x + r * w;"
                       " for (int i = 0; i < w; ++i) y[r] += row[i]; } }"),
            "in(x[0:w*h]) inout(y[0:h])");
}

TEST(Infer, FollowsPointersThatStepOverRows) {
  EXPECT_EQ(clauses_of("void f(float* grid, int bands) {"
                       " for (int i = 0; i < bands; i++, grid += 18) { grid[17] += grid[0]; } }"),
            "inout(grid[0:18*bands])");
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int n) {"
                       " for (int i = 0; i < n; i++) { *y++ = *x++; *y++ = *x++; } }"),
            "in(x[0:2*n]) inout(y[0:2*n])");
}

TEST(Infer, FollowsIntegersThatCountAlong) {
  EXPECT_EQ(clauses_of("int f(const float* x, float* y, int n) { int m = 0;"
                       " for (int i = 0; i < n; ++i) if (x[i] > 0) y[m++] = x[i]; return m; }"),
            "in(x[0:n]) inout(y[0:n])");
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int w, int h) { int at = 0;"
                       " for (int r = 0; r < h; ++r) for (int c = 0; c < w; ++c, ++at) y[at] = x[at]; }"),
            "in(x[0:w*h]) inout(y[0:w*h])");
  EXPECT_THAT(clauses_of("void f(const float* x, float* y, int n, int k) { int at = 0;"
                         " for (int i = 0; i < n; ++i) { y[i] = x[at]; at = at * k % 7; } }"),
              HasSubstr("in(x[0:?])"));
}

TEST(Infer, FollowsLoopsThatGoOnWhereOthersEnd) {
  EXPECT_EQ(clauses_of("void f(const float* x, float* y, int n) { int i = 0;"
                       " for (; i + 3 < n; i += 4) { y[i] = x[i]; y[i + 3] = x[i + 3]; }"
                       " for (; i < n; ++i) y[i] = x[i]; }"),
            "in(x[0:n]) inout(y[0:n])");
}

TEST(Infer, FollowsPointersIntoFunctions) {
  EXPECT_EQ(clauses_of("static float dot(const float* a, const float* b, int k) {"
                       " float s = 0; for (int i = 0; i < k; ++i) s += a[i] * b[i]; return s; }\n"
                       "void f(const float* m, const float* x, float* y, int n, int d) {"
                       " for (int i = 0; i < d; ++i) y[i] = dot(m + i * n, x, n); }"),
            "in(m[0:n*d], x[0:n]) out(y[0:d])");
  EXPECT_EQ(clauses_of("#include <cstring>\nvoid f(const float* x, float* y, int n) {"
                       " std::memcpy(y, x, n * sizeof(float)); for (int i = 0; i < n; ++i) y[i] += 1; }"),
            "in(x[0:n]) inout(y[0:n])");
}

TEST(Infer, MarksWhatItCannotSay) {
  const auto found = functions_of(R"(void f(const int* rows, const double* v, double* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = rows[i]; j < rows[i + 1]; j++) y[i] += v[j];
})");
  EXPECT_THAT(found.back().inferred.pragma, HasSubstr("in(rows[0:n + 1], v[0:?])"));
  EXPECT_THAT(found.back().inferred.open, ElementsAre(HasSubstr("'v': where line 3 goes in it")));
}

TEST(Infer, NamesInstanceOfTemplate) {
  const auto found = functions_of(
      "template <class T, int N> void f(const T* x, T* y, int n) {"
      " for (int i = 0; i < n; ++i) y[i] = x[i] * N; }\n"
      "void g(const float* x, float* y) { f<float, 3>(x, y, 7); }");
  EXPECT_THAT(found.front().inferred.pragma, HasSubstr("instantiate(T=float, N=3)"));
}

TEST(Survey, TellsFunctionsThatOneUseOfMacroMakes) {
  const auto found = functions_of(
      "#define JOIN(a, b) a##b\n#define NAME(x) JOIN(x, H6)\n#define ONE(x) void x(int* p) { *p = 1; }\n"
      "#define TWO(x, y) ONE(x) ONE(y)\nstatic void NAME(f)(int* p) { *p = 1; }\nONE(g)\nTWO(h, i)\n");
  std::map<std::string, bool> shares;
  for (const SurveyedFunction& function : found) shares[function.name] = function.shares_macro;
  EXPECT_THAT(shares, testing::UnorderedElementsAre(testing::Pair("fH6", false), testing::Pair("g", false),
                                                    testing::Pair("h", true), testing::Pair("i", true)));
}

// As in bitmap_image.hpp: `for (…; …; ++itr->i)`.
TEST(Infer, LeavesLoopsOpenThatCountNoVariable) {
  for (const char* counting : {"++s->i", "s->i--", "++*p", "p[0] += 2", "*p = *p + 1", "++*p, ++s->i"})
    EXPECT_NE(
        clauses_of(std::string("struct S { int i; };\nvoid f(float* x, S* s, int* p, int m) { for (s->i = 0; s->i < "
                               "m; ") +
                   counting + ") x[s->i] = 1; }"),
        "")
        << counting;
}

TEST(Infer, EndsOnWhateverStandsThere) {
  for (const char* text :
       {"void f(int** a, int n) { for (;;) if (a[0][n]) break; }",
        "void f(float* p) { while (*p) p += *p > 1 ? 1 : 2; }", "int f(int n) { return n ? f(n - 1) : 0; }",
        "struct S { float* x; }; void f(S* s, int n) { s->x[n] = 1; }",
        "void f(float (*a)[4], int n) { for (int i = n; i-- > 0;) a[i][3] = 0; }",
        "void f(float* x, int n) { for (int i = 0, j = n; i < j; i++, --j) x[i] = x[j]; }",
        "void f(char* x, unsigned long n) { auto g = [&](unsigned long i) { x[i] = 1; }; for (auto i = n; i; --i) "
        "g(i); }",
        "void f(float* x, int n) { goto b; a: x[0] = 1; b: if (n) goto a; }", "void f(void* p, int) { (char*)p; }"})
    EXPECT_THAT(functions_of(text).back().inferred.pragma, HasSubstr("#pragma hone kernel")) << text;
}

}  // namespace
}  // namespace hone::frontend
