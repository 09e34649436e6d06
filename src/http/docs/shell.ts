/** Renders the frame of every documentation page: the header, the navigation and the credentials button. */
import { escaped } from './markdown.ts'

export interface Place {
  path: string
  title: string
  /** One-sentence summary of the page. */
  about: string
}

/** Chapters in reading order. */
export const guide: Place = {
  path: '/docs/start',
  title: 'Your first webhook',
  about: 'Receive a signed webhook in five minutes, with requests that you can send from the page.',
}
export const concepts: Place[] = [
  { path: '/docs/events', title: 'Events', about: 'Record business events reliably and without duplicates.' },
  {
    path: '/docs/workflows',
    title: 'Workflows',
    about: 'Define steps that run on an event: wait, decide, send a message.',
  },
  {
    path: '/docs/deliveries',
    title: 'Deliveries',
    about: 'Event types, request format, webhook retries and failed deliveries.',
  },
  { path: '/docs/signatures', title: 'Signatures', about: 'Verify that a webhook comes from the service.' },
  { path: '/docs/errors', title: 'Errors', about: 'Error format, error codes and retries.' },
  { path: '/docs/conversations', title: 'Conversations', about: 'Receive messages from customers and answer them.' },
  { path: '/docs/campaigns', title: 'Campaigns', about: 'Send one template to many customers.' },
]
export const receivers: Place = {
  path: '/docs/receivers',
  title: 'Receivers',
  about: 'Sample code that verifies webhooks in five languages.',
}
export const reference: Place = {
  path: '/docs/reference',
  title: 'Reference',
  about: 'All operations with fields, responses and sample code.',
}
export const overview: Place = { path: '/docs', title: 'Documentation', about: '' }
export const searching: Place = { path: '/docs/search', title: 'Search', about: 'Search the documentation.' }

interface Frame {
  place: Place
  main: string
  /** Scripts in this order, at the end of the page. */
  scripts?: string[]
  styles?: string[]
  /** True if the page fills the window and has its own sidebar. */
  whole?: boolean
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234f46e5'/%3E%3Cpath d='M4 5h8v5H8l-3 2v-2H4z' fill='white'/%3E%3C/svg%3E"

/** Returns the page as HTML. It can be read without scripts, which add search, credentials, tabs and copy buttons. */
export const page = ({
  place,
  main,
  scripts = ['/docs/docs.js'],
  styles = [],
  whole = false,
}: Frame): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escaped(place.title)} · Customer Engagement Service</title>
  <link rel="icon" href="${icon}">
  ${['/docs/docs.css', ...styles].map(style => `<link rel="stylesheet" href="${style}">`).join('\n  ')}
</head>
<body${whole ? ' class="whole"' : ''}>
<a class="skip" href="${place.path}#main">Skip to content</a>
<header>
  <a class="brand" href="/docs"><b>Engagement</b> <span>docs</span></a>
  <nav aria-label="Documentation">
    <a href="/">Dashboard</a>
    ${[guide, receivers, reference].map(other => linkTo(other, place, { [guide.path]: 'Start' })).join('\n    ')}
  </nav>
  <a class="search" href="${searching.path}" data-opens="search"><span>Search</span> <kbd>/</kbd></a>
  <button type="button" class="credentials" data-opens="credentials" hidden><i aria-hidden="true"></i>Credentials</button>
</header>
${whole ? '' : `<div class="columns">\n${side(place)}\n`}<main id="main"${whole ? '' : ' class="text"'}>
${main}</main>
${whole ? '' : '</div>\n'}${scripts.map(script => `<script type="module" src="${script}"></script>\n`).join('')}</body>
</html>
`

const linkTo = (to: Place, here: Place, called: Record<string, string> = {}): string =>
  `<a href="${to.path}"${to.path === here.path ? ' aria-current="page"' : ''}>${called[to.path] ?? to.title}</a>`

const side = (here: Place): string => `<nav class="side" aria-label="Chapters">
  <details open><summary>Chapters</summary>
  <ul>
    <li>${linkTo(overview, here, { [overview.path]: 'Overview' })}</li>
    <li>${linkTo(guide, here)}</li>
  </ul>
  <h2>Concepts</h2>
  <ul>
    ${concepts.map(concept => `<li>${linkTo(concept, here)}</li>`).join('\n    ')}
  </ul>
  <h2>Resources</h2>
  <ul>
    ${[receivers, reference].map(other => `<li>${linkTo(other, here)}</li>`).join('\n    ')}
  </ul>
  </details>
</nav>`
