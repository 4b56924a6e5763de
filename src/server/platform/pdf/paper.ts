import type { QrDrawing } from '../../app/qr.ts'

/** A document in words ready to be set: all that the rendering thread receives. */
export type Paper = Handover | QuotePaper | ReceiptPaper | StatementPaper | CodeCardPaper | LetterPaper

/** What a hand-over document says. */
export type Handover = {
  kind: 'handover'
  folio: string
  brand: string
  /** When the installation was done: "sábado 21 de noviembre de 2026". */
  day: string
  people: readonly Row[]
  charger: readonly Row[]
  /** Each with what is acceptable, where the rules say. */
  tests: readonly (Row & { limit: string | null })[]
  walkthrough: readonly Row[]
  /** The last day, in words. */
  warranty: string | null
  photos: readonly PdfPicture[]
  signatures: readonly (PdfPicture & { name: string })[]
  /** How to report a fault. */
  faults: readonly string[]
}

export type Row = { label: string; value: string }

/** A photo or signature as it is kept; `bytes` is its small size, null when the store of files does not have it. */
export type PdfPicture = { label: string; taken: string; sha256: string; bytes: Uint8Array | null }

/** What a sent version of a quote says. */
export type QuotePaper = {
  kind: 'quote'
  /** With its version: what the file is called too. */
  folio: string
  brand: string
  /** When it was sent, and until when it is valid. */
  subtitle: string
  /** What became of it, where that is something to know: it was accepted, or another version took its place. */
  notice: Row | null
  people: readonly Row[]
  options: readonly PaperOption[]
  terms: readonly { title: string; lines: readonly string[] }[]
  digest: string
}

/** One option of a quote: its lines, what may be added, and what it comes to. */
export type PaperOption = {
  title: string
  /** Words under the title; empty where there are none. */
  note: string
  lines: readonly PaperLine[]
  addOns: readonly PaperLine[]
  sums: readonly Row[]
}

export type PaperLine = { description: string; quantity: string; unitPrice: string; amount: string }

/** What a receipt says of one payment that came in, or was given back. */
export type ReceiptPaper = {
  kind: 'receipt'
  folio: string
  brand: string
  /** Of money that came in, or that was given back. */
  title: string
  subtitle: string
  amount: Row
  people: readonly Row[]
  payment: readonly Row[]
  sums: readonly Row[]
  notes: readonly string[]
}

/** What a statement says of an agency's commissions in one month. */
export type StatementPaper = {
  kind: 'statement'
  folio: string
  brand: string
  title: string
  subtitle: string
  /** What is owed after the month. */
  closing: Row
  account: readonly Row[]
  /** What the month's rows come to by state. */
  states: readonly Row[]
  /** Null for a person who sees only sums. */
  lines: readonly StatementLine[] | null
  transfers: readonly Row[]
  notes: readonly string[]
}

export type StatementLine = { day: string; what: string; basis: string; amount: string; state: string }

/** What the card of an ally's code says, for people at a counter. */
export type CodeCardPaper = {
  kind: 'code'
  /** The code itself: what the file is called too. */
  folio: string
  brand: string
  agency: string
  /** What it gives, in words; null where it gives nothing. */
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
  /** Where and when it is written. */
  subtitle: string
  addressee: readonly string[]
  paragraphs: readonly string[]
  facts: readonly Row[]
  /** What goes with it. */
  enclosed: readonly string[]
  /** Who signs, and as what; the lines stay blank. */
  signatures: readonly { name: string; as: string }[]
}
