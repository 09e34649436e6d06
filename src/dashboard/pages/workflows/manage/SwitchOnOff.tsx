import { Modal, Switch } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import { TurnOffDialog } from './TurnOffDialog.tsx'

/** Switch that takes effect immediately. If runs are active, switching off first asks what to do with them. */
export const SwitchOnOff = ({
  workflow,
  inRow = false,
}: {
  workflow: Workflow
  /** In a list, where the row names the workflow. */
  inRow?: boolean
}) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  const params = { path: { id: workflow.id } }
  const [isAsking, setIsAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const toggle = async () => {
    setBusy(true)
    try {
      const impact = workflow.enabled ? await api.GET('/v1/workflows/{id}/impact', { params }) : null
      if (impact?.data && impact.data.runsInFlight > 0) return setIsAsking(true)
      const { data } = await api.PATCH('/v1/workflows/{id}', { params, body: { enabled: !workflow.enabled } })
      if (data) updateCache(data)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Switch
        {...(inRow
          ? { size: 'xs', 'aria-label': t('workflows.switchOf', { name: workflow.name }) }
          : {
              label: t(workflow.enabled ? 'workflows.state.on' : 'workflows.state.off'),
              'aria-label': t('workflows.switch'),
            })}
        checked={workflow.enabled}
        disabled={busy || (workflow.publishedVersion === null && !workflow.enabled)}
        onChange={() => void toggle()}
      />
      {isAsking && <TurnOffDialog workflows={[workflow]} action="off" onClose={() => setIsAsking(false)} />}
      <Modal
        opened={failure !== null}
        onClose={() => setFailure(null)}
        title={t('workflows.switch')}
        closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
      >
        <Failure error={failure} />
      </Modal>
    </>
  )
}
