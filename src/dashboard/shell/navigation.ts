/** The way through, in the order of the question that is asked most. A page that is added adds its line here. */
import type { TextId } from '../texts/index.tsx'

export interface Place {
  to: string
  label: TextId
  /** What is come to from there and has addresses of its own. */
  holds?: string[]
  /** Agents have no business there. */
  owner?: true
  /** In the bar at the bottom of a phone. */
  phone?: true
  /** Served outside the dashboard. */
  outside?: true
}

export interface PlaceGroup {
  label: TextId | null
  places: Place[]
}

export const navigation: PlaceGroup[] = [
  {
    label: null,
    places: [
      { to: '/', label: 'nav.home', phone: true },
      { to: '/inbox', label: 'nav.inbox', phone: true },
      { to: '/customers', label: 'nav.customers', phone: true },
    ],
  },
  {
    label: 'nav.automate',
    places: [
      { to: '/workflows', label: 'nav.workflows', holds: ['/runs'] },
      { to: '/campaigns', label: 'nav.campaigns' },
      { to: '/templates', label: 'nav.templates' },
    ],
  },
  {
    label: 'nav.activity',
    places: [
      { to: '/events', label: 'nav.events', phone: true },
      { to: '/not-accepted', label: 'nav.notAccepted' },
      { to: '/outbound', label: 'nav.outbound' },
    ],
  },
  {
    label: 'nav.connect',
    places: [
      { to: '/webhooks', label: 'nav.webhooks' },
      { to: '/api-keys', label: 'nav.apiKeys', owner: true },
      { to: '/channels', label: 'nav.channels' },
      { to: '/docs', label: 'nav.docs', outside: true },
    ],
  },
  {
    label: 'nav.settings',
    places: [
      { to: '/team', label: 'nav.team' },
      { to: '/plan', label: 'nav.plan' },
      { to: '/audit', label: 'nav.audit', owner: true },
    ],
  },
]

/** Under the person, at the bottom. */
export const accountPath = '/account'
