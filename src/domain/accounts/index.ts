export { changePassword } from './password.ts'
export { changeUser, readUser } from './profile.ts'
export { deleteAccount } from './remove.ts'
export { ChangePassword, ChangeUser, DeleteUser } from './schema.ts'
