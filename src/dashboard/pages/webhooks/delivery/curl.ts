/** Request of a delivery as a curl command. */

/** Quotes text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Sends the same bytes and headers. Custom headers are not part of the API's answer, so they are missing. */
export const toCurl = (url: string, { headers, body }: { headers: Record<string, string>; body: string }): string =>
  [
    `curl -i -X POST ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(body)}`,
  ].join(' \\\n  ')
