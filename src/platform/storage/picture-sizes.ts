import { readFile } from 'node:fs/promises'
import decode from 'heic-decode'
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import type { PictureKind } from '../../documents/rules/picture-kind.ts'

/** Decoding takes some 12 bytes a pixel, in a memory that is never given back: a phone's 50 megapixels and no more. */
const maxHeicPixels = 51_000_000

class TooManyPixels extends Error {}

/** The main picture of a HEIC file, upright as its file says. libvips can't read them: the patents on HEVC keep it out of sharp's binaries. */
async function readHeic(file: string): Promise<{ image: Sharp; width: number; height: number }> {
  const found = await decode.all({ buffer: await readFile(file) })
  try {
    const [main] = found
    if (!main || main.width * main.height <= 0) throw new Error('no picture inside')
    if (main.width * main.height > maxHeicPixels) throw new TooManyPixels()
    const { width, height, data } = await main.decode()
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    return { image: sharp(raw, { raw: { width, height, channels: 4 } }), width, height }
  } finally {
    found.dispose()
  }
}

/** Long sides, in pixels. */
const sides = { photo: 2560, signature: 1280, list: 480 }

/** A file of 12 MB can't hold more of a real scene. A progressive one is read whole: of 99 megapixels it took 736 MB. */
const mostPixels = 65_000_000
const loaders: Record<Exclude<PictureKind, 'heic'>, string> = {
  jpeg: 'VipsForeignLoadJpegFile',
  png: 'VipsForeignLoadPngFile',
  webp: 'VipsForeignLoadWebpFile',
}

// Nothing but these three is ever parsed: no SVG, no PDF, no TIFF, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: Object.values(loaders) })
sharp.cache(false)
sharp.concurrency(1)

/** Why a picture is not taken. */
export type PictureFault = 'broken' | 'moving' | 'too-many-pixels' | 'no-space'
export type Sizes = { fullType: 'image/jpeg' | 'image/png'; width: number; height: number }
type SizesRequest = { file: string; kind: PictureKind; isSignature: boolean }

/** Writes `<file>.full` and `<file>.list`, re-encoded from the pixels, upright and without metadata. The sides answered are the original's. */
export async function makeSizes({ file, isSignature, kind }: SizesRequest): Promise<Sizes | PictureFault> {
  try {
    const read = kind === 'heic' ? await readHeic(file) : await readPicture(file, kind)
    if (typeof read === 'string') return read
    const { height, image, width } = read
    const isDrawn = isSignature && kind === 'png'
    const full = within(image, isSignature ? sides.signature : sides.photo).flatten({ background: '#fff' })
    // A drawing has few colours; with a palette even noise stays small.
    const made = isDrawn ? full.png({ palette: true, colours: 32 }) : full.jpeg({ quality: 82 })
    await made.toFile(`${file}.full`)
    await within(sharp(`${file}.full`), sides.list)
      .webp({ quality: 72 })
      .toFile(`${file}.list`)
    return { fullType: isDrawn ? 'image/png' : 'image/jpeg', width, height }
  } catch (error) {
    if (error instanceof TooManyPixels || /pixel limit/.test(String(error))) return 'too-many-pixels'
    return /no space|disk full|quota|file too large/i.test(String(error)) ? 'no-space' : 'broken'
  }
}

async function readPicture(file: string, kind: Exclude<PictureKind, 'heic'>) {
  const image = sharp(file, { failOn: 'error', limitInputPixels: mostPixels, sequentialRead: true })
  const { autoOrient, format, pages = 1 } = await image.metadata()
  if (format !== kind) return 'broken'
  if (pages > 1) return 'moving'
  return { image: image.autoOrient(), ...autoOrient }
}

const within = (image: Sharp, side: number) =>
  image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })

/** What the process of pictures is asked. */
export type PictureQuestion = { file: string; isSignature: boolean }

/** What it answers; `retires`: it ends then, and another begins. */
export type PictureAnswer = { made: Sizes | PictureFault | 'unknown-kind'; retires: boolean }
