export { createResolver, type Resolve } from './address.ts'
export { noteConduct } from './conduct.ts'
export { type Filter, type Filtered, passing } from './filter.ts'
export { type OwnHeaders, openHeaders } from './headers.ts'
export { type Conduct, findHealth, findHeld, type HealthRow, type Turns, takeTurns, turnGapMs } from './health-sql.ts'
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
export { ChangeWebhook, CreateWebhook, Webhook, WebhookWithSecret } from './schema.ts'
export { sealedOfWebhooks } from './sealed.ts'
export { openSecrets, sealClearSecrets } from './secrets.ts'
export {
  type EndpointRow,
  findLivingEndpoint,
  forgetLapsedSecrets,
  forgetSecretsOfRemoved,
  isLiving,
  type LivingEndpoint,
  listSecrets,
  signingSecrets,
} from './sql.ts'
export { judgeWebhookUrl } from './url.ts'
