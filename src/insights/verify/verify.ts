/** Verifies that the records of a workspace are complete and match its counters. */
import { minIdAt } from '../../core/ids.ts'
import { withLinksOf } from '../../platform/postgres/cells.ts'
import type { Database, Sql } from '../../platform/postgres/client.ts'
import { findRemovedUpTo, firstId } from '../../privacy/retention/index.ts'
import {
  type CheckedPage,
  type CheckPage,
  checkDeliveries,
  checkEvents,
  checkMessages,
  checkOutboundEvents,
  checkRuns,
  checkSteps,
  countRecipients,
  type GroupSums,
  selectCampaignCounters,
  sumCounters,
  sumGroups,
} from './sql.ts'

/** Kinds of records, in the order of the report. */
export const checkNames = [
  'events',
  'runs',
  'steps',
  'messages',
  'outbound events',
  'deliveries',
  'campaigns',
  'counters',
] as const
export type CheckName = (typeof checkNames)[number]

/** A record that does not match the others. */
export interface Difference {
  check: CheckName
  workspaceId: string
  /** Id of the record. For a counter its name. */
  id: string
  /** End of a sentence that begins with the record. */
  problem: string
}

/** Result of a workspace. */
export interface Verification {
  /** Number of records by kind. */
  checked: Record<CheckName, number>
  /** Number of differences by kind. */
  differing: Record<CheckName, number>
  /** The first differences of each kind, at most `maxListed`. */
  differences: Difference[]
  /** Counters that cannot be compared, because retention has removed rows that they count. */
  notCompared: string[]
}

/** Maximum number of differences of a kind and workspace that are listed. */
const maxListed = 20
const pageSize = 500

/**
 * Verifies a workspace in one snapshot, so that it can run at any time: work in progress is no difference. Writes
 * nothing. Each statement reads a page of 500 rows. The snapshot keeps vacuum from removing newer dead rows until the
 * end.
 */
export const verifyWorkspace = async (sql: Database, workspaceId: string): Promise<Verification> =>
  sql.begin('isolation level repeatable read read only', tx => verifySnapshot(withLinksOf(sql, tx), workspaceId))

/** Verifies a workspace as the transaction sees it. It must be `repeatable read`. */
export const verifySnapshot = (tx: Sql, workspaceId: string): Promise<Verification> =>
  new Verifier(tx, workspaceId).run()

/**
 * Time in milliseconds by which related records can be older than each other by their ids. Records within it of the last
 * removed one are not compared.
 */
const marginMs = 60_000

/** Returns a count of 0 for each kind of records. */
export const zeroes = (): Record<CheckName, number> =>
  Object.fromEntries(checkNames.map(name => [name, 0])) as Record<CheckName, number>

class Verifier {
  readonly #found: Verification = { checked: zeroes(), differing: zeroes(), differences: [], notCompared: [] }
  /** Numbers of rows by counter. */
  readonly #counts: Record<string, number> = {}
  #removed = new Map<string, string>()

  constructor(
    private readonly sql: Sql,
    private readonly workspaceId: string,
  ) {}

  async run(): Promise<Verification> {
    const { sql } = this
    this.#removed = await findRemovedUpTo(sql, this.workspaceId)
    const from = {
      events: this.#hourAfter('events'),
      runs: this.#hourAfter('runs'),
      messages: this.#hourAfter('messages'),
      month: this.#monthAfter('events'),
    }
    await this.#check('events', page =>
      checkEvents(sql, { ...page, runsFrom: this.#idAfter('runs'), hour: from.events, month: from.month }),
    )
    await this.#check('runs', page => checkRuns(sql, { ...page, eventsFrom: this.#idAfter('events'), hour: from.runs }))
    let position = -1
    await this.#check('steps', async page => {
      const checked = await checkSteps(sql, { ...page, position, messagesFrom: this.#idAfter('messages') })
      position = checked.position
      return checked
    })
    await this.#check('messages', page => checkMessages(sql, { ...page, hour: from.messages }))
    await this.#check('outbound events', page =>
      checkOutboundEvents(sql, { ...page, deliveriesFrom: this.#idAfter('deliveries') }),
    )
    await this.#check('deliveries', page => checkDeliveries(sql, page))
    await this.#checkCampaigns()
    this.#compareCounters(await sumCounters(sql, { workspaceId: this.workspaceId, ...from }))
    this.#compareGroups(await sumGroups(sql, this.workspaceId))
    return this.#found
  }

  /** Runs a check page by page, and adds its differences and counts. */
  async #check(name: CheckName, checkPage: (page: CheckPage) => Promise<CheckedPage>): Promise<void> {
    for (let after: string | null = firstId; after !== null; ) {
      const page: CheckPage = { workspaceId: this.workspaceId, after, limit: pageSize }
      const { last, rows, differences, found, counts } = await checkPage(page)
      this.#found.checked[name] += rows
      this.#add(name, differences, found)
      for (const [counter, count] of Object.entries(counts ?? {}))
        this.#counts[counter] = (this.#counts[counter] ?? 0) + Number(count ?? 0)
      after = rows < pageSize ? null : last
    }
  }

  #add(check: CheckName, count: number, found: readonly { id: string; problem: string }[]): void {
    const listed = Math.min(this.#found.differing[check], maxListed)
    this.#found.differing[check] += count
    for (const { id, problem } of found.slice(0, maxListed - listed))
      this.#found.differences.push({ check, workspaceId: this.workspaceId, id, problem })
  }

  async #checkCampaigns(): Promise<void> {
    const { sql, workspaceId } = this
    for (let after: string | null = firstId; after !== null; ) {
      const campaigns: Awaited<ReturnType<typeof selectCampaignCounters>> = await selectCampaignCounters(sql, {
        workspaceId,
        after,
        limit: pageSize,
      })
      for (const { id, skippedBy, ...counters } of campaigns)
        await this.#checkCampaign(id, { ...counters, ...namedReasons(skippedBy) })
      this.#found.checked.campaigns += campaigns.length
      after = campaigns.length < pageSize ? null : campaigns.at(-1)!.id
    }
  }

  /** Compares the counters of a campaign with its recipients. */
  async #checkCampaign(campaignId: string, counters: Record<string, number>): Promise<void> {
    const counted: Record<string, number> = { recipients: 0, queued: 0, sent: 0, skipped: 0, unknown: 0, lost: 0 }
    for (let after: string | null = firstId; after !== null; ) {
      const page = { workspaceId: this.workspaceId, campaignId, after, limit: pageSize }
      const counts: Awaited<ReturnType<typeof countRecipients>> = await countRecipients(this.sql, page)
      const { last, rows, skippedBy, ...outcomes } = counts
      counted.recipients! += rows
      for (const [name, count] of Object.entries({ ...outcomes, ...namedReasons(skippedBy) }))
        counted[name] = (counted[name] ?? 0) + count
      after = rows < pageSize ? null : last
    }
    const problems = [...new Set([...Object.keys(counters), ...Object.keys(counted)])]
      .map(name => ({ name, count: counters[name] ?? 0, found: counted[name] ?? 0 }))
      .filter(({ count, found }) => count !== found)
      .map(({ name, count, found }) =>
        name === 'lost'
          ? `${found} of its queued messages are missing`
          : `its counter ${name} is ${count}, but there are ${found}`,
      )
    if (problems.length > 0) this.#add('campaigns', 1, [{ id: campaignId, problem: problems.join('; ') }])
  }

  /** Compares the sums of the counters with the counted rows. */
  #compareCounters(sums: Record<string, number>): void {
    for (const [name, sum] of Object.entries(sums)) {
      const removedBy = countersOfLaterRows[name]
      if (removedBy !== undefined && this.#removed.has(removedBy)) {
        this.#found.notCompared.push(name)
        continue
      }
      const rows = this.#counts[name] ?? 0
      const possible = name === 'failedDeliveries' ? (this.#counts.possiblySkipped ?? 0) : 0
      this.#found.checked.counters++
      if (Number(sum) < rows || Number(sum) > rows + possible)
        this.#add('counters', 1, [{ id: name, problem: `it is ${sum}, but ${rows} are stored` }])
    }
  }

  #compareGroups(sums: readonly GroupSums[]): void {
    for (const { name, groups, hours } of sums) {
      this.#found.checked.counters++
      if (Number(groups) !== Number(hours))
        this.#add('counters', 1, [{ id: name, problem: `its days are ${groups}, but the hours are ${hours}` }])
    }
  }

  /** Returns the milliseconds before which related records can be removed. 0 if retention has removed none. */
  #msAfter(kind: string): number {
    const id = this.#removed.get(kind)
    return id === undefined ? 0 : Number.parseInt(id.replace('-', '').slice(0, 12), 16) + marginMs
  }

  #idAfter(kind: string): string {
    return minIdAt(new Date(this.#msAfter(kind)))
  }

  /** Returns the first whole hour of which no record is removed. */
  #hourAfter(kind: string): Date {
    return new Date(Math.ceil(this.#msAfter(kind) / hourMs) * hourMs)
  }

  #monthAfter(kind: string): Date {
    const ms = this.#msAfter(kind)
    const date = new Date(ms)
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (ms > 0 ? 1 : 0)))
  }
}

/** Names the numbers of skipped recipients by reason like counters. */
const namedReasons = (skippedBy: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(skippedBy).map(([reason, count]) => [`skippedBy.${reason}`, count]))

const hourMs = 3_600_000

/**
 * Counters whose rows can be much younger than the record with which retention removes them, so that no hour limits
 * them. The value is the kind of record.
 */
const countersOfLaterRows: Record<string, string> = {
  sent: 'messages',
  delivered: 'messages',
  read: 'messages',
  failed: 'messages',
  unknown: 'messages',
  skipped: 'messages',
  attempts: 'deliveries',
  deliveredDeliveries: 'deliveries',
  failedDeliveries: 'deliveries',
}
