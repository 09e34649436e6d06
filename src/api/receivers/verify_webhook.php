<?php

const TOLERANCE_SECONDS = 300;

/**
 * Returns whether a webhook was sent by the service. Answer 401 if not, and 200 as soon as you have stored it. An event
 * can arrive more than once: store the id in its body and ignore events that you have handled.
 *
 * @param string      $secret the endpoint's secret, the whole string from whsec_ on
 * @param string|null $header the value of X-Service-Signature: $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null
 * @param string      $body   the raw body, before anything parses it: file_get_contents('php://input')
 * @param int|null    $now    unix seconds
 */
function verify_webhook(string $secret, ?string $header, string $body, ?int $now = null): bool
{
    $values = ['t' => [], 'v1' => []];
    foreach (explode(',', $header ?? '') as $field) {
        [$name, $value] = explode('=', $field, 2) + [1 => ''];
        $values[$name][] = $value;
    }

    if (count($values['t']) !== 1 || preg_match('/\A[0-9]{1,11}\z/', $values['t'][0]) !== 1) {
        return false;
    }
    $t = $values['t'][0];
    if (abs(($now ?? time()) - (int) $t) > TOLERANCE_SECONDS) {
        return false;
    }

    $expected = hash_hmac('sha256', $t . '.' . $body, $secret);
    // After a rotation of the secret there are two signatures: one with the new secret, one with the old.
    foreach ($values['v1'] as $digest) {
        if (hash_equals($expected, $digest)) {
            return true;
        }
    }
    return false;
}
