export { createResolver, type Resolve } from './address.ts'
export { encryptedWebhooks, hasPlaintextSecrets } from './encrypted.ts'
export { evaluateFilters, type Filter } from './filter.ts'
export { decryptHeaders, isSent, type OwnHeaders } from './headers.ts'
export {
  type EndpointHealthSample,
  findFailingEndpoint,
  findHealth,
  findHeldEndpoint,
  type HealthRow,
  type PermitReservation,
  permitIntervalMs,
  reservePermits,
} from './health-sql.ts'
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  holdWebhook,
  listWebhooks,
  readWebhook,
  releaseWebhook,
  rotateWebhookSecret,
  type WebhookSettings,
} from './manage.ts'
export { recordHealthSamples } from './record-health.ts'
export { ChangeWebhook, CreateWebhook, Events, Webhook, WebhookWithSecret } from './schema.ts'
export { decryptSecrets, type SigningSecret } from './secrets.ts'
export {
  deleteExpiredSecrets,
  type EndpointRow,
  findActiveEndpoint,
  hostOf,
  isActive,
  listSecrets,
  selectWebhookNames,
  signingSecrets,
} from './sql.ts'
export { validateWebhookUrl } from './url.ts'
