// Separate from the form's rules, so that a screen that only normalizes text does not load the validator.

/**
 * Far more than any field accepts. Composing takes quadratic time: a megabyte of unordered marks would block the
 * process for minutes.
 */
const longest = 6_000
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/gu

/**
 * Normalizes typed text: one space between words, no control or invisible characters (they hide text,
 * and PostgreSQL refuses NUL), composed accents. Whatever is not text (an absent field, a file) is blank.
 */
export function tidy(typed: unknown): string {
  if (typeof typed !== 'string') return ''
  const clean = typed.replace(/\s+/gu, ' ').replace(unseen, '').replace(/ +/g, ' ').trim()
  return clean.length > longest ? clean : clean.normalize('NFC')
}

/** Normalizes typed text of several lines: line breaks stay, and so do the joiners of composed emoji. */
export function tidyLines(typed: unknown): string {
  if (typeof typed !== 'string') return ''
  const lines = typed.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\S\n]+/gu, ' ')
  const clean = lines
    .replace(/(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return clean.length > longest ? clean : clean.normalize('NFC')
}

/**
 * Removes these characters from the end of a text. A regular expression would retry each run of them from every
 * position.
 */
export function withoutTail(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** The text before the first of these words that ends it, ignoring case, without the space between. */
export function withoutEnding(text: string, ...endings: readonly string[]): string {
  const whole = text.trimEnd()
  const ending = endings.find((one) => whole.slice(-one.length).toLowerCase() === one.toLowerCase())
  return ending === undefined ? whole : whole.slice(0, -ending.length).trimEnd()
}

/** Length in characters as PostgreSQL counts them (code points), not in UTF-16 units. */
export const lengthOf = (text: string) => [...text].length

const spanish = new Intl.Collator('es-MX')

/** Compares two texts as a Mexican dictionary does: accents do not count first, ñ follows n. */
export const bySpanish = spanish.compare

type Listed<Document, IdField extends string> = Document & Record<IdField, string>

/**
 * Turns documents kept by id into a list: each id is copied into a field, and the list is sorted ascending
 * by name, or by a chosen field. Documents without a value there come last.
 */
export function listOf<Document extends object, IdField extends string = 'id'>(
  documents: Record<string, Document>,
  { sortBy = 'name', idField = 'id' as IdField }: { sortBy?: string; idField?: IdField } = {},
): Listed<Document, IdField>[] {
  const field = (document: object) => (document as Record<string, unknown>)[sortBy]
  return Object.entries(documents)
    .map(([id, document]) => ({ ...document, [idField]: id }) as Listed<Document, IdField>)
    .sort((a, b) => ascending(field(a), field(b)))
}

function ascending(a: unknown, b: unknown): number {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
  if (typeof a === 'string' && typeof b === 'string') return bySpanish(a, b)
  return Number(a) - Number(b)
}

const isMissing = (value: unknown) => value === null || value === undefined

/** A text in lower case without accents, for comparing names that people and lists write differently. */
export const withoutAccents = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
