export { acceptInvitation } from './accept.ts'
export { change, invite, list, remove } from './manage.ts'
export { AcceptInvitation, ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
