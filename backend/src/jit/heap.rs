//! What the C library does with memory that programs free.

/// Has the C library keep up to a gigabyte of what programs free, for what they allocate next, unless the environment
/// says what it is to do. Otherwise it gives memory back to the system once 64 MB of it are free, and the next call begins with
/// page faults.
///
/// This is about the whole process, so whoever calls programs again and again decides it: the Python package and JAX's
/// device do. `piper voice` (benches/results/onnx.md) takes 142 ms instead of 195, with the same peak. With other
/// C libraries than glibc it does nothing.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const VARIABLES: [&str; 4] = [
            "GLIBC_TUNABLES",
            "MALLOC_MMAP_THRESHOLD_",
            "MALLOC_TOP_PAD_",
            "MALLOC_TRIM_THRESHOLD_",
        ];
        static ONCE: std::sync::Once = std::sync::Once::new();
        let is_set = |name| std::env::var_os(name).is_some();
        ONCE.call_once(|| {
            if VARIABLES.into_iter().any(is_set) {
                return;
            }
            // SAFETY: these are numbers that the C library keeps, which any thread may set.
            unsafe {
                libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 30);
                // The largest there is, which it would have reached by itself; the first call keeps it from moving.
                libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
            }
        });
    }
}
