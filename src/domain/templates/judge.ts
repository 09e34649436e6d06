/** Validates a template as a whole: its body and its variables must match. Pure. */
import { invalidRequest } from '../errors.ts'
import { holdsUnclosed, placeholdersOf, type TemplateContent } from './content.ts'

type Judged = Pick<TemplateContent, 'name' | 'body' | 'variables'>

/** Throws 400 with one fault per field. */
export const judgeTemplate = (template: Judged): void => {
  const faults = [...faultsOfTemplate(template)]
  if (faults.length > 0) throw invalidRequest(Object.fromEntries(firstOfEach(faults).slice(0, maxFaults)))
}

const maxFaults = 20

type Fault = [place: string, reason: string]

/** Keeps the first fault of each field. */
const firstOfEach = (faults: Fault[]): Fault[] => {
  const places = new Map<string, string>()
  for (const [place, reason] of faults) if (!places.has(place)) places.set(place, reason)
  return [...places]
}

export function* faultsOfTemplate({ name, body, variables }: Judged): Generator<Fault> {
  if (holdsControl(name)) yield ['name', 'Holds a control character; take it out.']
  yield* faultsOfBody(body, new Set(variables.map(variable => variable.name)))
  yield* faultsOfVariables(variables, new Set(placeholdersOf(body)))
}

function* faultsOfBody(body: string, declared: ReadonlySet<string>): Generator<Fault> {
  if (holdsControl(body.replaceAll(lineEnds, '')))
    yield ['body', 'Holds a control character; only line ends and tabs may be.']
  if (holdsUnclosed(body)) yield ['body', 'Holds {{ that begins no place for a value; one reads {{name}}.']
  for (const name of placeholdersOf(body)) {
    if (name === '') yield ['body', 'Holds {{}} without a name between the braces.']
    else if (!declared.has(name))
      yield [
        'body',
        `Has a place for {{${shortened(name)}}}, which is not among the variables. Declare it, or take it out.`,
      ]
  }
}

function* faultsOfVariables(variables: Judged['variables'], used: ReadonlySet<string>): Generator<Fault> {
  const seen = new Set<string>()
  for (const [index, { name, sample }] of variables.entries()) {
    if (seen.has(name)) yield [`variables.${index}.name`, 'Is declared before; each variable is declared once.']
    else if (!used.has(name))
      yield [`variables.${index}.name`, `Is not used: the body has no place {{${name}}}. Use it, or take it out.`]
    if (holdsControl(sample.replaceAll(lineEnds, '')))
      yield [`variables.${index}.sample`, 'Holds a control character; take it out.']
    seen.add(name)
  }
}

const lineEnds = /[\t\n\r]/g

/** Tests for control characters, which no provider accepts and no reader sees. Direction marks are allowed. */
const holdsControl = (text: string): boolean => /\p{Cc}/u.test(text)

const maxShown = 40

const shortened = (name: string): string =>
  name.length <= maxShown ? name : `${name.slice(0, maxShown)}…`.toWellFormed()
