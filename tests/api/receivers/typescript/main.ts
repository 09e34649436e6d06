/** Prints a JSON array of booleans: the result of the example for each vector. The argument is the file of vectors. */
import { readFileSync } from 'node:fs'
import { verifyWebhook } from '../../../../src/api/receivers/verify-webhook.ts'

const { vectors } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  vectors: { secret: string; header: string | null; body: string; now: number }[]
}
process.stdout.write(
  JSON.stringify(vectors.map(({ secret, header, body, now }) => verifyWebhook(secret, header, Buffer.from(body), now))),
)
