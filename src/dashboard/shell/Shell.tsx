import { Burger, Drawer, Kbd, Menu, NavLink, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { memo, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { hooks } from '../api/client.ts'
import { useLiveRefresh, useLiveState } from '../api/useLive.ts'
import { useTranslate } from '../texts/index.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Failure } from '../ui/Failure.tsx'
import { CheckIcon, ChevronDownIcon, MagnifyingGlassIcon } from '../ui/icons.ts'
import { commandKey } from '../ui/keys.ts'
import { LogoMark } from '../ui/Logo.tsx'
import { useZone } from '../ui/zone.ts'
import { InboxToday } from './inbox-today.tsx'
import { accountPath, isAt, type NavigationItem, navigation, navigationPages } from './navigation.ts'
import { RequireSession, useIsOwner, useSession } from './session.tsx'
import styles from './shell.module.css'
import { signOut } from './sign-out.ts'
import { switchWorkspace } from './switchWorkspace.ts'
import { useOverlays } from './useOverlays.ts'

/** Layout of every page for a signed-in person. */
export const Shell = () => (
  <RequireSession>
    <Frame />
  </RequireSession>
)

const Frame = () => {
  const t = useTranslate()
  const [opened, drawer] = useDisclosure(false)
  const { pathname } = useLocation()
  const { Overlays, openSearch } = useOverlays(pathname)
  useHotkeys([['mod + K', openSearch]])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes the drawer.
  useEffect(() => drawer.close(), [pathname])
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {t('app.skip')}
      </a>
      <header className={styles.phoneHead}>
        {/* As large as a finger, in a header that keeps its height. */}
        <Burger
          size="sm"
          w={44}
          h={44}
          p={13}
          m="-8px -4px -8px -12px"
          flex="none"
          opened={opened}
          onClick={drawer.toggle}
          aria-label={t('nav.open')}
        />
        <WorkspaceSwitch />
        <div id="notifications-phone" className={styles.phoneNotifications} />
        <SearchButton compact open={openSearch} />
      </header>
      <header className={styles.side}>
        <div className={styles.brand}>
          <LogoMark />
          <WorkspaceSwitch />
        </div>
        <SearchButton open={openSearch} />
        <NavigationMenu />
        <div id="notifications" />
        <PersonMenu />
      </header>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        size={280}
        title={t('app.shortName')}
        closeButtonProps={{ 'aria-label': t('nav.close') }}
      >
        <NavigationMenu />
        <PersonMenu />
      </Drawer>
      <main id="page" className={styles.page} tabIndex={-1}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <div role="status">
        <SendingHeldBanner />
        <LiveStatus />
      </div>
      {Overlays && <Overlays />}
      <PhoneBar />
      <InboxToday />
    </div>
  )
}

/** Button that opens the search, like Ctrl K and Cmd K. */
const SearchButton = ({ compact = false, open }: { compact?: boolean; open: () => void }) => {
  const t = useTranslate()
  return (
    <UnstyledButton className={styles.searchButton} onClick={open}>
      <span className={styles.searchLabel}>
        <MagnifyingGlassIcon width={16} aria-hidden="true" />
        {t('search.open')}
      </span>
      {!compact && <Kbd size="xs">{commandKey} K</Kbd>}
    </UnstyledButton>
  )
}

const subscribeOnline = (listener: () => void) => onlineManager.subscribe(listener)

/** Notice that the browser is offline or the stream is interrupted. The pages keep their data. */
const LiveStatus = () => {
  const t = useTranslate()
  const state = useLiveState()
  const queries = useQueryClient()
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline())
  if (!isOnline)
    return (
      <div className={styles.heldBanner}>
        {t('live.offline')}{' '}
        <UnstyledButton className={styles.tryAgain} onClick={() => void queries.refetchQueries({ type: 'active' })}>
          {t('failure.again')}
        </UnstyledButton>
      </div>
    )
  return <div className={styles.liveStatus}>{state === 'lost' && t('live.lost')}</div>
}

/** Banner on every page while the service sends nothing after a restore. */
const SendingHeldBanner = () => {
  const t = useTranslate()
  useLiveRefresh(['attention'], ['/v1/attention'])
  const attention = hooks.useQuery('get', '/v1/attention', {}, { staleTime: 60_000 })
  const isHeld = attention.data?.data.some(({ kind }) => kind === 'sending_held')
  return isHeld ? <div className={styles.heldBanner}>{t('live.held')}</div> : null
}

const useCanVisit = (): ((item: NavigationItem) => boolean) => {
  const isOwner = useIsOwner()
  return item => isOwner || !item.owner
}

const NavigationMenu = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const canVisit = useCanVisit()
  return (
    <nav aria-label={t('nav.main')} className={styles.navItems}>
      {navigation.map(group => (
        <div key={group.label ?? ''} className={styles.group}>
          {group.label && (
            <Text size="xs" className={styles.groupName}>
              {t(group.label)}
            </Text>
          )}
          {group.items.filter(canVisit).map(item => (
            <NavigationLink key={item.to} item={item} label={t(item.label)} active={isAt(pathname, item)} />
          ))}
        </div>
      ))}
    </nav>
  )
}

/** Memoized, so that a page change renders only the links whose state changes. */
const NavigationLink = memo(({ item, label, active }: { item: NavigationItem; label: string; active: boolean }) => (
  <NavLink
    className={styles.navItem}
    label={label}
    leftSection={<item.icon width={18} aria-hidden="true" />}
    rightSection={item.badge && <item.badge />}
    active={active}
    aria-current={active ? 'page' : undefined}
    {...(item.external
      ? { component: 'a' as const, href: item.to }
      : { renderRoot: (props: object) => <Link {...props} to={item.to} /> })}
  />
))

const PhoneBar = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const items = navigationPages().filter(item => item.phone)
  return (
    <nav className={styles.phoneBar} aria-label={t('nav.main')}>
      {items.map(item => (
        <Link key={item.to} to={item.to} aria-current={isAt(pathname, item) ? 'page' : undefined}>
          <item.icon width={20} aria-hidden="true" />
          <span>
            {t(item.label)} {item.badge && <item.badge />}
          </span>
        </Link>
      ))}
    </nav>
  )
}

const WorkspaceSwitch = memo(() => {
  const t = useTranslate()
  const { workspace } = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const workspaces = hooks.useQuery('get', '/v1/auth/workspaces', {}, { staleTime: 300_000 })
  const others = workspaces.data?.data ?? []
  if (others.length < 2) return <div className={styles.workspace}>{workspace.name}</div>
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={styles.workspace} aria-label={t('workspace.switch', { name: workspace.name })}>
          {workspace.name} <ChevronDownIcon width={12} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ id, name }) => (
          <Menu.Item
            key={id}
            aria-current={id === workspace.id}
            rightSection={id === workspace.id && <CheckIcon width={14} />}
            onClick={() => id !== workspace.id && switchWorkspace(id, queries, router)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
})

const PersonMenu = memo(() => {
  const t = useTranslate()
  const { user, role } = useSession()
  const zone = useZone()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [failure, setFailure] = useState<unknown>(null)
  const leave = async () => {
    setFailure(null)
    await signOut().catch(setFailure)
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
          aria-label={t('person.menu', { name: user.name || user.email, role: t(`role.${role}`) })}
        >
          <Avatar name={user.name || user.email} />
          <span className={styles.personName}>{user.name || user.email}</span>
          <span className={styles.role} data-role={t(`role.${role}`)} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Label>{t('person.zone', { zone })}</Menu.Label>
        <Menu.Item renderRoot={(props: object) => <Link {...props} to={accountPath} />}>{t('nav.account')}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('person.theme')}</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            aria-current={colorScheme === scheme}
            rightSection={colorScheme === scheme && <CheckIcon width={14} />}
            onClick={() => setColorScheme(scheme)}
          >
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item closeMenuOnClick={false} onClick={() => void leave()}>
          {t('person.signOut')}
        </Menu.Item>
        {failure !== null && <Failure error={failure} />}
      </Menu.Dropdown>
    </Menu>
  )
})
