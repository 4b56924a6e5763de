import { crc32 } from 'node:zlib'

export type Entry = { name: string; bytes: Uint8Array }

/** Signatures and the version that stored files need (PKWARE's APPNOTE, 4.3.7, 4.3.12, 4.3.16). */
const [localFile, centralFile, endOfCentral, version] = [0x04034b50, 0x02014b50, 0x06054b50, 20]
/** Names are UTF-8. */
const utf8Names = 0x0800
/** 1 January 1980, the first day the format knows: when a file was made is said inside. */
const noDate = 0x0021

/**
 * A ZIP archive of files as they come, one in memory at a time, not compressed: pictures and PDFs are already. Up to 4 GB
 * and 65,535 files, which is what the format holds without extensions.
 */
export async function* zipped(entries: AsyncIterable<Entry> | Iterable<Entry>): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = []
  let offset = 0
  for await (const { bytes, name } of entries) {
    const known = factsOf(Buffer.from(name), bytes)
    const head = Buffer.concat([words([localFile, 4]), known.facts, known.name])
    central.push(
      Buffer.concat([words([centralFile, 4], [version, 2]), known.facts, inCentral(offset), known.name]),
    )
    offset += head.length + bytes.length
    yield head
    yield bytes
  }
  const directory = Buffer.concat(central)
  yield directory
  const count = central.length
  yield words([endOfCentral, 4], [0, 4], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2])
}

/** What both of a file's headers say: version, flags, no compression, date, checksum, sizes, lengths of name and extras. */
function factsOf(name: Buffer, bytes: Uint8Array) {
  const { length } = bytes
  const sizes: Word[] = [
    [crc32(bytes), 4],
    [length, 4],
    [length, 4],
  ]
  return {
    name,
    facts: words([version, 2], [utf8Names, 2], [0, 4], [noDate, 2], ...sizes, [name.length, 2], [0, 2]),
  }
}

/** No comment, first disk, no attributes, and where the file begins. */
const inCentral = (offset: number) => words([0, 4], [0, 4], [0, 2], [offset, 4])

type Word = readonly [value: number, bytes: 2 | 4]
function words(...list: Word[]): Buffer {
  return Buffer.concat(
    list.map(([value, bytes]) => {
      const word = Buffer.alloc(bytes)
      if (bytes === 2) word.writeUInt16LE(value)
      else word.writeUInt32LE(value)
      return word
    }),
  )
}
