import { type Ctx, isOwner, type Role } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { lockTeam } from '../../core/locks.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashEmail, withAudit } from '../audit/index.ts'
import { requireSeat } from '../entitlements/index.ts'
import { admitInvitation } from '../rate-limits/index.ts'
import { deleteTokensOf } from '../tokens/index.ts'
import { deleteUser, findUser, insertServiceAccount, isMisleading, misleadingMessage } from '../users/index.ts'
import { type InvitationLinks, invite } from './invite.ts'
import type { ReleaseConversations } from './leave.ts'
import type { ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
import {
  countOwners,
  countServiceAccounts,
  deleteMember,
  findMember,
  findMemberByEmail,
  insertServiceMember,
  type MemberRow,
  selectMembers,
  updateRole,
} from './sql.ts'

/** Maximum number of service accounts of a workspace. */
const maxServiceAccounts = 10

/**
 * Invites a person, who takes a seat immediately. The link is mailed to the person only. Without SMTP, the link is in
 * this response and cannot be read again. An address that is already in the team is a conflict, unless its invitation
 * has expired; then the new invitation replaces it. With the kind `service`, adds a service account instead, which takes
 * no seat. The 11th service account is 422.
 */
export const inviteMember = verb(
  { by: 'owner', sessionOnly: true },
  async (ctx, { kind = 'person', email, name, role }: InviteMember, links: InvitationLinks): Promise<InvitedMember> => {
    if (kind === 'person') {
      if (email === undefined) throw invalidRequest({ email: 'Is required.' })
      return invitePerson(ctx, { email, name: name ?? null, role }, links)
    }
    if (email !== undefined) throw invalidRequest({ email: 'Must not be given for a service account.' })
    if (name === undefined) throw invalidRequest({ name: 'Is required for a service account.' })
    return addServiceAccount(ctx, { name, role })
  },
)

const invitePerson = (
  ctx: Ctx,
  { email, name, role }: { email: string; name: string | null; role: Role },
  { byMail, linkTo, perDay }: InvitationLinks,
): Promise<InvitedMember> => {
  if (isMisleading(email)) throw invalidRequest({ email: misleadingMessage })
  const createInvitation = async ({ sql, caller: { workspaceId, id } }: Ctx) => {
    await lockTeam(sql, workspaceId)
    const existing = await findMemberByEmail(sql, workspaceId, email)
    if (existing && !existing.expired) throw alreadyInTeam(existing)
    if (existing) await deleteMember(sql, workspaceId, existing.id)
    else await requireSeat(sql, workspaceId)
    // Runs after the checks that reject the invitation, so that a rejected invitation does not count against the
    // limit.
    if (byMail) await admitInvitation(sql, { workspaceId, email, perWorkspace: perDay })
    const invitedBy = byMail ? (await findUser(sql, id))!.name : null
    const { row, token } = await invite(sql, { workspaceId, email, name, role }, { byMail, invitedBy })
    const expiresAt = row.expiresAt.toISOString()
    return { ...shape(row), invitation: { url: token && linkTo(token), token, mailed: byMail, expiresAt } }
  }
  return withAudit(ctx, createInvitation, invited => ({
    action: 'inviteMember',
    target: { type: 'member', id: invited.id },
    detail: { role, kind: 'person', emailHash: hashEmail(email) },
  }))
}

const addServiceAccount = (ctx: Ctx, { name, role }: { name: string; role: Role }): Promise<InvitedMember> => {
  const add = async ({ sql, caller: { workspaceId } }: Ctx) => {
    await lockTeam(sql, workspaceId)
    if ((await countServiceAccounts(sql, workspaceId, maxServiceAccounts)) >= maxServiceAccounts)
      throw new DomainError(
        'unprocessable',
        `A workspace has at most ${maxServiceAccounts} service accounts. Remove one that is not used any more.`,
      )
    const userId = await insertServiceAccount(sql, { name, workspaceId })
    const id = await insertServiceMember(sql, { workspaceId, userId, role })
    return { ...shape((await findMember(sql, workspaceId, id))!), invitation: null }
  }
  return withAudit(ctx, add, ({ id }) => ({
    action: 'addServiceAccount',
    target: { type: 'member', id },
    detail: { role, kind: 'service', name },
  }))
}

/** Lists the team, newest member first, including pending invitations. Only an owner reads who has a second factor. */
export const listMembers = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Member>> => {
    const page = toPageRequest(query)
    const toMember = isOwner(caller) ? shape : (row: MemberRow) => ({ ...shape(row), secondFactor: null })
    return toPage(await selectMembers(sql, caller.workspaceId, page), page, toMember)
  },
)

/** Changes the role of a member or an invitation. The last owner must stay owner. */
export const changeMember = verb(
  { by: 'owner', sessionOnly: true },
  async (ctx, id: string, { role }: ChangeMember): Promise<Member> => {
    const change = async ({ sql, caller: { workspaceId } }: Ctx) => {
      const row = await lockMember(sql, workspaceId, id)
      if (role !== 'owner') await requireAnotherOwner(sql, workspaceId, row, 'be made an agent')
      await updateRole(sql, workspaceId, id, role)
      return row
    }
    const previous = await withAudit(ctx, change, ({ role: from, ...row }) =>
      from === role
        ? null
        : {
            action: 'changeMember',
            target: { type: 'member', id },
            detail: { from, to: role, ...identityOf(row) },
          },
    )
    return shape({ ...previous, role })
  },
)

/** Identifies a member in the audit log: a person by the hash of the address, a service account by its name. */
const identityOf = ({ kind, email, name }: Pick<MemberRow, 'kind' | 'email' | 'name'>) =>
  email === null ? { kind, name } : { emailHash: hashEmail(email) }

/**
 * Removes a member or revokes an invitation, and unassigns their conversations. Deletes a service account. The last owner
 * cannot be removed.
 */
export const removeMember = verb(
  { by: 'owner', sessionOnly: true },
  async (ctx, id: string, release: ReleaseConversations): Promise<void> => {
    const remove = async ({ sql, caller: { workspaceId } }: Ctx) => {
      const row = await lockMember(sql, workspaceId, id)
      await requireAnotherOwner(sql, workspaceId, row, 'leave')
      await deleteMember(sql, workspaceId, id)
      if (row.userId !== null) {
        await deleteTokensOf(sql, { workspaceId, userId: row.userId })
        await release(sql, { workspaceId, userId: row.userId })
        if (row.kind === 'service') await deleteUser(sql, row.userId)
      }
      return row
    }
    await withAudit(ctx, remove, row => ({
      action: 'removeMember',
      target: { type: 'member', id },
      detail: { role: row.role, status: shape(row).status, ...identityOf(row) },
    }))
  },
)

/** Returns the user of a service account. Throws 404 for any other member. */
export const findServiceAccount = async (sql: Sql, workspaceId: string, id: string): Promise<{ userId: string }> => {
  const row = isId(id) ? await findMember(sql, workspaceId, id) : null
  if (row?.kind !== 'service' || row.userId === null) throw notFound('service account')
  return { userId: row.userId }
}

/** Locks the team, so that the service account is not removed until the transaction ends. */
export const lockServiceAccount = async (tx: Sql, workspaceId: string, id: string): Promise<{ userId: string }> => {
  await lockTeam(tx, workspaceId)
  return findServiceAccount(tx, workspaceId, id)
}

/** Locks the team first, so that two owners who demote each other concurrently run one after the other. */
const lockMember = async (tx: Sql, workspaceId: string, id: string): Promise<MemberRow> => {
  await lockTeam(tx, workspaceId)
  const row = isId(id) ? await findMember(tx, workspaceId, id) : null
  if (!row) throw notFound('member')
  return row
}

const requireAnotherOwner = async (tx: Sql, workspaceId: string, row: MemberRow, action: string): Promise<void> => {
  if (
    row.kind === 'service' ||
    row.role !== 'owner' ||
    row.joinedAt === null ||
    (await countOwners(tx, workspaceId)) > 1
  )
    return
  throw new DomainError(
    'unprocessable',
    `The last owner of a workspace cannot ${action}. Make another member an owner first.`,
  )
}

const alreadyInTeam = ({ joinedAt }: MemberRow): DomainError => {
  const reason = joinedAt
    ? 'Is already a member of this team.'
    : 'Is already invited. To create a new link, remove the invitation first.'
  return new DomainError('conflict', `email: ${reason}`, { email: reason })
}

const shape = ({ id, userId, kind, email, name, role, invitedAt, joinedAt, secondFactor }: MemberRow): Member => ({
  id,
  userId,
  kind,
  email,
  name,
  role,
  status: joinedAt ? 'active' : 'invited',
  invitedAt: invitedAt?.toISOString() ?? null,
  joinedAt: joinedAt?.toISOString() ?? null,
  secondFactor: joinedAt && kind === 'person' ? secondFactor : null,
})
