/** Navigation, ordered by how often people need each page. A new page adds its entry here. */
import type { TextId } from '../texts/index.tsx'

export interface NavigationItem {
  to: string
  label: TextId
  /** Paths of pages that are reached from this one and have their own addresses. */
  childPaths?: string[]
  /** Visible to owners only. */
  owner?: true
  /** Shown in the bottom bar on a phone. */
  phone?: true
  /** Served outside the dashboard. */
  external?: true
}

export interface NavigationGroup {
  label: TextId | null
  items: NavigationItem[]
}

export const navigation: NavigationGroup[] = [
  {
    label: null,
    items: [
      { to: '/', label: 'nav.home', phone: true },
      { to: '/inbox', label: 'nav.inbox', phone: true },
      { to: '/customers', label: 'nav.customers', phone: true },
    ],
  },
  {
    label: 'nav.automate',
    items: [
      { to: '/workflows', label: 'nav.workflows', childPaths: ['/runs'] },
      { to: '/campaigns', label: 'nav.campaigns' },
      { to: '/templates', label: 'nav.templates' },
    ],
  },
  {
    label: 'nav.activity',
    items: [
      { to: '/events', label: 'nav.events', phone: true },
      { to: '/not-accepted', label: 'nav.notAccepted' },
      { to: '/outbound', label: 'nav.outbound' },
    ],
  },
  {
    label: 'nav.connect',
    items: [
      { to: '/webhooks', label: 'nav.webhooks' },
      { to: '/api-keys', label: 'nav.apiKeys', owner: true },
      { to: '/channels', label: 'nav.channels' },
      { to: '/docs', label: 'nav.docs', external: true },
    ],
  },
  {
    label: 'nav.settings',
    items: [
      { to: '/team', label: 'nav.team' },
      { to: '/plan', label: 'nav.plan' },
      { to: '/audit', label: 'nav.audit', owner: true },
    ],
  },
]

/** Linked in the menu of the person, at the bottom. */
export const accountPath = '/account'
