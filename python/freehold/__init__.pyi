import os
from typing import Any, Callable, Literal, Optional, Sequence, TypedDict, Union, final, type_check_only

from typing_extensions import Unpack

_Program = Union[str, bytes, os.PathLike[str]]

__all__ = [
    "CompileError",
    "Function",
    "Model",
    "Module",
    "Plan",
    "compile",
    "explain",
    "header",
    "jit",
    "library",
    "object",
    "onnx",
    "pipeline",
    "plan",
]

__version__: str

class CompileError(Exception):
    reports: list[dict[str, Any]]

@final
class Function:
    __name__: str
    @property
    def arguments(self) -> list[str]: ...
    @property
    def results(self) -> list[str]: ...
    @property
    def argument_names(self) -> list[Optional[tuple[str, str]]]: ...
    @property
    def result_names(self) -> list[Optional[tuple[str, str]]]: ...
    @property
    def writes(self) -> list[bool]: ...
    def __call__(self, *arguments: Any) -> Any: ...

@final
class Module:
    @property
    def functions(self) -> list[str]: ...
    def __getitem__(self, key: str, /) -> Function: ...
    def __getattr__(self, name: str) -> Function: ...

@type_check_only
class Options(TypedDict, total=False):
    entry_name: str
    ignore_dialect: Sequence[str]
    irdl_file: str
    dim: Union[Sequence[str], dict[str, int]]
    dealloc: Literal["ownership", "hlo", "clone", "copy", "none"]
    donate: bool
    merge_alloc: Literal["never", "never-grow", "always"]
    max_stack_bytes: int
    dealloc_lowering: Literal["auto", "generic", "specialized", "runtime"]
    allocator: str
    deallocator: str
    aligned_alloc: bool
    private_function_dynamic_ownership: bool
    fp: Literal["strict", "contract", "fast"]
    flush_denormals: bool
    matrix_default_layout: Literal["column-major", "row-major"]
    no_library_calls: bool
    opt_level: Literal[0, 1, 2, 3]
    codegen_level: Literal[0, 1, 2, 3]
    cap_analyses: int
    part_ops: int
    target: Optional[str]
    target_cpu: Optional[str]
    target_features: str
    vector_bits: Literal[128, 256, 512]
    multiversion: Sequence[str]
    remarks: bool
    threads: Union[int, Literal["auto"]]
    mpi: Literal["auto", "openmpi", "mpich"]
    debug_info: bool
    workspace: Literal["none", "argument", "static"]
    static: bool
    stats: Literal["table", "json"]
    check: Literal["frees", "accesses"]
    no_size_checks: bool
    shared_libs: Sequence[str]
    cache: Optional[str]
    perf: Literal["map", "dump"]

def compile(program: _Program, **options: Unpack[Options]) -> Module: ...
def object(program: _Program, **options: Unpack[Options]) -> bytes: ...
def library(program: _Program, **options: Unpack[Options]) -> bytes: ...
def header(program: _Program, name: str = "program", **options: Unpack[Options]) -> str: ...
def pipeline(output: str = "memory", **options: Unpack[Options]) -> str: ...
class Value:
    name: str
    shape: list[Union[int, str, None]]
    type: str
    def __init__(self, label: Optional[tuple[str, str]], text: str) -> None: ...

class Model:
    def __init__(self, function: Function) -> None: ...
    def get_inputs(self) -> list[Value]: ...
    def get_outputs(self) -> list[Value]: ...
    def run(self, outputs: Optional[Sequence[str]], inputs: dict[str, Any]) -> list[Any]: ...

def onnx(model: _Program, **options: Unpack[Options]) -> Model: ...

class Text(str): ...

def explain(program: _Program) -> Text: ...

class Plan:
    report: Text
    csv: str
    svg: str
    def __init__(self, report: str, csv: str, svg: str) -> None: ...

def plan(buffers: str, *, planner: Optional[str] = None, capacity: Optional[int] = None) -> Plan: ...
def jit(function: Union[str, Callable[..., Any]], **options: Unpack[Options]) -> Callable[..., Any]: ...
