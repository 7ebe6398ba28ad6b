// One explicit heat step on a grid with insulated edges: finite differences with boundary ifs, Grid with operator().
#include <cstddef>
#include <vector>

struct HeatGrid {
  int nx;
  int ny;
  std::vector<double> cells;

  std::size_t index(int i, int j) const { return static_cast<std::size_t>(j) * nx + i; }
  double operator()(int i, int j) const { return cells[index(i, j)]; }
};

#pragma hone kernel in(grid.cells[0:grid.nx*grid.ny]) out(next[0:grid.nx*grid.ny]) problem(grid.nx=127, grid.ny=95, diffusion=0.2) tolerance(rtol=1e-9)
void heat_step_insulated(const HeatGrid& grid, double diffusion, double* next) {
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      const double here = grid(i, j);
      double flow = 0.0;
      if (i > 0) {
        flow += grid(i - 1, j) - here;
      }
      if (i + 1 < grid.nx) {
        flow += grid(i + 1, j) - here;
      }
      if (j > 0) {
        flow += grid(i, j - 1) - here;
      }
      if (j + 1 < grid.ny) {
        flow += grid(i, j + 1) - here;
      }
      next[grid.index(i, j)] = here + diffusion * flow;
    }
  }
}
