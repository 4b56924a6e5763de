import { inflateSync } from 'node:zlib'

/** What is drawn on the pages of a PDF, as its own language says it. */
export function drawnOn(pdf: Buffer): string[] {
  // What is packed may end with any byte, a carriage return too: only the line end that is written after it is not part of it.
  const streams = pdf.toString('latin1').matchAll(/\/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)
  return [...streams].map(([, body]) => inflateSync(Buffer.from(body!, 'latin1')).toString('latin1'))
}

/** What a PDF says, in the order it is set; its own fonts are written in Latin-1, as hexadecimal. */
export const textOf = (pdf: Buffer): string =>
  drawnOn(pdf)
    .flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, shown]) => spelt(shown!)))
    .join(' ')
    .replace(/\s+/g, ' ')

const spelt = (shown: string) =>
  [...shown.matchAll(/<([0-9a-f]*)>/gi)]
    .map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1'))
    .join('')
