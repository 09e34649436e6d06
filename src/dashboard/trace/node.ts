/** Nodes of the tree of a trace. */
import type { BlockReason } from '../pages/webhooks/delivery-status.tsx'
import { type RecordLink, recordLink } from '../shell/paths.ts'
import type { TextId } from '../texts/index.tsx'
import type { Tone } from '../ui/Status.tsx'
import type { Subject } from './traces.ts'

export type NodeIcon =
  | 'event'
  | 'run'
  | 'wait'
  | 'reply'
  | 'skipped'
  | 'message'
  | 'campaign'
  | 'person'
  | 'outbound'
  | 'delivered'
  | 'failed'
  | 'pending'
  | 'branch'
  | 'sale'
  | 'change'
  | 'end'

type NodeLink =
  | RecordLink
  | { to: '/sales'; search: { customerId: string } }
  | { to: '/webhooks/$id/deliveries/$deliveryId'; params: { id: string; deliveryId: string } }

export interface TraceNode {
  key: string
  icon: NodeIcon
  /** The type of an outbound event, which chooses its icon. */
  text: string
  at?: string | null
  /** Defaults to `accent`, which is no status. */
  tone?: Tone | 'accent'
  /** `at` is in the future, for example the end of a wait. */
  isFuture?: boolean
  /** Next attempt of a delivery, in the words of its page instead of `text`. */
  next?: { at: string; blockReason: BlockReason }
  /** Page of the record. */
  link?: NodeLink
  /** True for the record that is open. */
  isCurrent?: boolean
  /** Lanes that start at this node. Their nodes do not follow each other across lanes. */
  branches?: Lane[]
}

/** Nodes that follow each other in time. */
export type Lane = TraceNode[]

type Translate = (id: TextId, values?: Record<string, string | number | null>) => string

export interface TreeContext {
  t: Translate
  duration: (ms: number) => string
  /** Formats an amount in its currency. */
  money: (amount: string, currency: string) => string
  subject: Subject
  isOwner: boolean
}

/** The record that is open has no link. */
export const linkTo = (
  kind: Subject['kind'],
  id: string,
  { subject }: TreeContext,
  link: NodeLink = recordLink(kind, id),
): Pick<TraceNode, 'link' | 'isCurrent'> =>
  subject.kind === kind && subject.id === id ? { isCurrent: true } : { link }
