export { cancelHeldCampaigns, countHeldCampaigns } from './held.ts'
export {
  cancelCampaign,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  listCampaigns,
  pauseCampaign,
  previewAudience,
  previewCampaign,
  readCampaign,
  resumeCampaign,
  startCampaign,
} from './manage.ts'
export { listCampaignRecipients, readCampaignResults } from './results.ts'
export { CampaignResults, ResultsQuery } from './results-schema.ts'
export { type CampaignDeps, runCampaign } from './run.ts'
export { findCampaignDue, findDueCampaigns } from './run-sql.ts'
export {
  Campaign,
  CampaignPreview,
  CampaignQuery,
  ChangeCampaign,
  CreateCampaign,
  PreviewAudience,
  Recipient,
  RecipientQuery,
  StartCampaign,
  TestCampaign,
} from './schema.ts'
export { SendWindow } from './send-window.ts'
export { campaignsUsingTemplate } from './sql.ts'
export { CampaignStats, readCampaignStats } from './stats.ts'
export { testCampaign } from './test-send.ts'
