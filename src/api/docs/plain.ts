/**
 * Renders the documentation as Markdown for programs that read it: a file per page, a list of all files (`/llms.txt`)
 * and all pages in one file (`/llms-full.txt`).
 */
import { parseRequest, placeholders } from './markdown.ts'
import { operationsByTag } from './operations.ts'
import { samplesOf } from './samples.ts'
import { concepts, guide, markdownPathOf, type PageInfo, receivers, reference } from './shell.ts'

/**
 * Returns a chapter without the blocks and placeholders that only the HTML page understands. Requests become curl
 * commands, and links lead to the Markdown pages.
 */
export const plainChapter = (chapter: string): string =>
  chapter
    .replaceAll(/^```http (.*)\n([\s\S]*?)^```$/gm, (_, definition: string, body: string) =>
      fence('sh', samplesOf(parseRequest(definition, body.trimEnd()))[0]!.code),
    )
    .replaceAll(/^```tab (.*)$/gm, (_, language: string) => `\`\`\`${language.toLowerCase()}`)
    .replaceAll(/%([a-z]+)%/g, (match, name: string) => placeholders[name] ?? match)
    .replaceAll(/\]\((\/docs\/[a-z]+)(?=[)#])/g, (_, path: string) => `](${path}.md`)

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

/** Returns the list of all operations by tag, one line per operation. */
export const plainReference = (document: string): string =>
  `${[
    `# ${reference.title}`,
    'The [OpenAPI document](/openapi.json) has all fields, responses and examples of these operations.',
    ...operationsByTag(document).map(({ tag, operations }) =>
      [`## ${tag}`, ...operations.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)].join('\n'),
    ),
  ].join('\n\n')}\n`

const linkTo = (info: PageInfo): string => `- [${info.title}](${markdownPathOf(info)}): ${info.summary}`

/** Text of `/llms.txt`, in the format of llmstxt.org. It is also the Markdown of the overview. */
export const listOfPages = `# Customer Engagement Service

> Send business events, run workflows on them, exchange messages with customers, and receive signed webhooks.

## Docs
${[guide, ...concepts, receivers].map(linkTo).join('\n')}

## API
- [OpenAPI document](/openapi.json): The reference in a machine-readable format.
${linkTo({ ...reference, summary: 'All operations, one line each.' })}

## Optional
- [All pages](/llms-full.txt): These pages in one file.
`
