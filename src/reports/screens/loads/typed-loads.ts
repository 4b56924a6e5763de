import type { HouseLoad, Question } from '../../rules/report.ts'

/** A row of appliances as it is in its boxes; `key` identifies a row on the page. */
export type TypedLoad = Record<keyof HouseLoad, string>
export type LoadRowData = TypedLoad & { key: string }

export const asTyped = ({ kind, name, quantity, watts }: HouseLoad, nth: number): LoadRowData => ({
  key: String(nth),
  kind: kind ?? '',
  name,
  watts: String(watts),
  quantity: String(quantity),
})

export const keyed = (typed: TypedLoad, nth: number): LoadRowData => ({ ...typed, key: String(nth) })

/** Empty rows that a page without JavaScript offers. */
export const blankRows: readonly LoadRowData[] = ['a', 'b', 'c', 'd'].map((key) => ({
  key,
  kind: '',
  name: '',
  watts: '',
  quantity: '',
}))

/** The names of the boxes of one row. */
export const loadBoxes = (question: string, nth: number): TypedLoad => ({
  kind: `${question}.${nth}.kind`,
  name: `${question}.${nth}.name`,
  watts: `${question}.${nth}.watts`,
  quantity: `${question}.${nth}.quantity`,
})

/** The rows that a form sent. */
export function loadsIn(question: string, sent: Readonly<Record<string, string>>): TypedLoad[] {
  const rows = Object.keys(sent)
    .map((name) => (name.startsWith(`${question}.`) ? Number(name.split('.')[1]) : Number.NaN))
    .filter(Number.isInteger)
  return [...new Set(rows)].map((nth) => {
    const { kind, name, quantity, watts } = loadBoxes(question, nth)
    const typedIn = (box: string) => sent[box] ?? ''
    return { name: typedIn(name), kind: typedIn(kind), watts: typedIn(watts), quantity: typedIn(quantity) }
  })
}

/** The content of the rows of the page; an empty row is left out. */
export const rowsOn = (group: HTMLElement | null): LoadRowData[] =>
  [...(group?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    .map((row) => {
      const box = (part: keyof TypedLoad) =>
        row.querySelector<HTMLInputElement | HTMLSelectElement>(`[data-part=${part}]`)?.value ?? ''
      return {
        key: row.dataset.row ?? '',
        kind: box('kind'),
        name: box('name'),
        watts: box('watts'),
        quantity: box('quantity'),
      }
    })
    .filter(({ name, quantity, watts }) => [name, quantity, watts].some((text) => text.trim() !== ''))

/** The name of the box of one of several choices. */
export const boxOf = (question: string, choice: string) => `${question}.${choice}`

/** What a form sent for a question, for its validation. */
export function typedFor(question: Question, sent: Readonly<Record<string, string>>): unknown {
  const { kind, name } = question
  if (kind === 'choices')
    return Object.keys(question.options)
      .filter((one) => sent[boxOf(name, one)] !== undefined)
      .join(',')
  if (kind !== 'loads') return sent[name] ?? ''
  const rows = loadsIn(name, sent)
  const isBlank = rows.every((row) => Object.values(row).every((text) => text.trim() === ''))
  // That there is none is said by a box of its own.
  return isBlank ? (sent[name] ?? null) : rows
}

/** The text fields of a form on the page. */
export const fieldsIn = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

/** Receives what is typed for a question: at each key, and once more when its box loses the focus. */
export type OnAnswer = (typed: unknown, left: boolean) => void
