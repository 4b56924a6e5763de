import {
  brokenPicture,
  headLength,
  isCutPicture,
  kindOf,
  type PictureKind,
} from '../documents/rules/picture-kind.ts'
import { greyOf, isFine, measure, type PhotoVerdict, verdictOn } from '../reports/rules/photo-quality.ts'
import { largestFile, tooLargeWords } from '../reports/rules/photos.ts'

/** A picture fit to be sent, and its verdict; null where this browser can't open it. */
export type Looked = { picture: Blob; verdict: PhotoVerdict | null; isGood: boolean }
export type NoPicture = { problem: string }

/** The browser scales to this long side first, smoothly and fast; the rest is measured as in the tests. */
const drawnSide = 1280

/** Long side of a picture that is encoded again because of its size or kind. */
const longestSide = 4000

/** Kinds that are sent as they are. */
const sentAsItIs: readonly (PictureKind | null)[] = ['jpeg', 'png', 'webp']

/** Checks a picture before it is kept. At 12 megapixels most of it is decoding, off the main thread. */
export async function inspectPhoto(file: Blob): Promise<Looked | NoPicture> {
  const kind = kindOf(new Uint8Array(await file.slice(0, headLength).arrayBuffer()))
  // A browser may open what is left of it.
  if (kind && (await isCutPicture(file, kind))) return { problem: brokenPicture }
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return unopened(file, kind)
  try {
    const picture = file.size > largestFile || !sentAsItIs.includes(kind) ? await anew(bitmap) : file
    const verdict = verdictOn(measured(bitmap))
    return { picture, verdict, isGood: isFine(verdict) }
  } finally {
    bitmap.close()
  }
}

function unopened(file: Blob, kind: PictureKind | null): Looked | NoPicture {
  if (kind !== 'heic')
    return { problem: 'No pudimos abrir este archivo. Elige una foto JPEG, PNG, WebP o HEIC.' }
  if (file.size > largestFile) return { problem: tooLargeWords }
  return { picture: file, verdict: null, isGood: false }
}

function measured(bitmap: ImageBitmap) {
  const context = drawn(bitmap, drawnSide)
  const { width, height } = context.canvas
  const { data } = context.getImageData(0, 0, width, height)
  return measure(greyOf(data, width, height), Math.max(bitmap.width, bitmap.height))
}

/** As JPEG, which every kind of picture can become; the metadata is dropped. */
const anew = (bitmap: ImageBitmap) => pictureFrom(drawn(bitmap, longestSide), 'image/jpeg', 0.9)

function drawn(bitmap: ImageBitmap, longSide: number) {
  const scale = Math.min(longSide / Math.max(bitmap.width, bitmap.height), 1)
  const width = Math.round(bitmap.width * scale)
  const height = Math.round(bitmap.height * scale)
  const context = blankPaper(width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  return context
}

/** White paper of so many pixels, to draw on without it being seen. */
export function blankPaper(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser draws nothing')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  return context
}

/** What was drawn, as a picture of a kind. */
export const pictureFrom = ({ canvas }: CanvasRenderingContext2D, type: string, quality?: number) =>
  new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came out'))), type, quality)
  })
