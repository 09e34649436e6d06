import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { PlayIcon } from '../../ui/page-icons.ts'
import { useHealth } from './Health.tsx'
import { useSendWaiting } from './Recovery.tsx'
import { useRefresh } from './refresh.ts'

/** Resumes a held endpoint. Called by the page, so that an error of the second request is shown after the first one. */
export const useResume = (id: string) => {
  const refresh = useRefresh()
  const sendWaiting = useSendWaiting(id)
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async ({ sends }: { sends: boolean }) => {
      await api.POST('/v1/webhooks/{id}/release', { params: { path: { id } } })
      refresh()
      if (sends) await sendWaiting()
    },
  })
  return {
    resume: () => mutate({ sends: false }),
    resumeAndSend: () => mutate({ sends: true }),
    isResuming: isPending && !variables.sends,
    isSending: isPending && variables.sends,
    failure: error,
  }
}

/** Buttons of the notice that an endpoint is held. */
export const ResumeButtons = ({
  webhookId,
  resume: { resume, resumeAndSend, isResuming, isSending },
}: {
  webhookId: string
  resume: ReturnType<typeof useResume>
}) => {
  const t = useTranslate()
  const waitingCount = useHealth(webhookId).data?.waiting ?? 0
  return (
    <>
      {waitingCount > 0 && (
        <Button variant="default" loading={isSending} disabled={isResuming} onClick={resumeAndSend}>
          {t('webhooks.releaseAll')}
        </Button>
      )}
      <Button leftSection={<PlayIcon width={16} />} loading={isResuming} disabled={isSending} onClick={resume}>
        {t('webhooks.release')}
      </Button>
    </>
  )
}
