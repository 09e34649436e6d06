import { Select, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Editable } from '../../ui/Editable.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { useTell } from '../../ui/told.tsx'
import { ZoneSelect } from '../../ui/ZoneSelect.tsx'
import { browserZone } from '../../ui/zone.ts'
import styles from './account.module.css'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

/** Account page: the profile, the sign-in methods and the sessions of the signed-in person, across all workspaces. */
export const Account = () => {
  const say = useTexts()
  const query = hooks.useQuery('get', '/v1/auth/user')
  const user = query.data
  return (
    <Page title={say('account.title')} text={say('account.text')}>
      <Body>
        <div className={styles.account}>
          {query.error && !user && <Failure of={query.error} retry={() => void query.refetch()} />}
          {query.isPending && (
            <Section title={say('account.you')}>
              <Skeleton height={120} />
            </Section>
          )}
          {user && <You user={user} />}
          <Password />
          <SecondFactor />
          <Sessions />
          <DeleteAccount />
        </div>
      </Body>
    </Page>
  )
}

const You = ({ user }: { user: Schemas['User'] }) => {
  const say = useTexts()
  const tell = useTell()
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
  const choose = (now: Schemas['ChangeUser'], before: Schemas['ChangeUser']) => {
    setFailure(null)
    change(now).then(() => tell(say('account.saved'), () => change(before)), setFailure)
  }
  return (
    <Section title={say('account.you')}>
      <Facts
        of={{
          [say('account.name')]: (
            <Editable
              label={say('account.name')}
              value={user.name}
              draft="account.name"
              onSave={name => change({ name })}
            >
              <bdi>{user.name}</bdi>
            </Editable>
          ),
          [say('account.email')]: user.email,
          [say('account.zone')]: (
            <ZoneSelect
              label={say('account.zone')}
              placeholder={say('account.zoneAsBrowser', { zone: browserZone })}
              clearable
              value={user.timezone}
              onChange={timezone => choose({ timezone }, { timezone: user.timezone })}
            />
          ),
          [say('account.language')]: (
            <Language value={user.locale} onChange={locale => choose({ locale }, { locale: user.locale })} />
          ),
        }}
      />
      {failure !== null && <Failure of={failure} />}
    </Section>
  )
}

/** Common languages, offered with those of the browser. Each is listed under its own name. */
const common = 'ar cs da de de-AT de-CH el en-GB en-US es es-MX fi fr hu it ja ko nb nl pl pt pt-BR ro sv tr uk zh'

const Language = ({ value, onChange }: { value: string | null; onChange: (locale: string | null) => void }) => {
  const say = useTexts()
  const tags = new Set([...(value ? [value] : []), ...navigator.languages.filter(isKnown), ...common.split(' ')])
  const options = [...tags].map(tag => ({ value: tag, label: nameOf(tag) }))
  return (
    <Select
      size="xs"
      aria-label={say('account.language')}
      description={say('account.languageHint')}
      inputWrapperOrder={['input', 'description']}
      placeholder={say('account.languageAsBrowser', { language: nameOf(navigator.languages.find(isKnown) ?? 'en') })}
      searchable
      clearable
      data={options}
      value={value}
      onChange={onChange}
    />
  )
}

const isKnown = (tag: string): boolean => {
  try {
    return Intl.DisplayNames.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

const nameOf = (tag: string): string =>
  isKnown(tag) ? (new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag) : tag
