import {
  assignPhone,
  insertByHandle,
  insertByPhone,
  optOutCustomers,
  optOutDrafts,
  recordRenewedOptIns,
  reserveHandles,
  selectCustomerByHandle,
  storeHandles,
} from '../../customers/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { endRunsByOptOut, newestRunWaitingForReply, notifyWoken, wakeRunsByReplies } from '../../queue/waits/index.ts'
import { type Emitted, emit, emitDrafts, emitResult } from '../../webhooks/emit/index.ts'
import { draftEvents } from '../../webhooks/outbound-events/index.ts'
import {
  clearFlags,
  countReceived,
  countStatuses,
  insertConversations,
  insertMessages,
  matchesId,
  skipForOptedOut,
} from '../messages/index.ts'
import type { InboundRow } from './prepare.ts'

export interface ReceivedRow {
  /** Index of the message in the input. */
  position: number
  messageId: string
  conversationId: string
  customerId: string
  isNew: boolean
}

/**
 * Records messages from customers and all their effects in one statement: the customer, the conversation, opt-outs, and
 * outbound events. Each provider message is recorded once; for a known one, the stored ids are returned. The input must
 * not contain the same message twice.
 *
 * The parts of the statement are linked by lists of ids instead of joins. PostgreSQL cannot estimate the number of rows
 * of a part, and would choose nested loops over whole parts.
 *
 * The statement waits for no row lock. It leaves out messages whose conversation is locked, and opt-outs whose customer
 * is locked or is created by the same message. It also leaves out messages whose customer another process has just
 * created. The caller must retry these.
 */
export const recordReceived = async (sql: Sql, messages: readonly InboundRow[]): Promise<ReceivedRow[]> => {
  const statement = sql<
    (ReceivedRow & { optsOut: boolean; newPhone: string | null; woken: boolean; emitted: Emitted | null })[]
  >`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(messages)}::text::json) as i(position integer, workspace_id uuid,
        channel_id uuid, id uuid, provider_message_id text, handle text, other_handle text, phone text, person integer,
        person_phone text, person_name text, new_customer_id uuid, new_conversation_id uuid, type text, text text, sent_at timestamptz, normal text,
        word text, is_published boolean, resumes boolean, looks_like boolean)
    ), identified as materialized (
      select i.*, known.id as known_id, known.conversation_id as known_conversation_id,
        known.customer_id as known_customer_id, of_handle.id as handle_owner_id, of_other.id as other_owner_id,
        of_handle.opt_out_reason as handle_opt_out, of_other.opt_out_reason as other_opt_out, of_phone.id is null as is_phone_unused,
        coalesce(of_phone.id, of_handle.id, of_other.id) as found_id
      from input i
      left join lateral (
        select m.id, m.conversation_id, m.customer_id from messages m
        where m.workspace_id = i.workspace_id and m.channel_id = i.channel_id and m.direction = 'inbound'
          and ${matchesId(sql, sql`m.provider_message_id`, sql`i.provider_message_id`)}
        limit 1
      ) known on true
      left join lateral (
        select c.id from customers c where c.workspace_id = i.workspace_id and c.phone = i.phone offset 0
      ) of_phone on true
      left join lateral (${selectCustomerByHandle(sql, sql`i.workspace_id`, sql`i.channel_id`, sql`i.handle`)}) of_handle on true
      left join lateral (
        ${selectCustomerByHandle(sql, sql`i.workspace_id`, sql`i.channel_id`, sql`i.other_handle`)}
      ) of_other on true
    ), by_author as materialized (
      select s.*, coalesce(s.found_id, first_value(s.found_id) over (partition by s.person
          order by s.found_id is null, s.position)) as author_id
      from identified s where s.known_id is null
    ), evaluated as materialized (
      select p.*, co.id as conversation_id, c.opted_out_at is not null as has_opted_out,
        p.is_published or coalesce(p.normal = any(w.normalised), false) as opts_out,
        -- An address that belonged to another customer keeps the opt-out of that customer.
        coalesce(case when p.handle_owner_id <> p.author_id then p.handle_opt_out end,
          case when p.other_owner_id <> p.author_id then p.other_opt_out end) as inherited_opt_out,
        case when p.is_phone_unused and c.is_without_number then p.phone end as new_phone
      from by_author p
      left join lateral (
        select c.opted_out_at, c.phone is null as is_without_number from customers c where c.workspace_id = p.workspace_id and c.id = p.author_id offset 0
      ) c on true
      left join lateral (
        select co.id from conversations co
        where co.workspace_id = p.workspace_id and co.channel_id = p.channel_id and co.customer_id = p.author_id
          and probe_index(co.id)
        offset 0
      ) co on true
      left join lateral (
        select w.normalised from opt_out_words w where w.workspace_id = p.workspace_id offset 0
      ) w on true
    ), locked_customers as materialized (
      select requested.workspace_id, found.id
      from (select distinct workspace_id, author_id from evaluated
        where (opts_out or inherited_opt_out is not null) and not has_opted_out) requested
      cross join lateral (
        select c.id from customers c where c.workspace_id = requested.workspace_id and c.id = requested.author_id
        for no key update skip locked
      ) found
    ), locked_conversations as materialized (
      select requested.workspace_id, found.id
      from (select distinct workspace_id, conversation_id from evaluated where conversation_id is not null) requested
      cross join lateral (
        select co.id from conversations co
        where co.workspace_id = requested.workspace_id and co.id = requested.conversation_id and probe_index(co.id)
        for no key update skip locked
      ) found
    ), accepted as materialized (
      select j.* from evaluated j
      where (j.conversation_id is null
          or (j.workspace_id, j.conversation_id) in (select workspace_id, id from locked_conversations))
        and (not (j.opts_out or j.inherited_opt_out is not null) or j.author_id is not null and (j.has_opted_out
          or (j.workspace_id, j.author_id) in (select workspace_id, id from locked_customers)))
    ), new_authors as materialized (
      select * from evaluated where author_id is null
    ), enrolled_by_phone as (
      ${insertByPhone(
        sql,
        sql`(select distinct on (person) workspace_id, new_customer_id as id, person_phone as phone, person_name as name
          from new_authors where person_phone is not null order by person) one`,
      )}
    ), reserved as (
      ${reserveHandles(
        sql,
        sql`(select distinct on (s.workspace_id, s.channel_id, address.handle) s.workspace_id, s.channel_id, address.handle,
            s.new_customer_id as customer_id
          from new_authors s cross join lateral (values (s.handle), (s.other_handle)) as address(handle)
          where s.person_phone is null and address.handle is not null
          order by s.workspace_id, s.channel_id, address.handle) one`,
      )}
    ), enrolled_by_handle as (
      ${insertByHandle(
        sql,
        sql`(select distinct on (s.person) s.workspace_id, s.new_customer_id as id, s.person_name as name
          from new_authors s
          where ((s.workspace_id, s.new_customer_id) in (select workspace_id, customer_id from reserved)) is true
          order by s.person) one`,
      )}
    ), enrolled as materialized (
      select workspace_id, id from enrolled_by_phone union all select workspace_id, id from enrolled_by_handle
    ), addressed as materialized (
      select g.*, coalesce(g.author_id, g.new_customer_id) as customer_id,
        coalesce(g.conversation_id, first_value(g.new_conversation_id) over (
          partition by g.workspace_id, g.channel_id, coalesce(g.author_id, g.new_customer_id) order by g.position)) as target_conversation_id
      from accepted g
      where g.author_id is not null or (g.workspace_id, g.new_customer_id) in (select workspace_id, id from enrolled)
    ), stored_handles as (
      ${storeHandles(
        sql,
        sql`(select distinct on (p.workspace_id, p.channel_id, address.handle) p.workspace_id, p.channel_id,
            address.handle, p.customer_id
          from addressed p
          cross join lateral (values (p.handle, p.handle_owner_id), (p.other_handle, p.other_owner_id)) as address(handle, owner_id)
          where address.handle is not null and address.owner_id is distinct from p.customer_id
            and (p.author_id is not null or p.person_phone is not null)
          order by p.workspace_id, p.channel_id, address.handle, p.position desc) one`,
      )}
    ), opened_conversations as (
      ${insertConversations(
        sql,
        sql`(workspace_id, id, channel_id, customer_id, handle, unread, waiting_since, last_inbound_at, looks_like_opt_out,
          opened_by_customer)
        select workspace_id, target_conversation_id, channel_id, customer_id, (array_agg(handle order by id desc))[1], count(*),
          case when bool_or(not opts_out) then now() end, max(sent_at), bool_or(looks_like and not opts_out and not has_opted_out), true
        from addressed where conversation_id is null
        group by workspace_id, target_conversation_id, channel_id, customer_id order by workspace_id, channel_id, customer_id
        on conflict do nothing`,
      )}
    ), stored_messages as (
      ${insertMessages(
        sql,
        sql`(workspace_id, id, channel_id, conversation_id, customer_id, direction, type, text, status,
          provider_message_id, sent_at, opts_out)
        select p.workspace_id, p.id, p.channel_id, p.target_conversation_id, p.customer_id, 'inbound', p.type, p.text, 'received',
          p.provider_message_id, p.sent_at, p.opts_out
        from addressed p
        where p.conversation_id is not null or (p.workspace_id, p.target_conversation_id) in (select workspace_id, id from opened_conversations)
        order by p.workspace_id, p.channel_id, p.provider_message_id`,
      )}
    ), received as materialized (
      select p.* from addressed p where ((p.workspace_id, p.id) in (select workspace_id, id from stored_messages)) is true
    ), stats as (${countStatuses(
      sql,
      sql`select workspace_id, channel_id, 'received' as status, detail from stored_messages`,
    )}), counted_messages as (
      ${countReceived(
        sql,
        sql`(select workspace_id, conversation_id, (array_agg(handle order by id desc))[1] as handle,
            count(*)::integer as messages, bool_or(looks_like and not opts_out and not has_opted_out) as looks_like,
            bool_or(not opts_out) as needs_answer, max(sent_at) as sent_at
          from received where conversation_id is not null group by workspace_id, conversation_id)`,
      )}
    ), opting_out as materialized (
      select distinct on (workspace_id, customer_id) workspace_id, customer_id as id,
        case when opts_out then word else inherited_opt_out end as reason, 'customer' as source,
        channel_id, handle, null::uuid as user_id, null::timestamptz as reported_at
      from received where (opts_out or inherited_opt_out is not null) and not has_opted_out
      order by workspace_id, customer_id, id
    ), ${optOutCustomers(sql, sql`opting_out`)}, renewed_opt_ins as (
      ${recordRenewedOptIns(sql, sql`(select workspace_id, customer_id, word as words from received where resumes order by id) one`)}
    ), replies as materialized (
      -- Replies that can wake runs (workspace_id, customer_id, message_id). An opt-out wakes none.
      select workspace_id, customer_id, id as message_id from received where not opts_out order by id
    ), ${emitDrafts(sql, sql`(${receivedDrafts(sql)}) union all (${optOutDrafts(sql)})`)},
    ${endRunsByOptOut(sql, sql`(select workspace_id, id as customer_id from opted_out)`)},
    ${wakeRunsByReplies(sql, sql`replies`)}
    select *, exists (select from woken) as woken, ${emitResult(sql)} as emitted from (
      select position, known_id as "messageId", known_conversation_id as "conversationId",
        known_customer_id as "customerId", false as "isNew", false as "optsOut",
        null as "newPhone"
      from identified where known_id is not null
      union all
      select position, id, target_conversation_id, customer_id, true, opts_out or inherited_opt_out is not null, new_phone from received
    ) results`
  const rows = await emit(sql, statement)
  if (rows[0]?.woken) notifyWoken(sql)
  const optedOut = rows
    .filter(({ optsOut }) => optsOut)
    .map(({ position, customerId }) => ({ workspaceId: messages[position]!.workspace_id, id: customerId }))
  // Separate statements, because few messages opt anyone out. The statement above would otherwise become longer for
  // every message.
  await skipForOptedOut(sql, optedOut)
  await clearFlags(sql, optedOut)
  for (const { workspaceId, id, phone } of newPhoneNumbers(rows, messages))
    await assignPhone(sql, { workspaceId, id, phone })
  return rows.map(({ woken: _, optsOut: __, newPhone: ___, ...row }) => row)
}

/** Returns the phone numbers for customers who had none, one per customer. */
const newPhoneNumbers = (rows: (ReceivedRow & { newPhone: string | null })[], messages: readonly InboundRow[]) => {
  const byCustomer = new Map(
    rows.flatMap(({ position, customerId: id, newPhone: phone }) =>
      phone === null ? [] : [[id, { workspaceId: messages[position]!.workspace_id, id, phone }] as const],
    ),
  )
  return byCustomer.values()
}

const receivedDrafts = (sql: Sql) =>
  draftEvents(sql, 'message.received', {
    rows: sql`received order by id`,
    workspaceId: sql`workspace_id`,
    customerId: sql`customer_id`,
    data: {
      conversationId: sql`target_conversation_id`,
      customerId: sql`customer_id`,
      from: sql`phone`,
      type: sql`type`,
      text: sql`text`,
      sentAt: sql`sent_at`,
      messageId: sql`id`,
      runId: newestRunWaitingForReply(sql, sql`received`),
    },
  })
