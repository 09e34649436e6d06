import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { DocumentDuplicateIcon, PaperAirplaneIcon, PauseIcon } from '../../ui/icons.ts'
import { NoSymbolIcon, PlayIcon, TrashIcon } from '../../ui/page-icons.ts'
import { updateCache } from './cache.ts'
import styles from './campaigns.module.css'
import { StartDialog } from './StartDialog.tsx'
import { type Campaign, canChange } from './status.ts'
import { useActions } from './useActions.tsx'

/** Actions of the owner on the page of a campaign, as buttons. */
export const Actions = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isStarting, setIsStarting] = useState(false)
  const { isBusy, duplicate, pause, resume, cancel, remove, confirmations } = useActions(
    campaign,
    () => void navigate({ to: '/campaigns' }),
  )
  return (
    <>
      {remove && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<TrashIcon width={16} />}
          onClick={remove}
        >
          {t('campaigns.remove')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<DocumentDuplicateIcon width={16} />}
        disabled={isBusy}
        onClick={duplicate}
      >
        {t('campaigns.duplicate')}
      </Button>
      {cancel && (
        <Button variant="default" leftSection={<NoSymbolIcon width={16} />} onClick={cancel}>
          {t('campaigns.cancel')}
        </Button>
      )}
      {pause && (
        <Button variant="default" leftSection={<PauseIcon width={16} />} loading={isBusy} onClick={pause}>
          {t('campaigns.pause')}
        </Button>
      )}
      {resume && (
        <Button leftSection={<PlayIcon width={16} />} loading={isBusy} onClick={resume}>
          {t('campaigns.resume')}
        </Button>
      )}
      {canChange(campaign) && (
        <Button
          className={styles.primary!}
          leftSection={<PaperAirplaneIcon width={14} />}
          disabled={dirty}
          onClick={() => setIsStarting(true)}
        >
          {t(campaign.status === 'scheduled' ? 'campaigns.reschedule' : 'campaigns.start')}
        </Button>
      )}
      {isStarting && (
        <StartDialog
          campaign={campaign}
          onClose={() => setIsStarting(false)}
          onDone={started => updateCache(queries, started)}
        />
      )}
      {confirmations}
    </>
  )
}
