/* What a function named by workload(fn) works with: it draws arguments, says what is timed, and hands over what is
 * compared.
 *
 *   #include <hone/workload.h>
 *
 *   inline void merge_case(hone::workload& w, int n) {         // n: as problem(n=…) and the judge say
 *     std::vector<int> into(n), from(n / 2);
 *     w.fill(into, 0, 1000000);
 *     w.fill(from, 0, 1000000);
 *     w.time([&] { merge(into, from); });                      // once; nothing else is timed
 *     w.exact(into);                                           // compared by the judge, not here
 *   }
 *   #pragma hone kernel workload(merge_case) problem(n=100000) problem(n=1000)
 *   void merge(std::vector<int>& into, const std::vector<int>& from) { … }
 *
 * The original and every candidate get arguments of their own, drawn from the same seed. Several workloads may be alive
 * at once: time() returns when they have all been timed. Nothing here compares, knows an expected result, or does
 * anything in a program that does not call it. C++11 and later; includes nothing but small headers of the library.
 * In C and C++98 the same stands under other names: workload_c.h.
 */
#ifndef HONE_WORKLOAD_H
#define HONE_WORKLOAD_H

#pragma GCC system_header

#if !defined(__cplusplus) || __cplusplus < 201103L
#include "workload_c.h"
#else

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace hone {

class workload;

namespace detail {

/* Where results go: one array of each kind, in memory of the judge's. */
enum { bytes_stream, integers_stream, reals_stream, floats_stream, doubles_stream = 6, stream_count = 9 };

struct stream {
  void* at;                /* null: only counted */
  unsigned long long room; /* elements */
  unsigned long long used; /* more than room: the rest is in the digest alone */
};

/* One run of a workload, as Hone's own code makes it. */
struct workload_state {
  unsigned long long random;
  unsigned long long shape;  /* of ranges: their lengths, in order */
  unsigned long long digest; /* of what had no room */
  unsigned timed, skipped, floats, doubles;
  stream streams[stream_count];
  void (*ready)(void* self, void (*run)(void*), void* argument); /* runs it, now or before it returns */
  void* self;
};

inline unsigned long long mixed(unsigned long long value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

inline void add_to(unsigned long long& digest, unsigned long long value) {
  digest = mixed(digest + 0x9e3779b97f4a7c15ull + value);
}

template <class T>
void put(workload_state& state, stream& to, const T* values, std::size_t count) {
  const unsigned long long left = to.used < to.room ? to.room - to.used : 0;
  const std::size_t fits = left < count ? static_cast<std::size_t>(left) : count;
  if (to.at && fits) std::memcpy(static_cast<T*>(to.at) + to.used, values, fits * sizeof(T));
  for (std::size_t i = fits; to.at && i < count; ++i) {
    unsigned long long bits = 0;
    std::memcpy(&bits, values + i, sizeof(T));
    add_to(state.digest, bits);
  }
  to.used += count;
}

template <class T>
struct is_whole : std::integral_constant<bool, std::is_integral<T>::value || std::is_enum<T>::value> {};

template <class T, bool = std::is_enum<T>::value>
struct whole_type {
  typedef T type;
};
template <class T>
struct whole_type<T, true> {
  typedef typename std::underlying_type<T>::type type;
};

template <class T>
auto test_range(int) -> decltype(std::declval<const T&>().begin() != std::declval<const T&>().end(), std::true_type());
template <class T>
std::false_type test_range(...);
template <class T>
auto test_pair(int) -> decltype(std::declval<const T&>().first, std::declval<const T&>().second, std::true_type());
template <class T>
std::false_type test_pair(...);
template <class T>
auto test_complex(int) -> decltype(std::declval<const T&>().real(), std::declval<const T&>().imag(), std::true_type());
template <class T>
std::false_type test_complex(...);

struct by_value {};
struct by_elements {};
struct by_array {};
struct by_pair {};
struct by_parts {};
struct by_nothing {};

template <class T>
struct way {
  typedef typename std::conditional<
      is_whole<T>::value || std::is_floating_point<T>::value, by_value,
      typename std::conditional<
          std::is_array<T>::value, by_array,
          typename std::conditional<
              decltype(test_range<T>(0))::value, by_elements,
              typename std::conditional<decltype(test_pair<T>(0))::value, by_pair,
                                        typename std::conditional<decltype(test_complex<T>(0))::value, by_parts,
                                                                  by_nothing>::type>::type>::type>::type>::type type;
};

/* Takes values apart, down to numbers. */
class writer {
 public:
  writer(workload_state& state, bool exact) : state_(state), exact_(exact), any_(false) {}
  ~writer() {
    if (!any_ || exact_) return;
    if (state_.floats < 2) ++state_.floats; /* what close() is given next has a scale of its own, twice */
    if (state_.doubles < 2) ++state_.doubles;
  }

  template <class T>
  void take(const T& value) {
    take(value, typename way<T>::type());
  }
  template <class T>
  void take(const T* values, std::size_t count) {
    add_to(state_.shape, count);
    take_all(values, count, is_whole<T>());
  }

 private:
  template <class T>
  void take(const T& value, by_value) {
    take_all(&value, 1, is_whole<T>());
  }
  template <class T, std::size_t N>
  void take(const T (&values)[N], by_array) {
    take(static_cast<const T*>(values), N);
  }
  template <class T>
  void take(const T& range, by_elements) {
    unsigned long long count = 0;
    for (auto at = range.begin(); at != range.end(); ++at, ++count) {
      const typename std::decay<decltype(*at)>::type& element = *at;
      take(element);
    }
    add_to(state_.shape, count);
  }
  template <class T>
  void take(const T& both, by_pair) {
    take(both.first);
    take(both.second);
  }
  template <class T>
  void take(const T& number, by_parts) {
    take(number.real());
    take(number.imag());
  }
  template <class T>
  void take(const T&, by_nothing) {
    static_assert(!std::is_same<typename way<T>::type, by_nothing>::value,
                  "hone: hand over numbers, enumerations, and ranges and pairs of them: of a class, its members one "
                  "after the other; of what a pointer points to, exact(pointer, count)");
  }

  template <class T>
  void take_all(const T* values, std::size_t count, std::true_type) {
    take_whole(values, count, std::integral_constant<bool, sizeof(T) == 1>());
  }
  template <class T>
  void take_whole(const T* values, std::size_t count, std::true_type) {
    put(state_, state_.streams[bytes_stream], reinterpret_cast<const unsigned char*>(values), count);
  }
  template <class T>
  void take_whole(const T* values, std::size_t count, std::false_type) {
    for (std::size_t i = 0; i < count; ++i) {
      const long long value = static_cast<long long>(static_cast<typename whole_type<T>::type>(values[i]));
      put(state_, state_.streams[integers_stream], &value, 1);
    }
  }
  /* Elements of classes, in an array. */
  template <class T>
  typename std::enable_if<!std::is_floating_point<T>::value>::type take_all(const T* values, std::size_t count,
                                                                            std::false_type) {
    for (std::size_t i = 0; i < count; ++i) take(values[i]);
  }
  template <class T>
  typename std::enable_if<std::is_floating_point<T>::value>::type take_all(const T* values, std::size_t count,
                                                                           std::false_type) {
    any_ = true;
    if (!exact_ && std::is_same<T, float>::value)
      return put(state_, state_.streams[floats_stream + state_.floats], values, count);
    stream& to = state_.streams[exact_ ? static_cast<unsigned>(reals_stream) : doubles_stream + state_.doubles];
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(values[i]);
      put(state_, to, &value, 1);
      if (sizeof(T) <= sizeof(double)) continue;
      const double rest = static_cast<double>(values[i] - static_cast<T>(value)); /* of a long double */
      put(state_, to, &rest, 1);
    }
  }

  workload_state& state_;
  bool exact_, any_;
};

/* Calls what is timed and keeps what it returns. */
template <class R>
class timed {
 public:
  template <class Run>
  static R run(workload_state& state, Run& run) {
    call<Run> made = {&run, {}};
    state.ready(state.self, &call<Run>::go, &made);
    R* const result = reinterpret_cast<R*>(&made.result);
    const destroyed end = {result};
    return std::move(*end.result);
  }

 private:
  template <class Run>
  struct call {
    Run* run;
    typename std::aligned_storage<sizeof(R), alignof(R)>::type result;
    static void go(void* self) { ::new (&static_cast<call*>(self)->result) R((*static_cast<call*>(self)->run)()); }
  };
  struct destroyed {
    R* result;
    ~destroyed() { result->~R(); }
  };
};

template <class R>
class timed<R&> {
 public:
  template <class Run>
  static R& run(workload_state& state, Run& run) {
    call<Run> made = {&run, nullptr};
    state.ready(state.self, &call<Run>::go, &made);
    return *made.result;
  }

 private:
  template <class Run>
  struct call {
    Run* run;
    R* result;
    static void go(void* self) { static_cast<call*>(self)->result = &(*static_cast<call*>(self)->run)(); }
  };
};

template <>
class timed<void> {
 public:
  template <class Run>
  static void run(workload_state& state, Run& run) {
    state.ready(state.self, &go<Run>, &run);
  }

 private:
  template <class Run>
  static void go(void* run) {
    (*static_cast<Run*>(run))();
  }
};

} /* namespace detail */

/* One set of arguments. A generator of random numbers too: std::shuffle(v.begin(), v.end(), w). */
class workload {
 public:
  explicit workload(detail::workload_state& state) : state_(state) {}
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;

  typedef unsigned long long result_type;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ull; }
  result_type operator()() { return detail::mixed(state_.random += 0x9e3779b97f4a7c15ull); }

  /* From low to high, both included. */
  long long integer(long long low, long long high) {
    const unsigned long long values = static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low) + 1;
    const unsigned long long drawn = (*this)();
    return static_cast<long long>(static_cast<unsigned long long>(low) + (values ? drawn % values : drawn));
  }
  /* From low up to high. */
  double real(double low, double high) {
    return low + (high - low) * (static_cast<double>((*this)() >> 11) * (1.0 / 9007199254740992.0));
  }

  /* Each element of a range of numbers, from the same bounds as above. */
  template <class Range>
  void fill(Range& range, double low, double high) {
    for (auto& element : range) draw(element, low, high);
  }
  template <class T>
  void fill(T* values, std::size_t count, double low, double high) {
    for (std::size_t i = 0; i < count; ++i) draw(values[i], low, high);
  }

  /* What is timed, once in each run; gives back what `run` returns. An exception must not leave it. */
  template <class Run>
  auto time(Run&& run) -> decltype(run()) {
    ++state_.timed;
    return detail::timed<decltype(run())>::run(state_, run);
  }

  /* Results that must be the same. */
  template <class T>
  void exact(const T& value) {
    detail::writer(state_, true).take(value);
  }
  template <class T>
  void exact(const T* values, std::size_t count) {
    detail::writer(state_, true).take(values, count);
  }
  /* Results whose floating-point numbers may differ by the annotation's tolerance; the rest must be the same. */
  template <class T>
  void close(const T& value) {
    detail::writer(state_, false).take(value);
  }
  template <class T>
  void close(const T* values, std::size_t count) {
    detail::writer(state_, false).take(values, count);
  }

  /* Where many results are right: what must hold of this one, as it does of the original's. Unlike results that are
   * handed over, this is computed beside the candidate, so hand over what can be. */
  void check(bool holds) { exact(holds); }

  /* There is no workload for these values of the parameters; return after it. Not for those of a problem(…). */
  void skip() { state_.skipped = 1; }

 private:
  template <class T>
  void draw(T& element, double low, double high) {
    draw(element, low, high, std::is_floating_point<T>());
  }
  template <class T>
  void draw(T& element, double low, double high, std::true_type) {
    element = static_cast<T>(real(low, high));
  }
  template <class T>
  void draw(T& element, double low, double high, std::false_type) {
    element = static_cast<T>(integer(static_cast<long long>(low), static_cast<long long>(high)));
  }

  detail::workload_state& state_;
};

} /* namespace hone */

#endif /* __cplusplus */

#endif
