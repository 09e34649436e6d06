import { SegmentedControl } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { Workflow } from './definition/types.ts'

export type WhichVersion = 'draft' | 'published'

/** Which of the two is meant; the draft alone where nothing is published. */
export const VersionChoice = ({
  workflow,
  value,
  onChange,
}: {
  workflow: Workflow
  value: WhichVersion
  onChange: (value: WhichVersion) => void
}) => {
  const say = useTexts()
  if (workflow.publishedVersion === null) return null
  return (
    <SegmentedControl
      aria-label={say('workflows.version')}
      fullWidth
      size="xs"
      data={[
        { value: 'draft', label: say('workflows.version.draft') },
        { value: 'published', label: say('workflows.version.published', { version: workflow.publishedVersion }) },
      ]}
      value={value}
      onChange={next => onChange(next === 'published' ? 'published' : 'draft')}
    />
  )
}
