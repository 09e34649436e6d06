export const campaigns = {
  'campaigns.status.draft': 'Draft',
  'campaigns.status.scheduled': 'Scheduled',
  'campaigns.status.running': 'Running',
  'campaigns.status.paused': 'Paused',
  'campaigns.status.completed': 'Completed',
  'campaigns.status.cancelled': 'Cancelled',
} as const
