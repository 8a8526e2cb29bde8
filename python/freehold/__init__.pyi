import os
from typing import Any, Callable, Optional, Union

Program = Union[str, os.PathLike[str]]

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

def compile(
    program: Program,
    *,
    target_cpu: Optional[str] = "native",
    target_features: str = "",
    opt_level: int = 2,
    threads: int = 1,
    fp: str = "strict",
) -> Module: ...
def object(
    program: Program,
    *,
    target: Optional[str] = None,
    target_cpu: Optional[str] = None,
    target_features: str = "",
    opt_level: int = 2,
    fp: str = "strict",
) -> bytes: ...
def library(
    program: Program,
    *,
    target: Optional[str] = None,
    target_cpu: Optional[str] = None,
    target_features: str = "",
    opt_level: int = 2,
    fp: str = "strict",
) -> bytes: ...
def header(program: Program, name: str = "program") -> str: ...
class Text(str): ...

def explain(program: Program) -> Text: ...

class Plan:
    report: Text
    csv: str
    svg: str

def plan(buffers: str, *, planner: Optional[str] = None, capacity: Optional[int] = None) -> Plan: ...
def jit(function: Union[str, Callable[..., Any]], **options: Any) -> Callable[..., Any]: ...
