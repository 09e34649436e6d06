import { Text } from '@mantine/core'
import { Sentence, useTranslate } from '../../../texts/index.tsx'
import { Samples } from '../../../ui/form/OneTimeSecret.tsx'

/** Request that an endpoint receives, as an example for a workspace without endpoints. */
export const ExampleDelivery = () => {
  const t = useTranslate()
  return (
    <>
      <Samples title={t('webhooks.exampleRequest')} samples={[{ language: 'HTTP', code: example }]} />
      <Text size="xs" c="dimmed" mt={8} maw="none">
        <Sentence
          id="webhooks.exampleSignatures"
          values={{ standard: <HeaderName name="webhook-signature" />, own: <HeaderName name="X-Service-Signature" /> }}
        />
      </Text>
    </>
  )
}

/** Name of a header, which does not break at its hyphens. */
const HeaderName = ({ name }: { name: string }) => <span style={{ whiteSpace: 'nowrap' }}>{name}</span>

const example = `POST /webhooks HTTP/1.1
Content-Type: application/json
X-Service-Event: message.received
X-Service-Event-Id: 01981b7e-3c00-7a51-9a64-1f0f5c3d7e08
X-Service-Signature: t=1772357402,v1=5257a869…
webhook-id: 01981b7e-3c00-7a51-9a64-1f0f5c3d7e08
webhook-timestamp: 1772357402
webhook-signature: v1,iN4x6hHi…

{
  "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
  "type": "message.received",
  "createdAt": "2026-03-01T09:30:02.050Z",
  "data": {
    "from": "+12025550123",
    "text": "Do you have it in blue?"
  }
}`
