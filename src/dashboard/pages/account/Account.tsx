import { Select, Skeleton, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Editable } from '../../ui/form/Editable.tsx'
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { browserZone } from '../../ui/zone.ts'
import { AccessTokens } from './AccessTokens.tsx'
import styles from './account.module.css'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { SingleSignOn } from './SingleSignOn.tsx'

/** Account page: the profile, the sign-in methods, the access tokens and the sessions of the signed-in person, across all workspaces. */
export const Account = () => {
  const t = useTranslate()
  const query = hooks.useQuery('get', '/v1/auth/user')
  const user = query.data
  return (
    <Page title={t('account.title')} text={t('account.text')}>
      <Body>
        <div className={styles.account}>
          <div className={styles.column}>
            {query.error && !user && <Failure error={query.error} retry={() => void query.refetch()} />}
            {query.isPending && (
              <Card title={t('account.you')}>
                <Skeleton height={180} />
              </Card>
            )}
            {user && <PersonSettings user={user} />}
            <Password />
            <AccessTokens />
          </div>
          <div className={styles.column}>
            <SecondFactor />
            <SingleSignOn />
            <Sessions />
            <DeleteAccount />
          </div>
        </div>
      </Body>
    </Page>
  )
}

const PersonSettings = ({ user }: { user: Schemas['User'] }) => {
  const t = useTranslate()
  const notify = useNotify()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const change = async (body: Schemas['ChangeUser']) => {
    const { data } = await api.PATCH('/v1/auth/user', { body })
    // The shell reads the same path with an empty parameter list, which the cache stores under a different key.
    queries.setQueriesData({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/user' }, data)
    if (body.name !== undefined) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/session' })
    }
  }
  const changePreference = (body: Schemas['ChangeUser'], undoBody: Schemas['ChangeUser']) => {
    setFailure(null)
    change(body).then(() => notify(t('account.saved'), () => change(undoBody)), setFailure)
  }
  return (
    <Card title={t('account.you')}>
      <div className={styles.person}>
        <Avatar name={user.name} size={40} />
        <div>
          <Text fw={600}>
            <bdi>{user.name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </div>
      </div>
      <Facts
        items={{
          [t('account.name')]: (
            <Editable
              label={t('account.name')}
              value={user.name}
              draft="account.name"
              maxLength={100}
              validate={name => (name.trim() ? null : t('account.nameMissing'))}
              onSave={name => change({ name })}
            >
              <bdi>{user.name}</bdi>
            </Editable>
          ),
          [t('account.zone')]: (
            <ZoneSelect
              label={t('account.zone')}
              placeholder={t('account.zoneAsBrowser', { zone: browserZone })}
              clearable
              value={user.timezone}
              onChange={timezone => changePreference({ timezone }, { timezone: user.timezone })}
            />
          ),
          [t('account.language')]: (
            <Language value={user.locale} onChange={locale => changePreference({ locale }, { locale: user.locale })} />
          ),
        }}
      />
      {failure !== null && <Failure error={failure} />}
    </Card>
  )
}

/** Common languages, offered with those of the browser. Each is listed under its own name. */
const commonLocales =
  'ar cs da de de-AT de-CH el en-GB en-US es es-MX fi fr hu it ja ko nb nl pl pt pt-BR ro sv tr uk zh'

const Language = ({ value, onChange }: { value: string | null; onChange: (locale: string | null) => void }) => {
  const t = useTranslate()
  const tags = new Set([
    ...(value ? [value] : []),
    ...navigator.languages.filter(isSupported),
    ...commonLocales.split(' '),
  ])
  const options = [...tags].map(tag => ({ value: tag, label: languageName(tag) }))
  return (
    <Select
      size="xs"
      aria-label={t('account.language')}
      description={t('account.languageHint')}
      inputWrapperOrder={['input', 'description']}
      placeholder={t('account.languageAsBrowser', {
        language: languageName(navigator.languages.find(isSupported) ?? 'en'),
      })}
      searchable
      clearable
      data={options}
      value={value}
      onChange={onChange}
    />
  )
}

const isSupported = (tag: string): boolean => {
  try {
    return Intl.DisplayNames.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

const languageName = (tag: string): string =>
  isSupported(tag) ? (new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag) : tag
