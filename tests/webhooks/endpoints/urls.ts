/** Example URLs for the endpoint tests, used directly and through the API. */

/** Splits a text at white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
const onHost = (hosts: string) => words(hosts).map(host => `https://${host}/`)
const onPort = (ports: string) => words(ports).map(port => `https://example.com:${port}/hook`)
const atPath = (paths: string) => words(paths).map(path => `https://example.com/${path}`)

/** URLs that are refused, by cause, with the expected reason. The property tests generate more of some causes. */
export const refused: Record<string, { says: RegExp; urls: string[] }> = {
  'a scheme other than https': {
    says: /start with https:\/\//,
    urls: words(`http://example.com/hook HTTP://example.com/hook ftp://example.com/hook javascript:alert(1)
      data:text/plain,hello mailto:a@example.com httpss://example.com/ https+unix://example.com/
      view-source:https://example.com/ ://example.com/ //example.com/hook example.com:443/hook hook`),
  },
  'missing or surplus slashes': {
    says: /start with https:\/\/|name a host/,
    urls: words('https:example.com https:///example.com https:// https:/// https://?x=1 https://:443/'),
  },
  emptiness: { says: /empty/, urls: [''] },
  'an IPv4 address in any spelling': {
    says: /not an IP address/,
    urls: onHost(`127.0.0.1 8.8.8.8:8443 169.254.169.254 00000177.0.0.1 0x 1.2.3.0x 256.256.256.256 1.2.3.4.5
      4294967296 hooks.1 example.com.127 example.0x7f`),
  },
  'an IPv6 address in any spelling': {
    says: /not an IP address/,
    urls: onHost(`[::1] [::ffff:127.0.0.1] [fe80::1%25eth0] [] [::1 ::1] ::1 2606:4700:4700::1111 [v1.x]
      [example.com]`),
  },
  'user info': {
    says: /user name or password/,
    urls: onHost('user:password@example.com @example.com :@example.com example.com@127.0.0.1 a@b@example.com'),
  },
  'a port below 1024 other than 443': {
    says: /^Port [0-9]+ is not allowed: use 443/,
    urls: onPort('1 21 22 25 53 80 110 143 444 445 587 993 1023'),
  },
  'the port of a well-known service': {
    says: /it is the port of [A-Z3a-z]/,
    urls: onPort(`1433 1521 1883 2049 2181 2375 2376 2379 3306 3389 4222 5432 5672 5900 5984 6379 6443 8086 8200 8500
      9042 9092 9200 9300 10250 11211 15672 26379 27017 33060 61616`),
  },
  'a port that is none': {
    says: /port must be a number/,
    urls: ['https://example.com:/', ...onPort('0 0443 65536 -443 +443 4e3 0x1bb')],
  },
  'a name that is never public': {
    says: /are never public/,
    urls: onHost(`localhost printer.local localhost.localdomain metadata.google.internal wiki.intranet router.lan
      nas.home mail.corp vault.private nas.home.arpa 1.0.0.127.in-addr.arpa x.ip6.arpa abcdefghijklmnop.onion
      nothing.invalid hooks.default.svc x.cluster.local`),
  },
  'a single word': { says: /single word/, urls: onHost('intern db:8443 com xn--p1ai') },
  'a trailing dot': { says: /end with a dot/, urls: onHost('example.com. example.com.:443 localhost. 127.0.0.1. .') },
  'labels no name has': {
    says: /two dots|begin or end with a hyphen|at most 253/,
    urls: onHost(`example..com .example.com -example.com example-.com ${'a'.repeat(64)}.com ${'a.'.repeat(127)}com`),
  },
  'characters no host name has': {
    says: /only letters, digits, hyphens and dots/,
    urls: onHost("exam!ple.com a,b.com *.example.com (example).com {host}.example.com <script>.com o'clock.com"),
  },
  'a percent-encoded host': {
    says: /percent-encoded/,
    urls: onHost('exam%70le.com 127%2e0%2e0%2e1 %6c%6f%63alhost example.com%00.x.com'),
  },
  'white space and control characters': {
    says: /white space or control characters/,
    urls: [
      ' https://example.com/',
      'https://example.com/a b',
      'https://example.com/\n',
      'https://exam\tple.com/',
      'https://example.com/\r\nX-Injected: 1',
      'https://example.com/\0',
      'https://example.com/\u007f',
      'https://example.com/\u00a0',
      'https://example.com/\u2028',
      ' ',
    ],
  },
  'anything beyond ASCII': {
    says: /plain ASCII/,
    urls: [
      ...onHost(`１２７.0.0.1 127。0。0。1 ⓔxample.com exam\u00adple.com localhoſt.com ｅxample.com bücher。de ﬁ.com \u212a.com
        bü\u00adcher.de bü\u200dcher.de bücher.ｌocalhost`),
      'https://example.com:８４４３/',
      'https://üser@example.com\u00fc/',
      '\ufeffhttps://example.com/',
      'https：//example.com/',
      'https://example.com/\ud800',
    ],
  },
  backslashes: {
    says: /backslashes/,
    urls: words(String.raw`https:\\example.com\ https:/\example.com/ https://example.com\@internal.example.com/
      https://example.com\.evil.com/ https://example.com/a\b https://example.com/?a=\b`),
  },
  'a malformed percent sign': { says: /followed by two hexadecimal digits/, urls: atPath('% %zz 100% ?q=%1') },
  'what the parser would read as another URL': {
    says: /not in its normal form\. Use https:\/\//,
    urls: atPath(`a/../b %2e%2e/hook {id} "hook" ?name='x' #<x>`),
  },
  'punycode that stands for no name': {
    says: /host name is not valid/,
    urls: onHost('xn--a.com xn--xample-hy68a.com xn--8g7ccp.com xn--localhot-14b.com'),
  },
  'more than 2048 characters': {
    says: /at most 2048/,
    urls: [`https://example.com/${'a'.repeat(2029)}`, `https://example.com/?${'a'.repeat(100_000)}`, ' '.repeat(2049)],
  },
}

/** Accepted URLs with characters beyond ASCII, and the URLs that are stored. */
export const international: readonly (readonly [url: string, stored: string])[] = [
  ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
  ['HTTPS://Bücher.Example.com:8443/A/%C3%BC?q=%C3%84', 'HTTPS://xn--bcher-kva.example.com:8443/A/%C3%BC?q=%C3%84'],
  ['https://bu\u0308cher.example.com', 'https://xn--bcher-kva.example.com'],
  ['https://straße.de?x=1#y', 'https://xn--strae-oqa.de?x=1#y'],
  ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
  ['https://еxample.com/', 'https://xn--xample-2of.com/'],
  ['https://bücher.example/straße?q=ä#ö', 'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A4#%C3%B6'],
  ['https://Example.com/a%20b/例?x=😀', 'https://Example.com/a%20b/%E4%BE%8B?x=%F0%9F%98%80'],
]

/** URLs that are accepted and stored unchanged. */
export const accepted = [
  ...words('https://example.com HTTPS://example.com/hook https://Hooks.Example.COM/Hook https://example.com?token=abc'),
  ...onPort('443 8443 1024 8080 65535'),
  ...atPath(`hook?token=abc&x=1 ? hook#section a%20b/%C3%BC?q=%26 a//b/ a.b/..c/d.. ~user/@me/a:b;c=d,e!f$g*h(i)+j
    ?filter[a]=1&redirect=https://other.example.com/?x=y@z a|b ${'a'.repeat(2028)}`),
  ...onHost(`example.com xn--bcher-kva.example.com xn--r8jz45g.xn--zckzah not-registered-yet.example receiver.test
    a.b.c.d.e.f.example.co.uk 127.0.0.1.nip.io 1.2.3.4.example.com 123.example.com 0x7f.example.com 3com.com
    my_app.example.com localhost.example.com example.notlocal my-internal.com homes.arpa.example.org
    ${'a'.repeat(63)}.com`),
]
