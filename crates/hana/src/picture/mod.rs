//! Pictures: the forty-eight cards drawn by this project, the contact sheet of all of them, and boards as text and SVG.
//!
//! | room | draws |
//! |---|---|
//! | [`brush`] | strokes and shapes that the others share |
//! | [`flowers`] | the twelve flowers |
//! | [`figures`] | lights, animals and ribbons |
//! | [`cards`] | whole cards and the contact sheet |
//! | [`board`] | a month and an open position |
//! | [`scene`] | the same two for surfaces that draw and let people click |

pub mod board;
pub mod brush;
pub mod cards;
pub mod figures;
pub mod flowers;
pub mod scene;
