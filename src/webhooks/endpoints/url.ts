import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * Result of checking an endpoint's URL: the URL to store, or a sentence that says what to change. The URL is unchanged
 * except for characters beyond ASCII: a host name is in its `xn--` form, and the rest is percent-encoded.
 */
export type UrlValidation = { ok: true; url: string } | { ok: false; reason: string }

const maxLength = 2048

/**
 * Suffixes (and whole names) that are never on the public internet. Names that do not resolve yet (`.example`, `.test`)
 * are allowed, because an endpoint may be registered before its name exists.
 */
const privateSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
  'invalid',
  'svc',
  'cluster.local',
]

/**
 * Well-known services with a port from 1024 up (below that, only 443 is allowed). A POST to one of them can do harm:
 * several of them read commands line by line.
 */
const wellKnownServices: ReadonlyMap<number, string> = new Map([
  [1080, 'SOCKS'],
  [1433, 'Microsoft SQL Server'],
  [1434, 'Microsoft SQL Server'],
  [1521, 'Oracle Database'],
  [1719, 'H.323'],
  [1720, 'H.323'],
  [1723, 'PPTP'],
  [1883, 'MQTT'],
  [2049, 'NFS'],
  [2181, 'ZooKeeper'],
  [2375, 'Docker'],
  [2376, 'Docker'],
  [2377, 'Docker Swarm'],
  [2379, 'etcd'],
  [2380, 'etcd'],
  [3128, 'Squid'],
  [3260, 'iSCSI'],
  [3268, 'LDAP global catalog'],
  [3269, 'LDAP global catalog'],
  [3306, 'MySQL'],
  [3389, 'Remote Desktop'],
  [3659, 'Apple SASL'],
  [4045, 'NFS lock manager'],
  [4190, 'ManageSieve'],
  [4222, 'NATS'],
  [4369, 'Erlang port mapper'],
  [4646, 'Nomad'],
  [5060, 'SIP'],
  [5061, 'SIP'],
  [5222, 'XMPP'],
  [5269, 'XMPP'],
  [5432, 'PostgreSQL'],
  [5433, 'PostgreSQL'],
  [5601, 'Kibana'],
  [5671, 'AMQP'],
  [5672, 'AMQP'],
  [5900, 'VNC'],
  [5901, 'VNC'],
  [5984, 'CouchDB'],
  [5985, 'WinRM'],
  [5986, 'WinRM'],
  [6000, 'X11'],
  [6379, 'Redis'],
  [6380, 'Redis'],
  [6432, 'PgBouncer'],
  [6443, 'Kubernetes'],
  [6566, 'SANE'],
  [6665, 'IRC'],
  [6666, 'IRC'],
  [6667, 'IRC'],
  [6668, 'IRC'],
  [6669, 'IRC'],
  [6679, 'IRC'],
  [6697, 'IRC'],
  [7000, 'Cassandra'],
  [7001, 'Cassandra'],
  [7474, 'Neo4j'],
  [7687, 'Neo4j'],
  [8086, 'InfluxDB'],
  [8125, 'StatsD'],
  [8200, 'Vault'],
  [8201, 'Vault'],
  [8300, 'Consul'],
  [8301, 'Consul'],
  [8500, 'Consul'],
  [8501, 'Consul'],
  [8529, 'ArangoDB'],
  [8600, 'Consul DNS'],
  [8883, 'MQTT'],
  [9042, 'Cassandra'],
  [9092, 'Kafka'],
  [9093, 'Kafka'],
  [9100, 'network printing'],
  [9160, 'Cassandra'],
  [9200, 'Elasticsearch'],
  [9300, 'Elasticsearch'],
  [9418, 'Git'],
  [10050, 'Zabbix'],
  [10051, 'Zabbix'],
  [10080, 'Amanda'],
  [10250, 'Kubernetes kubelet'],
  [10255, 'Kubernetes kubelet'],
  [10256, 'Kubernetes proxy'],
  [11211, 'Memcached'],
  [15672, 'RabbitMQ'],
  [25672, 'RabbitMQ'],
  [26257, 'CockroachDB'],
  [26379, 'Redis Sentinel'],
  [27017, 'MongoDB'],
  [27018, 'MongoDB'],
  [27019, 'MongoDB'],
  [28017, 'MongoDB'],
  [33060, 'MySQL'],
  [50000, 'Db2'],
  [61613, 'STOMP'],
  [61616, 'ActiveMQ'],
])

const ipAddressFault = 'The URL must name its host (such as hooks.example.com), not an IP address.'

interface UrlParts {
  scheme: string
  /** Lower case. An IPv6 address keeps its brackets. */
  host: string
  /** The explicit port, or the default of the scheme. */
  port: number
  path: string
  query: string
  fragment: string
}

/**
 * Checks an endpoint's URL before it is stored, and again before each call. The URL is parsed here, because `new URL`
 * silently repairs many URLs that must be rejected. `URL.parse` must then return the same URL. A fragment is accepted,
 * because it is never sent.
 *
 * @param raw the URL as the caller wrote it
 * @param allowedPrivateTargets `host:port` in lower case, as the URL spells them and with the scheme's default port
 *   filled in. These targets may use http, be private, be an IP address and have any port
 */
export const validateWebhookUrl = (raw: string, allowedPrivateTargets: ReadonlySet<string>): UrlValidation => {
  const url = toAscii(raw)
  const reason = faultOfUrl(url, allowedPrivateTargets)
  return reason === null ? { ok: true, url } : { ok: false, reason }
}

/** Converts characters beyond ASCII. Leaves those unchanged that the checks then reject. */
const toAscii = (raw: string): string => {
  if (raw.length > maxLength || isAscii(raw)) return raw
  const match = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/su.exec(raw)
  if (!match) return raw
  const [, scheme, authority, rest] = match
  return `${scheme}${toAsciiAuthority(authority!)}${percentEncode(rest!)}`
}

/**
 * Replaces an internationalised host name by its `xn--` form. Each part of the name must be in its normal form: a
 * look-alike of an ASCII name or of an IP address is never converted to it.
 */
const toAsciiAuthority = (authority: string): string => {
  const host = /^[^@:[\]\\%]+/.exec(authority)?.[0]
  if (isAscii(authority) || host === undefined) return authority
  const ascii = domainToASCII(host)
  const asciiLabels = ascii.split('.')
  const labels = host.split('.')
  const isNormal =
    labels.length === asciiLabels.length && labels.every((label, index) => isNormalForm(label, asciiLabels[index]!))
  return isNormal ? `${ascii}${authority.slice(host.length)}` : authority
}

/** Encodes characters beyond ASCII as UTF-8, like browsers do. White space and lone surrogates stay, and are rejected. */
const percentEncode = (rest: string): string => rest.replaceAll(/[^\p{ASCII}\p{Z}\p{Cc}\p{Cs}]+/gu, encodeURIComponent)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

const isNormalForm = (label: string, ascii: string): boolean =>
  isAscii(label)
    ? label.toLowerCase() === ascii
    : ascii.startsWith('xn--') && domainToUnicode(ascii) === label.toLowerCase().normalize('NFC')

const faultOfUrl = (raw: string, allowedPrivateTargets: ReadonlySet<string>): string | null => {
  const syntaxFault = faultOfSyntax(raw)
  if (syntaxFault !== null) return syntaxFault
  const parts = parseParts(raw)
  if (typeof parts === 'string') return parts
  const isAllowed = allowedPrivateTargets.has(`${parts.host}:${parts.port}`)
  return (isAllowed ? null : faultOfTargetWithHint(parts)) ?? faultOfNormalForm(raw, parts)
}

const faultOfTargetWithHint = (parts: UrlParts): string | null => {
  const fault = faultOfTarget(parts)
  if (fault === null || !loopbackHost.test(parts.host)) return fault
  const target = `${parts.host}:${parts.port}`
  return `${fault} To allow a private receiver, the operator must set WEBHOOK_ALLOWED_PRIVATE_TARGETS=${target}.`
}

/** Hosts that people use for a first test on their own machine. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const faultOfSyntax = (raw: string): string | null => {
  if (raw === '') return 'The URL must not be empty.'
  if (raw.length > maxLength) return `The URL must be at most ${maxLength} characters long.`
  if (/[\p{Z}\p{Cc}]/u.test(raw)) return 'The URL must not contain white space or control characters.'
  if (/[^\u0021-\u007e]/.test(raw)) {
    return 'The URL must be plain ASCII up to its path, except for the host name. Write the host name in its normal form.'
  }
  if (raw.includes('\\')) return 'The URL must not contain backslashes.'
  if (/%(?![0-9A-Fa-f]{2})/.test(raw)) return 'Every % in the URL must be followed by two hexadecimal digits.'
  return null
}

/** Returns the parts of the URL, or a sentence that says why it has none. */
const parseParts = (raw: string): UrlParts | string => {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/.exec(raw)
  const scheme = match?.[1]?.toLowerCase()
  if (!match || (scheme !== 'https' && scheme !== 'http')) return 'The URL must start with https:// and a host name.'
  const authority = parseAuthority(match[2]!, scheme === 'https' ? 443 : 80)
  if (typeof authority === 'string') return authority
  return { scheme, ...authority, path: match[3] ?? '', query: match[4] ?? '', fragment: match[5] ?? '' }
}

const parseAuthority = (authority: string, defaultPort: number): Pick<UrlParts, 'host' | 'port'> | string => {
  if (authority.includes('@')) return 'The URL must not contain a user name or password.'
  const match = /^(\[[^[\]]*\]|[^:[\]]*)(?::([^:[\]]*))?$/.exec(authority)
  if (!match) return /[[\]]|:.*:/.test(authority) ? ipAddressFault : 'The URL must name a host.'
  const host = match[1]!.toLowerCase()
  if (host === '') return 'The URL must name a host.'
  const port = match[2] === undefined ? defaultPort : /^[1-9][0-9]{0,4}$/.test(match[2]) ? Number(match[2]) : 0
  if (port < 1 || port > 65535) return 'The port must be a number from 1 to 65535, written without leading zeros.'
  return { host, port }
}

/** Returns what is wrong with the target of the URL. Not called for an allowed private target. */
const faultOfTarget = ({ scheme, host, port }: UrlParts): string | null => {
  if (scheme !== 'https') return 'The URL must start with https://.'
  return faultOfHost(host) ?? faultOfPort(port)
}

const faultOfHost = (host: string): string | null => {
  if (host.startsWith('[')) return ipAddressFault
  if (host.includes('%')) return 'The host name must not be percent-encoded.'
  if (/[^a-z0-9._-]/.test(host)) return 'The host name may contain only letters, digits, hyphens and dots.'
  if (host.endsWith('.')) return 'The host name must not end with a dot.'
  const labels = host.split('.')
  // A host whose last label is a number is parsed as an IPv4 address: 127.1, 2130706433, 0x7f000001, 017700000001.
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return ipAddressFault
  const suffix = privateSuffixes.find(name => host === name || host.endsWith(`.${name}`))
  if (suffix !== undefined) return `The host must be on the public internet. Names under "${suffix}" are never public.`
  if (labels.length === 1)
    return 'The host name must be complete, such as hooks.example.com. A single word is not public.'
  return faultOfLabels(host, labels)
}

const faultOfLabels = (host: string, labels: readonly string[]): string | null => {
  if (labels.includes('')) return 'The host name must not contain two dots in a row or begin with a dot.'
  if (host.length > 253 || labels.some(label => label.length > 63)) {
    return 'The host name must be at most 253 characters long, each part between dots at most 63.'
  }
  if (labels.some(label => label.startsWith('-') || label.endsWith('-'))) {
    return 'No part of the host name may begin or end with a hyphen.'
  }
  return null
}

const faultOfPort = (port: number): string | null => {
  if (port === 443) return null
  if (port < 1024) return `Port ${port} is not allowed: use 443, or a port from 1024 to 65535.`
  const service = wellKnownServices.get(port)
  return service === undefined ? null : `Port ${port} is not allowed: it is the port of ${service}.`
}

/**
 * Returns an error if the parser of the HTTP client would change the URL. Letter case and the default port may differ.
 */
const faultOfNormalForm = (raw: string, { scheme, host, port, path, query, fragment }: UrlParts): string | null => {
  const parsed = URL.parse(raw)
  if (parsed === null) return 'The host name is not valid.'
  // Some parsers keep this character. The result must be the same in every process, whatever parser it has.
  parsed.pathname = parsed.pathname.replaceAll('^', '%5E')
  const normalizedPort = port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`
  const expected = `${scheme}://${host}${normalizedPort}${path || '/'}${query}${fragment}`
  return parsed.href === expected ? null : `The URL is not in its normal form. Use ${parsed.href} instead.`
}
