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
