//! Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file.

use base64::{engine::general_purpose::STANDARD, Engine};
use http::HeaderMap;
use standardwebhooks::Webhook;

fn is_genuine(line: &str) -> Option<()> {
    let fields: Vec<&str> = line.split('\t').collect();
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", fields[1].parse().ok()?);
    headers.insert("webhook-timestamp", fields[2].parse().ok()?);
    headers.insert("webhook-signature", fields[3].parse().ok()?);
    let body = STANDARD.decode(fields[4]).ok()?;
    Webhook::new(fields[0]).ok()?.verify(&body, &headers).ok()
}

fn main() {
    let path = std::env::args().nth(1).expect("the path of the cases");
    let cases = std::fs::read_to_string(path).expect("the cases");
    for line in cases.split('\n') {
        println!("{}", is_genuine(line).is_some());
    }
}
