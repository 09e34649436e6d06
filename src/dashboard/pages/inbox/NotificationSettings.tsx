import { ActionIcon, Popover, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { notificationSupport, useNotificationSettings } from '../../shell/inbox-notifications.ts'
import { useTranslate } from '../../texts/index.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import { BellIcon, BellSlashIcon } from '../../ui/page-icons.ts'
import styles from './inbox.module.css'

/** Settings of the browser notifications, kept in this browser. Only a click here asks for the permission. */
export const NotificationSettings = () => {
  const t = useTranslate()
  const { settings, change } = useNotificationSettings()
  const [support, setSupport] = useState(notificationSupport)
  const isOn = settings.isOn && support === 'granted'
  const isBlocked = support === 'denied' || support === 'unsupported'
  const turn = async (next: boolean) => {
    if (next && support === 'default') setSupport(await Notification.requestPermission())
    change({ isOn: next && notificationSupport() === 'granted' })
  }
  return (
    <Popover position="bottom-start" width={280} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('inbox.notifications')}>
          {isOn ? <BellIcon width={18} /> : <BellSlashIcon width={18} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="md" aria-label={t('inbox.notifications')}>
        <Stack gap="md">
          <Text fw={600}>{t('inbox.notifications.title')}</Text>
          {isBlocked ? (
            <div className={styles.blocked} data-tone="care">
              <ExclamationTriangleIcon width={16} aria-hidden="true" />
              <Text size="sm">{t(`inbox.notifications.${support}`)}</Text>
            </div>
          ) : (
            <>
              <Switch
                label={t('inbox.notifications.on')}
                description={t('inbox.notifications.text')}
                checked={isOn}
                onChange={event => void turn(event.currentTarget.checked)}
              />
              <Switch
                label={t('inbox.notifications.content')}
                description={t('inbox.notifications.contentText')}
                checked={settings.showsText}
                disabled={!isOn}
                onChange={event => change({ showsText: event.currentTarget.checked })}
              />
            </>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
