import { Skeleton, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Editable } from '../../ui/form/Editable.tsx'
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx'
import { Id } from '../../ui/Id.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './settings.module.css'
import { useChangeWorkspace, useWorkspace } from './useWorkspace.ts'

/** Name and time zone of the workspace. */
export const WorkspaceSettings = () => {
  const t = useTranslate()
  const query = useWorkspace()
  return (
    <Card title={t('settings.workspace')}>
      {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} />}
      {query.data && <Fields workspace={query.data} />}
    </Card>
  )
}

const Fields = ({ workspace }: { workspace: Schemas['Workspace'] }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const notify = useNotify()
  const change = useChangeWorkspace()
  const [failure, setFailure] = useState<unknown>(null)
  const changeTimezone = (timezone: string) =>
    change({ timezone }).then(
      () => notify(t('settings.saved'), () => change({ timezone: workspace.timezone })),
      setFailure,
    )
  return (
    <Stack gap="md">
      <dl className={styles.facts}>
        <Setting name={t('settings.name')} text={t('settings.nameHint')}>
          {isOwner ? (
            <Editable
              label={t('settings.name')}
              value={workspace.name}
              draft="settings.workspace.name"
              onSave={name => change({ name })}
            >
              <bdi>{workspace.name}</bdi>
            </Editable>
          ) : (
            <bdi>{workspace.name}</bdi>
          )}
        </Setting>
        <Setting name={t('settings.zone')} text={t('settings.zoneHint')}>
          {isOwner ? (
            <ZoneSelect
              label={t('settings.zone')}
              value={workspace.timezone}
              onChange={zone => zone !== null && void changeTimezone(zone)}
            />
          ) : (
            workspace.timezone
          )}
        </Setting>
        <Setting name={t('settings.id')} text={t('settings.idHint')}>
          <Id value={workspace.id} full />
        </Setting>
        <Setting name={t('settings.created')}>
          <Time at={workspace.createdAt} exact />
        </Setting>
      </dl>
      {failure !== null && <Failure error={failure} />}
    </Stack>
  )
}

const Setting = ({ name, text, children }: { name: string; text?: string; children: ReactNode }) => (
  <div className={styles.setting}>
    <dt>
      {name}
      {text && <span>{text}</span>}
    </dt>
    <dd>{children}</dd>
  </div>
)
