//! What all requests share: the games, the lanes, the file of hidden games, the laboratory.

use crate::lab::Lab;
use crate::lanes::{Lanes, Refusal, Rules, is_limit};
use crate::vault::Vault;
use kachi::contract::{Allowance, Contract};
use kachi::core::{Budget, Error};
use kachi::registry::Registry;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// The shared state.
pub struct App {
    /// The games.
    pub registry: Registry<'static>,
    /// The answers of the contract.
    pub contract: Contract<'static>,
    /// Who may think.
    pub lanes: Lanes,
    /// Hidden games; `None` when there is no folder for them.
    pub vault: Option<Vault>,
    /// The runs of the laboratory.
    pub lab: Lab,
    /// Places for those who watch them.
    pub(crate) watchers: Arc<Semaphore>,
    /// True when the server ends; what would go on for ever looks at it.
    pub closing: watch::Sender<bool>,
    /// Does the server listen on the loopback address only?
    pub local_only: bool,
}

impl App {
    /// The state of a server with these rules.
    pub fn new(
        registry: Registry<'static>,
        rules: Rules,
        vault: Option<Vault>,
        lab: Lab,
        local_only: bool,
    ) -> App {
        let allowance = Allowance { line: rules.body, limits: rules.limits, time: Some(rules.time) };
        App {
            registry,
            contract: Contract::new(registry, allowance),
            lanes: Lanes::new(rules),
            vault,
            lab,
            watchers: crate::pages::lab::watchers(),
            closing: watch::Sender::new(false),
            local_only,
        }
    }

    /// Thinks under the rules; a refusal becomes an error like any other.
    ///
    /// # Errors
    /// The work's own, or why it was refused.
    pub async fn think<T: Send + 'static>(
        &self,
        client: IpAddr,
        work: impl Fn(&mut Budget<'_>) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, Error> {
        let unfinished = |answer: &Result<T, Error>| matches!(answer, Err(error) if is_limit(error.code));
        match self.lanes.think(client, false, work, unfinished).await {
            Ok(answer) => answer,
            Err(refusal) => Err(self.refused(refusal)),
        }
    }

    /// A refusal in words.
    pub fn refused(&self, refusal: Refusal) -> Error {
        refusal.error(self.lanes.rules())
    }
}
