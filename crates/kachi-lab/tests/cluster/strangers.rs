//! Who is refused: those without the secret, those from elsewhere, other versions, other campaigns.

use kachi_core::Error;
use kachi_lab::cluster::{Config, Hosts, Secret, Session};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

fn config(
    hosts: &Hosts,
    process: usize,
    secret: &str,
    version: &str,
    listener: Option<TcpListener>,
) -> Config {
    Config {
        hosts: hosts.clone(),
        process,
        workers: 1,
        secret: Secret::new(secret).unwrap(),
        version: version.to_owned(),
        patience: Duration::from_secs(2),
        listener,
        gone: Default::default(),
        leave: None,
    }
}

/// Two processes that meet: what each of them says in the end, and what the first one noted.
fn meet(
    (secret, other_secret): (&str, &str),
    (version, other_version): (&str, &str),
    (campaign, other_campaign): (&str, &str),
) -> (Result<(), Error>, Result<(), Error>, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = Hosts::local(&[listener.local_addr().unwrap().port(), 9]);
    let notes = Mutex::new(Vec::new());
    let first = config(&hosts, 0, secret, version, Some(listener));
    let second = config(&hosts, 1, other_secret, other_version, None);
    let (first, second) = std::thread::scope(|scope| {
        let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
        let first = scope.spawn(move || Session::join(first, campaign, &NEVER, &note).map(|_| ()));
        let second = Session::join(second, other_campaign, &NEVER, &|_| ()).map(|_| ());
        (first.join().unwrap(), second)
    });
    (first, second, notes.into_inner().unwrap())
}

const SECRET: (&str, &str) = ("the secret of the tests", "the secret of the tests");
const VERSION: (&str, &str) = ("1", "1");
const CAMPAIGN: (&str, &str) = ("c", "c");

#[test]
fn those_who_fit_meet() {
    let (first, second, notes) = meet(SECRET, VERSION, CAMPAIGN);
    assert!(first.is_ok() && second.is_ok() && notes.is_empty(), "{first:?} {second:?} {notes:?}");
}

#[test]
fn a_wrong_secret_is_refused_on_both_sides() {
    let (first, second, notes) = meet((SECRET.0, "another secret, as long"), VERSION, CAMPAIGN);
    assert_eq!(second.unwrap_err().code, "wrong_secret");
    let first = first.unwrap_err();
    assert_eq!(first.code, "cannot_connect");
    assert!(first.message.contains("secret"), "whoever waits is told why: {first}");
    assert!(notes.iter().any(|note| note.contains("refused")), "{notes:?}");
}

#[test]
fn another_version_is_refused_and_named() {
    let (first, second, _) = meet(SECRET, ("kachi 1", "kachi 2"), CAMPAIGN);
    let errors = [first.unwrap_err(), second.unwrap_err()];
    for error in errors {
        assert_eq!(error.code, "version_mismatch");
        assert!(error.message.contains("kachi 1") && error.message.contains("kachi 2"), "{error}");
    }
}

#[test]
fn another_campaign_is_refused() {
    let (first, second, _) = meet(SECRET, VERSION, ("here", "there"));
    assert_eq!(first.unwrap_err().code, "campaign_mismatch");
    assert_eq!(second.unwrap_err().code, "campaign_mismatch");
}

#[test]
#[cfg(target_os = "linux")]
fn calls_from_elsewhere_are_hung_up_on() {
    // The hosts are 127.0.0.2 and 127.0.0.3; this call comes from 127.0.0.1.
    let listener = TcpListener::bind("127.0.0.2:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hosts = Hosts::parse(&format!("{address}\n127.0.0.3:2101\n")).unwrap();
    let first = config(&hosts, 0, SECRET.0, "1", Some(listener));
    let notes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
        let first = scope.spawn(move || Session::join(first, "c", &NEVER, &note).map(|_| ()));
        let mut stranger = TcpStream::connect(address).unwrap();
        assert_eq!(stranger.local_addr().unwrap().ip().to_string(), "127.0.0.1");
        stranger.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        // It says nothing and closes, whatever is said.
        let _ = stranger.write_all(&[32, 0, 0, 0]);
        assert!(matches!(stranger.read(&mut [0; 16]), Ok(0) | Err(_)));
        assert_eq!(first.join().unwrap().unwrap_err().code, "cannot_connect");
    });
    assert!(
        notes
            .into_inner()
            .unwrap()
            .iter()
            .any(|note| note.contains("127.0.0.1, which is not among the hosts"))
    );
}

#[test]
fn noise_ends_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hosts = Hosts::local(&[address.port(), 9]);
    let first = config(&hosts, 0, SECRET.0, "1", Some(listener));
    let second = config(&hosts, 1, SECRET.0, "1", None);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || Session::join(first, "c", &NEVER, &|_| ()).map(|_| ()));
        for noise in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &[4, 0, 0, 0, 1, 2, 3, 4], b""] {
            let mut stranger = TcpStream::connect(address).unwrap();
            let _ = stranger.write_all(noise);
        }
        Session::join(second, "c", &NEVER, &|_| ()).unwrap();
        first.join().unwrap().unwrap();
    });
}

#[test]
fn of_two_processes_with_one_number_the_second_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = Hosts::local(&[listener.local_addr().unwrap().port(), 9]);
    let notes = Mutex::new(Vec::new());
    // Process 0 waits for a process 2 as well, so that its door is still open when the second process 1 comes.
    let hosts = Hosts::parse(&format!("{}\n127.0.0.1:10\n", hosts.names().join("\n"))).unwrap();
    let twins = std::thread::scope(|scope| {
        let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
        let first = config(&hosts, 0, SECRET.0, "1", Some(listener));
        let first = scope.spawn(move || Session::join(first, "c", &NEVER, &note).map(|_| ()));
        let twin = || {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let config = config(&hosts, 1, SECRET.0, "1", Some(listener));
            Session::join(config, "c", &NEVER, &|_| ()).map(|_| ()).unwrap_err()
        };
        let twins = [scope.spawn(twin), scope.spawn(twin)].map(|twin| twin.join().unwrap());
        assert_eq!(first.join().unwrap().unwrap_err().code, "cannot_connect");
        twins
    });
    // One is told why, and the other waits for process 2 in vain.
    let mut codes = twins.each_ref().map(|error| error.code);
    codes.sort_unstable();
    assert_eq!(codes, ["cannot_connect", "refused"], "{twins:?}");
    assert!(twins.iter().any(|error| error.message.contains("there is a process 1 already")), "{twins:?}");
    assert!(notes.into_inner().unwrap().iter().any(|note| note.contains("process 1 already")));
}

#[test]
fn words_that_trickle_in_hold_up_nobody_for_long() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hosts = Hosts::local(&[address.port(), 9]);
    let first = config(&hosts, 0, SECRET.0, "1", Some(listener));
    let began = std::time::Instant::now();
    std::thread::scope(|scope| {
        let first = scope.spawn(move || Session::join(first, "c", &NEVER, &|_| ()).map(|_| ()));
        let mut stranger = TcpStream::connect(address).unwrap();
        scope.spawn(move || {
            // A byte now and then, as long as somebody listens.
            while began.elapsed() < Duration::from_secs(30) && stranger.write_all(&[1]).is_ok() {
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        assert_eq!(first.join().unwrap().unwrap_err().code, "cannot_connect");
        assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
    });
}

#[test]
fn who_is_asked_to_stop_waits_no_longer() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = Hosts::local(&[listener.local_addr().unwrap().port(), 9]);
    let first =
        Config { patience: Duration::from_secs(60), ..config(&hosts, 0, SECRET.0, "1", Some(listener)) };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let stop = &stop;
        let first = scope.spawn(move || Session::join(first, "c", stop, &|_| ()).map(|_| ()));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(first.join().unwrap().unwrap_err().code, "interrupted");
    });
}
