import { Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx'
import { Id } from '../../ui/Id.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './settings.module.css'
import { useChangeWorkspace, useWorkspace } from './useWorkspace.ts'

const maxNameLength = 100

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
  const save = (changes: Parameters<typeof change>[0], before: Parameters<typeof change>[0]) => {
    setFailure(null)
    void change(changes).then(() => notify(t('settings.saved'), () => change(before)), setFailure)
  }
  const { name, timezone } = workspace
  return (
    <Stack gap="xs">
      {isOwner && (
        <Text size="sm" c="dimmed">
          {t('settings.savedImmediately')}
        </Text>
      )}
      <dl className={styles.facts}>
        <Setting name={t('settings.name')} text={t('settings.nameHint')}>
          {isOwner ? <NameField value={name} onSave={next => save({ name: next }, { name })} /> : <bdi>{name}</bdi>}
        </Setting>
        <Setting name={t('settings.zone')} text={t('settings.zoneHint')}>
          {isOwner ? (
            <ZoneSelect
              label={t('settings.zone')}
              value={timezone}
              onChange={zone => zone !== null && save({ timezone: zone }, { timezone })}
            />
          ) : (
            timezone
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

/** Name that is saved when the person leaves the field or presses Enter. Escape restores it, and so does an empty text. */
const NameField = ({ value, onSave }: { value: string; onSave: (value: string) => void }) => {
  const t = useTranslate()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      size="xs"
      aria-label={t('settings.name')}
      maxLength={maxNameLength}
      autoComplete="off"
      value={text}
      onChange={event => setText(event.currentTarget.value)}
      onBlur={() => {
        const name = text.trim()
        setText(name || value)
        if (name && name !== value) onSave(name)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setText(value)
      }}
    />
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
