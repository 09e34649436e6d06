/** Actions and pages of the command palette. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ComponentType, SVGProps } from 'react'
import { hooks } from '../api/client.ts'
import { type TextId, useTranslate } from '../texts/index.tsx'
import {
  ArrowsRightLeftIcon,
  BoltIcon,
  CreditCardIcon,
  DocumentTextIcon,
  KeyIcon,
  MegaphoneIcon,
  ShareIcon,
  UserGroupIcon,
  UsersIcon,
} from '../ui/icons.ts'
import { wordsOf } from '../ui/list/text-search.ts'
import {
  ArrowLeftStartOnRectangleIcon,
  BellIcon,
  BuildingStorefrontIcon,
  ChartBarIcon,
  CommandLineIcon,
  DevicePhoneMobileIcon,
  MoonIcon,
  NoSymbolIcon,
  ShieldCheckIcon,
  SunIcon,
  UserCircleIcon,
} from '../ui/page-icons.ts'
import { useNotify } from '../ui/useNotify.tsx'
import { accountPath, type NavigationItem, navigation, type PageItem } from './navigation.ts'
import type { PagePath } from './paths.ts'
import { useIsOwner, useSession } from './session.tsx'
import { signOut } from './sign-out.ts'
import { switchWorkspace } from './switchWorkspace.ts'

export interface Command {
  key: string
  title: string
  detail?: string
  /** Other words that find the command. */
  aliases?: string
  icon: ComponentType<SVGProps<SVGSVGElement>>
  run: () => void
}

const allChannels = { params: { query: { limit: 100 } } } as const

/** Links of the actions that create something. Agents see those that they can use. */
const creations = [
  { key: 'workflow', icon: ShareIcon, owner: true, link: { to: '/workflows', search: { new: '' } } },
  { key: 'campaign', icon: MegaphoneIcon, owner: true, link: { to: '/campaigns/new' } },
  { key: 'template', icon: DocumentTextIcon, owner: true, link: { to: '/templates/new' } },
  { key: 'customer', icon: UsersIcon, owner: false, link: { to: '/customers', search: { new: true } } },
  { key: 'endpoint', icon: ArrowsRightLeftIcon, owner: true, link: { to: '/webhooks/new' } },
  { key: 'apiKey', icon: KeyIcon, owner: true, link: { to: '/api-keys/new' } },
  { key: 'event', icon: BoltIcon, owner: false, link: { to: '/events/send' } },
  { key: 'invite', icon: UserGroupIcon, owner: true, link: { to: '/team', search: { new: true } } },
] as const

/** Actions of the person. Their data are fetched while the palette is open. */
export const useActions = (isOpen: boolean): Command[] => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const router = useRouter()
  const queries = useQueryClient()
  const { workspace } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const workspaces = hooks.useQuery('get', '/v1/auth/workspaces', {}, { staleTime: 300_000 })
  const notify = useNotify()
  const channels = hooks.useQuery('get', '/v1/channels', allChannels, { staleTime: 60_000, enabled: isOpen })
  const sandbox = channels.data?.data.find(({ kind, status }) => kind === 'sandbox' && status !== 'disconnected')
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  return [
    ...creations
      .filter(({ owner }) => isOwner || !owner)
      .map(({ key, icon, link }) => ({
        key,
        icon,
        title: t(`search.action.${key}`),
        aliases: t('search.aliases.create'),
        run: () => void navigate(link),
      })),
    {
      key: 'theme',
      icon: isDark ? SunIcon : MoonIcon,
      title: t(isDark ? 'search.action.light' : 'search.action.dark'),
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    ...(workspaces.data?.data ?? [])
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }) => ({
        key: `workspace/${id}`,
        icon: BuildingStorefrontIcon,
        title: t('search.action.workspace', { name }),
        run: () => switchWorkspace(id, queries, router),
      })),
    ...(sandbox
      ? [
          {
            key: 'phone',
            icon: DevicePhoneMobileIcon,
            title: t('inbox.phone'),
            aliases: t('search.aliases.phone'),
            run: () => void navigate({ to: '/inbox', search: { phone: sandbox.id } }),
          },
        ]
      : []),
    {
      key: 'keys',
      icon: CommandLineIcon,
      title: t('inbox.keys'),
      aliases: t('search.aliases.keys'),
      run: () => void navigate({ to: '/inbox', search: { keys: true } }),
    },
    {
      key: 'signOut',
      icon: ArrowLeftStartOnRectangleIcon,
      title: t('person.signOut'),
      aliases: t('search.aliases.signOut'),
      run: () => void signOut().catch(notify.error),
    },
  ]
}

/** Words that people search for on these pages. */
const aliases: Partial<Record<NavigationItem['to'], TextId>> = {
  '/workflows': 'search.aliases.workflows',
  '/campaigns': 'search.aliases.campaigns',
  '/webhooks': 'search.aliases.webhooks',
  '/not-accepted': 'search.aliases.rejected',
  '/docs': 'search.aliases.docs',
}

/** Pages that are not in the navigation. */
const otherPages: PageItem[] = [
  { to: '/inbox/statistics', label: 'inbox.statistics', icon: ChartBarIcon },
  { to: '/webhooks/doctor', label: 'webhooks.signatureCheck', icon: ShieldCheckIcon, owner: true },
  { to: '/settings/plan', label: 'nav.plan', icon: CreditCardIcon },
  { to: '/settings/security', label: 'settings.security', icon: ShieldCheckIcon },
  { to: '/settings/opt-out-words', label: 'settings.optOutWords', icon: NoSymbolIcon },
  { to: '/settings/notifications', label: 'settings.notifications', icon: BellIcon },
  { to: accountPath, label: 'nav.account', icon: UserCircleIcon },
]

/** A page of the dashboard, or one outside of it. */
type PageCommand = Command & ({ to: PagePath; external?: never } | { to: '/docs'; external: true })

/** All pages that the person can open. */
export const usePages = (): PageCommand[] => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  return [...navigation.flatMap(group => group.items), ...otherPages]
    .filter(item => isOwner || !item.owner)
    .map(item => {
      const { to, label, icon } = item
      const command = { key: to, icon, title: t(label), aliases: aliases[to] ? t(aliases[to]) : '' }
      return item.external
        ? { ...command, to: item.to, external: true, run: () => location.assign(to) }
        : { ...command, to: item.to, run: () => void navigate({ to: item.to }) }
    })
}

/** Returns true if every word of the query begins a word of the title. */
export const matches = (query: string, title: string): boolean => {
  const words = wordsOf(title)
  const parts = wordsOf(query)
  return parts.length > 0 && parts.every(part => words.some(word => word.startsWith(part)))
}
