// One step of heat diffusion (five-point stencil) on a padded grid, by three row pointers that walk and skip the padding after each row.

#pragma hone kernel in(grid[0:(width+2)*(height+2)]) out(next[0:width*height]) problem(width=127, height=63, rate=0.2) tolerance(rtol=1e-6)
void heat_step(const double* grid, double* next, int width, int height, double rate) {
  const int stride = width + 2;
  const double* above = grid + 1;
  const double* mid = above + stride;
  const double* below = mid + stride;
  while (height-- > 0) {
    const double* row_end = mid + width;
    while (mid < row_end) {
      *next++ = *mid + rate * (*above + *below + mid[-1] + mid[1] - 4.0 * *mid);
      ++above;
      ++mid;
      ++below;
    }
    above += 2;
    mid += 2;
    below += 2;
  }
}
