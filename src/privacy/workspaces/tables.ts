/** Tables with rows of workspaces: what an export contains, what a move copies, and what a deletion removes. */

export interface WorkspaceTable {
  name: string
  /** Columns with ids of accounts. An import replaces them if the account has another id there. */
  accounts: readonly string[]
  /** Columns that an import leaves to their defaults. */
  omitted: readonly string[]
  /** Whether the rows are in the directory, as the members are. */
  inDirectory: boolean
}

const table = (
  name: string,
  { accounts = [], omitted = [], inDirectory = false }: Partial<WorkspaceTable> = {},
): WorkspaceTable => ({
  name,
  accounts,
  omitted,
  inDirectory,
})

/**
 * Exported tables in the order of an import. Rows come after those that they refer to. Settings come first, then what
 * workers read once it is complete: outbound events follow the endpoints, and counts follow their sums.
 */
export const exportedTables: readonly WorkspaceTable[] = [
  table('members', { inDirectory: true }),
  table('saved_views', { inDirectory: true }),
  table('api_keys', { accounts: ['created_by'] }),
  table('channels'),
  table('templates'),
  table('opt_out_words'),
  table('workflows', { accounts: ['switched_by'] }),
  table('workflow_versions', { accounts: ['published_by'] }),
  table('workflow_wait_events'),
  table('webhooks'),
  table('webhook_health'),
  table('customers'),
  table('handles'),
  table('consents', { accounts: ['user_id'] }),
  table('events'),
  table('event_outcomes'),
  table('removed_events'),
  table('event_usage'),
  table('rejected_requests'),
  table('conversations', { accounts: ['assignee_id'] }),
  table('campaigns'),
  table('campaign_recipients'),
  table('campaign_outcomes'),
  table('workflow_runs'),
  table('workflow_run_steps'),
  table('run_waits'),
  table('run_arrivals'),
  table('run_rechecks'),
  table('messages', { accounts: ['sent_by_id'] }),
  table('message_statuses'),
  table('early_statuses'),
  table('removed_messages'),
  table('inbox_actions', { accounts: ['user_id'] }),
  table('sales', { accounts: ['marked_by_id'] }),
  // Transaction ids order the stream of a database. An import writes the events in this order again.
  table('outbound_events', { omitted: ['xid'] }),
  table('deliveries'),
  table('delivery_attempts'),
  table('webhook_recoveries'),
  table('hourly_stats'),
  table('group_stats'),
  table('hourly_stat_changes'),
  table('retention_watermarks'),
  table('audit_entries', { accounts: ['actor_id'] }),
]

/** Tables whose rows an export leaves out, with the reason. A deletion removes them. */
export const temporaryTables: Record<string, string> = {
  outbound_event_trims: 'positions in the stream are not comparable with those of another database',
  live_feed_workspaces: 'a feed of an open page',
  live_feed_changes: 'changes of the last minutes, for feeds of open pages',
  workspace_pauses: 'an imported workspace is paused completely',
  workspace_move_changes: 'the progress of a move',
  workspace_moves: 'the progress of a move',
}

/** Tables whose rows a deletion keeps, with the reason. */
export const keptTables: Record<string, string> = {
  audit_entries: 'the database keeps the audit log until its retention ends',
  leases: 'the process that holds a lease releases it',
}

/**
 * Tables whose rows a move copies only in the transaction that opens the workspace: workers of the target would act on
 * the rows of a closed workspace too, because their statements cover all workspaces.
 */
export const switchedTables: readonly string[] = [
  'run_arrivals',
  'run_rechecks',
  'hourly_stat_changes',
  'workspace_pauses',
]

/** Tables of which a move copies only the pending rows in that transaction: the outbox, and the bulk replays that run. */
export const splitTables: readonly string[] = ['outbound_events', 'webhook_recoveries']
