export { Verification, VerifyWebhook } from './schema.ts'
export { signWebhook } from './sign.ts'
export { verifyWebhook } from './verify.ts'
