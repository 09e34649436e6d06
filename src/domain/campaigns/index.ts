export { Flow } from './flow.ts'
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
export { type CampaignTurn, type TurnDeps, takeTurn } from './run.ts'
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
export { campaignsUsingTemplate } from './sql.ts'
