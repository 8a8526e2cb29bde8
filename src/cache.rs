//! Compiled programs in a folder, for processes that compile the same again.
//!
//! A file holds all that decided about a program (its text, options, target, processor, and which compiler it was), the
//! program after all passes, and its code. The name of the file is a hash of the first part, and that part is compared
//! as a whole, so a hit is exact. Files are written beside their place and moved there, so other processes see whole
//! ones; a file that is damaged all the same, or comes from another version, counts as missing.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;
use std::{env, fs, process};

use freehold_backend::cpu::Cpu;
use freehold_backend::{Declaration, Label, Options};

/// What files begin with.
const MAGIC: &[u8] = b"freehold cache 1\n";

/// A folder with compiled programs. It is made when something is kept in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

/// A cached program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// What its functions are to their callers.
    pub(crate) declarations: Vec<(String, Declaration)>,
    /// The program after all passes.
    pub(crate) text: String,
    /// Its code.
    pub(crate) code: Vec<u8>,
}

impl Entry {
    /// The entry for a key as bytes.
    pub(crate) fn to_bytes(&self, key: &[u8]) -> Vec<u8> {
        encode(key, self)
    }

    /// The entry in bytes, if they are whole and for this key.
    pub(crate) fn from_bytes(bytes: &[u8], key: &[u8]) -> Option<Self> {
        decode(bytes, key)
    }
}

impl Cache {
    /// The cache in this folder.
    pub(crate) fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Everything that decides what becomes of a program.
    pub(crate) fn key(name: &str, text: &[u8], options: &Options, passes: &dyn Debug) -> Vec<u8> {
        let mut key = format!(
            "{}\n{options:?} {:?}\n{passes:?}\n{name}\n",
            build_id(),
            Cpu::native().ok(),
        )
        .into_bytes();
        key.extend_from_slice(text);
        key
    }

    fn file(&self, key: &[u8]) -> PathBuf {
        self.folder.join(format!("{:016x}.freehold", hash(key)))
    }

    /// The program cached under this key.
    pub(crate) fn load(&self, key: &[u8]) -> Option<Entry> {
        decode(&fs::read(self.file(key)).ok()?, key)
    }

    /// Keeps a program.
    ///
    /// # Errors
    /// If there is no writing to the folder.
    pub(crate) fn store(&self, key: &[u8], entry: &Entry) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(&self.folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!(".{}-{number}.new", process::id());
        let new = self.folder.join(name);
        let written =
            write(&new, &encode(key, entry)).and_then(|()| fs::rename(&new, self.file(key)));
        if written.is_err() {
            // What cannot be written cannot be kept from lying around either.
            let _ = fs::remove_file(&new);
        }
        written
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Which build of the compiler this is: its version, and size and time of the file that it is in, an executable or a
/// shared library.
pub fn build_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let file = file_of_this_code().or_else(|| env::current_exe().ok());
        let version = env!("CARGO_PKG_VERSION");
        match file.and_then(|file| fs::metadata(file).ok()) {
            Some(metadata) => {
                let modified = metadata.modified().ok();
                let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                let nanos = since.map_or(0, |since| since.as_nanos());
                format!("{version} {}-{nanos}", metadata.len())
            }
            None => version.to_owned(),
        }
    })
}

/// The file that is mapped where this code is.
fn file_of_this_code() -> Option<PathBuf> {
    let here = build_id as fn() -> &'static str as usize;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| {
        let range = line
            .split(' ')
            .next()
            .and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        let range = range.and_then(|(from, to)| Some(number(from)?..number(to)?));
        range.is_some_and(|range| range.contains(&here))
    })?;
    let path = line.get(line.find('/')?..)?;
    Some(PathBuf::from(path))
}

fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

fn encode(key: &[u8], entry: &Entry) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    push(&mut out, key);
    push(&mut out, entry.text.as_bytes());
    push(&mut out, &entry.code);
    out.extend((entry.declarations.len() as u64).to_le_bytes());
    for (name, declaration) in &entry.declarations {
        push(&mut out, name.as_bytes());
        out.extend((declaration.arguments.len() as u64).to_le_bytes());
        for (ty, is_only_read) in &declaration.arguments {
            push(&mut out, ty.as_bytes());
            out.push(u8::from(*is_only_read));
        }
        out.extend((declaration.results.len() as u64).to_le_bytes());
        for ty in &declaration.results {
            push(&mut out, ty.as_bytes());
        }
        for labels in [&declaration.argument_labels, &declaration.result_labels] {
            out.extend((labels.len() as u64).to_le_bytes());
            for label in labels {
                push(&mut out, label.name.as_bytes());
                push(&mut out, label.dims.as_bytes());
            }
        }
    }
    let sum = hash(&out);
    out.extend(sum.to_le_bytes());
    out
}

fn decode(bytes: &[u8], key: &[u8]) -> Option<Entry> {
    let (bytes, sum) = bytes.split_last_chunk()?;
    if u64::from_le_bytes(*sum) != hash(bytes) {
        return None;
    }
    let mut reader = Reader(bytes.strip_prefix(MAGIC)?);
    if reader.bytes()? != key {
        return None;
    }
    let text = reader.text()?;
    let code = reader.bytes()?.to_vec();
    let mut declarations = Vec::new();
    for _ in 0..reader.number()? {
        let name = reader.text()?;
        let mut declaration = Declaration::default();
        for _ in 0..reader.number()? {
            let ty = reader.text()?;
            let (&is_only_read, rest) = reader.0.split_first()?;
            reader.0 = rest;
            declaration.arguments.push((ty, is_only_read != 0));
        }
        for _ in 0..reader.number()? {
            declaration.results.push(reader.text()?);
        }
        for labels in [
            &mut declaration.argument_labels,
            &mut declaration.result_labels,
        ] {
            for _ in 0..reader.number()? {
                labels.push(Label {
                    name: reader.text()?,
                    dims: reader.text()?,
                });
            }
        }
        declarations.push((name, declaration));
    }
    reader.0.is_empty().then_some(Entry {
        declarations,
        text,
        code,
    })
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let declaration = Declaration {
            arguments: vec![
                ("memref<?xf32>".to_owned(), true),
                ("i32".to_owned(), false),
            ],
            results: vec!["f32".to_owned()],
            argument_labels: vec![Label {
                name: "x".to_owned(),
                dims: "0:n".to_owned(),
            }],
            result_labels: Vec::new(),
        };
        Entry {
            declarations: vec![("f".to_owned(), declaration)],
            text: "module {\n}\n".to_owned(),
            code: vec![1, 2, 3],
        }
    }

    #[test]
    fn what_is_damaged_is_not_there() {
        let whole = encode(b"key", &entry());
        assert_eq!(decode(&whole, b"key"), Some(entry()));
        assert_eq!(decode(&whole, b"another"), None);
        for n in 0..whole.len() {
            assert_eq!(decode(&whole[..n], b"key"), None, "{n} bytes");
            let mut changed = whole.clone();
            changed[n] ^= 1;
            assert_eq!(decode(&changed, b"key"), None, "byte {n}");
        }
    }

    #[test]
    fn processes_see_whole_files() {
        let folder = env::temp_dir().join(format!("freehold-cache-{}", process::id()));
        let cache = Cache::new(&folder);
        assert_eq!(cache.load(b"key"), None);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        cache.store(b"key", &entry()).unwrap();
                        assert_eq!(cache.load(b"key"), Some(entry()));
                    }
                });
            }
        });
        let files = fs::read_dir(&folder).unwrap().count();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(files, 1);
    }
}
