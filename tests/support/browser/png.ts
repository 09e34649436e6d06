/**
 * Encodes pictures for documents with at most 256 colours. The files are less than half as large and look the same.
 */
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'

export const inFewColours = async (page: Page, png: string): Promise<Buffer> => {
  const { width, height, palette, pixels } = await page.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')!
    context.drawImage(image, 0, 0)
    const rgba = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
    const counts = new Map<number, number>()
    for (const colour of rgba) counts.set(colour, (counts.get(colour) ?? 0) + 1)
    const parts = (colour: number) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255] as const
    // Takes the most frequent colours, but only one of several similar ones. Otherwise the shades of text would
    // displace rare colours.
    const alike = 10 ** 2
    const palette: (readonly [number, number, number])[] = []
    for (const [colour] of [...counts].sort((a, b) => b[1] - a[1])) {
      const [r, g, b] = parts(colour)
      if (palette.length === 256) break
      const isPlane = counts.get(colour)! > 2000
      if (isPlane || !palette.some(([red, green, blue]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2 < alike))
        palette.push([r, g, b])
    }
    const nearest = new Map<number, number>()
    for (const colour of counts.keys()) {
      const [r, g, b] = parts(colour)
      let [best, least] = [0, Number.POSITIVE_INFINITY]
      palette.forEach(([red, green, blue], index) => {
        const off = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
        if (off < least) [best, least] = [index, off]
      })
      nearest.set(colour, best)
    }
    let text = ''
    for (const colour of rgba) text += String.fromCharCode(nearest.get(colour)!)
    return { width, height, palette: palette.flat(), pixels: btoa(text) }
  }, png)
  const indices = Buffer.from(pixels, 'base64')
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), indices.subarray(y * width, (y + 1) * width)]),
  )
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits per pixel, with a palette.
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
