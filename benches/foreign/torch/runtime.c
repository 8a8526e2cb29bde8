#include "../memref.h"

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

void tm_sort(ROW(m)) { qsort((float *)m_aligned + m_offset, m_size, sizeof(float), compare); }

void tm_scan(ROW(in), ROW(out), void *sum_allocated, void *sum_aligned, intptr_t sum_offset) {
  float *sum = (float *)sum_aligned + sum_offset;
  for (intptr_t i = 0; i < in_size; i++)
    ((float *)out_aligned)[out_offset + i] = *sum += ((float *)in_aligned)[in_offset + i];
}

void flow_update(ROW(part), ROW(whole), intptr_t start) {
  memcpy((float *)whole_aligned + whole_offset + start, (float *)part_aligned + part_offset, part_size * sizeof(float));
}

Row flow_dispatch(ROW(in)) {
  float *data = allocate(in_size * sizeof(float));
  for (intptr_t i = 0; i < in_size; i++) data[i] = 2 * ((float *)in_aligned)[in_offset + i];
  Row result = {data, data, 0, in_size, 1};
  return result;
}
