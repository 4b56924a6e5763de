import { headLength, kindOf, type PictureKind } from '../../domain/documents/picture-kind.ts'
import { greyOf, measure, type Verdict, verdictOn } from '../../domain/reports/photo-quality.ts'
import { largestFile } from '../../domain/reports/photos.ts'
import { blankPaper, pictureFrom } from './canvas.ts'

/** A picture fit to be sent, and what it looks like; no verdict where this browser can't open it. */
export type Looked = { picture: Blob; verdict: Verdict | null }
export type NoPicture = { problem: string }

/** The browser scales to this long side first, smoothly and fast; the rest is measured as in the tests. */
const drawnSide = 1280
/** Long side of what is made anew because of its size or kind. */
const longestSide = 4000
/** Kinds that are sent as they are. */
const sentAsItIs: readonly (PictureKind | null)[] = ['jpeg', 'png', 'webp']

/** Looks at a picture before it is kept. Of 12 megapixels most of the time is decoding, which browsers do beside the page. */
export async function lookAt(file: Blob): Promise<Looked | NoPicture> {
  const kind = kindOf(new Uint8Array(await file.slice(0, headLength).arrayBuffer()))
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return unopened(file, kind)
  try {
    const picture = file.size > largestFile || !sentAsItIs.includes(kind) ? await anew(bitmap) : file
    return { picture, verdict: verdictOn(measured(bitmap)) }
  } finally {
    bitmap.close()
  }
}

function unopened(file: Blob, kind: PictureKind | null): Looked | NoPicture {
  if (kind !== 'heic')
    return { problem: 'No pudimos abrir este archivo. Elige una foto JPEG, PNG, WebP o HEIC.' }
  if (file.size > largestFile)
    return { problem: 'Esta foto pesa más de 12 MB. Tómala con menos resolución o en formato JPEG.' }
  return { picture: file, verdict: null }
}

function measured(bitmap: ImageBitmap) {
  const context = drawn(bitmap, drawnSide)
  const { width, height } = context.canvas
  const { data } = context.getImageData(0, 0, width, height)
  return measure(greyOf(data, width, height), Math.max(bitmap.width, bitmap.height))
}

/** As JPEG, which every kind of picture can be; nothing but the picture itself goes with it. */
const anew = (bitmap: ImageBitmap) => pictureFrom(drawn(bitmap, longestSide), 'image/jpeg', 0.9)

function drawn(bitmap: ImageBitmap, longSide: number) {
  const scale = Math.min(longSide / Math.max(bitmap.width, bitmap.height), 1)
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const context = blankPaper(width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  return context
}
