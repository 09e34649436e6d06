import type { Sample } from '../../ui/form/OneTimeSecret.tsx'

/**
 * Sample requests for the first call with a new key. A repeated call records nothing, because of its idempotency key.
 */
export const firstCalls = (origin: string, key: string): Sample[] => [
  {
    language: 'curl',
    code: `curl ${origin}/v1/events \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "type": "order.created",
    "phone": "+12025550123",
    "name": "Ana",
    "data": { "total": 129.9 },
    "idempotencyKey": "order-1"
  }'`,
  },
  {
    language: 'TypeScript',
    code: `const response = await fetch('${origin}/v1/events', {
  method: 'POST',
  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify({
    type: 'order.created',
    phone: '+12025550123',
    name: 'Ana',
    data: { total: 129.9 },
    idempotencyKey: 'order-1',
  }),
})
console.log(response.status, await response.json())`,
  },
  {
    language: 'Python',
    code: `import json
import urllib.request

request = urllib.request.Request(
    "${origin}/v1/events",
    headers={"X-API-Key": "${key}", "Content-Type": "application/json"},
    data=json.dumps({
        "type": "order.created",
        "phone": "+12025550123",
        "name": "Ana",
        "data": {"total": 129.9},
        "idempotencyKey": "order-1",
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
  },
  {
    language: 'PHP',
    code: `<?php

$request = curl_init('${origin}/v1/events');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['X-API-Key: ${key}', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'type' => 'order.created',
        'phone' => '+12025550123',
        'name' => 'Ana',
        'data' => ['total' => 129.9],
        'idempotencyKey' => 'order-1',
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($request);`,
  },
]
