/* Operations of Catalyst whose functions in its runtime take something else than the operation has. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  void *allocated, *aligned;
  intptr_t offset, size, stride;
} Row;

extern void __catalyst__rt__initialize(uint32_t *seed);
extern void __catalyst__rt__device_init(char *library, char *name, char *arguments, int64_t shots, bool grows);
extern void **__catalyst__rt__array_get_element_ptr_1d(void *qubits, int64_t at);
extern bool *__catalyst__qis__Measure(void *qubit, int32_t postselect);
extern intptr_t __catalyst__qis__NamedObs(int64_t which, void *qubit);
extern void __catalyst__qis__Probs(Row *result, int64_t n_qubits, ...);
extern void __catalyst__qis__State(Row *result, int64_t n_qubits, ...);

void catalyst_init(void) { __catalyst__rt__initialize(NULL); }

void catalyst_device(int64_t shots) {
  char *library = getenv("CATALYST_DEVICE");
  __catalyst__rt__device_init(library, "LightningSimulator", "{}", shots, false);
}

void *catalyst_extract(void *qubits, int64_t at) { return *__catalyst__rt__array_get_element_ptr_1d(qubits, at); }

intptr_t catalyst_basis(void *qubits) { return (intptr_t)qubits; }

intptr_t catalyst_pauli_z(void *qubit) { return __catalyst__qis__NamedObs(3, qubit); }

bool catalyst_measure(void *qubit) { return *__catalyst__qis__Measure(qubit, -1); }

void catalyst_probs(void *allocated, void *aligned, intptr_t offset, intptr_t size, intptr_t stride) {
  Row result = {allocated, aligned, offset, size, stride};
  __catalyst__qis__Probs(&result, 0);
}

void catalyst_state(void *allocated, void *aligned, intptr_t offset, intptr_t size, intptr_t stride) {
  Row result = {allocated, aligned, offset, size, stride};
  __catalyst__qis__State(&result, 0);
}
