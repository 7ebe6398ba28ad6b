/* Workloads in C and C++98: what a function named by workload(fn) works with. workload.h includes this there.
 *
 *   #include <hone/workload.h>
 *
 *   struct unpacking { const unsigned char *from; unsigned char *to; int n, length; };
 *   HONE_WORKLOAD void unpack_run(void *given) {
 *     struct unpacking *const u = given;
 *     u->length = unpack(u->from, u->n, u->to);
 *   }
 *   HONE_WORKLOAD void unpack_case(hone_workload *w, int n) {    // n: as problem(n=…) and the judge say
 *     struct unpacking u = {malloc(n), calloc(2, n), n, 0};
 *     hone_fill(w, (unsigned char *)u.from, n, 0, 255);
 *     hone_time(w, unpack_run, &u);                              // once; nothing else is timed
 *     hone_exact(w, &u.length, 1);                               // compared by the judge, not here
 *     hone_exact(w, u.to, u.length);
 *     free(…);
 *   }
 *   #pragma hone kernel workload(unpack_case) problem(n=100000) problem(n=1000)
 *   int unpack(const unsigned char *from, int n, unsigned char *to) { … }
 *
 * C89, C++98 and later, with gcc's and clang's extensions. The values of arrays and the counts are those of <hone/workload.h>.
 */
#ifndef HONE_WORKLOAD_C_H
#define HONE_WORKLOAD_C_H

#pragma GCC system_header

#include <stddef.h>

/* So stands a workload in front of its type: compilers say nothing of a function that the program never calls. */
#define HONE_WORKLOAD static __inline__ __attribute__((__unused__))

/* Where results go: one array of each kind, in memory of the judge's. As in workload.h. */
enum { hone_bytes_stream, hone_integers_stream, hone_reals_stream, hone_floats_stream, hone_doubles_stream = 6,
       hone_stream_count = 9 };

struct hone_stream {
  void *at;                /* null: only counted */
  unsigned long long room; /* elements */
  unsigned long long used; /* more than room: the rest is in the digest alone */
};

/* One set of arguments, as Hone's own code makes it. Its members are not for a workload. */
typedef struct hone_workload {
  unsigned long long random;
  unsigned long long shape;  /* of arrays: their lengths, in order */
  unsigned long long digest; /* of what had no room */
  unsigned timed, skipped, floats, doubles;
  struct hone_stream streams[hone_stream_count];
  void (*ready)(void *self, void (*run)(void *), void *argument); /* runs it, now or before it returns */
  void *self;
} hone_workload;

/* What elements are: whole numbers, real ones, or complex ones, which are two. */
struct hone_element {
  int kind; /* as __builtin_classify_type says */
  size_t size;
  int negative; /* may be below zero */
};
#define HONE_REAL_TYPE 8
#define HONE_COMPLEX_TYPE 9

HONE_WORKLOAD struct hone_element hone_element_of(int kind, size_t size, int negative) {
  struct hone_element element;
  element.kind = kind;
  element.size = size;
  element.negative = negative;
  return element;
}

/* What a pointer points to. Where that is no number, the compiler names this, which says what to do. */
#ifdef __cplusplus
template <class T>
HONE_WORKLOAD hone_element hone_hand_over_numbers_and_members_of_a_struct_one_after_the_other(const T *) {
  return hone_element_of(__builtin_classify_type(T()), sizeof(T), __real__(((T)-1) + 0) < 0);
}
#define HONE_ELEMENT(values) hone_hand_over_numbers_and_members_of_a_struct_one_after_the_other(values)
#else
#define HONE_IS_NUMBER(x)                                                            \
  (__builtin_classify_type(x) >= HONE_REAL_TYPE                                      \
       ? __builtin_classify_type(x) <= HONE_COMPLEX_TYPE && sizeof(x) >= sizeof(float) \
       : __builtin_classify_type(x) <= 4 && sizeof(x) <= 8)
/* The bit-field is of negative width where that is no number. */
#define HONE_ELEMENT(values)                                                                 \
  hone_element_of(__builtin_classify_type(*(values)),                                        \
                  sizeof(*(values)) + 0 * sizeof(struct {                                    \
                    int hone_hand_over_numbers_and_members_of_a_struct_one_after_the_other : \
                        HONE_IS_NUMBER(*(values)) ? 1 : -1;                                  \
                  }),                                                                        \
                  __real__((__typeof__(*(values))) - 1) < 0)
#endif

HONE_WORKLOAD unsigned long long hone_mixed(unsigned long long value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

HONE_WORKLOAD void hone_add_to(unsigned long long *digest, unsigned long long value) {
  *digest = hone_mixed(*digest + 0x9e3779b97f4a7c15ull + value);
}

HONE_WORKLOAD void hone_put(hone_workload *w, int stream, size_t size, const void *values, size_t count) {
  struct hone_stream *const to = &w->streams[stream];
  const unsigned long long left = to->used < to->room ? to->room - to->used : 0;
  const size_t fits = left < count ? (size_t)left : count;
  size_t i;
  if (to->at && fits) __builtin_memcpy((char *)to->at + to->used * size, values, fits * size);
  for (i = fits; to->at && i < count; ++i) {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, (const char *)values + i * size, size);
    hone_add_to(&w->digest, bits);
  }
  to->used += count;
}

HONE_WORKLOAD long long hone_whole_at(const void *at, struct hone_element element) {
  if (element.size == 2) return element.negative ? *(const short *)at : *(const unsigned short *)at;
  if (element.size == 4) return element.negative ? *(const int *)at : (long long)*(const unsigned *)at;
  return *(const long long *)at;
}

HONE_WORKLOAD void hone_put_whole(hone_workload *w, const char *values, size_t count, struct hone_element element) {
  size_t i;
  if (element.size == 1) {
    hone_put(w, hone_bytes_stream, 1, values, count);
    return;
  }
  for (i = 0; i < count; ++i) {
    const long long value = hone_whole_at(values + i * element.size, element);
    hone_put(w, hone_integers_stream, sizeof value, &value, 1);
  }
}

HONE_WORKLOAD void hone_put_real(hone_workload *w, const char *values, size_t count, size_t size, int exact) {
  const int doubles = exact ? (int)hone_reals_stream : (int)(hone_doubles_stream + w->doubles);
  size_t i;
  if (!exact && size == sizeof(float)) {
    hone_put(w, (int)(hone_floats_stream + w->floats), size, values, count);
    return;
  }
  for (i = 0; i < count; ++i) {
    const void *const at = values + i * size;
    const long double whole = size == sizeof(float)    ? *(const float *)at
                              : size == sizeof(double) ? *(const double *)at
                                                       : *(const long double *)at;
    const double value = (double)whole, rest = (double)(whole - value);
    hone_put(w, doubles, sizeof value, &value, 1);
    if (size > sizeof(double)) hone_put(w, doubles, sizeof rest, &rest, 1);
  }
}

HONE_WORKLOAD void hone_hand_over(hone_workload *w, const void *values, size_t count, struct hone_element element,
                             int exact) {
  hone_add_to(&w->shape, count);
  if (element.kind < HONE_REAL_TYPE) {
    hone_put_whole(w, (const char *)values, count, element);
    return;
  }
  if (element.kind == HONE_COMPLEX_TYPE)
    hone_put_real(w, (const char *)values, 2 * count, element.size / 2, exact);
  else
    hone_put_real(w, (const char *)values, count, element.size, exact);
  if (exact) return;
  if (w->floats < 2) ++w->floats; /* what hone_close() is given next has a scale of its own, twice */
  if (w->doubles < 2) ++w->doubles;
}

/* 64 random bits. */
HONE_WORKLOAD unsigned long long hone_random(hone_workload *w) { return hone_mixed(w->random += 0x9e3779b97f4a7c15ull); }

/* From low to high, both included. */
HONE_WORKLOAD long long hone_integer(hone_workload *w, long long low, long long high) {
  const unsigned long long values = (unsigned long long)high - (unsigned long long)low + 1;
  const unsigned long long drawn = hone_random(w);
  return (long long)((unsigned long long)low + (values ? drawn % values : drawn));
}

/* From low up to high. */
HONE_WORKLOAD double hone_real(hone_workload *w, double low, double high) {
  return low + (high - low) * ((double)(hone_random(w) >> 11) * (1.0 / 9007199254740992.0));
}

HONE_WORKLOAD void hone_draw(hone_workload *w, void *at, struct hone_element element, double low, double high) {
  if (element.kind < HONE_REAL_TYPE) {
    const long long value = hone_integer(w, (long long)low, (long long)high);
    if (element.size == 1) *(unsigned char *)at = (unsigned char)value;
    if (element.size == 2) *(unsigned short *)at = (unsigned short)value;
    if (element.size == 4) *(unsigned *)at = (unsigned)value;
    if (element.size == 8) *(unsigned long long *)at = (unsigned long long)value;
    return;
  }
  if (element.size == sizeof(float)) *(float *)at = (float)hone_real(w, low, high);
  if (element.size == sizeof(double)) *(double *)at = hone_real(w, low, high);
  if (element.size == sizeof(long double)) *(long double *)at = hone_real(w, low, high);
}

HONE_WORKLOAD void hone_fill_elements(hone_workload *w, void *values, size_t count, struct hone_element element, double low,
                                 double high) {
  size_t i;
  if (element.kind == HONE_COMPLEX_TYPE) {
    element.kind = HONE_REAL_TYPE;
    element.size /= 2;
    count *= 2;
  }
  for (i = 0; i < count; ++i) hone_draw(w, (char *)values + i * element.size, element, low, high);
}

/* Draws each of `count` numbers at `values`, from the same bounds as above. */
#define hone_fill(w, values, count, low, high) \
  hone_fill_elements((w), (values), (size_t)(count), HONE_ELEMENT(values), (double)(low), (double)(high))

/* What is timed, once in each run: calls run(argument). */
HONE_WORKLOAD void hone_time(hone_workload *w, void (*run)(void *argument), void *argument) {
  ++w->timed;
  w->ready(w->self, run, argument);
}

/* `count` results at `values` that must be the same. */
#define hone_exact(w, values, count) hone_hand_over((w), (values), (size_t)(count), HONE_ELEMENT(values), 1)

/* Results whose floating-point numbers may differ by the annotation's tolerance; whole numbers must be the same. */
#define hone_close(w, values, count) hone_hand_over((w), (values), (size_t)(count), HONE_ELEMENT(values), 0)

/* Where many results are right: what must hold of this one, as it does of the original's. Computed beside the
 * candidate, so hand over what can be. */
HONE_WORKLOAD void hone_check(hone_workload *w, int holds) {
  const unsigned char held = holds != 0;
  hone_hand_over(w, &held, 1, hone_element_of(1, 1, 0), 1);
}

/* There is no workload for these values of the parameters; return after it. Not for those of a problem(…). */
HONE_WORKLOAD void hone_skip(hone_workload *w) { w->skipped = 1; }

#endif
