import { readFile } from 'node:fs/promises'
import decode from 'heic-decode'
import sharp, { type Sharp } from 'sharp'

/** Decoding takes some 12 bytes a pixel, in a memory that is never given back: a phone's 50 megapixels and no more. */
const mostPixels = 51_000_000

export class TooManyPixels extends Error {}

/** The main picture of a HEIC file, upright as its file says. libvips can't read them: the patents on HEVC keep it out of sharp's binaries. */
export async function readHeic(file: string): Promise<{ image: Sharp; width: number; height: number }> {
  const found = await decode.all({ buffer: await readFile(file) })
  try {
    const [main] = found
    if (!main || main.width * main.height <= 0) throw new Error('no picture inside')
    if (main.width * main.height > mostPixels) throw new TooManyPixels()
    const { width, height, data } = await main.decode()
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    return { image: sharp(raw, { raw: { width, height, channels: 4 } }), width, height }
  } finally {
    found.dispose()
  }
}
