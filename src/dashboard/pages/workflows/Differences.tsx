import { useTexts } from '../../texts/index.tsx'
import { Facts } from '../../ui/Panel.tsx'
import type { Definition } from './definition/types.ts'
import { differenceOf } from './diff.ts'

/** List of the steps in which two definitions differ. */
export const Differences = ({ before, after }: { before: Definition; after: Definition }) => {
  const say = useTexts()
  const { added, removed, changed, start } = differenceOf(before, after)
  const list = (ids: string[]) => (ids.length > 0 ? <code>{ids.join(', ')}</code> : null)
  if (added.length + removed.length + changed.length === 0 && !start) return <span>{say('workflows.diff.none')}</span>
  return (
    <Facts
      of={{
        [say('workflows.diff.added')]: list(added),
        [say('workflows.diff.removed')]: list(removed),
        [say('workflows.diff.changed')]: list(changed),
        [say('workflows.diff.start')]: start ? say('workflows.diff.startChanged') : null,
      }}
    />
  )
}
