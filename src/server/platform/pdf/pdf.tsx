import { renderToBuffer } from '@react-pdf/renderer'
import sharp from 'sharp'
import { CodeCardDocument } from './code-card.tsx'
import { HandoverDocument } from './handover.tsx'
import { LetterDocument } from './letter.tsx'
import type { Handover, Paper, Picture } from './paper.ts'
import { QuoteDocument } from './quote.tsx'
import { ReceiptDocument } from './receipt.tsx'
import { StatementDocument } from './statement.tsx'

/** The document's bytes. It takes a processor for some tenths of a second. */
export async function pdfOf(paper: Paper): Promise<Uint8Array> {
  switch (paper.kind) {
    case 'handover':
      return renderToBuffer(<HandoverDocument paper={await withPictures(paper)} />)
    case 'quote':
      return renderToBuffer(<QuoteDocument paper={paper} />)
    case 'receipt':
      return renderToBuffer(<ReceiptDocument paper={paper} />)
    case 'statement':
      return renderToBuffer(<StatementDocument paper={paper} />)
    case 'letter':
      return renderToBuffer(<LetterDocument paper={paper} />)
    case 'code':
      return renderToBuffer(<CodeCardDocument paper={paper} />)
  }
}

async function withPictures(paper: Handover): Promise<Handover> {
  const [photos, signatures] = await Promise.all([
    Promise.all(paper.photos.map(printable)),
    Promise.all(paper.signatures.map(printable)),
  ])
  return { ...paper, photos, signatures }
}

/** A PDF holds JPEG, and small pictures are kept as WebP. */
async function printable<One extends Picture>(picture: One): Promise<One> {
  const { bytes } = picture
  return bytes
    ? { ...picture, bytes: await sharp(bytes).flatten({ background: '#fff' }).jpeg().toBuffer() }
    : picture
}
