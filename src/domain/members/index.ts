export { acceptInvitation } from './accept.ts'
export { changeMember, inviteMember, listMembers, removeMember } from './manage.ts'
export { AcceptInvitation, ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
export { insertOwner, isInTeam } from './sql.ts'
