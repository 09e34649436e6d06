export { cancelHeldCampaigns, countHeldCampaigns } from './held.ts'
export {
  cancelCampaign,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  listCampaignRecipients,
  listCampaigns,
  pauseCampaign,
  previewCampaign,
  readCampaign,
  resumeCampaign,
  startCampaign,
} from './manage.ts'
export { type CampaignDeps, type CampaignExecution, runCampaign } from './run.ts'
export { findCampaignDue, findDueCampaigns } from './run-sql.ts'
export {
  Campaign,
  CampaignPreview,
  ChangeCampaign,
  CreateCampaign,
  Recipient,
  RecipientQuery,
  StartCampaign,
} from './schema.ts'
export { SendWindow } from './send-window.ts'
export { campaignsUsingTemplate } from './sql.ts'
