import { beforeAll } from 'vitest'
import { fixture } from '../kit/open.ts'
import type { Visitor } from '../kit/visitor.ts'

const known = new Map<string, string>()
/** Forgets the marks of another file. */
export const openMarksOnce = () => beforeAll(() => known.clear())
const nextNumber = () => String(known.size).padStart(5, '0')

/** Notes what stands nowhere else, and the column that it stands in. */
export function note(value: string, column: string): string {
  known.set(value.toLowerCase(), column)
  return value
}

/** A word that tells its column. */
export const mark = (column: string) => note(`Zq${nextNumber()}z`, column)
/** The same for several columns of one row, by their names, which follow a word of whose they are. */
export const marksFor = <Name extends string>(whose: string, ...columns: Name[]) =>
  Object.fromEntries(columns.map((column) => [column, mark(`${whose} ${column}`)])) as Record<Name, string>
export const markEmail = (column: string) => `${mark(column).toLowerCase()}@prueba.mx`
export const markPhone = (column: string) => note(`55980${nextNumber()}`, column)

/** Centavos, whose digits tell their column however they are written: "73100101", "731,001.01", "731001.01". */
export function markAmount(column: string): number {
  const pesos = String(731_000 + known.size)
  for (const written of [`${pesos}01`, `${pesos.replace(/(\d{3})$/, ',$1')}.01`, `${pesos}.01`])
    note(written, column)
  return Number(pesos) * 100 + 1
}

/** The marks of some columns. */
export const marksOf = (columns: RegExp) => [...known].filter(([, column]) => columns.test(column))

/** The columns whose marks somebody meets on pages, which hold the data of their screens, or in headers. */
export async function metBy(as: Visitor, ...paths: string[]): Promise<string[]> {
  const met = new Set<string>()
  for (const path of paths) {
    const { headers, text } = await fixture.visit(path, as)
    const all = `${text}${[...headers].flat().join()}`.toLowerCase()
    // A phone is shown in groups, and stands in links without gaps.
    const close = all.replace(/(?<=\d)[ .-](?=\d)/g, '')
    for (const [word, column] of known) {
      // What was asked for is no answer.
      if (path.toLowerCase().includes(word)) continue
      if (all.includes(word) || close.includes(word)) met.add(column)
    }
  }
  return [...met].toSorted()
}
