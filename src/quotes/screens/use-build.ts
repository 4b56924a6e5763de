import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSent } from '../../kit/form/overtaken.tsx'
import { readName } from '../../shared/merging.ts'
import { byHand } from '../rules/adding.ts'
import type { CatalogueItem } from '../rules/content.ts'
import { fieldsOf, lineField, type TypedQuote, typedQuoteIn } from '../rules/draft.ts'
import { type Addition, draftEditOf, type Edit, edited } from '../rules/draft-edits.ts'
import { type GridRow, linesIn, rowsOf } from '../rules/grid.ts'
import { type DraftChange, draftRead, mergeDrafts } from '../rules/merge-draft.ts'
import type { BuildAnswer } from './build-forms.ts'

/** What gets the focus after an edit: by its selector in the row of a line, or in the grid. */
type Focus = { line: string | null; at: string }
type State = {
  typed: TypedQuote
  /** As of the last edit: while one types, no box goes to another place. */
  rows: readonly GridRow[]
  /** What could not be added as it was typed. */
  asked: Addition | null
  /** The line that is open because of the last edit. */
  open: string | null
  focus: Focus | null
  /** What the last edit did, for screen readers. */
  said: string
  /** What another person saved meanwhile. */
  changes: readonly DraftChange[]
}

/** The stored draft, and its version; null where there is none. */
type Stored = { typed: TypedQuote; version: number | null }

/** What is typed in the builder as React knows it, and how a press changes it on the page. */
export type Build = Omit<State, 'focus'> & {
  /** The version that is typed over. */
  version: number
  /** For an element inside the form. */
  inside: RefObject<HTMLDivElement | null>
  /** Reads the boxes again. */
  hear: () => void
  change: (edit: Edit) => void
  onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void
}

/** The draft on the page. The boxes hold what is typed; this follows them, so that totals and edits know it. */
export function useBuild(
  first: ReturnType<typeof firstState>,
  stored: Stored,
  catalogue: readonly CatalogueItem[],
  isRefused: boolean,
): Build {
  const inside = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<State>({ ...first, rows: rowsFor(first), focus: null, said: '' })
  const [read] = useState(() => () => {
    const form = inside.current?.closest('form')
    return form ? typedNow(form) : null
  })
  const frame = useRef(0)
  // Once for all that changes within a frame: a long quote put back field by field would be drawn anew for each of them.
  const hear = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      const typed = read()
      if (typed) setState((before) => ({ ...before, typed, focus: null }))
    })
  }
  // What was typed before hydration.
  useEffect(() => {
    const typed = read()
    if (typed) setState((before) => ({ ...before, typed }))
  }, [read])
  const change = (given: Edit) => {
    const form = inside.current?.closest('form')
    const text = form ? String(new FormData(form).get('adding')) : ''
    const edit = given.name === 'add' ? { ...given, text } : given
    const after = edited(read() ?? state.typed, edit, catalogue)
    if (rewrites(edit)) write(form, fieldsOf(after.typed))
    if (edit.name === 'add' && after.line) write(form, { adding: '' })
    setState((before) => {
      const rows = rowsFor({ ...before, typed: after.typed })
      return { ...before, ...stateAfter(edit, after, rows), rows }
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const { currentTarget, key, shiftKey, target } = event
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return
    // It would press the first button of the form.
    event.preventDefault()
    if (target.name === 'adding') change({ name: 'add', option: 'all', list: 'lines', text: '' })
    const column = [
      ...currentTarget.querySelectorAll<HTMLInputElement>(`[data-column="${target.dataset.column}"]`),
    ]
    column[column.indexOf(target) + (shiftKey ? -1 : 1)]?.select()
  }
  const takeSent = useSent(inside, read)
  const version = useTheirs(
    stored,
    first.version,
    (before, theirs) => {
      const merged = mergeDrafts(before, read() ?? state.typed, theirs)
      setState({ ...state, ...merged, rows: rowsFor(merged), focus: null })
    },
    () => {
      const sent = takeSent()
      return isRefused ? null : sent
    },
  )
  useWritten(inside, state)
  useLayoutEffect(() => {
    if (state.focus) find(inside.current, state.focus)?.focus()
  }, [state.focus])
  return { ...state, version, inside, hear, change, onKeyDown }
}

/**
 * Calls back when another person saved, or the user did and wrote on: before is then what was sent. Returns the version
 * that is typed over: of a draft that is gone its last.
 */
function useTheirs(
  { typed, version }: Stored,
  first: number,
  merge: (before: TypedQuote, theirs: TypedQuote) => void,
  takeSent: () => TypedQuote | null,
): number {
  const base = useRef({ typed, version: version ?? first })
  useLayoutEffect(() => {
    const before = base.current
    const sent = takeSent()
    if (version === null || version === before.version) return
    base.current = { typed, version }
    merge(sent ?? before.typed, typed)
  })
  return version ?? base.current.version
}

/** Lets the boxes follow what was merged. */
function useWritten(inside: Build['inside'], { changes, typed }: State): void {
  const written = useRef(changes)
  useLayoutEffect(() => {
    if (written.current !== changes) write(inside.current?.closest('form'), fieldsOf(typed))
    written.current = changes
  }, [inside, changes, typed])
}

/** Fields of which two people's values are shown stand each for itself. */
const rowsFor = ({ changes, typed }: Pick<State, 'changes' | 'typed'>) =>
  rowsOf(
    typed,
    changes.filter(({ change }) => change === 'both').map(({ name }) => name),
  )

const stateAfter = (edit: Edit, { line, typed }: ReturnType<typeof edited>, rows: State['rows']) => ({
  typed,
  asked: edit.name === 'add' && !line ? edit : null,
  open: isToBeWritten(edit) ? line : null,
  focus: focusAfter(edit, line),
  said: wordsAfter(edit, typed, line, rows),
})

/** Whether an edit makes a line that its author has to describe. */
const isToBeWritten = (edit: Edit) =>
  edit.name === 'duplicate' || (edit.name === 'add' && edit.code === byHand)

/** Whether an edit changes what stands in boxes, which hold their own text. */
const rewrites = ({ name }: Edit) => name === 'metres' || name === 'prices'

/** Writes values into the boxes that have their names. */
export function write(
  form: HTMLFormElement | null | undefined,
  values: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const box = form?.elements.namedItem(name)
    if (box && 'value' in box && box.value !== value) box.value = value
  }
}

const typedNow = (form: HTMLFormElement): TypedQuote =>
  typedQuoteIn(
    Object.fromEntries([...new FormData(form)].filter((entry) => typeof entry[1] === 'string')) as Record<
      string,
      string
    >,
  )

function focusAfter(edit: Edit, line: string | null): Focus | null {
  if (edit.name === 'prices') return { line, at: column(0) }
  // Its button goes; a box that was left has passed the focus on by itself.
  if (edit.name === 'metres' && document.activeElement instanceof HTMLButtonElement)
    return { line, at: column(edit.option) }
  if (!('list' in edit)) return null
  if (edit.name === 'put') return { line, at: column(edit.to) }
  if (isToBeWritten(edit)) return { line, at: '[data-part="description"]' }
  if (edit.name === 'add') return { line: null, at: '[name="adding"]' }
  return {
    line,
    at: edit.name.startsWith('remove') ? 'summary' : `[data-part="${edit.name}"]:not(:disabled)`,
  }
}

const column = (option: number) => `[data-column="${option}"]`

function find(grid: Element | null, { line, at }: Focus): HTMLElement | null {
  const row = line && grid?.querySelector(`[data-lines~="${line}"]`)
  return (
    (row || grid)?.querySelector<HTMLElement>(at) ??
    (row || grid)?.querySelector<HTMLElement>('button[data-part]:not(:disabled)') ??
    null
  )
}

function wordsAfter(edit: Edit, typed: TypedQuote, id: string | null, rows: State['rows']): string {
  if (edit.name === 'prices') return 'Las partidas tienen los precios de hoy.'
  if (edit.name === 'metres') return 'Recalculamos las partidas por metro.'
  const isIts = (row: GridRow) => linesIn(typed, row).some(({ line }) => line.id === id)
  const row = rows.find(isIts)
  if (!row) return ''
  if (edit.name === 'add') {
    const { description, discount, quantity, unit } = linesIn(typed, row).at(-1)!.line
    return `Agregamos ${description}: ${discount || `${quantity} ${unit}`}.`
  }
  if (edit.name !== 'up' && edit.name !== 'down') return ''
  const group = rows.filter((one) => one.group === row.group)
  return `Quedó en el lugar ${group.indexOf(row) + 1} de ${group.length}.`
}

/** The first state of the builder: what came back to be corrected, over what is stored; otherwise the stored draft. */
export function firstState(result: BuildAnswer | undefined, stored: Stored) {
  if (!result) return { typed: stored.typed, changes: [], open: null, asked: null, version: 0 }
  const { adding = '', asked, open, version } = result.values
  const edit = draftEditOf(asked ?? '', adding)
  const typed = typedQuoteIn(result.values)
  const read = draftRead(result.values[readName('draft')])
  const isOvertaken = stored.version !== null && read && version !== String(stored.version)
  const merged = isOvertaken ? mergeDrafts(read, typed, stored.typed) : { typed, changes: [] }
  return {
    ...merged,
    open: open || null,
    asked: edit?.name === 'add' ? edit : null,
    version: Number(version) || 0,
  }
}

/** The error of a field of a line, by the line's id: lines may be moved before they are corrected. */
export type Wrong = (lineId: string, field: string) => string | undefined

/** Reads what came back under the names that the lines had when they were sent. */
export function wrongIn(result: BuildAnswer | undefined): Wrong {
  const sent = typedQuoteIn(result?.values ?? {})
  const messages = new Map<string, string>()
  for (const [n, option] of sent.options.entries())
    for (const list of ['lines', 'addOns'] as const)
      for (const [at, { id }] of option[list].entries())
        for (const [name, message] of Object.entries(result?.errors ?? {})) {
          const prefix = lineField(n, list, at, '')
          if (message && name.startsWith(prefix)) messages.set(`${id} ${name.slice(prefix.length)}`, message)
        }
  return (id, field) => messages.get(`${id} ${field}`)
}
