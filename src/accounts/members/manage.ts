import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { lockWorkspace } from '../../core/locks.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashEmail, withAudit } from '../audit/index.ts'
import { requireAllowance } from '../entitlements/index.ts'
import { admitInvitation } from '../rate-limits/index.ts'
import { deleteTokensOf } from '../tokens/index.ts'
import { findUser, isMisleading, misleadingMessage } from '../users/index.ts'
import { type InvitationLinks, invite } from './invite.ts'
import type { ReleaseConversations } from './leave.ts'
import type { ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
import {
  countOwners,
  deleteMember,
  findMember,
  findMemberByEmail,
  type MemberRow,
  selectMembers,
  updateRole,
} from './sql.ts'

/**
 * Invites a person, who takes a seat immediately. The link is mailed to the person only. Without SMTP, the link is in
 * this response and cannot be read again. An address that is already in the team is a conflict, unless its invitation
 * has expired; then the new invitation replaces it.
 */
export const inviteMember = verb(
  { by: 'owner', sessionOnly: true },
  (ctx, { email, name, role }: InviteMember, { byMail, linkTo, perDay }: InvitationLinks): Promise<InvitedMember> => {
    if (isMisleading(email)) throw invalidRequest({ email: misleadingMessage })
    const createInvitation = async ({ sql, caller: { workspaceId, id } }: Ctx) => {
      await lockWorkspace(sql, workspaceId)
      const existing = await findMemberByEmail(sql, workspaceId, email)
      if (existing && !existing.expired) throw alreadyInTeam(existing)
      if (existing) await deleteMember(sql, workspaceId, existing.id)
      else await requireAllowance(sql, workspaceId, 'teamSeats')
      // Runs after the checks that reject the invitation, so that a rejected invitation does not count against the
      // limit.
      if (byMail) await admitInvitation(sql, { workspaceId, email, perWorkspace: perDay })
      const invitedBy = byMail ? (await findUser(sql, id))!.name : null
      const { row, token } = await invite(sql, { workspaceId, email, name: name ?? null, role }, { byMail, invitedBy })
      const expiresAt = row.expiresAt.toISOString()
      return { ...shape(row), invitation: { url: token && linkTo(token), token, mailed: byMail, expiresAt } }
    }
    return withAudit(ctx, createInvitation, invited => ({
      action: 'inviteMember',
      target: { type: 'member', id: invited.id },
      detail: { role, emailHash: hashEmail(email) },
    }))
  },
)

/** Lists the team, newest member first, including pending invitations. */
export const listMembers = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Member>> => {
    const page = toPageRequest(query)
    return toPage(await selectMembers(sql, caller.workspaceId, page), page.limit, shape)
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
    const previous = await withAudit(ctx, change, ({ email, role: from }) =>
      from === role
        ? null
        : {
            action: 'changeMember',
            target: { type: 'member', id },
            detail: { from, to: role, emailHash: hashEmail(email) },
          },
    )
    return shape({ ...previous, role })
  },
)

/** Removes a member or revokes an invitation, and unassigns their conversations. The last owner cannot be removed. */
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
      }
      return row
    }
    await withAudit(ctx, remove, row => ({
      action: 'removeMember',
      target: { type: 'member', id },
      detail: { role: row.role, status: shape(row).status, emailHash: hashEmail(row.email) },
    }))
  },
)

/** Locks the workspace first, so that two owners who demote each other concurrently run one after the other. */
const lockMember = async (tx: Sql, workspaceId: string, id: string): Promise<MemberRow> => {
  await lockWorkspace(tx, workspaceId)
  const row = isId(id) ? await findMember(tx, workspaceId, id) : null
  if (!row) throw notFound('member')
  return row
}

const requireAnotherOwner = async (tx: Sql, workspaceId: string, row: MemberRow, action: string): Promise<void> => {
  if (row.role !== 'owner' || row.joinedAt === null || (await countOwners(tx, workspaceId)) > 1) return
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

const shape = ({ id, userId, email, name, role, invitedAt, joinedAt }: MemberRow): Member => ({
  id,
  userId,
  email,
  name,
  role,
  status: joinedAt ? 'active' : 'invited',
  invitedAt: invitedAt?.toISOString() ?? null,
  joinedAt: joinedAt?.toISOString() ?? null,
})
