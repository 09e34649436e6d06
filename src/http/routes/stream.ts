import type { TSchema } from '@sinclair/typebox'
import { openStream, StreamedText, type Streams, streamKinds } from '../../domain/stream/index.ts'
import type { Authenticator } from '../auth.ts'
import { type Operation, operation } from '../operation.ts'

export interface StreamRouteDeps {
  streams: Streams
  authenticator: Authenticator
}

/** Returns the description of a field in brackets. For a nullable field, the description of its value is used. */
const asPart = ({ description, anyOf }: TSchema): string => {
  const sentence: string = description ?? anyOf?.find((one: TSchema) => one.description)?.description ?? ''
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

const kinds = Object.entries(streamKinds)
  .map(([kind, { description, properties }]) => {
    const fields = Object.entries(properties)
      .filter(([name]) => name !== 'gap')
      .map(([name, field]) => `\`${name}\` ${asPart(field)}`)
    return `- \`${kind}\`: ${description} ${fields.join('; ')}.`
  })
  .join('\n')

const description = `Server-Sent Events of the workspace, each with \`event:\`, \`id:\` and \`data:\`, which is an object of JSON. They are told within a second or so, later while much else is going on, and name what has changed: fetch it for everything else. What comes in at the same time is told in the order of \`at\`; the same may be told twice.

${kinds}

\`gap: true\` in \`data\`: more of this kind happened in one moment than is told, and what came before was left out.

Whoever comes back with the header \`Last-Event-ID\`, as \`EventSource\` does by itself, is told what happened since. After 5 minutes, or where it was too much, the stream begins with \`event: reset\`: fetch anew what you show. When nothing happens for 15 seconds, a comment with an \`id:\` is sent. A reader who is too slow is cut off, and so is one whose session has ended or who has left the workspace. What needs somebody is told as it comes and goes while the stream is open: \`GET /v1/attention\` says what there is already. One person may have 20 streams open, a workspace 1000.`

export const streamRoutes = ({ streams, authenticator }: StreamRouteDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/stream',
    id: 'openStream',
    verb: openStream,
    tag: 'Stream',
    summary: 'Hear what happens, as it happens',
    description,
    answers: {
      200: {
        description: 'The stream, which ends with its session or when its reader is too slow.',
        mediaType: 'text/event-stream',
        schema: StreamedText,
        example,
      },
    },
    errors: {
      rate_limited:
        'the caller is over the rate limit, or you or the workspace have as many streams open as may be. Wait for `Retry-After` seconds.',
    },
    takesLastEventId: true,
    needsNoConnection: true,
    given: ({ request, session }) => [
      streams,
      {
        after: request.headers.get('last-event-id'),
        signal: request.signal,
        headOnly: request.method === 'HEAD',
        credential: session!.row.id,
        mayStill: authenticator.stillIn(session!.token, openStream.rule),
      },
    ],
    answer: stream => ({ status: 200, stream, headers }),
  }),
]
