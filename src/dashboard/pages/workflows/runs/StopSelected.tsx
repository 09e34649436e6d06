import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { BulkButtons } from '../../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../../ui/list/BulkDialog.tsx'
import type { Definition } from '../definition/types.ts'
import { useStepName } from '../useStepTexts.ts'
import { isInProgress } from './in-progress.ts'

type Row = Schemas['Run']

/** Button that stops the selected runs, with a preview. Runs that have ended are left out. */
export const StopSelected = ({
  rows,
  definition,
  onDone,
}: {
  rows: Row[]
  /** Names the steps. */
  definition: Definition
  onDone: () => void
}) => {
  const t = useTranslate()
  const stepName = useStepName(definition)
  const queries = useQueryClient()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [runs, setRuns] = useState<Row[] | null>(null)
  return (
    <>
      <BulkButtons
        actions={[
          {
            key: 'stop',
            label: t('workflows.run.stopSelected'),
            reason: rows.some(isInProgress) ? null : t('workflows.run.stopSelectedNone'),
            run: () => setRuns(rows),
          },
        ]}
      />
      {runs && (
        <BulkDialog
          title={t('workflows.run.stopSelected')}
          text={t('workflows.run.stopSelectedText')}
          action={count => t('workflows.run.stopSelectedDo', { count })}
          items={runs.map(row => ({
            id: row.id,
            label: row.stepId === null ? t('workflows.run') : stepName(row.stepId),
            ...(!isInProgress(row) && { skip: t(`workflows.run.${row.status}`) }),
          }))}
          run={id => api.POST('/v1/runs/{id}/stop', { params: { path: { id } } })}
          onClose={hasRun => {
            setRuns(null)
            if (!hasRun) return
            const changed = ['/v1/runs/{id}', '/v1/workflows/{id}/runs', '/v1/workflows/{id}/stats']
            void queries.invalidateQueries({ predicate: ({ queryKey }) => changed.includes(String(queryKey[1])) })
            onDone()
          }}
        />
      )}
    </>
  )
}
