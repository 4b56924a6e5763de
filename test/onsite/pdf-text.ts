import { inflateSync } from 'node:zlib'

/** What a PDF says, in the order it is set; its own fonts are written in Latin-1, as hexadecimal. */
export function textOf(pdf: Buffer): string {
  const bytes = pdf.toString('latin1')
  const streams = bytes.matchAll(/\/FlateDecode\n>>\nstream\r?\n([\s\S]*?)\r?\nendstream/g)
  const inflated = [...streams].map(([, body]) =>
    inflateSync(Buffer.from(body!, 'latin1')).toString('latin1'),
  )
  return inflated
    .flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, shown]) => spelt(shown!)))
    .join(' ')
    .replace(/\s+/g, ' ')
}

const spelt = (shown: string) =>
  [...shown.matchAll(/<([0-9a-f]*)>/gi)]
    .map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1'))
    .join('')
