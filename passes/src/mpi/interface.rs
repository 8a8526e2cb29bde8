//! What differs between the implementations of MPI: how their headers spell handles, and their numbers.

use freehold_frontend::dialects::mpi::{ErrorClass, Reduction};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use crate::manage::options::option_words;

option_words! {
    /// An implementation of MPI.
    pub enum Implementation {
        /// Open MPI: handles are addresses of objects.
        OpenMpi = "openmpi",
        /// MPICH and what has its binary interface: handles are numbers.
        Mpich = "mpich",
    }
}

/// A predefined handle, or one that functions give out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Handle {
    /// The address of an object of this name.
    Object(&'static str),
    /// A number of 32 bits.
    Number(i64),
}

/// How elements are sent: this many of the predefined type for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Datatype {
    pub(super) handle: Handle,
    /// Elements of the predefined type for each element of the buffer.
    pub(super) n: u64,
    /// Whether there is arithmetic on it.
    pub(super) is_number: bool,
}

/// Names and numbers of predefined types: objects of Open MPI, handles of MPICH.
macro_rules! datatypes {
    ($($ident:ident = $object:literal $number:literal;)*) => {
        $(const $ident: (&str, i64) = ($object, $number);)*
    };
}

datatypes! {
    BYTE = "ompi_mpi_byte" 0x4c00_010d;
    BOOL = "ompi_mpi_c_bool" 0x4c00_013f;
    FLOAT = "ompi_mpi_float" 0x4c00_040a;
    DOUBLE = "ompi_mpi_double" 0x4c00_080b;
    COMPLEX_FLOAT = "ompi_mpi_c_float_complex" 0x4c00_0840;
    COMPLEX_DOUBLE = "ompi_mpi_c_double_complex" 0x4c00_1041;
    INT8 = "ompi_mpi_int8_t" 0x4c00_0137;
    INT16 = "ompi_mpi_int16_t" 0x4c00_0238;
    INT32 = "ompi_mpi_int32_t" 0x4c00_0439;
    INT64 = "ompi_mpi_int64_t" 0x4c00_083a;
    UINT8 = "ompi_mpi_uint8_t" 0x4c00_013b;
    UINT16 = "ompi_mpi_uint16_t" 0x4c00_023c;
    UINT32 = "ompi_mpi_uint32_t" 0x4c00_043d;
    UINT64 = "ompi_mpi_uint64_t" 0x4c00_083e;
}

/// Objects of Open MPI for reductions, in the order of the dialect. MPICH numbers them in the same order.
const REDUCTIONS: [&str; 14] = [
    "ompi_mpi_op_no_op",
    "ompi_mpi_op_max",
    "ompi_mpi_op_min",
    "ompi_mpi_op_sum",
    "ompi_mpi_op_prod",
    "ompi_mpi_op_land",
    "ompi_mpi_op_band",
    "ompi_mpi_op_lor",
    "ompi_mpi_op_bor",
    "ompi_mpi_op_lxor",
    "ompi_mpi_op_bxor",
    "ompi_mpi_op_minloc",
    "ompi_mpi_op_maxloc",
    "ompi_mpi_op_replace",
];

/// The numbers of classes of errors in Open MPI and in MPICH; -1 where there is none.
const ERROR_CLASSES: &[(&str, i64, i64)] = &[
    ("MPI_SUCCESS", 0, 0),
    ("MPI_ERR_ACCESS", 20, 20),
    ("MPI_ERR_AMODE", 21, 21),
    ("MPI_ERR_ARG", 13, 12),
    ("MPI_ERR_ASSERT", 22, 53),
    ("MPI_ERR_BAD_FILE", 23, 22),
    ("MPI_ERR_BASE", 24, 46),
    ("MPI_ERR_BUFFER", 1, 1),
    ("MPI_ERR_COMM", 5, 5),
    ("MPI_ERR_CONVERSION", 25, 23),
    ("MPI_ERR_COUNT", 2, 2),
    ("MPI_ERR_DIMS", 12, 11),
    ("MPI_ERR_DISP", 26, 52),
    ("MPI_ERR_DUP_DATAREP", 27, 24),
    ("MPI_ERR_ERRHANDLER", -1, -1),
    ("MPI_ERR_FILE", 30, 27),
    ("MPI_ERR_FILE_EXISTS", 28, 25),
    ("MPI_ERR_FILE_IN_USE", 29, 26),
    ("MPI_ERR_GROUP", 9, 8),
    ("MPI_ERR_INFO", 34, 28),
    ("MPI_ERR_INFO_KEY", 31, 29),
    ("MPI_ERR_INFO_NOKEY", 32, 31),
    ("MPI_ERR_INFO_VALUE", 33, 30),
    ("MPI_ERR_IN_STATUS", 18, 17),
    ("MPI_ERR_INTERN", 17, 16),
    ("MPI_ERR_IO", 35, 32),
    ("MPI_ERR_KEYVAL", 36, 48),
    ("MPI_ERR_LOCKTYPE", 37, 47),
    ("MPI_ERR_NAME", 38, 33),
    ("MPI_ERR_NO_MEM", 39, 34),
    ("MPI_ERR_NO_SPACE", 41, 36),
    ("MPI_ERR_NO_SUCH_FILE", 42, 37),
    ("MPI_ERR_NOT_SAME", 40, 35),
    ("MPI_ERR_OP", 10, 9),
    ("MPI_ERR_OTHER", 16, 15),
    ("MPI_ERR_PENDING", 19, 18),
    ("MPI_ERR_PORT", 43, 38),
    ("MPI_ERR_PROC_ABORTED", -1, 76),
    ("MPI_ERR_QUOTA", 44, 39),
    ("MPI_ERR_RANK", 6, 6),
    ("MPI_ERR_READ_ONLY", 45, 40),
    ("MPI_ERR_REQUEST", 7, 19),
    ("MPI_ERR_RMA_ATTACH", 69, 56),
    ("MPI_ERR_RMA_CONFLICT", 46, 49),
    ("MPI_ERR_RMA_FLAVOR", 70, 58),
    ("MPI_ERR_RMA_RANGE", 68, 55),
    ("MPI_ERR_RMA_SHARED", 71, 57),
    ("MPI_ERR_RMA_SYNC", 47, 50),
    ("MPI_ERR_ROOT", 8, 7),
    ("MPI_ERR_SERVICE", 48, 41),
    ("MPI_ERR_SESSION", -1, 75),
    ("MPI_ERR_SIZE", 49, 51),
    ("MPI_ERR_SPAWN", 50, 42),
    ("MPI_ERR_TAG", 4, 4),
    ("MPI_ERR_TOPOLOGY", 11, 10),
    ("MPI_ERR_TRUNCATE", 15, 14),
    ("MPI_ERR_TYPE", 3, 3),
    ("MPI_ERR_UNKNOWN", 14, 13),
    ("MPI_ERR_UNSUPPORTED_DATAREP", 51, 43),
    ("MPI_ERR_UNSUPPORTED_OPERATION", 52, 44),
    ("MPI_ERR_VALUE_TOO_LARGE", -1, 77),
    ("MPI_ERR_WIN", 53, 45),
    ("MPI_ERR_LASTCODE", 92, 0x3fff_ffff),
];

impl Implementation {
    fn handle(self, (object, number): (&'static str, i64)) -> Handle {
        match self {
            Self::OpenMpi => Handle::Object(object),
            Self::Mpich => Handle::Number(number),
        }
    }

    /// What upstream calls it in the attribute `MPI:Implementation`.
    pub fn from_upstream(name: &str) -> Option<Self> {
        match name {
            "OpenMPI" => Some(Self::OpenMpi),
            "MPICH" => Some(Self::Mpich),
            _ => None,
        }
    }

    /// `MPI_COMM_WORLD`
    pub(super) fn comm_world(self) -> Handle {
        self.handle(("ompi_mpi_comm_world", 0x4400_0000))
    }

    /// `MPI_ERRORS_RETURN`
    pub(super) fn errors_return(self) -> Handle {
        self.handle(("ompi_mpi_errors_return", 0x5400_0001))
    }

    /// `MPI_STATUS_IGNORE`
    pub(super) fn status_ignore(self) -> i64 {
        match self {
            Self::OpenMpi => 0,
            Self::Mpich => 1,
        }
    }

    /// `MPI_PROC_NULL`
    pub(super) fn proc_null(self) -> i64 {
        match self {
            Self::OpenMpi => -2,
            Self::Mpich => -1,
        }
    }

    /// `MPI_IN_PLACE`
    pub(super) fn in_place(self) -> i64 {
        match self {
            Self::OpenMpi => 1,
            Self::Mpich => -1,
        }
    }

    /// The number of a class of errors; -1 if there is none.
    pub(super) fn error_class(self, class: ErrorClass) -> i64 {
        let found = ERROR_CLASSES.iter().find(|row| row.0 == class.word());
        found.map_or(-1, |&(_, open, mpich)| match self {
            Self::OpenMpi => open,
            Self::Mpich => mpich,
        })
    }

    /// A reduction that both sides know for numbers; `None` for those on pairs and for none.
    pub(super) fn reduction(self, reduction: Reduction) -> Option<Handle> {
        let number = usize::from(reduction.number());
        if !(1..=10).contains(&number) {
            return None;
        }
        Some(self.handle((REDUCTIONS[number], 0x5800_0000 + number as i64)))
    }

    /// How elements of a type are sent. Types that MPI does not know are bytes.
    pub(super) fn datatype(self, context: &Context, element: Type) -> Option<Datatype> {
        let is_unsigned = |signedness: Signedness| signedness == Signedness::Unsigned;
        let complex = |element: Type| match element {
            Type::F32 => Some(COMPLEX_FLOAT),
            Type::F64 => Some(COMPLEX_DOUBLE),
            _ => None,
        };
        let known = match *context.type_kind(element) {
            TypeKind::Float(FloatKind::F32) => Some(FLOAT),
            TypeKind::Float(FloatKind::F64) => Some(DOUBLE),
            TypeKind::Index => Some(INT64),
            TypeKind::Complex(element) => complex(element),
            TypeKind::Integer { width, signedness } => match (width, is_unsigned(signedness)) {
                (1, _) => Some(BOOL),
                (8, false) => Some(INT8),
                (16, false) => Some(INT16),
                (32, false) => Some(INT32),
                (64, false) => Some(INT64),
                (8, true) => Some(UINT8),
                (16, true) => Some(UINT16),
                (32, true) => Some(UINT32),
                (64, true) => Some(UINT64),
                _ => None,
            },
            _ => None,
        };
        let n = match known {
            Some(_) => 1,
            None => context.element_byte_size(element)?,
        };
        Some(Datatype {
            handle: self.handle(known.unwrap_or(BYTE)),
            n,
            is_number: known.is_some(),
        })
    }
}
