import { heic } from './samples.ts'

const ascii = (text: string) => Buffer.from(text, 'latin1')
const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
function u32(...values: number[]) {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [nth, value] of values.entries()) bytes.writeUInt32BE(value, 4 * nth)
  return bytes
}
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), ascii(type), body])
}
const full = (type: string, version: number, ...parts: Buffer[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts)

/** The configuration and the coded bytes of the one picture, 1600 × 1200, that the sample holds. */
const at = heic.indexOf('hvcC') - 4
const configuration = heic.subarray(at, at + heic.readUInt32BE(at))
const tile = heic.subarray(0x26d, 0x26d + 0x295)

/** A HEIC of that picture again and again, as phones make theirs of tiles. It says of itself what it is told to say. */
export function tiledHeic(
  columns: number,
  rows: number,
  said = { width: columns * 1600, height: rows * 1200 },
) {
  const tiles = Array.from({ length: columns * rows }, (_, nth) => nth + 2)
  const grid = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(columns * 1600, rows * 1200)])
  const item = (id: number, type: string) => full('infe', 2, u16(id, 0), ascii(`${type}\0`))
  const place = (id: number, start: number, length: number) => [u16(id, 0, 1), u32(start, length)]
  const size = (width: number, height: number) => full('ispe', 0, u32(width, height))
  const has = (id: number, ...properties: number[]) => [
    u16(id),
    Buffer.from([properties.length, ...properties]),
  ]
  const head = (start: number) =>
    Buffer.concat([
      box('ftyp', ascii('heic\0\0\0\0mif1heic')),
      full(
        'meta',
        0,
        full('hdlr', 0, u32(0), ascii('pict'), Buffer.alloc(13)),
        full('pitm', 0, u16(1)),
        full(
          'iloc',
          0,
          Buffer.from([0x44, 0]),
          u16(tiles.length + 1),
          ...place(1, start, grid.length),
          ...tiles.flatMap((id) => place(id, start + grid.length, tile.length)),
        ),
        full('iinf', 0, u16(tiles.length + 1), item(1, 'grid'), ...tiles.map((id) => item(id, 'hvc1'))),
        box(
          'iprp',
          box('ipco', configuration, size(1600, 1200), size(said.width, said.height)),
          full('ipma', 0, u32(tiles.length + 1), ...has(1, 3), ...tiles.flatMap((id) => has(id, 0x81, 2))),
        ),
        full('iref', 0, box('dimg', u16(1, tiles.length, ...tiles))),
      ),
    ])
  const start = head(0).length + 8
  return Buffer.concat([head(start), box('mdat', grid, tile)])
}
