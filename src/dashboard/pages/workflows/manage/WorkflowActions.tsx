import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useIsOwner } from '../../../shell/session.tsx'
import { useTranslate } from '../../../texts/index.tsx'
import { ArrowUturnLeftIcon, ArrowUturnRightIcon } from '../../../ui/page-icons.ts'
import { isEqual } from '../definition/edit.ts'
import type { Definition, DrawnWorkflow } from '../definition/types.ts'
import type { Draft } from '../useDraft.ts'
import { WorkflowState } from '../WorkflowState.tsx'
import { SwitchOnOff } from './SwitchOnOff.tsx'
import { WorkflowMenu } from './WorkflowMenu.tsx'

/** Actions of the workflow page: the switch, undo and redo, publishing, and the menu. */
export const WorkflowActions = ({
  workflow,
  draft,
  readOnly,
  published,
  onPublish,
}: {
  workflow: DrawnWorkflow
  draft: Draft
  readOnly: boolean
  published: Definition | undefined
  /** null if there is nothing to publish. */
  onPublish: (() => void) | null
}) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  if (readOnly)
    return (
      <>
        <WorkflowState workflow={workflow} />
        {isOwner && workflow.archivedAt !== null && <WorkflowMenu workflow={workflow} />}
      </>
    )
  return (
    <>
      <SwitchOnOff workflow={workflow} />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('workflows.undo')}
          disabled={!draft.undo}
          onClick={() => draft.undo?.()}
        >
          <ArrowUturnLeftIcon width={14} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('workflows.redo')}
          disabled={!draft.redo}
          onClick={() => draft.redo?.()}
        >
          <ArrowUturnRightIcon width={14} />
        </ActionIcon>
      </Group>
      <Button disabled={!onPublish} onClick={() => onPublish?.()}>
        {t('workflows.publish')}
      </Button>
      <WorkflowMenu workflow={workflow}>
        {published && !isEqual(published, draft.definition) && (
          <Menu.Item leftSection={<ArrowUturnLeftIcon width={16} />} onClick={() => draft.change(published)}>
            {t('workflows.discard')}
          </Menu.Item>
        )}
      </WorkflowMenu>
    </>
  )
}
