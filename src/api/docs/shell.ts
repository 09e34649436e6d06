/** Renders the frame of every documentation page: the header, the navigation and the credentials button. */
import { escapeHtml } from './markdown.ts'

export interface PageInfo {
  path: string
  title: string
  /** One-sentence summary of the page. */
  summary: string
}

/** Chapters in reading order. */
export const guide: PageInfo = {
  path: '/docs/start',
  title: 'Your first webhook',
  summary: 'Receive a signed webhook in five minutes, with requests that you can send from the page.',
}
export const concepts: PageInfo[] = [
  { path: '/docs/events', title: 'Events', summary: 'Record business events reliably and without duplicates.' },
  {
    path: '/docs/workflows',
    title: 'Workflows',
    summary: 'Define steps that run on an event: wait, branch, send a message.',
  },
  {
    path: '/docs/deliveries',
    title: 'Deliveries',
    summary: 'Event types, request format, webhook retries and failed deliveries.',
  },
  { path: '/docs/signatures', title: 'Signatures', summary: 'Verify that a webhook comes from the service.' },
  {
    path: '/docs/credentials',
    title: 'Credentials',
    summary: 'Choose, store, rotate and revoke API keys, access tokens and secrets.',
  },
  {
    path: '/docs/tools',
    title: 'Tools',
    summary: 'Commands, pulling, client packages, AI agents and collections of requests.',
  },
  { path: '/docs/errors', title: 'Errors', summary: 'Error format, error codes and retries.' },
  { path: '/docs/conversations', title: 'Conversations', summary: 'Receive messages from customers and answer them.' },
  { path: '/docs/campaigns', title: 'Campaigns', summary: 'Send one template to many customers.' },
]
export const receivers: PageInfo = {
  path: '/docs/receivers',
  title: 'Receivers',
  summary: 'Sample code that verifies webhooks in five languages.',
}
export const reference: PageInfo = {
  path: '/docs/reference',
  title: 'Reference',
  summary: 'All operations with fields, responses and sample code.',
}
export const overview: PageInfo = { path: '/docs', title: 'Documentation', summary: '' }
export const searchPage: PageInfo = { path: '/docs/search', title: 'Search', summary: 'Search the documentation.' }

/** Returns the path of the page as Markdown. */
export const markdownPathOf = ({ path }: PageInfo): string => `${path}.md`

interface Frame {
  info: PageInfo
  main: string
  /** Scripts in this order, at the end of the page. */
  scripts?: string[]
  /** True if the page fills the window and has its own sidebar. */
  fillsWindow?: boolean
  /** False if the page does not exist as Markdown. */
  hasMarkdown?: boolean
}

/** Links of every page outside of the dashboard: the icon, the font and the style sheet. */
export const headLinks = `<link rel="icon" type="image/svg+xml" href="/docs/favicon.svg">
  <link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
  <link rel="stylesheet" href="/docs/docs.css">`

/** Returns the page as HTML. It can be read without scripts, which add search, credentials, tabs and copy buttons. */
export const page = ({
  info,
  main,
  scripts = ['/docs/docs.js'],
  fillsWindow = false,
  hasMarkdown = true,
}: Frame): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(info.title)} · Customer Engagement Service</title>
  ${headLinks}${hasMarkdown ? `\n  <link rel="alternate" type="text/markdown" href="${markdownPathOf(info)}">` : ''}
</head>
<body${fillsWindow ? ' class="whole"' : ''}>
<a class="skip" href="${info.path}#main">Skip to content</a>
<header>
  <a class="brand" href="/docs"><b>Engagement</b> <span>docs</span></a>
  <nav aria-label="Documentation">
    <a href="/">Dashboard</a>
    ${[guide, receivers, reference].map(other => linkTo(other, info, { [guide.path]: 'Start' })).join('\n    ')}
  </nav>
  <a class="search" href="${searchPage.path}" data-opens="search"><span>Search</span> <kbd>/</kbd></a>
  <button type="button" class="credentials" data-opens="credentials" hidden><i aria-hidden="true"></i>Credentials</button>
</header>
${fillsWindow ? '' : `<div class="columns">\n${sidebar(info)}\n`}<main id="main"${fillsWindow ? '' : ' class="text"'}>
${main}</main>
${fillsWindow ? '' : '</div>\n'}${scripts.map(script => `<script type="module" src="${script}"></script>\n`).join('')}</body>
</html>
`

const linkTo = (target: PageInfo, current: PageInfo, labels: Record<string, string> = {}): string =>
  `<a href="${target.path}"${target.path === current.path ? ' aria-current="page"' : ''}>${labels[target.path] ?? target.title}</a>`

const sidebar = (current: PageInfo): string => `<nav class="side" aria-label="Chapters">
  <details open><summary>Chapters</summary>
  <ul>
    <li>${linkTo(overview, current, { [overview.path]: 'Overview' })}</li>
    <li>${linkTo(guide, current)}</li>
  </ul>
  <h2>Concepts</h2>
  <ul>
    ${concepts.map(concept => `<li>${linkTo(concept, current)}</li>`).join('\n    ')}
  </ul>
  <h2>Resources</h2>
  <ul>
    ${[receivers, reference].map(other => `<li>${linkTo(other, current)}</li>`).join('\n    ')}
  </ul>
  </details>
</nav>`
