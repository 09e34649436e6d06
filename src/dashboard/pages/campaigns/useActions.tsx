import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { updateCache } from './cache.ts'
import { countSettled } from './Progress.tsx'
import { type Campaign, canChange } from './status.ts'

/** Maximum length of a name, with the end of the name of a copy. */
const maxName = 200

/**
 * Actions of the owner for a campaign. One that its status does not allow is null. `confirmations` are the dialogs that
 * some of them open.
 */
export const useActions = (campaign: Campaign, onRemoved?: () => void) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [confirming, setConfirming] = useState<'cancel' | 'remove' | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { id, name, status, progress } = campaign
  const params = { path: { id } }
  const close = () => setConfirming(null)
  const run = async (action: () => Promise<void>) => {
    setIsBusy(true)
    try {
      await action()
    } catch (error) {
      notify.error(error)
    } finally {
      setIsBusy(false)
    }
  }
  const pauseOrResume = (to: 'pause' | 'resume') =>
    run(async () => {
      const { data } = await api.POST(`/v1/campaigns/{id}/${to}`, { params })
      updateCache(queries, data!)
    })
  const duplicate = () =>
    run(async () => {
      const { channelId, templateId, variables, audience } = campaign
      const copy = t('campaigns.copyOf', { name: '' })
      const { data } = await api.POST('/v1/campaigns', {
        body: {
          name: t('campaigns.copyOf', { name: name.slice(0, maxName - copy.length) }),
          channelId,
          templateId,
          variables,
          audience,
        },
      })
      updateCache(queries, data!)
      notify(t('campaigns.duplicated', { name: data!.name }))
      void navigate({ to: '/campaigns/$id', params: { id: data!.id } })
    })
  const cancel = async () => {
    const { data } = await api.POST('/v1/campaigns/{id}/cancel', { params })
    updateCache(queries, data!)
  }
  const remove = async () => {
    await api.DELETE('/v1/campaigns/{id}', { params })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/campaigns' })
    notify(t('campaigns.removed', { name }))
    onRemoved?.()
  }
  return {
    isBusy,
    duplicate: () => void duplicate(),
    pause: status === 'running' ? () => void pauseOrResume('pause') : null,
    resume: status === 'paused' ? () => void pauseOrResume('resume') : null,
    cancel: ['scheduled', 'running', 'paused'].includes(status) ? () => setConfirming('cancel') : null,
    remove: canChange(campaign) ? () => setConfirming('remove') : null,
    confirmations: (
      <>
        <Confirm
          opened={confirming === 'cancel'}
          title={t('campaigns.cancelTitle', { name: shortName(name) })}
          action={t('campaigns.cancel')}
          keep={t('campaigns.keep')}
          onClose={close}
          onConfirm={cancel}
        >
          {status === 'scheduled'
            ? t('campaigns.cancelScheduled')
            : t('campaigns.cancelText', { count: Math.max(progress.audience - countSettled(campaign), 0) })}
        </Confirm>
        <Confirm
          opened={confirming === 'remove'}
          title={t('campaigns.removeTitle', { name: shortName(name) })}
          action={t('campaigns.removeAction')}
          onClose={close}
          onConfirm={remove}
        >
          <Text size="sm">{t('campaigns.removeText')}</Text>
        </Confirm>
      </>
    ),
  }
}
