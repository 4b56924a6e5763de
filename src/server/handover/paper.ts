/** What a hand-over document says, in words ready to be set: all that the thread which lays it out is told. */
export type Handover = {
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
  photos: readonly Picture[]
  signatures: readonly (Picture & { name: string })[]
  /** How to report a fault. */
  faults: readonly string[]
}
export type Row = { label: string; value: string }

/** A photo or signature as it is kept; `bytes` is its small size, null when the store of files does not have it. */
export type Picture = { label: string; taken: string; sha256: string; bytes: Uint8Array | null }
