//! Processors and their features, in the names of LLVM: what `--target-cpu` and
//! `--target-features` mean, as far as Cranelift makes use of it.

use std::fmt;
use std::sync::OnceLock;

use freehold_frontend::target::{Feature as VectorFeature, Features, Vectors};

use crate::isa::{Arch, Target, native_settings};

/// A set of features of the processors of one architecture, beyond what all of them have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
    arch: Arch,
    /// By their places in [`Feature::of`].
    has: u32,
}

/// Why a processor or feature was refused. Displays as a message that lists the known ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCpu(String);

impl fmt::Display for UnknownCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownCpu {}

/// One feature.
pub(crate) struct Feature {
    /// LLVM's name.
    pub(crate) name: &'static str,
    /// Cranelift's; nothing if only kernels use it.
    pub(crate) setting: Option<&'static str>,
    /// Features without which it does not exist.
    implies: &'static [&'static str],
    /// The word of the processor's description that has a bit for it.
    pub(crate) word: Word,
    /// Which bit.
    pub(crate) bit: u8,
}

/// A word with bits for features: on x86-64 registers that CPUID fills, on AArch64 the entries of the
/// auxiliary vector that Linux gives to every program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// ECX of leaf 1.
    Leaf1Ecx,
    /// EBX of leaf 7, of features with registers of 128 or no bits.
    Leaf7Ebx,
    /// ECX of leaf 7.
    Leaf7Ecx,
    /// EDX of leaf 7.
    Leaf7Edx,
    /// EAX of the second part of leaf 7.
    Leaf7PartEax,
    /// ECX of leaf 1 of the extended ones.
    ExtendedEcx,
    /// `AT_HWCAP`
    Hwcap,
    /// `AT_HWCAP2`
    Hwcap2,
}

/// Declares features: `name = setting, word, bit, features that it implies`.
macro_rules! features {
    ($($name:literal = $($setting:literal)? $word:ident $bit:literal [$($implies:literal)*])*) => {
        &[$(Feature {
            name: $name,
            setting: [$($setting)?].first().copied(),
            implies: &[$($implies),*],
            word: Word::$word,
            bit: $bit,
        }),*]
    };
}

static X86_64: &[Feature] = features! {
    "sse3" = "has_sse3" Leaf1Ecx 0 []
    "ssse3" = "has_ssse3" Leaf1Ecx 9 ["sse3"]
    "cx16" = "has_cmpxchg16b" Leaf1Ecx 13 []
    "sse4.1" = "has_sse41" Leaf1Ecx 19 ["ssse3"]
    "sse4.2" = "has_sse42" Leaf1Ecx 20 ["sse4.1"]
    "popcnt" = "has_popcnt" Leaf1Ecx 23 []
    "lzcnt" = "has_lzcnt" ExtendedEcx 5 []
    "bmi" = "has_bmi1" Leaf7Ebx 3 []
    "bmi2" = "has_bmi2" Leaf7Ebx 8 []
    "avx" = "has_avx" Leaf1Ecx 28 ["sse4.2"]
    "f16c" = Leaf1Ecx 29 ["avx"]
    "fma" = "has_fma" Leaf1Ecx 12 ["avx"]
    "avx2" = "has_avx2" Leaf7Ebx 5 ["avx"]
    "avxvnni" = "has_avx_vnni" Leaf7PartEax 4 ["avx2"]
    "avx512f" = "has_avx512f" Leaf7Ebx 16 ["avx2" "fma"]
    "avx512dq" = "has_avx512dq" Leaf7Ebx 17 ["avx512f"]
    "avx512bw" = Leaf7Ebx 30 ["avx512f"]
    "avx512vl" = "has_avx512vl" Leaf7Ebx 31 ["avx512f"]
    "avx512vbmi" = "has_avx512vbmi" Leaf7Ecx 1 ["avx512f"]
    "avx512vnni" = "has_avx512vnni" Leaf7Ecx 11 ["avx512f"]
    "avx512bitalg" = "has_avx512bitalg" Leaf7Ecx 12 ["avx512f"]
    "avx512fp16" = Leaf7Edx 23 ["avx512bw" "avx512dq" "avx512vl"]
};

static AARCH64: &[Feature] = features! {
    "lse" = "has_lse" Hwcap 8 []
    "fullfp16" = "has_fp16" Hwcap 10 []
    "dotprod" = "has_dotprod" Hwcap 20 []
    "pauth" = "has_pauth" Hwcap 30 []
    "i8mm" = "has_i8mm" Hwcap2 13 []
};

/// Without one of these, there is no AVX-512 here: other parts of it are in no processor of interest.
const AVX512: [&str; 4] = ["avx512f", "avx512vl", "avx512dq", "avx512bw"];

const V2: &[&str] = &["cx16", "popcnt", "sse4.2"];
const V2_AVX: &[&str] = &["cx16", "popcnt", "avx"];
const V3: &[&str] = &[
    "cx16", "popcnt", "lzcnt", "bmi", "bmi2", "f16c", "fma", "avx2",
];
const V3_VNNI: &[&str] = &[
    "cx16", "popcnt", "lzcnt", "bmi", "bmi2", "f16c", "fma", "avxvnni",
];
const V4: &[&str] = &[
    "cx16", "popcnt", "lzcnt", "bmi", "bmi2", "avx512dq", "avx512bw", "avx512vl",
];
const V4_VNNI: &[&str] = &[
    "cx16",
    "popcnt",
    "lzcnt",
    "bmi",
    "bmi2",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512vnni",
];
const ICE_LAKE: &[&str] = &[
    "cx16",
    "popcnt",
    "lzcnt",
    "bmi",
    "bmi2",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512vnni",
    "avx512vbmi",
    "avx512bitalg",
];
const ZEN_5: &[&str] = &[
    "cx16",
    "popcnt",
    "lzcnt",
    "bmi",
    "bmi2",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512vnni",
    "avx512vbmi",
    "avx512bitalg",
    "avxvnni",
];
const SAPPHIRE_RAPIDS: &[&str] = &[
    "cx16",
    "popcnt",
    "lzcnt",
    "bmi",
    "bmi2",
    "avx512fp16",
    "avx512vnni",
    "avx512vbmi",
    "avx512bitalg",
    "avxvnni",
];
const ARMV8_2: &[&str] = &["lse", "fullfp16", "dotprod"];
const ARMV8_4: &[&str] = &["lse", "fullfp16", "dotprod", "pauth"];
const ARMV8_6: &[&str] = &["lse", "fullfp16", "dotprod", "pauth", "i8mm"];

/// Processors and levels by name, with those of their features that are not implied by others.
type CpuNames = &'static [(&'static str, &'static [&'static str])];

static X86_64_CPUS: CpuNames = &[
    ("generic", &[]),
    ("x86-64", &[]),
    ("x86-64-v2", V2),
    ("x86-64-v3", V3),
    ("x86-64-v4", V4),
    ("nehalem", V2),
    ("westmere", V2),
    ("sandybridge", V2_AVX),
    ("ivybridge", V2_AVX),
    ("haswell", V3),
    ("broadwell", V3),
    ("skylake", V3),
    ("alderlake", V3_VNNI),
    ("raptorlake", V3_VNNI),
    ("skylake-avx512", V4),
    ("cascadelake", V4_VNNI),
    ("icelake-client", ICE_LAKE),
    ("icelake-server", ICE_LAKE),
    ("tigerlake", ICE_LAKE),
    ("sapphirerapids", SAPPHIRE_RAPIDS),
    ("emeraldrapids", SAPPHIRE_RAPIDS),
    ("graniterapids", SAPPHIRE_RAPIDS),
    ("znver1", V3),
    ("znver2", V3),
    ("znver3", V3),
    ("znver4", ICE_LAKE),
    ("znver5", ZEN_5),
];

static AARCH64_CPUS: CpuNames = &[
    ("generic", &[]),
    ("cortex-a53", &[]),
    ("cortex-a57", &[]),
    ("cortex-a72", &[]),
    ("cortex-a55", ARMV8_2),
    ("cortex-a75", ARMV8_2),
    ("cortex-a76", ARMV8_2),
    ("cortex-a78", ARMV8_2),
    ("neoverse-n1", ARMV8_2),
    ("neoverse-v1", ARMV8_6),
    ("neoverse-n2", ARMV8_6),
    ("neoverse-v2", ARMV8_6),
    ("apple-m1", ARMV8_4),
    ("apple-m2", ARMV8_6),
];

impl Feature {
    /// The features of an architecture.
    fn of(arch: Arch) -> &'static [Self] {
        match arch {
            Arch::X86_64 => X86_64,
            Arch::AArch64 => AARCH64,
        }
    }

    /// Which bits of XCR0 say that the system saves its registers; zero if those of SSE are all.
    pub(crate) fn saved_state(&self) -> u32 {
        const XMM_AND_YMM: u32 = 0x06;
        const OPMASK_AND_ZMM: u32 = 0xe0;
        match self.name {
            name if name.starts_with("avx512") => XMM_AND_YMM | OPMASK_AND_ZMM,
            "avx" | "avx2" | "avxvnni" | "f16c" | "fma" => XMM_AND_YMM,
            _ => 0,
        }
    }
}

fn cpu_names(arch: Arch) -> CpuNames {
    match arch {
        Arch::X86_64 => X86_64_CPUS,
        Arch::AArch64 => AARCH64_CPUS,
    }
}

/// Whether the processor at hand has a feature that Cranelift has no name for.
fn has_beyond_cranelift(name: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let is_there = match name {
        "avx512bw" => std::arch::is_x86_feature_detected!("avx512bw"),
        "avx512fp16" => std::arch::is_x86_feature_detected!("avx512fp16"),
        "f16c" => std::arch::is_x86_feature_detected!("f16c"),
        _ => false,
    };
    #[cfg(not(target_arch = "x86_64"))]
    let is_there = false;
    is_there
}

impl Cpu {
    /// What every processor of the architecture can do.
    pub fn generic(arch: Arch) -> Self {
        Self { arch, has: 0 }
    }

    /// The processor at hand.
    ///
    /// # Errors
    /// If code cannot be generated for this machine.
    pub fn native() -> Result<Self, UnknownCpu> {
        static NATIVE: OnceLock<Result<Cpu, UnknownCpu>> = OnceLock::new();
        NATIVE.get_or_init(Self::detect).clone()
    }

    fn detect() -> Result<Self, UnknownCpu> {
        let unsupported = || UnknownCpu("this machine is not supported".to_owned());
        let arch = Target::host().arch().ok_or_else(unsupported)?;
        let settings = native_settings().map_err(UnknownCpu)?;
        let mut cpu = Self::generic(arch);
        for (index, feature) in Feature::of(arch).iter().enumerate() {
            let is_there = match feature.setting {
                Some(setting) => settings.contains(&setting),
                None => has_beyond_cranelift(feature.name),
            };
            if is_there {
                cpu.has |= 1 << index;
            }
        }
        Ok(cpu)
    }

    /// The processor `name` of a target (`native` is the one at hand), changed by `features`: names
    /// with `+` or `-` in front, separated by commas, the later ones counting.
    ///
    /// # Errors
    /// If there is no such processor or feature; the message lists those there are.
    pub fn named(target: &Target, name: &str, features: &str) -> Result<Self, UnknownCpu> {
        let Some(arch) = target.arch() else {
            return Err(UnknownCpu(format!("target '{target}' is not supported")));
        };
        let mut cpu = Self::generic(arch);
        let known = cpu_names(arch).iter().find(|(known, _)| *known == name);
        match (name, known) {
            ("native", _) if target.is_host() => cpu = Self::native()?,
            ("native", _) => {
                let message =
                    format!("CPU 'native' is that of this machine, and not of '{target}'");
                return Err(UnknownCpu(message));
            }
            (_, Some((_, features))) => {
                for feature in *features {
                    cpu.enable(feature);
                }
            }
            (_, None) => {
                let names: Vec<_> = cpu_names(arch).iter().map(|(name, _)| *name).collect();
                return Err(UnknownCpu(format!(
                    "unknown CPU '{name}' for target '{target}': known are native, {}",
                    names.join(", ")
                )));
            }
        }
        for change in features.split(',').filter(|change| !change.is_empty()) {
            let is_known = |name: &str| Feature::of(arch).iter().any(|f| f.name == name);
            match (change.strip_prefix('+'), change.strip_prefix('-')) {
                (Some(name), _) if is_known(name) => cpu.enable(name),
                (_, Some(name)) if is_known(name) => cpu.disable(name),
                (None, None) => {
                    return Err(UnknownCpu(format!(
                        "expected '+' or '-' in front of CPU feature '{change}'"
                    )));
                }
                _ => {
                    let names: Vec<_> = Feature::of(arch).iter().map(|f| f.name).collect();
                    return Err(UnknownCpu(format!(
                        "unknown CPU feature '{}' for target '{target}': known are {}",
                        &change[1..],
                        names.join(", ")
                    )));
                }
            }
        }
        Ok(cpu)
    }

    /// The architecture.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The features, in an order in which implied ones come first.
    pub(crate) fn features(&self) -> impl Iterator<Item = &'static Feature> + use<> {
        let has = self.has;
        let features = Feature::of(self.arch).iter().enumerate();
        features.filter_map(move |(index, feature)| (has >> index & 1 == 1).then_some(feature))
    }

    /// Whether it has the feature of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.features().any(|feature| feature.name == name)
    }

    /// What it does with vectors of at most `bits` bits. Beyond those that every processor of an architecture has,
    /// there are only those of x86-64.
    pub fn vectors(&self, bits: u32) -> Vectors {
        if self.arch == Arch::AArch64 {
            return Vectors::new(128, Features::NONE.with(VectorFeature::F16c));
        }
        let has_avx512 = AVX512.into_iter().all(|feature| self.has(feature));
        let widest = match (self.has("avx2"), has_avx512) {
            (true, true) => 512,
            (true, false) => 256,
            _ => 128,
        };
        let needs = [
            (VectorFeature::Fma, "fma"),
            (VectorFeature::F16c, "f16c"),
            (VectorFeature::Rounding, "sse4.1"),
            // Without it, an operand in memory traps if its address is not a multiple of 16.
            (VectorFeature::Comparisons, "avx"),
        ];
        let has = |feature, name| self.has(name) || has_avx512 && feature == VectorFeature::F16c;
        let lacking = needs
            .into_iter()
            .filter(|&(feature, name)| !has(feature, name));
        let lacks = lacking.fold(Features::NONE, |lacks, (feature, _)| lacks.with(feature));
        Vectors::new(bits.min(widest), lacks)
    }

    /// The names of features that `other` lacks.
    pub fn missing_in(&self, other: &Self) -> Vec<&'static str> {
        let missing = Self {
            arch: self.arch,
            has: self.has & !other.has,
        };
        missing.features().map(|feature| feature.name).collect()
    }

    /// Adds a feature and all that it implies.
    fn enable(&mut self, name: &str) {
        let features = Feature::of(self.arch);
        let Some(index) = features.iter().position(|feature| feature.name == name) else {
            return;
        };
        self.has |= 1 << index;
        for implied in features[index].implies {
            self.enable(implied);
        }
    }

    /// Removes a feature and all that imply it.
    fn disable(&mut self, name: &str) {
        for (index, feature) in Feature::of(self.arch).iter().enumerate() {
            if feature.name == name {
                self.has &= !(1 << index);
            } else if feature.implies.contains(&name) && self.has >> index & 1 == 1 {
                self.disable(feature.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(cpu: &str, features: &str) -> String {
        let target = Target::SUPPORTED[0].parse().unwrap();
        let cpu = Cpu::named(&target, cpu, features);
        match cpu {
            Ok(cpu) => cpu.missing_in(&Cpu::generic(Arch::X86_64)).join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn features_imply_and_need_others() {
        assert_eq!(features("generic", ""), "");
        assert_eq!(
            features("x86-64-v2", ""),
            "sse3 ssse3 cx16 sse4.1 sse4.2 popcnt"
        );
        assert_eq!(features("generic", "+avx"), "sse3 ssse3 sse4.1 sse4.2 avx");
        assert_eq!(
            features("x86-64-v4", "-sse4.2"),
            "sse3 ssse3 cx16 sse4.1 popcnt lzcnt bmi bmi2"
        );
        assert_eq!(features("generic", "+fma,-avx"), "sse3 ssse3 sse4.1 sse4.2");
        assert_eq!(
            features("generic", "-avx,+avx,-avx,+sse3"),
            "sse3 ssse3 sse4.1 sse4.2"
        );
    }

    #[test]
    fn what_is_unknown_is_refused() {
        let refused = features("8086", "");
        assert!(
            refused.starts_with("unknown CPU '8086'") && refused.contains("x86-64-v3"),
            "{refused}"
        );
        let refused = features("generic", "+sse5");
        assert!(
            refused.starts_with("unknown CPU feature 'sse5'") && refused.contains("avx512vl"),
            "{refused}"
        );
        assert!(features("generic", "avx").starts_with("expected '+' or '-'"));
    }

    /// Cranelift knows all settings, and there is none about instructions that has no name here.
    #[test]
    fn features_are_those_of_cranelift() {
        for name in Target::SUPPORTED {
            let target: Target = name.parse().unwrap();
            let arch = target.arch().unwrap();
            let isa = cranelift_codegen::isa::lookup(target.triple().clone()).unwrap();
            let settings = isa.iter().map(|setting| setting.name);
            let known: Vec<_> = settings.filter(|name| name.starts_with("has_")).collect();
            let mut ours: Vec<_> = Feature::of(arch).iter().filter_map(|f| f.setting).collect();
            ours.sort_unstable();
            let mut theirs = known.clone();
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn processors_have_known_features() {
        for arch in [Arch::X86_64, Arch::AArch64] {
            for (cpu, features) in cpu_names(arch) {
                for feature in *features {
                    let mut known = Feature::of(arch).iter().map(|f| f.name);
                    assert!(known.any(|name| name == *feature), "{cpu}: {feature}");
                }
            }
        }
    }

    #[test]
    fn the_processor_at_hand_lacks_nothing_of_itself() {
        let native = Cpu::native().unwrap();
        assert!(native.missing_in(&native).is_empty());
    }
}
