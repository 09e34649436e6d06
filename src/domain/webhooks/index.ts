export { createResolver, type Resolve } from './address.ts'
export { createAttempt } from './attempt.ts'
export * as deliveries from './deliveries.ts'
export { attemptDelivery, type DeliveryPolicy, type Letter } from './mailbox.ts'
export { change, create, list, read, remove, rotate, type WebhookRules } from './manage.ts'
export {
  ChangeWebhook,
  CreateWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  Verification,
  VerifyWebhook,
  Webhook,
  WebhookWithSecret,
} from './schema.ts'
export { signWebhook } from './signature.ts'
export {
  type AttemptSettlement,
  dropOrphanedDeliveries,
  findDueDeliveries,
  findLivingEndpoint,
  findNextDueDelivery,
  findUnattendedEndpoints,
  settleAttempts,
} from './sql.ts'
export { verify } from './verify.ts'
