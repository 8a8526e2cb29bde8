import os
from typing import Any, Callable, Optional, Sequence, TypedDict, Union

from typing_extensions import Unpack

Program = Union[str, bytes, os.PathLike[str]]

__version__: str

class CompileError(Exception):
    reports: list[dict[str, Any]]

class Function:
    __name__: str
    @property
    def arguments(self) -> list[str]: ...
    @property
    def results(self) -> list[str]: ...
    @property
    def writes(self) -> list[bool]: ...
    def __call__(self, *arguments: Any) -> Any: ...

class Module:
    @property
    def functions(self) -> list[str]: ...
    def __getitem__(self, name: str) -> Function: ...
    def __getattr__(self, name: str) -> Function: ...

class Options(TypedDict, total=False):
    ignore_dialect: Sequence[str]
    dealloc: str
    merge_alloc: str
    dealloc_lowering: str
    private_function_dynamic_ownership: bool
    fp: str
    no_library_calls: bool
    opt_level: int
    codegen_level: int
    cap_analyses: int
    part_ops: int
    target: Optional[str]
    target_cpu: Optional[str]
    target_features: str
    vector_bits: int
    multiversion: Sequence[str]
    remarks: bool
    threads: Union[int, str]
    debug_info: bool
    workspace: str
    static: bool
    stats: str
    check: str
    no_size_checks: bool
    shared_libs: Sequence[str]
    cache: Optional[str]
    perf: str

def compile(program: Program, **options: Unpack[Options]) -> Module: ...
def object(program: Program, **options: Unpack[Options]) -> bytes: ...
def library(program: Program, **options: Unpack[Options]) -> bytes: ...
def header(program: Program, name: str = "program", **options: Unpack[Options]) -> str: ...
def pipeline(output: str = "memory", **options: Unpack[Options]) -> str: ...
class Text(str): ...

def explain(program: Program) -> Text: ...

class Plan:
    report: Text
    csv: str
    svg: str

def plan(buffers: str, *, planner: Optional[str] = None, capacity: Optional[int] = None) -> Plan: ...
def jit(function: Union[str, Callable[..., Any]], **options: Unpack[Options]) -> Callable[..., Any]: ...
