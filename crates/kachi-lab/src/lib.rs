//! The laboratory: work that outgrows a coffee break. A [campaign] is data; the one job [runner](work) makes its shards, on all cores or
//! on many machines, and a folder keeps them, so that it can be interrupted, resumed and cited.
//!
//! | module | holds |
//! |---|---|
//! | [`campaign`] | campaigns and the folders of their runs |
//! | [`work`] | the runner: shards, stores, engines |
//! | [`cluster`] | the engine of many processes |
//! | [`claims`] | published statements as work |
//! | [`simulate`] | games as work |
//! | [`table`] | tables of calculation as work |

pub mod campaign;
pub mod claims;
pub mod cluster;
pub mod simulate;
pub mod table;
pub mod work;
