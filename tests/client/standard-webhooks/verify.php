<?php
// Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file.

require getenv('LIBRARY') . '/vendor/autoload.php';

function is_genuine(string $line): bool
{
    [$secret, $id, $timestamp, $signature, $body] = explode("\t", $line);
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
    try {
        (new \StandardWebhooks\Webhook($secret))->verify(base64_decode($body), $headers);
        return true;
    } catch (\Throwable) {
        return false;
    }
}

foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
    echo is_genuine($line) ? "true\n" : "false\n";
}
