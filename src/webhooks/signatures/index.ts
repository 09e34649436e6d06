export { Verification, VerifyWebhook } from './schema.ts'
export { signStandard, signWebhook } from './sign.ts'
export { verifyWebhook } from './verify.ts'
