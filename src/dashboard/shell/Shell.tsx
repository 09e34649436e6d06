import { Burger, Drawer, Kbd, Menu, NavLink, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { memo, Suspense, useEffect, useState } from 'react'
import { Failure as ApiFailure, api, hooks } from '../api/client.ts'
import { useLiveState } from '../api/useLive.ts'
import { chooseWorkspace, forgetPerson } from '../api/workspace.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { commandKey } from '../ui/keys.ts'
import { useZone } from '../ui/zone.ts'
import { accountPath, navigation, type Place } from './navigation.ts'
import { Signed, useIsOwner, useSession } from './session.tsx'
import styles from './shell.module.css'
import { useOverlays } from './useOverlays.ts'

/** Layout of every page for a signed-in person. */
export const Shell = () => (
  <Signed>
    <Frame />
  </Signed>
)

const Frame = () => {
  const say = useTexts()
  const [opened, drawer] = useDisclosure(false)
  const { pathname } = useLocation()
  const { Overlays, openSearch } = useOverlays(pathname)
  useHotkeys([['mod + K', openSearch]])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes the drawer.
  useEffect(() => drawer.close(), [pathname])
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {say('app.skip')}
      </a>
      <header className={styles.phoneHead}>
        <Burger size="sm" opened={opened} onClick={drawer.toggle} aria-label={say('nav.open')} />
        <WorkspaceSwitch />
        <SearchButton compact open={openSearch} />
      </header>
      <header className={styles.side}>
        <WorkspaceSwitch />
        <SearchButton open={openSearch} />
        <Places />
        <Person />
      </header>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        size={280}
        title={say('app.name')}
        closeButtonProps={{ 'aria-label': say('nav.close') }}
      >
        <Places />
        <Person />
      </Drawer>
      <main id="page" className={styles.page} tabIndex={-1}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <LiveLine />
      <PhoneBar />
      {Overlays && <Overlays />}
    </div>
  )
}

/** Button that opens the search, like Ctrl K and Cmd K. */
const SearchButton = ({ compact = false, open }: { compact?: boolean; open: () => void }) => {
  const say = useTexts()
  return (
    <UnstyledButton className={styles.searchButton} onClick={open}>
      <span>{say('search.open')}</span>
      {!compact && <Kbd size="xs">{commandKey} K</Kbd>}
    </UnstyledButton>
  )
}

/** Notice that the stream is interrupted. The pages keep their data. */
const LiveLine = () => {
  const say = useTexts()
  const state = useLiveState()
  return (
    <div role="status" className={styles.liveLine}>
      {state === 'lost' && say('live.lost')}
    </div>
  )
}

const isUnder = (pathname: string, to: string) => (to === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${to}/`))
const isAt = (pathname: string, { to, holds = [] }: Place) => [to, ...holds].some(one => isUnder(pathname, one))

const useMayGo = (): ((place: Place) => boolean) => {
  const owner = useIsOwner()
  return place => owner || !place.owner
}

const Places = () => {
  const say = useTexts()
  const { pathname } = useLocation()
  const mayGo = useMayGo()
  return (
    <nav aria-label={say('nav.main')} className={styles.places}>
      {navigation.map(group => (
        <div key={group.label ?? ''} className={styles.group}>
          {group.label && (
            <Text size="xs" className={styles.groupName}>
              {say(group.label)}
            </Text>
          )}
          {group.places.filter(mayGo).map(place => (
            <PlaceLink key={place.to} place={place} label={say(place.label)} active={isAt(pathname, place)} />
          ))}
        </div>
      ))}
    </nav>
  )
}

/** Memoized, so that a page change renders only the links whose state changes. */
const PlaceLink = memo(({ place, label, active }: { place: Place; label: string; active: boolean }) => (
  <NavLink
    className={styles.place}
    label={label}
    active={active}
    aria-current={active ? 'page' : undefined}
    {...(place.outside
      ? { component: 'a' as const, href: place.to }
      : { renderRoot: (props: object) => <Link {...props} to={place.to} /> })}
  />
))

const PhoneBar = () => {
  const say = useTexts()
  const { pathname } = useLocation()
  const places = navigation.flatMap(group => group.places).filter(place => place.phone)
  return (
    <nav className={styles.phoneBar} aria-label={say('nav.main')}>
      {places.map(place => (
        <Link key={place.to} to={place.to} aria-current={isAt(pathname, place) ? 'page' : undefined}>
          {say(place.label)}
        </Link>
      ))}
    </nav>
  )
}

const WorkspaceSwitch = memo(() => {
  const say = useTexts()
  const { workspace } = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const mine = hooks.useQuery('get', '/v1/auth/workspaces', {}, { staleTime: 300_000 })
  const others = mine.data?.data ?? []
  if (others.length < 2) return <div className={styles.workspace}>{workspace.name}</div>
  const choose = (id: string) => {
    chooseWorkspace(id)
    queries.clear()
    void router.navigate({ to: '/' })
  }
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={styles.workspace} aria-label={say('workspace.switch', { name: workspace.name })}>
          {workspace.name} ▾
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ id, name }) => (
          <Menu.Item key={id} aria-current={id === workspace.id} onClick={() => id !== workspace.id && choose(id)}>
            {name}
            {id === workspace.id && ' ✓'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
})

const Person = memo(() => {
  const say = useTexts()
  const { user, role } = useSession()
  const zone = useZone()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [failure, setFailure] = useState<unknown>(null)
  const signOut = async () => {
    setFailure(null)
    try {
      await api.POST('/v1/auth/sign-out')
    } catch (error) {
      // A 401 means that the person is already signed out.
      if (!(error instanceof ApiFailure && error.status === 401)) return setFailure(error)
    }
    forgetPerson()
    // Reloads the page, so that the next person sees no cached data.
    location.assign('/sign-in')
  }
  const schemes = [
    ['light', 'person.light'],
    ['dark', 'person.dark'],
    ['auto', 'person.system'],
  ] as const
  return (
    <Menu position="top-start" width={240} onClose={() => setFailure(null)}>
      <Menu.Target>
        <UnstyledButton
          className={styles.person}
          aria-label={say('person.menu', { name: user.name || user.email, role: say(`role.${role}`) })}
        >
          <span className={styles.personName}>{user.name || user.email}</span>
          <span className={styles.role} data-role={say(`role.${role}`)} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Label>{say('person.zone', { zone })}</Menu.Label>
        <Menu.Item renderRoot={(props: object) => <Link {...props} to={accountPath} />}>{say('nav.account')}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{say('person.theme')}</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item key={scheme} aria-current={colorScheme === scheme} onClick={() => setColorScheme(scheme)}>
            {say(label)}
            {colorScheme === scheme && ' ✓'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item closeMenuOnClick={false} onClick={() => void signOut()}>
          {say('person.signOut')}
        </Menu.Item>
        {failure !== null && <Failure of={failure} />}
      </Menu.Dropdown>
    </Menu>
  )
})
