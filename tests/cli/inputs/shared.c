/* Loads the shared library of shared.mlir and calls it. */
#include <dlfcn.h>
#include <stdio.h>

#include "shared.h"

/* A function of this program that bears the name of one of the library does not take its place. */
int64_t once(int64_t x) { return -x; }

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    printf("not loaded: %s\n", dlerror());
    return 1;
  }
  int64_t (*function)(int64_t) = (int64_t (*)(int64_t))dlsym(library, "twice");
  const int64_t *global = dlsym(library, "seven");
  printf("calls %d, global %d\n", (int)function(3), (int)*global);
  printf("hidden %p, runtime %p\n", dlsym(library, "hidden"), dlsym(library, "freehold_retain"));
  return 0;
}
