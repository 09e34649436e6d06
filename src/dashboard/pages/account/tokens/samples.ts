import type { Sample } from '../../../ui/form/OneTimeSecret.tsx'

/** Sample requests for the first call with a new token. They read who the token acts for, so every token can send them. */
export const firstCalls = (origin: string, token: string): Sample[] => [
  {
    language: 'curl',
    code: `curl ${origin}/v1/auth/session \\
  -H 'Authorization: Bearer ${token}'`,
  },
  {
    language: 'TypeScript',
    code: `const response = await fetch('${origin}/v1/auth/session', {
  headers: { Authorization: 'Bearer ${token}' },
})
console.log(response.status, await response.json())`,
  },
  {
    language: 'Python',
    code: `import json
import urllib.request

request = urllib.request.Request(
    "${origin}/v1/auth/session",
    headers={"Authorization": "Bearer ${token}"},
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
  },
]
