/** Navigation, ordered by how often people need each page. A new page adds its entry here. */
import type { ComponentType, SVGProps } from 'react'
import type { TextId } from '../texts/index.tsx'
import {
  ArrowsRightLeftIcon,
  BanknotesIcon,
  BoltIcon,
  BookOpenIcon,
  ChatBubbleLeftRightIcon,
  ClipboardDocumentListIcon,
  Cog6ToothIcon,
  DocumentTextIcon,
  ExclamationTriangleIcon,
  HomeIcon,
  InboxIcon,
  KeyIcon,
  MegaphoneIcon,
  PaperAirplaneIcon,
  ShareIcon,
  SignalIcon,
  UserGroupIcon,
  UsersIcon,
} from '../ui/icons.ts'
import { WaitingBadge } from './inbox-today.tsx'
import type { PagePath } from './paths.ts'

interface Item {
  label: TextId
  icon: ComponentType<SVGProps<SVGSVGElement>>
  /** Count after the label. */
  badge?: ComponentType
  /** Paths of pages that are reached from this one and have their own addresses. */
  childPaths?: string[]
  /** Visible to owners only. */
  owner?: true
  /** Shown in the bottom bar on a phone. */
  phone?: true
}

/** Page of the dashboard. */
export interface PageItem extends Item {
  to: PagePath
  external?: never
}

/** Page that is served outside the dashboard. */
interface ExternalItem extends Item {
  to: '/docs'
  external: true
}

export type NavigationItem = PageItem | ExternalItem

export interface NavigationGroup {
  label: TextId | null
  items: NavigationItem[]
}

export const navigation: NavigationGroup[] = [
  {
    label: null,
    items: [
      { to: '/', label: 'nav.home', icon: HomeIcon, phone: true },
      { to: '/inbox', label: 'nav.inbox', icon: InboxIcon, badge: WaitingBadge, phone: true },
      { to: '/customers', label: 'nav.customers', icon: UsersIcon, phone: true },
      { to: '/sales', label: 'nav.sales', icon: BanknotesIcon },
    ],
  },
  {
    label: 'nav.automate',
    items: [
      { to: '/workflows', label: 'nav.workflows', icon: ShareIcon, childPaths: ['/runs'] },
      { to: '/campaigns', label: 'nav.campaigns', icon: MegaphoneIcon },
      { to: '/templates', label: 'nav.templates', icon: DocumentTextIcon },
    ],
  },
  {
    label: 'nav.activity',
    items: [
      { to: '/events', label: 'nav.events', icon: BoltIcon, phone: true },
      { to: '/not-accepted', label: 'nav.notAccepted', icon: ExclamationTriangleIcon },
      { to: '/messages', label: 'nav.messages', icon: ChatBubbleLeftRightIcon },
      { to: '/outbound', label: 'nav.outbound', icon: PaperAirplaneIcon },
    ],
  },
  {
    label: 'nav.connect',
    items: [
      { to: '/webhooks', label: 'nav.webhooks', icon: ArrowsRightLeftIcon },
      { to: '/api-keys', label: 'nav.apiKeys', icon: KeyIcon, owner: true },
      { to: '/channels', label: 'nav.channels', icon: SignalIcon },
      { to: '/docs', label: 'nav.docs', icon: BookOpenIcon, external: true },
    ],
  },
  {
    label: 'nav.workspace',
    items: [
      { to: '/settings/workspace', label: 'nav.settings', icon: Cog6ToothIcon, childPaths: ['/settings'] },
      { to: '/team', label: 'nav.team', icon: UserGroupIcon },
      { to: '/audit', label: 'nav.audit', icon: ClipboardDocumentListIcon, owner: true },
    ],
  },
]

/** Pages of the navigation that belong to the dashboard. */
export const navigationPages = (): PageItem[] =>
  navigation.flatMap(({ items }) => items).filter(item => item.external === undefined)

/** Linked in the menu of the person, at the bottom. */
export const accountPath = '/account'

/** Icons of addresses that belong to another page. */
const otherIcons: Record<string, NavigationItem['icon']> = { '/deliveries': ArrowsRightLeftIcon, '/runs': ShareIcon }

/** Returns the icon of the page that an address belongs to. */
export const iconOf = (path: string): NavigationItem['icon'] => {
  const root = `/${path.split('/')[1]}`
  return otherIcons[root] ?? navigation.flatMap(({ items }) => items).find(({ to }) => to === root)?.icon ?? BoltIcon
}

const isUnder = (pathname: string, to: string) => (to === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${to}/`))

/** Returns true if the address is the page of an item or one of its records. */
export const isAt = (pathname: string, { to, childPaths = [] }: NavigationItem): boolean =>
  [to, ...childPaths].some(path => isUnder(pathname, path))

/** Returns the name of the page of the navigation that an address belongs to, or of the dashboard. */
export const sectionAt = (pathname: string): TextId => {
  if (isUnder(pathname, accountPath)) return 'nav.account'
  return navigation.flatMap(({ items }) => items).find(item => isAt(pathname, item))?.label ?? 'app.shortName'
}
