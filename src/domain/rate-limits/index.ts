export { admitSignInTry, type SignInVerdict } from './sign-in-tries.ts'
export { type Admission, deleteStaleAdmissions, exchangeAdmissions, type Heard, leaveExchange } from './sql.ts'
