import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import type { BulkAction } from '../../../ui/list/BulkActions.tsx'
import type { Definition } from '../definition/types.ts'
import { useStepName } from '../useStepTexts.ts'
import { isInProgress } from './in-progress.ts'

/** Returns the action that stops the selected runs. Runs that have ended are left out. The definition names the steps. */
export const useStop = (definition: Definition) => {
  const t = useTranslate()
  const stepName = useStepName(definition)
  return (rows: Schemas['Run'][]): BulkAction => ({
    key: 'stop',
    label: t('workflows.run.stopSelected'),
    reason: rows.some(isInProgress) ? null : t('workflows.run.stopSelectedNone'),
    title: t('workflows.run.stopSelected'),
    text: t('workflows.run.stopSelectedText'),
    confirm: count => t('workflows.run.stopSelectedDo', { count }),
    items: rows.map(row => ({
      id: row.id,
      label: row.stepId === null ? t('workflows.run') : stepName(row.stepId),
      skip: isInProgress(row) ? undefined : t(`workflows.run.${row.status}`),
    })),
    send: id => api.POST('/v1/runs/{id}/stop', { params: { path: { id } } }),
    changes: path =>
      path === '/v1/runs/{id}' || path === '/v1/workflows/{id}/runs' || path === '/v1/workflows/{id}/stats',
  })
}
