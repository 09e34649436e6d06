/** Contains the documentation page for webhook receivers: the request, the verification, and sample code. */
import chapter from './docs/chapters/receivers.md' with { type: 'text' }
import go from './receivers/verify_webhook.go' with { type: 'text' }
import php from './receivers/verify_webhook.php' with { type: 'text' }
import python from './receivers/verify_webhook.py' with { type: 'text' }
import ruby from './receivers/verify_webhook.rb' with { type: 'text' }
import * as typescript from './receivers/verify-webhook.ts' with { type: 'text' }

/** The compiler sees a module, but the runtime embeds the file as text. */
const textOf = (embedded: object): string => (embedded as { default: string }).default

const examples = [
  { language: 'TypeScript', code: textOf(typescript) },
  { language: 'Python', code: python },
  { language: 'PHP', code: php },
  { language: 'Go', code: go },
  { language: 'Ruby', code: ruby },
]

const exampleOf = ({ language, code }: (typeof examples)[number]): string =>
  `### ${language}\n\`\`\`${language.toLowerCase()}\n${code.trimEnd()}\n\`\`\`\n`

/** The page as Markdown. */
export const receiversChapter = `${chapter}${examples.map(exampleOf).join('\n')}`
