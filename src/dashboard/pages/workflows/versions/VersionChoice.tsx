import { SegmentedControl } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { isEqual } from '../definition/edit.ts'
import type { Definition, Workflow } from '../definition/types.ts'
import { usePublished } from '../queries.ts'

export type WhichVersion = 'draft' | 'published'

/** Choice between the draft and the published version. Hidden if there is only one, or if both are equal. */
export const VersionChoice = ({
  workflow,
  draft,
  value,
  onChange,
}: {
  workflow: Workflow
  draft: Definition
  value: WhichVersion
  onChange: (value: WhichVersion) => void
}) => {
  const t = useTranslate()
  const published = usePublished(workflow).data?.definition
  if (!published || isEqual(published, draft)) return null
  return (
    <SegmentedControl
      aria-label={t('workflows.version')}
      fullWidth
      size="xs"
      data={[
        { value: 'draft', label: t('workflows.version.draft') },
        { value: 'published', label: t('workflows.version.published', { version: workflow.publishedVersion }) },
      ]}
      value={value}
      onChange={next => onChange(next === 'published' ? 'published' : 'draft')}
    />
  )
}
