//! The message for a program that crashes in this process, and what else signals do to it.

use std::ffi::{c_int, c_void};
use std::io::Write as _;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// Fatal signals.
const SIGNALS: [c_int; 5] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
];

/// The code of a signal that is about no address.
const SI_KERNEL: c_int = 0x80;

/// An access this near to the stack pointer is one to the stack.
const STACK_GUARD_BYTES: usize = 1 << 16;

/// Gives the exit status of the process that crashes.
static STATUS: OnceLock<fn() -> u8> = OnceLock::new();

/// As long as this lives, a crash of native code ends the process with a message and the status that it was
/// made with. For processes that do nothing but run a program: it replaces the handlers of signals.
pub struct CrashReport {
    before: [libc::sigaction; SIGNALS.len()],
}

impl CrashReport {
    /// Installs the handlers. `status` is called in them, and may do no more than read atomics; it is the same for
    /// the whole process.
    pub fn install(status: fn() -> u8) -> Self {
        let _ = STATUS.set(status);
        let before = SIGNALS.map(|signal| {
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = report;
            let mut before = MaybeUninit::zeroed();
            // SAFETY: zeroes are a valid `sigaction` (no handler, no flags, an empty mask), and both pointers are
            // to whole ones. Threads made by Rust have a stack for signals, which reporting an overflow needs.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
                libc::sigaction(signal, &action, before.as_mut_ptr());
                before.assume_init()
            }
        });
        Self { before }
    }
}

impl Drop for CrashReport {
    fn drop(&mut self) {
        for (&signal, before) in SIGNALS.iter().zip(&self.before) {
            // SAFETY: this is what the system gave for the same signal.
            unsafe { libc::sigaction(signal, before, ptr::null_mut()) };
        }
    }
}

/// The handler. It may only call what POSIX allows in handlers: `write` and `_exit`.
extern "C" fn report(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let mut text = [0; 256];
    let mut rest = &mut text[..];
    let hint =
        "note: 'freehold run -O0 --check=accesses' names the first wrong access, if there is one\n";
    // SAFETY: the system passes both with `SA_SIGINFO`; the address is there for the signals of memory.
    let (address, code) = unsafe { ((*info).si_addr() as usize, (*info).si_code) };
    // What does not fit is left out; nothing here allocates.
    let _ = match signal {
        libc::SIGSEGV | libc::SIGBUS
            if code != SI_KERNEL
                && address.abs_diff(stack_pointer(context)) < STACK_GUARD_BYTES =>
        {
            writeln!(rest, "error: the program overflowed its stack")
        }
        // The processor refused an address that is none, and does not say which.
        libc::SIGSEGV | libc::SIGBUS if code == SI_KERNEL => write!(
            rest,
            "error: the program accessed memory that is not there\n{hint}"
        ),
        libc::SIGSEGV | libc::SIGBUS => write!(
            rest,
            "error: the program accessed memory that is not there, at {address:#x}\n{hint}"
        ),
        libc::SIGILL => writeln!(rest, "error: the program ran into code that is unreachable"),
        libc::SIGFPE => writeln!(rest, "error: the program divided by zero"),
        _ => writeln!(rest, "error: the program aborted"),
    };
    let n = text.iter().position(|&byte| byte == 0);
    // SAFETY: the bytes are those of `text`.
    unsafe {
        libc::write(2, text.as_ptr().cast(), n.unwrap_or(text.len()));
        libc::_exit(STATUS.get().map_or(1, |status| i32::from(status())));
    }
}

/// Where the stack of the interrupted code ended.
fn stack_pointer(context: *mut c_void) -> usize {
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: the system passes the state of the interrupted code.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        let pointer = (*context).uc_mcontext.gregs[libc::REG_RSP as usize] as usize;
        #[cfg(target_arch = "aarch64")]
        let pointer = (*context).uc_mcontext.sp as usize;
        pointer
    }
}

/// From now on, writing to a pipe without readers ends this process, as it ends other programs. Rust's
/// standard library makes it an error instead, which compiled programs do not look at.
pub fn end_on_broken_pipe() {
    // SAFETY: this is what a process begins with.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// From now on, this process ends when the thread that started it does.
pub fn end_with_parent() {
    // SAFETY: this changes what the system does, and nothing in memory.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}
