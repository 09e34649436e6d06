/** Parses pasted headers: one per line, as logs, curl or JSON write them, or only the signature. */
export const parseHeaders = (text: string): Record<string, string> => {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) {
    try {
      const entries = Object.entries(JSON.parse(trimmed) as object)
      return Object.fromEntries(
        entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
      )
    } catch {
      // Not valid JSON, so the text is parsed line by line.
    }
  }
  const lines = trimmed
    .split(/\r?\n/)
    .map(line => line.replace(/^\s*[<>]\s*|^\s*-H\s*/, '').replace(/^(['"])(.*)\1[,\\]?$/, '$2'))
  const pairs = lines.flatMap(line => {
    const match = /^\s*["']?([A-Za-z0-9_-]+)["']?\s*(?::|=>)\s*["']?(.*?)["']?,?\s*$/.exec(line)
    return match ? [[match[1]!, match[2]!] as const] : []
  })
  if (pairs.length === 0 && /^v1,/.test(trimmed)) return { 'webhook-signature': trimmed }
  if (pairs.length === 0 && /(^|,)\s*(t|v1)=/.test(trimmed)) return { 'X-Service-Signature': trimmed }
  return Object.fromEntries(pairs)
}
