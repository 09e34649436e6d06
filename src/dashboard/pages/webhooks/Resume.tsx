import { Button } from '@mantine/core'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { PlayIcon } from '../../ui/page-icons.ts'
import { useHealth } from './Health.tsx'
import { useSendWaiting } from './Recovery.tsx'
import { useRefresh } from './refresh.ts'

/** Resumes a held endpoint. Called by the page, so that an error of the second request is shown after the first one. */
export const useResume = (id: string) => {
  const refresh = useRefresh()
  const release = hooks.useMutation('post', '/v1/webhooks/{id}/release')
  const sendWaiting = useSendWaiting(id)
  const resume = () => release.mutateAsync({ params: { path: { id } } }).then(refresh)
  return {
    resume: () => void resume().catch(() => {}),
    resumeAndSend: () =>
      void resume()
        .then(sendWaiting.send)
        .catch(() => {}),
    isResuming: release.isPending,
    isSending: sendWaiting.isPending,
    failure: release.error ?? sendWaiting.error,
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
        <Button variant="default" loading={isSending} onClick={resumeAndSend}>
          {t('webhooks.releaseAll')}
        </Button>
      )}
      <Button leftSection={<PlayIcon width={16} />} loading={isResuming} onClick={resume}>
        {t('webhooks.release')}
      </Button>
    </>
  )
}
