import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Input = { width?: number; height?: number; shade?: number }

const plain = ({ height = 1200, shade = 90, width = 1600 }: Input) =>
  sharp({
    create: { width, height, channels: 3, background: { r: shade, g: 120, b: 60 } },
    limitInputPixels: false,
  })

/** A photo as phones make them; another `shade` is another photo. */
export const jpeg = (input: Input = {}) => plain(input).jpeg().toBuffer()
export const png = (input: Input = {}) => plain(input).png({ compressionLevel: 9 }).toBuffer()
export const webp = (input: Input = {}) => plain(input).webp().toBuffer()
/**
 * Of a wall, 1600 × 1200, by heif-enc; the tile of it again and again, as phones make theirs, 8000 × 6000; and nine tiles that
 * say they are 800 × 600.
 */
export const heic = (name: 'wall' | 'tiles' | 'understated') =>
  readFileSync(new URL(`./${name}.heic`, import.meta.url))

/** The place and the phone are written in it, and that it was held upright: white above, black below, once turned. */
export const uprightWithPlace = () =>
  sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#000' } })
    .composite([
      { input: { create: { width: 800, height: 1200, channels: 3, background: '#fff' } }, left: 0, top: 0 },
    ])
    .jpeg()
    .withMetadata({
      orientation: 6,
      exif: {
        IFD0: { Make: 'TelefonoDePrueba' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '19/1 25/1 4242/100' },
      },
    })
    .toBuffer()

/** A drawing on nothing, as a screen gives it. */
export const drawing = () =>
  sharp({ create: { width: 900, height: 300, channels: 4, background: '#0000' } })
    .composite([
      { input: { create: { width: 300, height: 20, channels: 4, background: '#123' } }, left: 100, top: 100 },
    ])
    .png()
    .toBuffer()

/** Two pictures, one after the other. */
export const moving = () =>
  sharp(Buffer.concat([Buffer.alloc(64 * 64 * 3, 20), Buffer.alloc(64 * 64 * 3, 220)]), {
    raw: { width: 64, height: 128, channels: 3, pageHeight: 64 },
  })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()

/** 30,000 × 30,000 black points in some 100 kB: a row is 3,751 zeros. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const
    ends[0].writeUInt32BE(data.length)
    ends[1].writeUInt32BE(crc32(body))
    return Buffer.concat([ends[0], body, ends[1]])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(30_000, 0)
  header.writeUInt32BE(30_000, 4)
  header[8] = 1
  const pixels = deflateSync(Buffer.alloc(30_000 * 3_751))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const noKind = /no es una foto que podamos leer/
const broken = /dañada o incompleta/
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const behind = async (first: string) => Buffer.concat([Buffer.from(first), await jpeg()])

/** What pretends to be a photo, or harms whoever opens it, with what is said of it. */
export const hostile: Record<string, { bytes: () => Promise<Buffer> | Buffer; said: RegExp }> = {
  nothing: { bytes: () => Buffer.alloc(0), said: noKind },
  html: { bytes: () => Buffer.from('<!doctype html><script>alert(1)</script>'), said: noKind },
  svg: { bytes: () => svg, said: noKind },
  zip: { bytes: () => behind('PK\x03\x04'), said: noKind },
  pdf: { bytes: () => Buffer.from('%PDF-1.7\n'), said: noKind },
  gif: { bytes: () => plain({}).gif().toBuffer(), said: noKind },
  'a photo after a script': { bytes: () => behind('<script>alert(1)</script>'), said: noKind },
  'an SVG under the first bytes of a JPEG': {
    bytes: async () => Buffer.concat([(await jpeg()).subarray(0, 4), svg]),
    said: broken,
  },
  'an SVG under the first bytes of a PNG': {
    bytes: async () => Buffer.concat([(await png()).subarray(0, 8), svg]),
    said: broken,
  },
  'half a JPEG': { bytes: async () => half(await jpeg()), said: broken },
  'half a HEIC': { bytes: () => half(heic('wall')), said: broken },
  'a HEIC of other bytes': {
    bytes: () => heic('wall').fill(7, 600),
    said: broken,
  },
  'a PNG of 900 megapixels': { bytes: bomb, said: /demasiados megapíxeles/ },
  animation: { bytes: moving, said: /animación/ },
}

/** A photo with a page behind its last byte. */
export const polyglot = async () =>
  Buffer.concat([await jpeg(), Buffer.from('<html><script>alert("polyglot")</script>PK\x03\x04')])
