/* Runs a StableHLO program on a PJRT plugin: `pjrt PLUGIN PROGRAM [NUMBER...]`.

   The program is text, bytecode or an artifact of `jax.export`. Its function @main takes one vector of f32, the numbers,
   and returns tensors of f32, which are printed. With XLA's header pjrt_c_api.h, the declarations below are not needed:
   they are the few that this program uses, of version 0.81 of the interface.

   cc examples/pjrt.c -o pjrt -ldl */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every structure begins with its size, and a list of extensions. */
#define HEAD size_t size; void *extensions

typedef void *(*Function)(void *arguments);
typedef struct {
  HEAD;
  struct { HEAD; int major, minor; } version;
  Function functions[];
} Api;

/* Places in the table of functions. */
enum {
  ERROR_MESSAGE = 1, EVENT_DESTROY = 5, EVENT_AWAIT = 8, CLIENT_CREATE = 10, CLIENT_DESTROY = 11,
  CLIENT_COMPILE = 20, BUFFER_FROM_HOST = 22, EXECUTABLE_DESTROY = 40, EXECUTABLE_NUM_OUTPUTS = 44,
  LOADED_DESTROY = 50, LOADED_GET_EXECUTABLE = 51, LOADED_EXECUTE = 55, BUFFER_DESTROY = 58, BUFFER_TO_HOST = 70
};

typedef struct { HEAD; void *error; const char *text; size_t length; } ErrorMessage;
typedef struct { HEAD; void *handle; } Only;
typedef struct {
  HEAD; void *options; size_t n_options; void *get, *get_argument, *put, *put_argument; void *client;
} ClientCreate;
typedef struct { HEAD; const char *code; size_t code_size; const char *format; size_t format_size; } Program;
typedef struct {
  HEAD; void *client; const Program *program; const char *options; size_t options_size; void *executable;
} ClientCompile;
typedef struct {
  HEAD; void *client; const void *data; int type; const int64_t *dims; size_t n_dims; const int64_t *strides;
  size_t n_strides; int semantics; void *device, *memory, *layout, *done, *buffer;
} BufferFromHost;
typedef struct { HEAD; void *loaded, *executable; } GetExecutable;
typedef struct { HEAD; void *executable; size_t number; } ExecutableNumber;
typedef struct {
  HEAD; void *send, *receive; size_t n_send, n_receive; int launch; const int64_t *kept; size_t n_kept;
} ExecuteOptions;
typedef struct {
  HEAD; void *executable; ExecuteOptions *options; void *const *const *arguments; size_t n_devices, n_arguments;
  void **const *outputs; void **events; void *device;
} Execute;
typedef struct { HEAD; void *buffer, *layout, *to; size_t to_size; void *event; } ToHost;

static const Api *api;

/* Calls a function; errors end the process. */
static void call(int place, void *arguments) {
  void *error = api->functions[place](arguments);
  if (!error) return;
  ErrorMessage message = {.size = sizeof message, .error = error};
  api->functions[ERROR_MESSAGE](&message);
  fprintf(stderr, "error: %.*s\n", (int)message.length, message.text);
  exit(1);
}

static void destroy(int place, void *handle) {
  call(place, &(Only){.size = sizeof(Only), .handle = handle});
}

static void await(void *event) {
  call(EVENT_AWAIT, &(Only){.size = sizeof(Only), .handle = event});
  destroy(EVENT_DESTROY, event);
}

static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file) { perror(name); exit(1); }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) { perror(name); exit(1); }
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc < 3) { fprintf(stderr, "usage: pjrt PLUGIN PROGRAM [NUMBER...]\n"); return 2; }
  void *library = dlopen(argv[1], RTLD_NOW);
  const Api *(*get)(void) = library ? (const Api *(*)(void))dlsym(library, "GetPjrtApi") : NULL;
  if (!get) { fprintf(stderr, "error: %s\n", dlerror()); return 1; }
  api = get();
  fprintf(stderr, "version %d.%d of the interface\n", api->version.major, api->version.minor);

  ClientCreate client = {.size = sizeof client};
  call(CLIENT_CREATE, &client);

  Program program = {.size = sizeof program, .format = "mlir", .format_size = 4};
  program.code = read_file(argv[2], &program.code_size);
  ClientCompile compile = {.size = sizeof compile, .client = client.client, .program = &program};
  call(CLIENT_COMPILE, &compile);

  int64_t n = argc - 3;
  float *numbers = malloc(sizeof(float) * (size_t)(n ? n : 1));
  for (int64_t i = 0; i < n; i++) numbers[i] = strtof(argv[i + 3], NULL);
  enum { F32 = 11, UNTIL_DONE = 1 };
  BufferFromHost from = {.size = sizeof from, .client = client.client, .data = numbers, .type = F32,
                         .dims = &n, .n_dims = 1, .semantics = UNTIL_DONE};
  call(BUFFER_FROM_HOST, &from);
  await(from.done);

  GetExecutable of = {.size = sizeof of, .loaded = compile.executable};
  call(LOADED_GET_EXECUTABLE, &of);
  ExecutableNumber outputs = {.size = sizeof outputs, .executable = of.executable};
  call(EXECUTABLE_NUM_OUTPUTS, &outputs);

  void **results = calloc(outputs.number + 1, sizeof *results);
  void *event = NULL;
  ExecuteOptions options = {.size = sizeof options};
  Execute execute = {.size = sizeof execute, .executable = compile.executable, .options = &options,
                     .arguments = (void *const *const[]){(void *const[]){from.buffer}}, .n_devices = 1,
                     .n_arguments = 1, .outputs = (void **const[]){results}, .events = &event};
  call(LOADED_EXECUTE, &execute);
  await(event);

  for (size_t i = 0; i < outputs.number; i++) {
    ToHost size = {.size = sizeof size, .buffer = results[i]};
    call(BUFFER_TO_HOST, &size);
    float *elements = malloc(size.to_size + 1);
    ToHost to = {.size = sizeof to, .buffer = results[i], .to = elements, .to_size = size.to_size};
    call(BUFFER_TO_HOST, &to);
    await(to.event);
    for (size_t j = 0; j < to.to_size / sizeof(float); j++) printf("%s%g", j ? " " : "", elements[j]);
    printf("\n");
    free(elements);
    destroy(BUFFER_DESTROY, results[i]);
  }
  destroy(BUFFER_DESTROY, from.buffer);
  destroy(EXECUTABLE_DESTROY, of.executable);
  destroy(LOADED_DESTROY, compile.executable);
  destroy(CLIENT_DESTROY, client.client);
  return 0;
}
