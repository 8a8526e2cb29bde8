//! Functions that programs call without defining them: those of MLIR's runner libraries, and a few of C.

use freehold_frontend::ir::types::{FloatKind, Type};

use crate::access::address_of;
use crate::float;
use crate::machine::{Fault, FaultKind, Machine, Res, as_memref, as_scalar, unsupported};
use crate::memory::Origin;
use crate::print;
use crate::value::{Kind, Value, signed};

/// Calls a function without a body.
pub(crate) fn call(m: &mut Machine<'_>, name: &str, arguments: &[Value]) -> Res<Vec<Value>> {
    let number = |m: &Machine<'_>, index: usize| -> Res<u128> {
        let argument = arguments.get(index).cloned().unwrap_or_default();
        m.defined(as_scalar(&argument)?, "a number to print")
    };
    let text = match name {
        "printI64" => (number(m, 0)? as i64).to_string(),
        "printU64" => (number(m, 0)? as u64).to_string(),
        "printF32" => print::general(float::decode(FloatKind::F32, number(m, 0)?)),
        "printF64" => print::general(float::decode(FloatKind::F64, number(m, 0)?)),
        "printF16" => print::general(float::decode(FloatKind::F16, number(m, 0)?)),
        "printBF16" => print::general(float::decode(FloatKind::BF16, number(m, 0)?)),
        "printNewline" => "\n".to_owned(),
        // Bodies run on the one thread there is.
        "mlirAsyncRuntimePrintCurrentThreadId" => "Current thread id: 1\n".to_owned(),
        "printComma" => ", ".to_owned(),
        "printOpen" => "( ".to_owned(),
        "printClose" => " )".to_owned(),
        "printMemrefI8" => return print_memref(m, arguments, Type::I8),
        "printMemrefI16" => return print_memref(m, arguments, Type::I16),
        "printMemrefI32" => return print_memref(m, arguments, Type::I32),
        "printMemrefI64" => return print_memref(m, arguments, Type::I64),
        "printMemrefInd" => return print_memref(m, arguments, Type::INDEX),
        "printMemrefF16" => return print_memref(m, arguments, Type::F16),
        "printMemrefBF16" => return print_memref(m, arguments, Type::BF16),
        "printMemrefF32" => return print_memref(m, arguments, Type::F32),
        "printMemrefF64" => return print_memref(m, arguments, Type::F64),
        "malloc" => {
            let size = number(m, 0)? as u64;
            let loc = m.calls.last().copied();
            let loc = loc.unwrap_or(freehold_frontend::ir::location::Loc::UNKNOWN);
            let address = m.allocate(size, 16, Origin::Heap, loc)?;
            return Ok(vec![Value::bits(address.into())]);
        }
        "free" => {
            let address = number(m, 0)? as u64;
            if address != 0 {
                let loc = m.calls.last().copied();
                let loc = loc.unwrap_or(freehold_frontend::ir::location::Loc::UNKNOWN);
                m.memory.free(address, loc)?;
            }
            return Ok(Vec::new());
        }
        // Bodies ran when they were called.
        "freehold_async_await" | "freehold_async_await_all" => return Ok(vec![Value::bits(0)]),
        "freehold_async_create_group" => {
            m.groups.push((number(m, 1)? as i64, Vec::new()));
            return Ok(vec![Value::bits(m.groups.len() as u128 - 1)]);
        }
        "freehold_async_add_to_group" => {
            let group = number(m, 1)? as usize;
            let Some((_, tasks)) = m.groups.get_mut(group) else {
                return unsupported("a group that was never made");
            };
            tasks.push(0);
            return Ok(vec![Value::bits(tasks.len() as u128 - 1)]);
        }
        "abort" => {
            return Err(Fault::new(FaultKind::Assertion, "the program aborts"));
        }
        _ => return unsupported(format!("the function '{name}' has no body")),
    };
    m.write_output(text.as_bytes())?;
    Ok(Vec::new())
}

/// Prints a memref with its elements.
fn print_memref(m: &mut Machine<'_>, arguments: &[Value], ty: Type) -> Res<Vec<Value>> {
    let argument = arguments.first().cloned().unwrap_or_default();
    let memref = match argument {
        // A tensor is in some memory then.
        Value::Array(array) => {
            let origin = (0, Origin::Argument);
            let loc = freehold_frontend::ir::location::Loc::UNKNOWN;
            let memref = m.allocate_memref(array.shape.clone(), None, ty, origin, loc)?;
            let values: Vec<Value> = array.elements.iter().map(|&n| Value::Scalar(n)).collect();
            m.store_all(&memref, ty, &values, loc)?;
            std::rc::Rc::new(memref)
        }
        argument => as_memref(&argument)?,
    };
    let list = |values: &[i64]| {
        let texts: Vec<String> = values.iter().map(i64::to_string).collect();
        texts.join(", ")
    };
    let head = format!(
        "Unranked Memref base@ = {:#x} rank = {} offset = {} sizes = [{}] strides = [{}] data = \n",
        memref.aligned,
        memref.sizes.len(),
        memref.offset,
        list(&memref.sizes),
        list(&memref.strides)
    );
    m.write_output(head.as_bytes())?;
    let (kind, size) = (m.kind(ty)?, m.element_size(ty)?);
    let loc = m.calls.last().copied();
    let loc = loc.unwrap_or(freehold_frontend::ir::location::Loc::UNKNOWN);
    let mut fault = None;
    let text = print::elements(&memref.sizes, &mut |at| {
        let element = m
            .load(ty, address_of(&memref, at, size), loc)
            .and_then(|value| as_scalar(&value))
            .and_then(|scalar| m.defined(scalar, "an element to print"));
        match element {
            Ok(bits) => element_text(ty, kind, bits),
            Err(error) => {
                fault.get_or_insert(error);
                String::new()
            }
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    m.write_output(text.as_bytes())?;
    m.write_output(b"\n")?;
    Ok(Vec::new())
}

fn element_text(ty: Type, kind: Kind, bits: u128) -> String {
    match kind {
        _ if ty == Type::INDEX => (bits as u64).to_string(),
        Kind::Int(8) => char::from(bits as u8).to_string(),
        Kind::Int(width) => signed(bits, width).to_string(),
        Kind::Float(kind) => print::general(float::decode(kind, bits)),
        _ => String::new(),
    }
}

impl Machine<'_> {
    /// Writes what the program prints.
    pub(crate) fn write_output(&mut self, bytes: &[u8]) -> Res {
        self.output.write_all(bytes).map_err(|error| {
            let message = format!("cannot write standard output: {error}");
            Fault::new(FaultKind::Unsupported, message)
        })
    }
}
