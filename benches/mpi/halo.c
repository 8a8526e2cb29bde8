// The stencil of halo.py in C: seconds of the slowest process. -DBLOCKING waits before anything is computed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void step(const double (*restrict a)[COLUMNS], double (*restrict b)[COLUMNS], long first, long end) {
  for (long i = first; i < end; i++)
    for (long j = 1; j < COLUMNS - 1; j++)
      b[i][j] = 0.25 * ((a[i - 1][j] + a[i + 1][j]) + (a[i][j - 1] + a[i][j + 1]));
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double(*a)[COLUMNS] = malloc(sizeof(double[ROWS + 2][COLUMNS]));
  double(*b)[COLUMNS] = malloc(sizeof(double[ROWS + 2][COLUMNS]));
  for (long i = 0; i < ROWS + 2; i++)
    for (long j = 0; j < COLUMNS; j++) a[i][j] = b[i][j] = (double)(rank * ROWS + i);
  int above = (rank + size - 1) % size, below = (rank + 1) % size;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int t = 0; t < STEPS; t++) {
    MPI_Request r[4];
    MPI_Irecv(a[0], COLUMNS, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(a[ROWS + 1], COLUMNS, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(a[1], COLUMNS, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(a[ROWS], COLUMNS, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &r[3]);
#ifdef BLOCKING
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    step((const double(*)[COLUMNS])a, b, 1, ROWS + 1);
#else
    step((const double(*)[COLUMNS])a, b, 2, ROWS);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    step((const double(*)[COLUMNS])a, b, 1, 2);
    step((const double(*)[COLUMNS])a, b, ROWS, ROWS + 1);
#endif
    double(*other)[COLUMNS] = a;
    a = b;
    b = other;
  }
  double own[2] = {MPI_Wtime() - start, 0}, all[2], sum = 0;
  for (long i = 1; i < ROWS + 1; i++)
    for (long j = 0; j < COLUMNS; j++) sum += a[i][j];
  MPI_Allreduce(&own[0], &all[0], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&sum, &all[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (!rank) printf("%.9f %.17g\n", all[0], all[1]);
  MPI_Finalize();
}
