import type { TSchema } from '@sinclair/typebox'
import { feedKinds, type LiveFeeds, openStream, StreamedText } from '../../../insights/live-feed/index.ts'
import type { Authenticator } from '../../auth.ts'
import { type Operation, operation } from '../../operation.ts'

export interface StreamRouteDeps {
  liveFeeds: LiveFeeds
  authenticator: Authenticator
}

/** Returns the description of a field in brackets. For a nullable field, the description of its value is used. */
const inBrackets = ({ description, anyOf }: TSchema): string => {
  const sentence: string = description ?? anyOf?.find((member: TSchema) => member.description)?.description ?? ''
  return `(${sentence.replace(/\.$/, '')})`
}

/** Prevents proxies from buffering the stream. */
const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' }

const example = `: welcome
retry: 2000
id: smeo4h1c0

event: event
id: smeo4h1zw
data: {"id":"01981b7e-3c00-7a51-9a64-1f0f5c3d7c01","at":"2026-03-01T09:30:00.000Z","type":"order.created","source":"api","customerId":"01981b7e-3c00-7a51-9a64-1f0f5c3d7e02","matchedWorkflows":1,"reason":null}

`

const kinds = Object.entries(feedKinds)
  .map(([kind, { description, properties }]) => {
    const fields = Object.entries(properties)
      .filter(([name]) => name !== 'gap')
      .map(([name, field]) => `\`${name}\` ${inBrackets(field)}`)
    return `- \`${kind}\`: ${description} ${fields.join('; ')}.`
  })
  .join('\n')

const description = `Streams the changes of the workspace as Server-Sent Events. Each event has \`event:\`, \`id:\` and \`data:\`, and \`data\` is a JSON object. Events arrive within about a second, or later under load. An event names the changed record. Fetch the record for all other fields. Simultaneous changes are sent in the order of \`at\`. The same change can be sent twice.

${kinds}

\`gap: true\` in \`data\` means that there were too many changes of this kind at the same time. The changes before this one were omitted.

To resume, reconnect with the header \`Last-Event-ID\`, as \`EventSource\` does automatically. The stream then sends the changes since that id. After more than 5 minutes, or after too many changes, the stream begins with \`event: reset\`. Fetch all data that you show again. After 15 seconds without changes, the stream sends a comment with an \`id:\`.

The service closes the stream of a client that reads too slowly. It also closes the stream when the session or access token ends, or the person leaves the workspace. The stream sends alerts when they start and end. \`GET /v1/attention\` lists the alerts that already exist. A person can have 20 open streams, a workspace 1000.`

export const streamRoutes = ({ liveFeeds, authenticator }: StreamRouteDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/stream',
    id: 'openStream',
    verb: openStream,
    tag: 'Stream',
    summary: 'Stream changes of the workspace',
    description,
    answers: {
      200: {
        description: 'The stream. It ends with the session or access token, or when the client reads too slowly.',
        mediaType: 'text/event-stream',
        schema: StreamedText,
        example,
      },
    },
    errors: {
      rate_limited:
        'the caller is over the rate limit, or the person or the workspace has too many open streams. Wait for `Retry-After` seconds.',
    },
    acceptsLastEventId: true,
    runsWithoutConnection: true,
    args: ({ request, credential }) => [
      liveFeeds,
      {
        after: request.headers.get('last-event-id'),
        signal: request.signal,
        headOnly: request.method === 'HEAD',
        credential: credential!.row.id,
        hasAccess: authenticator.accessCheck(credential!.token, openStream.rule),
      },
    ],
    answer: stream => ({ status: 200, stream, headers }),
  }),
]
