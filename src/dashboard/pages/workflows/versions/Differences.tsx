import { useTranslate } from '../../../texts/index.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import type { Definition } from '../definition/types.ts'
import { diffDefinitions } from './diff.ts'

/** List of the steps in which two definitions differ. */
export const Differences = ({ before, after }: { before: Definition; after: Definition }) => {
  const t = useTranslate()
  const { added, removed, changed, start } = diffDefinitions(before, after)
  const list = (ids: string[]) => (ids.length > 0 ? <code>{ids.join(', ')}</code> : null)
  if (added.length + removed.length + changed.length === 0 && !start) return <span>{t('workflows.diff.none')}</span>
  return (
    <Facts
      items={{
        [t('workflows.diff.added')]: list(added),
        [t('workflows.diff.removed')]: list(removed),
        [t('workflows.diff.changed')]: list(changed),
        [t('workflows.diff.start')]: start ? t('workflows.diff.startChanged') : null,
      }}
    />
  )
}
