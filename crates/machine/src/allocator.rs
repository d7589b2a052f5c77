//! The allocator of the program: where memory runs out, the program writes one line, removes its
//! unfinished files and exits with code 3.
//!
//! The standard library's own way out takes several lines and leaves the files.

use phutbase_base::disk::try_remove_unfinished;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Arenas of a program with little memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: libc::c_int = 1;
/// Bytes of the least block that such a program maps by itself; less than the sets of a table.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 256 << 10;

/// The system's allocator.
pub struct Allocator;

thread_local! {
    /// True while an allocation may fail.
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Runs work whose allocations may fail.
pub fn fallible<T>(work: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let done = work();
    MAY_FAIL.set(before);
    done
}

#[allow(unsafe_code)]
// SAFETY: every method passes its arguments to the system's allocator, and returns its result unless
// the process ends.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        granted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        granted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        granted(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns granted memory; ends the program if there is none.
#[inline]
fn granted(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !MAY_FAIL.try_with(Cell::get).unwrap_or(true) {
        out_of_memory(bytes);
    }
    memory
}

/// Makes all threads share one arena of the system's allocator, and gives large blocks back to the
/// system when they are freed. By default there are up to eight arenas per core, and each keeps
/// what its threads once needed. Threads that already have an arena keep it.
pub fn share_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (parameter, value) in [(libc::M_ARENA_MAX, ARENAS), (libc::M_MMAP_THRESHOLD, LARGE_BLOCK)] {
        #[allow(unsafe_code)]
        // SAFETY: sets a parameter of the allocator, under its lock.
        unsafe {
            libc::mallopt(parameter, value);
        }
    }
}

/// True if the address space is limited. Where an arena does not fit, every allocation of its thread
/// asks for it again.
pub fn is_limited() -> bool {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::As).current.is_some()
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    false
}

/// Ends the program in the same way where a new thread is refused memory for its signal stack: the
/// standard library panics there.
pub fn catch_refused_signal_stacks() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        if text.is_some_and(|text| text.contains("alternative stack")) {
            end(format_args!("the stack of a thread was refused"));
        }
        hook(panic);
    }));
}

#[cold]
fn out_of_memory(bytes: usize) -> ! {
    end(format_args!("{bytes} bytes were refused"))
}

fn end(what: fmt::Arguments<'_>) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        // Another thread writes the line and ends the program, unless it waits for a lock of this one.
        std::thread::sleep(Duration::from_secs(1));
        std::process::exit(3);
    }
    // What follows may allocate a little; it may then fail as the standard library does.
    MAY_FAIL.set(true);
    let _ = writeln!(io::stderr(), "phutbase: out of memory: {what}");
    try_remove_unfinished();
    std::process::exit(3)
}
