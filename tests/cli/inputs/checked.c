// Calls a checked entry with what fits and with what does not.
#include "checked.h"

#include <assert.h>

// The text of what is wrong with an array, or "fine".
static const char *outcome(const freehold_array *a, float factor) {
  static char message[160];
  float total = 0;
  return total_checked(&total, a, factor, message, sizeof message) ? message : "fine";
}

#define MARGIN 64

// Sizes at random: a window is slid over what has room for it, or the call is refused. Elements around the arrays show
// what is read or written there.
static int windows(void) {
  static float memory[3][MARGIN + 36 + MARGIN];
  unsigned seed = 7;
  int accepted = 0, said = 0;
  for (int round = 0; round < 20000; round++) {
    int64_t sizes[3][2], n[3], i, j, p, q;
    freehold_array arrays[3];
    char message[320];
    for (int a = 0; a < 3; a++) {
      for (int k = 0; k < 2; k++) {
        seed = seed * 1103515245u + 12345u;
        sizes[a][k] = (int64_t)(seed >> 16) % (a ? 4 : 7);
      }
      n[a] = sizes[a][0] * sizes[a][1];
      for (i = 0; i < MARGIN + 36 + MARGIN; i++)
        memory[a][i] = i >= MARGIN && i < MARGIN + n[a] ? (float)(i % 5) : -1e30f;
      arrays[a] = (freehold_array){memory[a] + MARGIN, "f32", 2, sizes[a], 0};
    }
    int fits = !n[1] || !n[2] ||
               (sizes[0][0] >= sizes[2][0] + sizes[1][0] - 1 && sizes[0][1] >= sizes[2][1] + sizes[1][1] - 1);
    float expected[36] = {0};
    for (i = 0; fits && i < sizes[2][0]; i++)
      for (j = 0; j < sizes[2][1]; j++) {
        float sum = memory[2][MARGIN + i * sizes[2][1] + j];
        for (p = 0; p < sizes[1][0]; p++)
          for (q = 0; q < sizes[1][1]; q++)
            sum += memory[0][MARGIN + (i + p) * sizes[0][1] + j + q] * memory[1][MARGIN + p * sizes[1][1] + q];
        expected[i * sizes[2][1] + j] = sum;
      }
    int refused = window_checked(&arrays[0], &arrays[1], &arrays[2], message, sizeof message);
    assert(refused == !fits);
    if (refused && !said++)
      puts(message);
    for (i = 0; !refused && i < n[2]; i++)
      assert(memory[2][MARGIN + i] == expected[i]);
    for (int a = 0; a < 3; a++)
      for (i = 0; i < MARGIN + 36 + MARGIN; i++)
        assert((i >= MARGIN && i < MARGIN + n[a]) || memory[a][i] == -1e30f);
    accepted += !refused;
  }
  return accepted;
}

int main(void) {
  float data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  int64_t rows[2] = {2, 3}, columns[2] = {1, 2}, wide[2] = {2, 4}, negative[2] = {-1, 3}, huge[2] = {INT64_MAX, 3};
  char message[160];
  float sum = 0;
  freehold_array a = {data, "f32", 2, rows, 0};
  assert(!total_checked(&sum, &a, 2, message, sizeof message));
  printf("%g\n", sum);
  a.strides = columns;
  puts(outcome(&a, 1));
  a.strides = 0;
  a.sizes = wide;
  puts(outcome(&a, 1));
  a.sizes = negative;
  puts(outcome(&a, 1));
  a.sizes = huge;
  puts(outcome(&a, 1));
  a.sizes = rows;
  a.type = "f64";
  puts(outcome(&a, 1));
  a.type = "f32";
  a.rank = 1;
  puts(outcome(&a, 1));
  a.rank = 2;
  a.data = 0;
  puts(outcome(&a, 1));
  a.data = (char *)data + 2;
  puts(outcome(&a, 1));
  puts(outcome(0, 1));
  assert(total_checked(&sum, 0, 1, 0, 0) == 1);

  // Strides are used where the type allows any.
  freehold_memref_f32_1d doubled;
  int64_t three = 3, step = 4;
  freehold_array b = {data, "f32", 1, &three, &step};
  assert(!doubled_checked(&doubled, &b, message, sizeof message));
  printf("%g %g %g\n", doubled.aligned[0], doubled.aligned[1], doubled.aligned[2]);
  freehold_free(doubled);

  // Ranks, sizes, strides and types at random: what is accepted stays in bounds, as a sanitizer sees.
  unsigned seed = 1;
  int accepted = 0;
  for (int i = 0; i < 20000; i++) {
    int64_t sizes[2], strides[2];
    for (int k = 0; k < 2; k++) {
      seed = seed * 1103515245u + 12345u;
      sizes[k] = (int64_t)(seed >> 16) % 7 - 1;
      seed = seed * 1103515245u + 12345u;
      strides[k] = (int64_t)(seed >> 16) % 7 - 1;
    }
    // Whether an accepted array is in memory is up to its maker.
    if (sizes[0] > 0 && sizes[1] > 0 && sizes[0] * sizes[1] > 12)
      continue;
    freehold_array c = {i % 11 ? data : 0, i % 5 ? "f32" : "i32", i % 7 ? 2 : 1, sizes, i % 3 ? strides : 0};
    accepted += !total_checked(&sum, &c, 1, message, sizeof message);
  }
  puts(accepted > 100 ? "some are accepted" : "hardly any is accepted");
  accepted = windows();
  puts(accepted > 1000 && accepted < 19000 ? "some windows are accepted" : "windows are accepted wrongly");
}
