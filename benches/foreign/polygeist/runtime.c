#include "../memref.h"

Row polygeist_subindex(MATRIX(m), intptr_t row) {
  Row result = {m_allocated, m_aligned, m_offset + row * m_row_stride, m_columns, m_stride};
  return result;
}

void *polygeist_memref2pointer(ROW(m)) { return (double *)m_aligned + m_offset; }

Row polygeist_pointer2memref(void *pointer) {
  Row result = {pointer, pointer, 0, -1, 1};
  return result;
}
