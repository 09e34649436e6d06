import { ActionIcon, Menu } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { DocumentDuplicateIcon, PauseIcon } from '../../ui/icons.ts'
import { EllipsisHorizontalIcon, NoSymbolIcon, PlayIcon, TrashIcon } from '../../ui/page-icons.ts'
import type { Campaign } from './status.ts'
import { useActions } from './useActions.tsx'

/** Menu of a campaign in the list. A campaign starts on its page, which shows the audience and unsaved changes. */
export const CampaignMenu = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const { duplicate, pause, resume, cancel, remove, confirmations } = useActions(campaign)
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('campaigns.menu', { name: campaign.name })}>
            <EllipsisHorizontalIcon width={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<DocumentDuplicateIcon width={16} />} onClick={duplicate}>
            {t('campaigns.duplicate')}
          </Menu.Item>
          {pause && (
            <Menu.Item leftSection={<PauseIcon width={16} />} onClick={pause}>
              {t('campaigns.pause')}
            </Menu.Item>
          )}
          {resume && (
            <Menu.Item leftSection={<PlayIcon width={16} />} onClick={resume}>
              {t('campaigns.resume')}
            </Menu.Item>
          )}
          {cancel && (
            <Menu.Item leftSection={<NoSymbolIcon width={16} />} onClick={cancel}>
              {t('campaigns.cancel')}
            </Menu.Item>
          )}
          {remove && (
            <Menu.Item color="red" leftSection={<TrashIcon width={16} />} onClick={remove}>
              {t('campaigns.remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {confirmations}
    </>
  )
}
