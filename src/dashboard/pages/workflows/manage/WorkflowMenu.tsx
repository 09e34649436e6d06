import { ActionIcon, Menu, Text } from '@mantine/core'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Confirm } from '../../../ui/form/Confirm.tsx'
import { shortName } from '../../../ui/formats.ts'
import { DocumentDuplicateIcon } from '../../../ui/icons.ts'
import {
  ArchiveBoxIcon,
  ArrowUturnLeftIcon,
  EllipsisHorizontalIcon,
  PencilSquareIcon,
  TrashIcon,
} from '../../../ui/page-icons.ts'
import { useNotify } from '../../../ui/useNotify.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import { RenameWorkflow } from './RenameWorkflow.tsx'
import { TurnOffDialog } from './TurnOffDialog.tsx'

type Dialog = 'rename' | 'archive' | 'delete'

/** Maximum length of a name. */
const maxName = 100

/** Menu of a workflow: rename, duplicate, archive or restore, delete. */
export const WorkflowMenu = ({
  workflow,
  children,
}: {
  workflow: Workflow
  /** Further items at the top. */
  children?: ReactNode
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const updateCache = useUpdateCache()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { id, name, enabled, archivedAt } = workflow
  const params = { path: { id } }
  /** Shows the reason if the action fails. */
  const run = async (action: () => Promise<void>) => {
    try {
      await action()
    } catch (error) {
      notify.error(error)
    }
  }
  const duplicate = () =>
    run(async () => {
      const { data } = await api.POST('/v1/workflows', {
        body: { name: t('workflows.copyOf', { name }).slice(0, maxName), definition: workflow.draft },
      })
      if (!data) return
      updateCache(data)
      notify(t('workflows.duplicated', { name: data.name }))
      void navigate({ to: '/workflows/$id', params: { id: data.id } })
    })
  const restore = () =>
    run(async () => {
      const { data } = await api.PATCH('/v1/workflows/{id}', { params, body: { archived: false } })
      if (data) updateCache(data)
      notify(t('workflows.restored', { name }))
    })
  const remove = async () => {
    await api.DELETE('/v1/workflows/{id}', { params })
    // The row leaves the list immediately, because its statistics no longer exist.
    const without = (page: Schemas['WorkflowPage']) => ({ ...page, data: page.data.filter(row => row.id !== id) })
    queries.setQueriesData<InfiniteData<Schemas['WorkflowPage']> | Schemas['WorkflowPage']>(
      { predicate: ({ queryKey }) => queryKey[1] === '/v1/workflows' },
      // Choices, such as those of triggers, read a single page.
      list => list && ('pages' in list ? { ...list, pages: list.pages.map(without) } : without(list)),
    )
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/workflows' })
    notify(t('workflows.removed', { name }))
    void navigate({ to: '/workflows' })
  }
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('workflows.menu', { name })}>
            <EllipsisHorizontalIcon width={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {children}
          {archivedAt === null && (
            <Menu.Item leftSection={<PencilSquareIcon width={16} />} onClick={() => setDialog('rename')}>
              {t('workflows.rename')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<DocumentDuplicateIcon width={16} />} onClick={() => void duplicate()}>
            {t('workflows.duplicate')}
          </Menu.Item>
          {archivedAt === null ? (
            <Menu.Item leftSection={<ArchiveBoxIcon width={16} />} onClick={() => setDialog('archive')}>
              {t('workflows.archive')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<ArrowUturnLeftIcon width={16} />} onClick={() => void restore()}>
              {t('workflows.restore')}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<TrashIcon width={16} />}
            disabled={enabled}
            onClick={() => setDialog('delete')}
          >
            {t('workflows.remove')}
            {enabled && (
              <Text size="xs" c="dimmed">
                {t('workflows.removeOn')}
              </Text>
            )}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' && <RenameWorkflow workflow={workflow} onClose={close} />}
      {dialog === 'archive' && <TurnOffDialog workflows={[workflow]} action="archive" onClose={close} />}
      <Confirm
        opened={dialog === 'delete'}
        title={t('workflows.removeTitle', { name: shortName(name) })}
        action={t('workflows.removeAction')}
        onClose={close}
        onConfirm={remove}
      >
        {t('workflows.removeText')}
      </Confirm>
    </>
  )
}
