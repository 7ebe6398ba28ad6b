// kernel: squash
// verdict: right
// tries: a loop of labels and gotos in an old layout
#include <math.h>
void
squash(const float *x,
       float       *y,
       int          n,
       float        a)
{
	register_free:
	if (n-- <= 0) goto out;
	*y = *x / (1.0f + sqrtf(*x * *x + a)), ++x, ++y;
	goto register_free;
out:	;
}
