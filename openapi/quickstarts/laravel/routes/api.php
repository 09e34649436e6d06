<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\Route;
use StandardWebhooks\Webhook;

Route::post('/hooks', function (Request $request) {
    // After `config:cache`, env() returns null. Read the secret from a configuration file then.
    $secret = env('WEBHOOK_SECRET') ?: throw new RuntimeException('WEBHOOK_SECRET is not set.');
    $headers = [];
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        $headers[$name] = $request->header($name);
    }
    try {
        // The signature covers the raw body, so do not use the parsed input.
        $event = (new Webhook($secret))->verify($request->getContent(), $headers);
    } catch (\Throwable $error) {
        // The library fails with several kinds of errors on malformed headers.
        return response('The signature is not valid.', 401);
    }
    // An event can arrive more than once, for 45 hours and whenever somebody retries it.
    $seen = 'webhook:' . $event['id'];
    if (!Cache::has($seen)) {
        // Store the event before you answer 2xx. Every other answer makes the service send it again.
        Log::info($event['type'] . ' ' . $event['id']);
        Cache::put($seen, true, now()->addDays(7));
    }
    return response()->noContent();
});
