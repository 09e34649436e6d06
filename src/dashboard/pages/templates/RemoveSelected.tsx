import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'

type Template = Schemas['Template']

/** Button that deletes the selected templates, with a preview of where each is used. */
export const RemoveSelected = ({
  templates,
  usesOf,
  onDone,
}: {
  templates: Template[]
  /** Says where a template is used. Empty while that is unknown. */
  usesOf: (id: string) => string
  onDone: () => void
}) => {
  const t = useTranslate()
  const queries = useQueryClient()
  // The templates change while the action runs, so the dialog keeps those of its start.
  const [removed, setRemoved] = useState<Template[] | null>(null)
  return (
    <>
      <BulkButtons
        actions={[{ key: 'remove', label: t('templates.remove'), reason: null, run: () => setRemoved(templates) }]}
      />
      {removed && (
        <BulkDialog
          title={t('templates.bulk.title')}
          text={t('templates.removeText')}
          action={count => t('templates.bulk.do', { count })}
          items={removed.map(({ id, name }) => ({ id, label: [name, usesOf(id)].filter(Boolean).join(' · ') }))}
          run={id => api.DELETE('/v1/templates/{id}', { params: { path: { id } } })}
          onClose={hasRun => {
            setRemoved(null)
            if (!hasRun) return
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates' })
            onDone()
          }}
        />
      )}
    </>
  )
}
