//! Independent pieces of work, on all cores with the feature `parallel`, otherwise one after the other. The results are in the order of the
//! pieces either way.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The results of `work` for 0, 1, .. `count` - 1.
#[cfg(feature = "parallel")]
pub(super) fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..count).into_par_iter().map(work).collect()
}

/// Works on every item, with its number.
#[cfg(feature = "parallel")]
pub(super) fn each_mut<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync + Send) {
    items.par_iter_mut().enumerate().for_each(|(number, item)| work(number, item));
}

/// What becomes of every item.
#[cfg(feature = "parallel")]
pub(super) fn each_owned<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync + Send) -> Vec<U> {
    items.into_par_iter().map(work).collect()
}

/// The results of `work` for 0, 1, .. `count` - 1.
#[cfg(not(feature = "parallel"))]
pub(super) fn each<T>(count: usize, work: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(work).collect()
}

/// Works on every item, with its number.
#[cfg(not(feature = "parallel"))]
pub(super) fn each_mut<T>(items: &mut [T], work: impl Fn(usize, &mut T)) {
    items.iter_mut().enumerate().for_each(|(number, item)| work(number, item));
}

/// What becomes of every item.
#[cfg(not(feature = "parallel"))]
pub(super) fn each_owned<T, U>(items: Vec<T>, work: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(work).collect()
}
