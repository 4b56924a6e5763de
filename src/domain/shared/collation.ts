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
