//! Instances as text: the CSV format of MiniMalloc.
//!
//! The first line names the columns. `id`, `lower`, `upper` and `size` must be there, in any order;
//! `alignment` and `gaps` may be. No two buffers have the same id. Gaps are separated by blanks, each `from-to`: from the
//! first time up to, but not including, the second one the buffer needs no bytes. Other columns are carried along. A
//! solution has one more column, `offset`; if the input has one already, it is replaced.

use rustc_hash::FxHashMap;

use super::instance::{Buffer, Instance};
use super::plan::Plan;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Table {
    /// The buffers, in the order of the lines.
    pub instance: Instance,
    header: String,
    /// The fields of each buffer without an `offset`, as they were written, and its line.
    rows: Vec<String>,
}

/// An error in a file, and its place; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// The message.
    pub message: String,
}

/// Where each column stands in a line.
struct Columns {
    n: usize,
    id: usize,
    lower: usize,
    upper: usize,
    size: usize,
    alignment: Option<usize>,
    gaps: Option<usize>,
    offset: Option<usize>,
}

impl Table {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is malformed or its numbers make no planning problem.
    pub fn parse(text: &str) -> Result<Self, CsvError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty());
        let Some((line, header)) = lines.next() else {
            let message = "expected a line with the names of the columns".into();
            return Err(CsvError {
                line: 1,
                column: 1,
                message,
            });
        };
        let columns = columns(line, header)?;
        let (mut buffers, mut rows, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut gaps = Vec::new();
        let mut lines_of: FxHashMap<&str, usize> = FxHashMap::default();
        for (line, text) in lines {
            let buffer = buffer(line, text, &columns)?;
            gaps.push(gaps_of(line, text, &columns, &buffer)?);
            buffers.push(buffer);
            rows.push(without(text, columns.offset));
            numbers.push(line);
            if let Some((column, id)) = fields(text).nth(columns.id)
                && let Some(first) = lines_of.insert(id, line)
            {
                let message = format!("id '{id}' is that of the buffer in line {first} already");
                return Err(CsvError {
                    line,
                    column,
                    message,
                });
            }
        }
        if buffers.is_empty() {
            return Err(CsvError {
                line: line + 1,
                column: 1,
                message: "expected a line for each buffer, but there is none".into(),
            });
        }
        let has_gaps = gaps.iter().any(|gaps| !gaps.is_empty());
        let instance = Instance::new(buffers).and_then(|instance| match has_gaps {
            true => instance.with_gaps(&gaps),
            false => Ok(instance),
        });
        let instance = instance.map_err(|error| CsvError {
            line: error.buffer().map_or(line, |buffer| numbers[buffer]),
            column: 1,
            message: error.to_string(),
        })?;
        let header = without(header, columns.offset);
        Ok(Self {
            instance,
            header,
            rows,
        })
    }

    /// The file with an `offset` for each buffer.
    pub fn with_offsets(&self, plan: &Plan) -> String {
        let mut text = format!("{},offset\n", self.header);
        for (row, offset) in self.rows.iter().zip(&plan.offsets) {
            text.push_str(&format!("{row},{offset}\n"));
        }
        text
    }

    /// The ids, in the order of the lines.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let column = fields(&self.header).position(|(_, name)| name == "id");
        let id = move |row| Some(fields(row).nth(column?)?.1);
        self.rows.iter().map(move |row| id(row).unwrap_or_default())
    }

    /// The file without offsets.
    pub fn from_buffers(buffers: &[Buffer]) -> String {
        let mut text = String::from("id,lower,upper,size,alignment\n");
        for (id, b) in buffers.iter().enumerate() {
            let Buffer {
                lower,
                upper,
                size,
                alignment,
            } = b;
            text.push_str(&format!("{id},{lower},{upper},{size},{alignment}\n"));
        }
        text
    }
}

/// Fields with the columns they start at.
fn fields(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 1;
    text.split(',').map(move |field| {
        let blanks = field.chars().take_while(|c| c.is_whitespace()).count();
        let column = next + blanks;
        next += field.chars().count() + 1;
        (column, field.trim())
    })
}

fn columns(line: usize, header: &str) -> Result<Columns, CsvError> {
    let error = |column: usize, message: String| {
        Err(CsvError {
            line,
            column,
            message,
        })
    };
    let mut found: Vec<&str> = Vec::new();
    for (column, name) in fields(header) {
        if found.contains(&name) {
            return error(column, format!("column '{name}' is named twice"));
        }
        found.push(name);
    }
    let position = |name: &str| found.iter().position(|&other| other == name);
    for name in ["id", "lower", "upper", "size"] {
        if position(name).is_none() {
            return error(1, format!("expected a column '{name}'"));
        }
    }
    let required = |name: &str| position(name).unwrap_or(0);
    Ok(Columns {
        n: found.len(),
        id: required("id"),
        lower: required("lower"),
        upper: required("upper"),
        size: required("size"),
        alignment: position("alignment"),
        gaps: position("gaps"),
        offset: position("offset"),
    })
}

fn buffer(line: usize, text: &str, columns: &Columns) -> Result<Buffer, CsvError> {
    let fields: Vec<(usize, &str)> = fields(text).collect();
    let error = |column: usize, message: String| CsvError {
        line,
        column,
        message,
    };
    if fields.len() != columns.n {
        let message = format!("expected {} fields, but got {}", columns.n, fields.len());
        return Err(error(1, message));
    }
    let number = |i: usize| {
        let (column, text) = fields[i];
        let number = text.parse::<i128>();
        number.map_err(|_| error(column, format!("expected an integer, but got '{text}'")))
    };
    let time = |i: usize| {
        let out_of_range = |_| error(fields[i].0, "time does not fit into 64 bits".into());
        i64::try_from(number(i)?).map_err(out_of_range)
    };
    let amount = |i: usize, what: &str| {
        let number = number(i)?;
        u64::try_from(number).map_err(|_| {
            let problem = if number < 0 {
                "is negative"
            } else {
                "does not fit into 64 bits"
            };
            error(fields[i].0, format!("{what} {problem}"))
        })
    };
    Ok(Buffer {
        lower: time(columns.lower)?,
        upper: time(columns.upper)?,
        size: amount(columns.size, "size")?,
        alignment: columns
            .alignment
            .map_or(Ok(1), |i| amount(i, "alignment"))?,
    })
}

/// The gaps of a buffer.
fn gaps_of(
    line: usize,
    text: &str,
    columns: &Columns,
    buffer: &Buffer,
) -> Result<Vec<(i64, i64)>, CsvError> {
    let Some((column, gaps)) = columns.gaps.and_then(|i| fields(text).nth(i)) else {
        return Ok(Vec::new());
    };
    let gap = |text: &str| {
        let error = |message: &str| CsvError {
            line,
            column,
            message: format!("gap '{text}' {message}"),
        };
        if text.contains('@') {
            return Err(error(
                "leaves a part of the buffer in use, which is not supported",
            ));
        }
        // The first number may have a sign.
        let dash = text.char_indices().skip(1).find(|&(_, c)| c == '-');
        let times = dash.and_then(|(at, _)| {
            let (lower, upper) = (text[..at].parse().ok()?, text[at + 1..].parse().ok()?);
            Some((lower, upper))
        });
        let (lower, upper): (i64, i64) =
            times.ok_or_else(|| error("is not two times of 64 bits with '-' between them"))?;
        if lower > upper {
            return Err(error("ends before it starts"));
        }
        if lower < buffer.lower || upper > buffer.upper {
            return Err(error("is not within the lifetime of the buffer"));
        }
        Ok((lower, upper))
    };
    gaps.split_whitespace().map(gap).collect()
}

/// A line without one of its fields.
fn without(text: &str, dropped: Option<usize>) -> String {
    let kept = text
        .split(',')
        .enumerate()
        .filter(|(i, _)| Some(*i) != dropped);
    kept.map(|(_, field)| field.trim())
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_in_any_order_and_offsets_are_replaced() {
        let table = Table::parse("size,note, id,offset,upper,lower\n4,x,a,99,3,0\n\n8,,b,0,5,3\n");
        let table = table.unwrap();
        let plan = Plan::new(&table.instance, vec![0, 4], 8);
        let expected = "size,note,id,upper,lower,offset\n4,x,a,3,0,0\n8,,b,5,3,4\n";
        assert_eq!(table.with_offsets(&plan), expected);
    }

    #[test]
    fn gaps_are_ranges_of_time() {
        let text = "id,lower,upper,size,gaps\r\na,-9,9,4,-8--2 1-3\r\nb,0,5,4,\r\n";
        let table = Table::parse(text).unwrap();
        assert_eq!(table.instance.resident(0), [(-9, -8), (-2, 1), (3, 9)]);
        assert_eq!(table.instance.resident(1), [(0, 5)]);
        let plan = Plan::new(&table.instance, vec![0, 4], 8);
        let expected = "id,lower,upper,size,gaps,offset\na,-9,9,4,-8--2 1-3,0\nb,0,5,4,,4\n";
        assert_eq!(table.with_offsets(&plan), expected);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let buffers = super::super::generate::packed(1, 30, 0);
        let text = Table::from_buffers(&buffers);
        assert_eq!(Table::parse(&text).unwrap().instance.buffers(), buffers);
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| {
            let error = Table::parse(text).unwrap_err();
            format!("{}:{}: {}", error.line, error.column, error.message)
        };
        let header = "id,lower,upper,size,alignment\n";
        let row = |row: &str| error(&format!("{header}{row}\n"));
        assert_eq!(
            error(""),
            "1:1: expected a line with the names of the columns"
        );
        assert_eq!(error("id,lower,size\n"), "1:1: expected a column 'upper'");
        assert_eq!(
            error("id,lower,upper,id,size\n"),
            "1:16: column 'id' is named twice"
        );
        assert_eq!(row("a,0,1,4"), "2:1: expected 5 fields, but got 4");
        assert_eq!(row("a, 0,x,4,1"), "2:6: expected an integer, but got 'x'");
        assert_eq!(row("a,0,1,-4,1"), "2:7: size is negative");
        assert_eq!(
            row("a,0,9223372036854775808,4,1"),
            "2:5: time does not fit into 64 bits"
        );
        assert_eq!(
            row("a,0,1,18446744073709551616,1"),
            "2:7: size does not fit into 64 bits"
        );
        assert_eq!(row("a,0,1,4,0"), "2:1: alignment must be positive");
        assert_eq!(row("a,0,1,4,-8"), "2:9: alignment is negative");
        assert_eq!(row("a,2,1,4,1"), "2:1: lifetime ends before it starts");
        assert_eq!(
            row("a,0,1,4,1\r\n b,0,1,4,1\r\n\r\na,0,1,4,1"),
            "5:1: id 'a' is that of the buffer in line 2 already"
        );
        assert_eq!(
            row(""),
            "2:1: expected a line for each buffer, but there is none"
        );
        let gap = |gap: &str| error(&format!("id,lower,upper,gaps,size\r\na,-9,9,{gap},4\r\n"));
        assert_eq!(gap("1-2 4-3"), "2:8: gap '4-3' ends before it starts");
        assert_eq!(
            gap("7-10"),
            "2:8: gap '7-10' is not within the lifetime of the buffer"
        );
        for malformed in ["3", "-", "3-", "1-2-3", "1-99999999999999999999", "x-2"] {
            assert_eq!(
                gap(malformed),
                format!("2:8: gap '{malformed}' is not two times of 64 bits with '-' between them")
            );
        }
        assert_eq!(
            gap("1-2@0:2"),
            "2:8: gap '1-2@0:2' leaves a part of the buffer in use, which is not supported"
        );
        assert_eq!(
            row("a,0,1,4,1\nb,0,1,9223372036854775807,1"),
            "3:1: sum of buffer sizes does not fit into 63 bits"
        );
    }
}
