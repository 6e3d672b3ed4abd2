//! `kachi serve`: the page in the browser, and the same answers over HTTP.

use crate::failure::{Exit, Failure};
use crate::positions::CostArgs;
use crate::scene::Scene;
use clap::Args;
use kachi::core::Error;
use kachi::registry::Registry;
use kachi_web::lanes::Rules;
use kachi_web::server::{Refused, Settings, serve};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  kachi serve                                    the page on this machine
  kachi serve --port 8080                        on another port; --port 0 takes a free one
  kachi serve --host 0.0.0.0                     for the whole network
  curl http://127.0.0.1:7373/api/v1/query -d '{\"game\": \"tanhinmin\", \"position\": \"1,3/2\"}'

Only this machine can reach the page unless --host says otherwise. Ctrl-C ends it.";

/// Play and analyse in the browser, and answer programs over HTTP
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7373)]
    port: u16,

    /// The folder of games with hidden cards and of the laboratory; left out: $KACHI_DATA, or the system's folder for data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Searches at a time; left out: one less than there are cores
    #[arg(long, value_name = "N")]
    searches: Option<usize>,

    /// Searches that may wait
    #[arg(long, value_name = "N")]
    queue: Option<usize>,

    /// Searches of one address
    #[arg(long, value_name = "N")]
    per_client: Option<usize>,

    #[command(flatten)]
    cost: CostArgs,
}

impl ServeArgs {
    fn settings(&self) -> Settings {
        let mut rules = Rules::default();
        rules.limits.nodes = self.cost.nodes.unwrap_or(rules.limits.nodes);
        rules.time = self.cost.seconds.unwrap_or(rules.time);
        rules.searches = self.searches.unwrap_or(rules.searches);
        rules.queue = self.queue.unwrap_or(rules.queue);
        rules.per_client = self.per_client.unwrap_or(rules.per_client);
        let data = self.data.clone().or_else(data_folder);
        Settings { listen: SocketAddr::new(self.host, self.port), rules, data }
    }
}

/// The folder that holds the tables and the runs of the laboratory, too.
fn data_folder() -> Option<PathBuf> {
    let tables = kachi_lab::table::Folder::usual()?;
    tables.path().parent().map(Path::to_owned)
}

pub(crate) fn run(args: &ServeArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let settings = args.settings();
    let json = scene.json;
    let strong = scene.paint.strong;
    let out = &mut *scene.stage.output;
    let ready = |address: SocketAddr| {
        let url = format!("http://{address}/");
        if json {
            writeln!(out, "{}", serde_json::json!({ "url": url }))?;
        } else {
            writeln!(out, "kachi is at {strong}{url}{strong:#}  (Ctrl-C ends it)")?;
        }
        out.flush()
    };
    // The games of the page outlive every request, so they are those of the program.
    match serve(Registry::default(), &settings, ready) {
        Ok(()) => Ok(Exit::Answered),
        Err(refused) => Err(explained(&refused).into()),
    }
}

fn explained(refused: &Refused) -> Error {
    match refused {
        Refused::Listen(..) => Error::new("cannot_listen", refused.to_string())
            .hint("another server may be there; --port 0 takes a free port"),
        Refused::Data(_) => Error::new("cannot_open", refused.to_string())
            .hint("another kachi serve may have it open; --data DIR takes another folder"),
        Refused::System(_) => Error::new("cannot_start", refused.to_string()),
    }
}
