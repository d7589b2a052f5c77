//! The files of the symbolic engine's store, compiled with loom's atomics: in this crate the name
//! `std` denotes the crate itself. Tables have at most eight entries.
#![allow(dead_code, unused_imports)]

extern crate self as std;
extern crate std as real;
// The crates of which the files import something; stand-ins are below.
extern crate self as phutbase_base;
extern crate self as phutbase_sets;
extern crate self as phutbase_machine;

pub use real::{arch, iter, mem, ops, ptr, time};

pub mod sync {
    pub use loom::sync::{Arc, atomic};
}

pub mod graph {
    pub fn prefetch<T>(_: &T) {}
}

/// Stands in for the trait that the store implements.
pub trait Diagram {
    type Ref;
    fn length(&self) -> usize;
    fn view(&self, at: Self::Ref) -> View<Self::Ref>;
}

pub enum View<R> {
    Bottom,
    Top,
    Ternary(usize, [R; 3]),
    Binary(usize, [R; 2]),
}

/// Stands in for the job of a run, which never stops.
pub mod job {
    #[derive(Clone, Default)]
    pub struct Job;

    pub struct Stopped;

    impl Job {
        pub fn check(&self) -> Result<(), Stopped> {
            Ok(())
        }

        pub fn set_done(&self, _: u64) {}
    }
}

#[path = "../../crates/base/src/bits.rs"]
pub mod bits;

pub mod scratch {
    /// Values on the heap; loom's atomics cannot start as zero bytes.
    pub struct Mapping<T>(Vec<T>);

    pub struct MappingError;

    impl<T: Default> Mapping<T> {
        pub fn new(count: usize, _: Option<()>) -> Result<Mapping<T>, MappingError> {
            Ok(Mapping((0..count.min(8)).map(|_| T::default()).collect()))
        }

        pub fn resize(&mut self, count: usize) -> Result<(), MappingError> {
            self.0.resize_with(count.min(8), T::default);
            Ok(())
        }
    }

    impl<T> real::ops::Deref for Mapping<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> real::ops::DerefMut for Mapping<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

#[path = "../../crates/strips/src/symbolic"]
mod symbolic {
    pub mod cache;
    pub mod counters;
    pub mod store;
}

#[cfg(test)]
mod tests {
    use crate::symbolic::cache::{Cache, Key};
    use crate::symbolic::store::{Halt, Id, Store, SymbolicLimits};
    use loom::sync::Arc;
    use loom::thread::spawn;

    /// Runs two threads on shared data in every order with at most three preemptions.
    fn both<S: Send + Sync + 'static, A: Send + 'static>(
        shared: fn() -> S,
        one: impl Fn(&S) -> A + Copy + Send + Sync + 'static,
        other: impl Fn(&S) -> A + Copy + Send + Sync + 'static,
        check: fn(&S, A, A),
    ) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let shared = Arc::new(shared());
            let thread = spawn({
                let shared = Arc::clone(&shared);
                move || other(&shared)
            });
            let one = one(&shared);
            check(&shared, one, thread.join().unwrap());
        });
    }

    /// Returns a store with one node. Both threads number nodes from its range.
    fn store() -> Store {
        let store = Store::new(4, SymbolicLimits::default()).ok().unwrap();
        store.binary(0, Id::BOTTOM, Id::TOP).unwrap();
        store
    }

    fn key(number: u32) -> Key {
        Key {
            operation: 1,
            first: Id(number),
            second: Id(number),
        }
    }

    /// Both threads make the same two nodes, and one of them a third.
    #[test]
    fn equal_nodes_have_one_number() {
        fn two(store: &Store) -> Result<[Id; 2], Halt> {
            let below = store.binary(3, Id::BOTTOM, Id::TOP)?;
            Ok([below, store.binary(2, below, Id::TOP)?])
        }
        let more = |store: &Store| {
            store.binary(3, Id::TOP, Id::BOTTOM)?;
            two(store)
        };
        both(store, two, more, |store, one, other| {
            assert_eq!(one, other);
            let [below, above] = one.unwrap();
            assert_eq!(
                (store.node(below).empty, store.node(below).stone),
                (Id::BOTTOM, Id::TOP)
            );
            assert_eq!(
                (store.node(above).empty, store.node(above).stone),
                (below, Id::TOP)
            );
        });
    }

    /// A thread that finds a result in the cache reads the node that it denotes.
    #[test]
    fn results_in_the_cache_denote_written_nodes() {
        let make = |store: &Store| {
            let made = store.binary(3, Id::BOTTOM, Id::TOP).unwrap();
            store.remember(key(5), made).unwrap();
        };
        let find = |store: &Store| {
            if let Some(found) = store.recall(key(5)) {
                assert_eq!((store.node(found).level(), store.node(found).stone), (3, Id::TOP));
            }
        };
        both(store, make, find, |_, (), ()| {});
    }

    /// Returns five keys with the same set, which holds four.
    fn rivals(cache: &Cache) -> (usize, [Key; 5]) {
        let place = cache.place(key(1));
        let mut keys = (1..).map(key).filter(|&key| cache.place(key) == place);
        (place, [(); 5].map(|()| keys.next().unwrap()))
    }

    /// Stores a number under each of some keys.
    fn write(cache: &Cache, numbers: &[usize]) {
        let (place, keys) = rivals(cache);
        (numbers.iter()).for_each(|&number| cache.remember(place, keys[number], Id(number as u32)));
    }

    /// Recalls the number of each of some keys, or nothing.
    fn read(cache: &Cache, numbers: &[usize]) {
        let (place, keys) = rivals(cache);
        for &number in numbers {
            assert!(
                cache
                    .recall(place, keys[number])
                    .is_none_or(|found| found == Id(number as u32))
            );
        }
    }

    fn cache() -> Cache {
        Cache::new(8).ok().unwrap()
    }

    /// Returns a cache with four results in one set.
    fn full() -> Cache {
        let cache = cache();
        write(&cache, &[0, 1, 2, 3]);
        cache
    }

    #[test]
    fn two_writers_do_not_mix_their_results() {
        let [one, other] = [0, 1].map(|own| {
            move |cache: &Cache| {
                write(cache, &[own]);
                read(cache, &[0, 1]);
            }
        });
        both(cache, one, other, |_, (), ()| {});
    }

    /// The first entry becomes what it was while it is read.
    #[test]
    fn a_reader_notices_all_changes() {
        let write = |cache: &Cache| write(cache, &[4, 1, 2, 3, 0]);
        both(full, write, |cache| read(cache, &[0, 4]), |_, (), ()| {});
    }
}
