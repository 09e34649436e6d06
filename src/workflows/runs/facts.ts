/** Facts that a workflow can read. Pure: no SQL, no clock. */
import type { TemplateContent } from '../../messaging/templates/index.ts'

export interface Facts {
  data: Record<string, unknown>
  event: { id: string; type: string }
  customer: {
    id: string
    name: string | null
    phone: string | null
    externalId: string | null
    attributes: Record<string, unknown>
  }
}

/** Arrival that ended the last wait of a run: a reply of the customer, or an event. */
export type Answer = { text: string | null } | { data: Record<string, unknown> }

/** Channel of the workspace, with its state for the run's customer. */
export interface RunChannel {
  id: string
  kind: string
  /** False after the channel was disconnected. */
  connected: boolean
  /** Whether the provider has its own templates, which can be sent when the window is closed. */
  templates: boolean
  /** Hours after a message of the customer during which any message may be sent to them. Null for no limit. */
  windowHours: number | null
  /** Address of the customer on the channel, or null if there is none. */
  address: string | null
  /** Time until which any message may be sent to this customer. Null if the customer has not written. */
  windowClosesAt: string | null
}

/** Facts of a run, including those that decide what the run may do. */
export interface RunFacts extends Facts {
  /**
   * Customer, with consent and conversation state. Paths in a definition cannot read `optedIn`, `optedOut` and
   * `hasConversation`. A sale can be marked only with a conversation.
   */
  customer: Facts['customer'] & { optedIn: boolean; optedOut: boolean; hasConversation: boolean }
  /** Channels in the order in which they were connected. Disconnected channels come last. */
  channels: readonly RunChannel[]
  /** Existing templates of the definition, by their IDs in lowercase. */
  templates: Readonly<Record<string, TemplateContent>>
  /** IANA time zone of the workspace. */
  timezone: string
  /** Current features of the workspace's plan. */
  plan: { workflows: boolean }
}

/** Facts that the paths of a definition can read, at one time of a run. */
export interface ReadableFacts extends RunFacts {
  /**
   * Data of the starting event under a second name. Where a condition also reads data of an arriving event, this name
   * is unambiguous.
   */
  trigger: { data: Record<string, unknown> }
  answer: Answer | null
  /** Current time in ISO 8601. */
  now: string
}
