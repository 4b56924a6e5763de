import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSent } from '../../kit/form/overtaken.tsx'
import { readName } from '../../shared/merging.ts'
import type { CatalogueItem } from '../rules/content.ts'
import { type Edit, edited, fieldsOf, lineField, type TypedQuote, typedQuoteIn } from '../rules/draft.ts'
import { type DraftChange, draftRead, mergeDrafts } from '../rules/merge-draft.ts'
import type { BuildAnswer } from './build-forms.ts'

/** What gets the focus after an edit: a part of a line, or of the option that it was in. */
type Focus = { line: string | null; part: string; option: number }
type State = {
  typed: TypedQuote
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
}

/** The draft on the page. The boxes hold what is typed; this follows them, so that totals and edits know it. */
export function useBuild(
  first: ReturnType<typeof firstState>,
  stored: Stored,
  catalogue: readonly CatalogueItem[],
  isRefused: boolean,
): Build {
  const inside = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<State>({ ...first, focus: null, said: '' })
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
  const change = (edit: Edit) => {
    const after = edited(read() ?? state.typed, edit, catalogue)
    if (rewrites(edit)) write(inside.current?.closest('form'), fieldsOf(after.typed))
    setState((before) => ({ ...before, ...stateAfter(edit, after) }))
  }
  const takeSent = useSent(inside, read)
  const version = useTheirs(
    stored,
    first.version,
    (before, theirs) => {
      const merged = mergeDrafts(before, read() ?? state.typed, theirs)
      setState({ ...state, ...merged, focus: null })
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
  return { ...state, version, inside, hear, change }
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

const stateAfter = (edit: Edit, { line, typed }: ReturnType<typeof edited>) => ({
  typed,
  open: edit.name === 'duplicate' || edit.name === 'add' ? line : null,
  focus: focusAfter(edit, line),
  said: wordsAfter(edit, typed, line),
})

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
  if (edit.name === 'prices') return { line: null, option: 0, part: 'metres' }
  // Its button goes; a box that was left has passed the focus on by itself.
  if (edit.name === 'metres' && document.activeElement instanceof HTMLButtonElement)
    return { line: null, option: edit.option, part: 'metres' }
  if (!('list' in edit)) return null
  const part = { add: 'description', duplicate: 'description', remove: 'summary', move: 'summary' }
  return { line, option: edit.option, part: edit.name in part ? part[edit.name as 'add'] : edit.name }
}

function find(form: Element | null, { line, option, part }: Focus): HTMLElement | null {
  const row = form?.querySelector(`[data-line="${line}"]`)
  const end = part === 'up' ? 'down' : 'up'
  const other = part === 'metres' ? part : 'add'
  return (
    row?.querySelector<HTMLElement>(`[data-part="${part}"]:not(:disabled)`) ??
    row?.querySelector<HTMLElement>(`[data-part="${end}"]`) ??
    form?.querySelector<HTMLElement>(`[data-option="${option}"] [data-part="${other}"]`) ??
    null
  )
}

function wordsAfter(edit: Edit, { options }: TypedQuote, line: string | null): string {
  if (edit.name === 'prices') return 'Las partidas tienen los precios de hoy.'
  if (edit.name === 'metres') return 'Recalculamos las partidas por metro.'
  if (edit.name !== 'up' && edit.name !== 'down' && edit.name !== 'move') return ''
  const lines = options[edit.option]?.[edit.list] ?? []
  return `Quedó en el lugar ${lines.findIndex(({ id }) => id === line) + 1} de ${lines.length}.`
}

/** The first state of the builder: what came back to be corrected, over what is stored; otherwise the stored draft. */
export function firstState(result: BuildAnswer | undefined, stored: Stored) {
  if (!result) return { typed: stored.typed, changes: [], open: null, version: 0 }
  const { open, version } = result.values
  const typed = typedQuoteIn(result.values)
  const read = draftRead(result.values[readName('draft')])
  const isOvertaken = stored.version !== null && read && version !== String(stored.version)
  const merged = isOvertaken ? mergeDrafts(read, typed, stored.typed) : { typed, changes: [] }
  return { ...merged, open: open || null, version: Number(version) || 0 }
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
