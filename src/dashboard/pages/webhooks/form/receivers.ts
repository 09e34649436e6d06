/** Receiver samples from the documentation page, with the secret filled in. */
import { useQuery } from '@tanstack/react-query'
import type { Sample } from '../../../ui/form/OneTimeSecret.tsx'

export const receiversPath: string = '/docs/receivers'

/** Returns the published code by language, or an empty list if the page cannot be loaded. */
export const useReceivers = (secret: string): Sample[] => {
  const page = useQuery({
    queryKey: [receiversPath],
    queryFn: fetchReceivers,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  return (page.data ?? []).map(({ language, code }) => ({ language, code: `${code}\n${sampleCall(language, secret)}` }))
}

/** Reads the Markdown of the page, because its HTML has links and buttons beside the code. */
const fetchReceivers = async (): Promise<Sample[]> => {
  const response = await fetch(`${receiversPath}.md`)
  if (!response.ok) throw new Error(`The receivers are not served: ${response.status}.`)
  return [...(await response.text()).matchAll(samplePattern)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** Matches a heading and the code block below it. */
const samplePattern = /^### ([^\n]+)\n```\w*\n(.*?\n)```$/gms

/** Returns the code that calls the receiver, with the secret as the fallback of an environment variable. */
const sampleCall = (language: string, secret: string): string => sampleCalls[language]?.(secret) ?? ''

const sampleCalls: Record<string, (secret: string) => string> = {
  TypeScript: secret => `// In the handler of your route:
const secret = process.env.WEBHOOK_SECRET ?? '${secret}'
const isGenuine = verifyWebhook(secret, request.headers.get('X-Service-Signature'), await request.text())
`,
  Python: secret => `
# In the handler of your route:
secret = os.environ.get("WEBHOOK_SECRET", "${secret}")  # import os
is_genuine = verify_webhook(secret, request.headers.get("X-Service-Signature"), request.get_data())
`,
  PHP: secret => `// In the handler of your route:
$secret = getenv('WEBHOOK_SECRET') ?: '${secret}';
$isGenuine = verify_webhook($secret, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null, file_get_contents('php://input'));
`,
  Go: secret => `// In the handler of your route:
//	body, _ := io.ReadAll(r.Body)
//	isGenuine := VerifyWebhook(webhookSecret, r.Header.Get("X-Service-Signature"), body, time.Now())
const webhookSecret = "${secret}"
`,
  Ruby: secret => `# In the handler of your route:
secret = ENV.fetch("WEBHOOK_SECRET", "${secret}")
is_genuine = verify_webhook(secret, request.headers["X-Service-Signature"], request.raw_post)
`,
}
