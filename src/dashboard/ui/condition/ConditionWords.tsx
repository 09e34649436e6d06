import { Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { type Condition, kindOf, partsOf } from './condition.ts'
import { conditionText } from './words.ts'

/** A condition that is only looked at: its parts in words, one under the other. */
export const ConditionWords = ({
  of,
  names = [],
  under = '',
}: {
  of: Condition
  /** Paths that have a name. */
  names?: { path: string; label: string }[]
  /** What is the same of most paths, and left out. */
  under?: string
}) => {
  const say = useTexts()
  const kind = kindOf(of)
  const nameOf = (path: string) =>
    names.find(one => one.path === path)?.label ?? (path.startsWith(under) ? path.slice(under.length) : path)
  return (
    <>
      {kind !== 'compare' && <Text size="sm">{say(kind === 'not' ? 'condition.notThese' : `condition.${kind}`)}</Text>}
      {partsOf(of).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
        <div key={index}>
          <bdi>{conditionText(part, say, { nameOf })}</bdi>
        </div>
      ))}
    </>
  )
}
