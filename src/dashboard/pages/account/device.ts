/** Browser patterns for a user agent, by priority. The first match wins, because most browsers name several. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const maxLength = 40

/**
 * Returns the browser and the operating system. `system` is null if unknown, and the result is null without a user
 * agent.
 */
export const parseDevice = (userAgent: string | null): { browser: string; system: string | null } | null => {
  if (!userAgent) return null
  const findName = (patterns: [RegExp, string][]) => patterns.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: findName(browsers) ?? userAgent.slice(0, maxLength), system: findName(systems) }
}
