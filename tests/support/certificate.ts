import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * Generates a self-signed certificate for the given host names. It needs no file that expires and no tool. A client
 * that trusts the certificate can verify a server that presents it.
 *
 * @returns key and certificate, both PEM
 */
export const selfSignedCertificate = (...hostNames: [string, ...string[]]): { key: string; cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(set(sequence(objectId('550403'), der(0x0c, Buffer.from(hostNames[0])))))
  const day = 86_400_000
  const validity = sequence(time(Date.now() - day), time(Date.now() + day))
  const subjectAltName = sequence(...hostNames.map(hostName => der(0x82, Buffer.from(hostName))))
  const basicConstraints = sequence(der(0x01, Buffer.from([0xff])))
  const extensions = sequence(
    sequence(objectId('551d11'), der(0x04, subjectAltName)),
    sequence(objectId('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, basicConstraints)),
  )
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
  const version3 = der(0xa0, der(0x02, Buffer.from([2])))
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const toBeSigned = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKeyInfo,
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(toBeSigned, ecdsaWithSha256, signature)),
  }
}

/** Encodes tag, length and content, the single form of all data in a certificate (X.690, DER). */
const der = (tag: number, content: Uint8Array): Buffer => {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts))

const set = (...parts: Uint8Array[]): Buffer => der(0x31, Buffer.concat(parts))

const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const time = (milliseconds: number): Buffer =>
  der(
    0x17,
    Buffer.from(
      new Date(milliseconds)
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  )

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
