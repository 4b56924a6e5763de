export const pictureKinds = ['jpeg', 'png', 'webp', 'heic'] as const
export type PictureKind = (typeof pictureKinds)[number]

/** How many leading bytes identify the type. */
export const headLength = 16

const beginnings: Record<PictureKind, (head: string) => boolean> = {
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  webp: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
  // A single still picture; sequences have other brands.
  heic: (head) => head.startsWith('ftyp', 4) && /^(heic|heix|mif1)/.test(head.slice(8)),
}

/** The type of a picture by its first bytes, whatever its name or declared type; null for others. */
export function kindOf(head: Uint8Array): PictureKind | null {
  const text = String.fromCharCode(...head.subarray(0, headLength))
  return pictureKinds.find((kind) => beginnings[kind](text)) ?? null
}

/** What a user does about a picture that does not open. */
export const brokenPicture = 'Esta foto está dañada o incompleta. Tómala de nuevo o elige otra.'

/** A file of which parts are read, in a browser or sent. */
export type SlicedFile = {
  size: number
  slice: (from: number, to: number) => { arrayBuffer: () => Promise<ArrayBuffer> }
}

/** Whether a file ends before its picture does, by the few bytes that tell. What a phone adds behind the picture may be cut. */
export const isCutPicture = (file: SlicedFile, kind: PictureKind): Promise<boolean> => isCut[kind](file)

const isCut: Record<PictureKind, (file: SlicedFile) => Promise<boolean>> = {
  // Its metadata may hold a whole smaller picture; between its scans no end marker can stand.
  jpeg: async (file) => !(await holds(file, '\xff\xd9', await scanOf(file))),
  png: async (file) => !(await holds(file, 'IEND', 0)),
  webp: async (file) => (await viewOf(file, 4, 4)).getUint32(0, true) + 8 > file.size,
  heic: isCutHeic,
}

const viewOf = async (file: SlicedFile, from: number, length: number) =>
  new DataView(await file.slice(from, from + length).arrayBuffer())

const textOf = (view: DataView, from = 0, to = view.byteLength) =>
  new TextDecoder('latin1').decode(new Uint8Array(view.buffer).subarray(from, to))

/** More parts than a real picture has in front of its pixels: a file of 12 MB may pretend to have millions. */
const mostParts = 1_000

/** Where the pixels of a JPEG begin, behind its metadata. */
async function scanOf(file: SlicedFile): Promise<number> {
  let at = 2
  for (let parts = 0; parts < mostParts; parts++) {
    const head = await viewOf(file, at, 4)
    if (head.byteLength < 4 || head.getUint8(0) !== 0xff || head.getUint8(1) === 0xda) break
    // Markers may be padded.
    at += head.getUint8(1) === 0xff ? 1 : 2 + head.getUint16(2)
  }
  return at
}

const chunk = 65_536

/** Whether a text stands in a file, from a place on. Looked for from the file's end, near which ends of pictures stand. */
async function holds(file: SlicedFile, text: string, from: number): Promise<boolean> {
  for (let to = file.size; to > from; to -= chunk) {
    const start = Math.max(from, to - chunk)
    if (textOf(await viewOf(file, start, to - start + text.length - 1)).includes(text)) return true
  }
  return false
}

/** By the lengths of its boxes, until its directory and its pixels have passed. */
async function isCutHeic(file: SlicedFile): Promise<boolean> {
  const needed = new Set(['meta', 'mdat'])
  let at = 0
  for (let parts = 0; parts < mostParts && needed.size > 0; parts++) {
    const head = await viewOf(file, at, 16)
    if (head.byteLength < 8) return head.byteLength > 0
    const size = head.getUint32(0)
    // A long one follows its name; without one, the box goes on to the file's end.
    const isLong = size === 1 && head.byteLength === 16
    const length = isLong ? Number(head.getBigUint64(8)) : size || file.size - at
    if (at + length > file.size) return true
    needed.delete(textOf(head, 4, 8))
    at += Math.max(length, 8)
  }
  return false
}
