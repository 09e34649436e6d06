/** Renders a page with one form, for links in e-mails where no dashboard is built in. */
import { headLinks } from '../docs/shell.ts'

/** Returns the page as HTML. It loads its script from `path` with `.js`, and the style of the documentation. */
export const formPage = (title: string, path: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="referrer" content="no-referrer">
  <title>${title} · Customer Engagement Service</title>
  ${headLinks}
</head>
<body>
<header>
  <a class="brand" href="/docs"><b>Engagement</b></a>
</header>
<main class="form">
  <h1>${title}</h1>
  ${content}
  <p role="status"></p>
</main>
<script src="${path}.js"></script>
</body>
</html>
`
