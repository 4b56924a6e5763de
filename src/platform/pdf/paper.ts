import type { Settings } from '../../settings/rules/settings-schema.ts'
import { formatPhone } from '../../shared/format.ts'
import type { CopiedPages } from './copied.ts'
import type { QrDrawing } from './qr.ts'

/** A document ready for layout: the whole input of the rendering thread. */
export type Paper =
  | Handover
  | QuotePaper
  | ReceiptPaper
  | StatementPaper
  | CodeCardPaper
  | LetterPaper
  | LetterBatch

/** The content of a hand-over document. */
export type Handover = {
  kind: 'handover'
  folio: string
  brand: string
  /** When the installation was done: "sábado 21 de noviembre de 2026". */
  day: string
  people: readonly Row[]
  charger: readonly Row[]
  /** What was put in otherwise than agreed; empty where nothing was. */
  deviations: readonly string[]
  /** Each with its acceptable values, where the rules define them, and whether it keeps them. */
  tests: readonly (Row & { limit: string | null; passed: boolean })[]
  walkthrough: readonly Row[]
  /** The calculation; empty where its visit did not say enough. */
  calculation: readonly Row[]
  basis: readonly string[]
  /** The last day, in words. */
  warranty: string | null
  /** What the warranty is for, and what it is not. */
  covered: readonly string[]
  photos: readonly PdfPicture[]
  signatures: readonly (PdfPicture & { name: string; credential: string | null })[]
  /** How to report a fault. */
  faults: readonly string[]
  issuer: readonly Row[]
  /** Where whoever is shown the paper learns whether it is ours. */
  proof: { link: string; qr: QrDrawing }
}

export type Row = { label: string; value: string }

/** A row of an addition; its total stands out. */
export type Sum = Row & { isTotal: boolean }

/** Who issues a document, as the settings have it registered, and how to reach them. */
export function issuerOf(brand: string, { issuer, support }: Pick<Settings, 'issuer' | 'support'>): Row[] {
  const { address, name, postalCode, rfc } = issuer
  const place = [address, postalCode && `C.P. ${postalCode}`].filter(Boolean).join(', ')
  return [
    { label: 'Empresa', value: name || brand },
    { label: 'RFC', value: rfc },
    { label: 'Domicilio fiscal', value: place },
    { label: 'Teléfono', value: formatPhone(support.phone) },
    { label: 'Correo', value: support.email },
  ].filter(({ value }) => value !== '')
}

/** A photo or signature as stored; `bytes` is its small size, null when the file is missing on the drive. */
export type PdfPicture = { label: string; taken: string; sha256: string; bytes: Uint8Array | null }

/** The content of a sent version of a quote. */
export type QuotePaper = {
  kind: 'quote'
  /** With its version: also the file's name. */
  folio: string
  brand: string
  /** When it was sent, and until when it is valid. */
  subtitle: string
  /** Its outcome, where relevant: it was accepted, or replaced by another version. */
  notice: Row | null
  /** Who offers it. */
  issuer: readonly Row[]
  people: readonly Row[]
  /** The options side by side: totals, and what differs; null where there is one. */
  compared: ComparedOptions | null
  /** What the installation rests on, in one sentence; null where nothing was measured. */
  basis: string | null
  options: readonly PaperOption[]
  terms: readonly { title: string; lines: readonly string[] }[]
  digest: string
}

/** Options side by side: a column for each. */
export type ComparedOptions = {
  heads: readonly string[]
  rows: readonly { label: string; values: readonly string[]; isTotal: boolean }[]
}

/** One option of a quote: its lines, which the sums add up, and what may be added to it, which they do not. */
export type PaperOption = {
  title: string
  /** Words under the title; empty where there are none. */
  note: string
  lines: readonly PaperLine[]
  sums: readonly Sum[]
  addOns: readonly PaperLine[]
}

export type PaperLine = { description: string; quantity: string; unitPrice: string; amount: string }

/** The content of a receipt for one payment or refund. */
export type ReceiptPaper = {
  kind: 'receipt'
  folio: string
  brand: string
  /** For a payment, or a refund. */
  title: string
  subtitle: string
  amount: Row
  people: readonly Row[]
  payment: readonly Row[]
  sums: readonly Sum[]
  /** The total in words, as on a cheque. */
  inWords: string
  notes: readonly string[]
  issuer: readonly Row[]
}

/** The content of a statement of an agency's commissions in one month. */
export type StatementPaper = {
  kind: 'statement'
  folio: string
  brand: string
  title: string
  subtitle: string
  /** The balance after the month. */
  closing: Row
  account: readonly Sum[]
  /** The sums of the month's rows by state. */
  states: readonly Row[]
  /** Without amounts for the agency's allies. */
  lines: readonly StatementLine[]
  transfers: readonly Row[]
  notes: readonly string[]
  issuer: readonly Row[]
}

export type StatementLine = { day: string; what: string; basis: string; amount: string; state: string }

/** The content of an ally's code card, for clients at a counter. */
export type CodeCardPaper = {
  kind: 'code'
  /** The code itself: also the file's name. */
  folio: string
  brand: string
  agency: string
  /** Its benefit, in words; null without one. */
  benefit: string | null
  link: string
  qr: QrDrawing
  notes: readonly string[]
}

/** A letter that is printed and signed by hand. */
export type LetterPaper = {
  kind: 'letter'
  folio: string
  brand: string
  title: string
  /** Place and date of writing. */
  subtitle: string
  addressee: readonly string[]
  paragraphs: readonly string[]
  factsTitle: string
  facts: readonly Row[]
  /** The enclosures. */
  enclosed: readonly string[]
  /** The signers, where known, and their roles; the lines stay blank. */
  signatures: readonly { name: string | null; as: string }[]
}

/** A picture of a paper, on a page of its own. */
export type BoundPicture = { folio: string; label: string; bytes: Uint8Array }

/** The pages of a paper that came as a PDF. */
export type BoundPages = { folio: string; label: string; copied: CopiedPages }

/** Letters that are printed at once, behind the list of what is handed in with each. */
export type LetterBatch = {
  kind: 'letters'
  folio: string
  brand: string
  title: string
  subtitle: string
  /** A paper that is not in the file has a link to itself. */
  cases: readonly { title: string; note: string; papers: readonly (Row & { link: string | null })[] }[]
  /** What is left out, and why; null where all is here. */
  apart: string | null
  /** Each case's letters, and behind them its papers. */
  bound: readonly { letters: readonly LetterPaper[]; papers: readonly (BoundPicture | BoundPages)[] }[]
}
