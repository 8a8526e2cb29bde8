#include "../memref.h"

Row fir_allocmem(intptr_t size) {
  void *data = allocate(size * sizeof(float));
  Row result = {data, data, 0, size, 1};
  return result;
}

void fir_freemem(ROW(m)) {
  allocations--;
  free(m_allocated);
}

/* A few boxes are alive at a time. */
static Row boxes[64];
static unsigned next;

Row *fir_embox(ROW(m)) {
  Row *box = &boxes[next++ % 64];
  Row value = {m_allocated, m_aligned, m_offset, m_size, m_stride};
  *box = value;
  return box;
}

Row fir_box_addr(Row *box) { return *box; }
