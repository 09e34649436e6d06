/** Validates a template as a whole: its body and its variables must match. Pure. */
import { invalidRequest } from '../../core/errors.ts'
import { extractPlaceholders, hasUnclosedPlaceholder } from '../../core/placeholders.ts'
import type { TemplateContent } from './content.ts'

type TemplateDraft = Pick<TemplateContent, 'name' | 'body' | 'variables'>

/** Throws 400 with one fault per field. */
export const validateTemplate = (template: TemplateDraft): void => {
  const faults = [...faultsOfTemplate(template)]
  if (faults.length > 0) throw invalidRequest(Object.fromEntries(firstPerField(faults).slice(0, maxFaults)))
}

const maxFaults = 20

type Fault = [place: string, reason: string]

/** Keeps the first fault of each field. */
const firstPerField = (faults: Fault[]): Fault[] => {
  const byField = new Map<string, string>()
  for (const [field, reason] of faults) if (!byField.has(field)) byField.set(field, reason)
  return [...byField]
}

export function* faultsOfTemplate({ name, body, variables }: TemplateDraft): Generator<Fault> {
  if (hasControl(name)) yield ['name', 'Contains a control character. Remove it.']
  yield* faultsOfBody(body, new Set(variables.map(variable => variable.name)))
  yield* faultsOfVariables(variables, new Set(extractPlaceholders(body)))
}

function* faultsOfBody(body: string, declared: ReadonlySet<string>): Generator<Fault> {
  if (hasControl(body.replaceAll(lineEnds, '')))
    yield ['body', 'Contains a control character other than line ends and tabs. Remove it.']
  if (hasUnclosedPlaceholder(body))
    yield ['body', 'Contains {{ outside a placeholder. Write a placeholder as {{name}}.']
  for (const name of extractPlaceholders(body)) {
    if (name === '') yield ['body', 'Contains {{}} without a name. Write a placeholder as {{name}}.']
    else if (!declared.has(name))
      yield ['body', `Contains {{${shorten(name)}}}, which is not declared in variables. Declare or remove it.`]
  }
}

function* faultsOfVariables(variables: TemplateDraft['variables'], used: ReadonlySet<string>): Generator<Fault> {
  const seen = new Set<string>()
  for (const [index, { name, sample }] of variables.entries()) {
    if (seen.has(name)) yield [`variables.${index}.name`, 'Is declared twice. Declare each variable once.']
    else if (!used.has(name))
      yield [`variables.${index}.name`, `Is not used: the body does not contain {{${name}}}. Use or remove it.`]
    if (hasControl(sample.replaceAll(lineEnds, '')))
      yield [`variables.${index}.sample`, 'Contains a control character. Remove it.']
    seen.add(name)
  }
}

const lineEnds = /[\t\n\r]/g

/** Tests for control characters, which no provider accepts and no reader sees. Direction marks are allowed. */
const hasControl = (text: string): boolean => /\p{Cc}/u.test(text)

const maxShown = 40

const shorten = (name: string): string =>
  name.length <= maxShown ? name : `${name.slice(0, maxShown)}…`.toWellFormed()
