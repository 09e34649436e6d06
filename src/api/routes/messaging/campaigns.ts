import { Page } from '../../../core/schema.ts'
import {
  Campaign,
  CampaignPreview,
  CampaignQuery,
  CampaignResults,
  CampaignStats,
  ChangeCampaign,
  CreateCampaign,
  cancelCampaign,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  listCampaignRecipients,
  listCampaigns,
  PreviewAudience,
  pauseCampaign,
  previewAudience,
  previewCampaign,
  Recipient,
  RecipientQuery,
  ResultsQuery,
  readCampaign,
  readCampaignResults,
  readCampaignStats,
  resumeCampaign,
  StartCampaign,
  startCampaign,
  TestCampaign,
  testCampaign,
} from '../../../messaging/campaigns/index.ts'
import { Message } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { exampleOutbound } from './messages.ts'

const tag = 'Campaigns'

export const campaignRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/campaigns',
    id: 'createCampaign',
    versioned: true,
    verb: createCampaign,
    tag,
    summary: 'Create a campaign',
    description: 'Creates a campaign as a draft. Nothing is sent until you start it.',
    body: CreateCampaign,
    example: exampleContent,
    answers: { 201: { description: 'The campaign.', schema: Campaign, example: example() } },
    errors: {
      unprocessable:
        'the channel is disconnected, or its provider requires an approved template and this one is not. Or the workspace has 500 campaigns that have not ended.',
    },
    args: ({ body, request }) => [body as CreateCampaign, request.signal],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/preview',
    id: 'previewAudience',
    verb: previewAudience,
    tag,
    summary: 'Preview an audience',
    description:
      'Returns the preview of a campaign that is not saved. It reads at most 10,000 customers. Variables without a value have the sample of the template. Sends and stores nothing.',
    body: PreviewAudience,
    example: exampleAudience(),
    answers: { 200: { description: 'The preview.', schema: CampaignPreview, example: examplePreview() } },
    errors: {
      unprocessable: 'the channel is disconnected, or its provider requires an approved template and this one is not.',
    },
    args: ({ body, request }) => [body as PreviewAudience, request.signal],
  }),
  operation({
    method: 'GET',
    path: '/v1/campaigns',
    id: 'listCampaigns',
    verb: listCampaigns,
    tag,
    summary: 'List campaigns',
    query: CampaignQuery,
    answers: {
      200: {
        description: 'A page of campaigns.',
        schema: Page(Campaign),
        example: { data: [exampleFinished()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/campaigns/:id',
    id: 'readCampaign',
    versioned: true,
    verb: readCampaign,
    tag,
    summary: 'Read a campaign',
    description: 'Returns the campaign with its progress.',
    answers: { 200: { description: 'The campaign.', schema: Campaign, example: exampleFinished() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/campaigns/:id',
    id: 'changeCampaign',
    versioned: true,
    verb: changeCampaign,
    tag,
    summary: 'Change a campaign',
    description: 'Changes the fields that are given. Only a draft or a scheduled campaign can be changed.',
    body: ChangeCampaign,
    example: { name: 'Spring sale, second try' },
    answers: {
      200: {
        description: 'The campaign after the change.',
        schema: Campaign,
        example: { ...example(), name: 'Spring sale, second try' },
      },
    },
    errors: {
      unprocessable:
        'the campaign is not a draft and not scheduled, its channel is disconnected, or the channel does not accept the template.',
    },
    args: ({ params, body }) => [params.id!, body as ChangeCampaign],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/campaigns/:id',
    id: 'deleteCampaign',
    versioned: true,
    verb: deleteCampaign,
    tag,
    summary: 'Remove a campaign',
    description: 'Removes the campaign. Only a draft or a scheduled campaign can be removed.',
    answers: { 204: { description: 'The campaign is removed.' } },
    errors: {
      unprocessable: 'the campaign is not a draft and not scheduled.',
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/preview',
    id: 'previewCampaign',
    verb: previewCampaign,
    tag,
    summary: 'Preview the audience of a campaign',
    description:
      'Returns the current size of the audience, the number of skipped customers by reason, the number without an opt-in, and three sample messages. Sends nothing.',
    answers: {
      200: {
        description: 'The preview.',
        schema: CampaignPreview,
        example: examplePreview(),
      },
    },
    args: ({ params, request }) => [params.id!, request.signal],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/test',
    id: 'testCampaign',
    versioned: true,
    verb: testCampaign,
    tag,
    summary: 'Send a campaign to one customer as a test',
    description:
      'Sends the message of a campaign that has not started to one customer, with the checks of a recipient. It is a message of the caller, and counts neither as a recipient nor in the results.',
    body: TestCampaign,
    example: { customerId },
    answers: { 202: { description: 'The message, queued.', schema: Message, example: exampleTest() } },
    errors: {
      unprocessable:
        'the campaign is not a draft and not scheduled, it does not match its template or its channel any more, or the customer cannot get it. `details.reason` is then the reason of a skipped recipient.',
    },
    args: ({ params, body }) => [params.id!, body as TestCampaign],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/start',
    id: 'startCampaign',
    versioned: true,
    verb: startCampaign,
    tag,
    summary: 'Start a campaign',
    description:
      'Starts the campaign immediately, or schedules it for the given time. The audience is fixed when the campaign starts. You can call it again to reschedule a scheduled campaign.',
    body: StartCampaign,
    mayBeEmpty: true,
    example: { at: '2026-03-02T09:00:00Z' },
    answers: {
      202: {
        description: 'The campaign, running or scheduled.',
        schema: Campaign,
        example: { ...example(), status: 'scheduled', scheduledAt: '2026-03-02T09:00:00.000Z' },
      },
    },
    errors: {
      unprocessable:
        'the campaign is not a draft and not scheduled, or it does not match its template or its channel any more.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/pause',
    id: 'pauseCampaign',
    versioned: true,
    verb: pauseCampaign,
    tag,
    summary: 'Pause a campaign',
    description: 'Stops queueing messages on the channel. Messages that are already on the channel are still sent.',
    answers: {
      202: {
        description: 'The campaign, paused.',
        schema: Campaign,
        example: { ...exampleRunning(), status: 'paused' },
      },
    },
    errors: {
      unprocessable: 'the campaign is not running.',
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/resume',
    id: 'resumeCampaign',
    versioned: true,
    verb: resumeCampaign,
    tag,
    summary: 'Resume a campaign',
    answers: { 202: { description: 'The campaign, running.', schema: Campaign, example: exampleRunning() } },
    errors: {
      unprocessable: 'the campaign is not paused, or it does not match its template or its channel any more.',
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/campaigns/:id/cancel',
    id: 'cancelCampaign',
    versioned: true,
    verb: cancelCampaign,
    tag,
    summary: 'Cancel a campaign',
    description:
      'Cancels the campaign permanently. Customers without a message do not get one, and queued messages are skipped. No `campaign.completed` event is emitted.',
    answers: {
      202: {
        description: 'The campaign, cancelled.',
        schema: Campaign,
        example: { ...exampleRunning(), status: 'cancelled', finishedAt: '2026-03-01T09:31:00.000Z' },
      },
    },
    errors: {
      unprocessable: 'the campaign has already ended.',
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/campaigns/:id/recipients',
    id: 'listCampaignRecipients',
    verb: listCampaignRecipients,
    tag,
    summary: 'List the recipients of a campaign',
    description: 'Returns recipients, the newest customer first. The list is empty until the campaign starts.',
    query: RecipientQuery,
    answers: {
      200: {
        description: 'A page of recipients.',
        schema: Page(Recipient),
        example: {
          data: [
            {
              customerId,
              outcome: 'sent',
              reason: null,
              messageId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
              messageStatus: 'delivered',
              at: '2026-03-01T09:30:04.000Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/campaigns/:id/results',
    id: 'readCampaignResults',
    verb: readCampaignResults,
    tag,
    summary: 'Read the results of a campaign',
    description:
      'Counts what happened after the messages were sent: deliveries, reads, failures, replies, opt-outs and sales. The numbers are exact. They grow until `within` has passed after the last message.',
    query: ResultsQuery,
    answers: {
      200: {
        description: 'The results so far.',
        schema: CampaignResults,
        example: {
          sent: 480,
          delivered: 471,
          read: 402,
          failed: [{ reason: 'WhatsApp cannot deliver to this customer: the number may not be on WhatsApp', count: 9 }],
          replied: 58,
          optedOut: 3,
          sales: { count: 21, customers: 19, amounts: [{ currency: 'EUR', amount: 2711.9 }] },
        },
      },
    },
    args: ({ params, query, request }) => [params.id!, query, request.signal],
  }),
  operation({
    method: 'GET',
    path: '/v1/campaigns/:id/stats',
    id: 'readCampaignStats',
    verb: readCampaignStats,
    tag,
    summary: 'Read the statistics of a campaign',
    description:
      'Counts the recipients by the time at which their outcome was recorded, from the start to the end or until now. The buckets are as short as possible, and at most 60.',
    answers: {
      200: {
        description: 'The outcomes over time.',
        schema: CampaignStats,
        example: {
          bucketSeconds: 1,
          data: [
            { at: '2026-03-01T09:30:00.000Z', sent: 260, skipped: 5, unknown: 0 },
            { at: '2026-03-01T09:30:01.000Z', sent: 220, skipped: 7, unknown: 0 },
          ],
        },
      },
    },
    args: ({ params }) => [params.id!],
  }),
]

const customerId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02'

const exampleContent: CreateCampaign = {
  name: 'Spring sale',
  channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c',
  templateId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d',
  variables: { name: '{{customer.name|there}}' },
  audience: { where: { path: 'customer.attributes.city', op: 'eq', value: 'Berlin' } },
}

function exampleAudience(): PreviewAudience {
  const { name: _, ...content } = exampleContent
  return content
}

function examplePreview(): CampaignPreview {
  return {
    audience: 480,
    skipped: { opted_out: 12 },
    withoutOptIn: 31,
    samples: [{ customerId, text: 'Hello Ada, everything is 20% off until Sunday.' }],
  }
}

function exampleTest(): Message {
  return {
    ...exampleOutbound,
    text: 'Hello Ada, everything is 20% off until Sunday.',
    templateId: exampleContent.templateId,
    status: 'queued',
    providerMessageId: null,
    sentBy: { type: 'user', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01' },
    sentAt: null,
  }
}

function example(): Campaign {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e04',
    name: exampleContent.name,
    channelId: exampleContent.channelId,
    templateId: exampleContent.templateId,
    variables: { name: '{{customer.name|there}}' },
    audience: exampleContent.audience,
    status: 'draft',
    progress: { audience: 0, sent: 0, skipped: 0, unknown: 0, skippedBy: {} },
    scheduledAt: null,
    startedAt: null,
    finishedAt: null,
    createdAt: '2026-03-01T09:00:00.000Z',
    updatedAt: '2026-03-01T09:00:00.000Z',
  }
}

function exampleRunning(): Campaign {
  return {
    ...example(),
    status: 'running',
    progress: { audience: 492, sent: 200, skipped: 4, unknown: 0, skippedBy: { opted_out: 4 } },
    startedAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-01T09:30:00.000Z',
  }
}

function exampleFinished(): Campaign {
  return {
    ...exampleRunning(),
    status: 'completed',
    progress: { audience: 492, sent: 480, skipped: 12, unknown: 0, skippedBy: { opted_out: 12 } },
    finishedAt: '2026-03-01T09:30:40.000Z',
    updatedAt: '2026-03-01T09:30:40.000Z',
  }
}
