import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import type { FormResult } from '../../kit/form/form.tsx'
import type { Failure } from '../../kit/submit.ts'
import type { Notes } from '../outcomes.ts'

/** The answer to a form of the screen of a call; nothing when the server did not answer. */
export type CallAnswer = Failure | { kept: number } | null | undefined

/** The result of saving notes: their version, what another user wrote meanwhile, a refusal in words, or no answer. */
type Kept = { version: number } | { theirs: Notes } | { refused: string } | 'unheard'

function keptIn(answer: CallAnswer): Kept {
  if (!answer) return 'unheard'
  if ('kept' in answer) return { version: answer.kept }
  const theirs = theirsIn(answer)
  if (theirs) return { theirs }
  if (answer.errors.notes) return { refused: answer.errors.notes }
  return answer.refusal?.code === 'permission-denied' ? { refused: answer.refusal.description } : 'unheard'
}

/** The notes that another user wrote in the meantime. */
export const theirsIn = ({ refusal }: FormResult): Notes | null =>
  refusal?.code === 'aborted' ? (refusal.details as Notes) : null

/** How long after the last key notes are kept, and how long after a failure it is tried again, in milliseconds. */
const rest = 1_000
const retry = 5_000

export type Saving = {
  /** `unheard`: no answer came, and it retries. `beaten`: another user wrote, and this user's notes wait. */
  status: 'kept' | 'changed' | 'unheard' | 'beaten' | 'refused'
  /** What the server has, as far as this page knows. */
  known: Notes
  theirs: Notes | null
  refused: string | null
}

/** What this page last saved of each call: saving does not reload its screen, and its form closes with the room. */
const latest = new Map<string, Notes>()

/** What was not kept yet when the form of a call went, by its writer and call: it comes back with the form. */
const unsaved = new Map<string, Notes>()

type Beginning = { id: string; writer: string; loaded: Notes; theirs: Notes | null }

/**
 * Keeps the text of a box as it is typed: a second after typing stops, and at once when it loses the focus; one
 * request at a time. One instance for each time that the form of a call's notes is on a screen.
 */
export class Autosave {
  saving: Saving
  readonly #id: string
  readonly #place: string
  #box: HTMLTextAreaElement | null = null
  #changed: (saving: Saving) => void = () => {}
  #asked: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ id, loaded, theirs, writer }: Beginning) {
    const before = latest.get(id)
    const known = before && before.version > loaded.version ? before : loaded
    this.saving = { status: theirs ? 'beaten' : 'kept', known, theirs, refused: null }
    this.#id = id
    this.#place = `${writer}/${id}`
  }

  /** Begins with the box on the screen; the answer ends it. */
  attach(box: HTMLTextAreaElement, changed: (saving: Saving) => void): () => void {
    this.#box = box
    this.#changed = changed
    this.#putBack(box)
    // Also what was written before hydration.
    if (this.saving.status === 'kept' && box.value !== this.saving.known.text) this.typed()
    const heard = [['online', this.keep] as const, ['pagehide', this.#sendOff] as const]
    for (const [name, hear] of heard) window.addEventListener(name, hear)
    window.addEventListener('beforeunload', this.#warn)
    return () => {
      clearTimeout(this.#timer)
      this.#sendOff()
      for (const [name, hear] of heard) window.removeEventListener(name, hear)
      window.removeEventListener('beforeunload', this.#warn)
    }
  }

  /** Something was typed. */
  typed = (): void => {
    if (['kept', 'refused'].includes(this.saving.status)) this.#become({ ...this.saving, status: 'changed' })
    this.#keepIn(rest)
  }

  /**
   * Asks the server now, if there is anything to keep: through its form's own `submit`, by which the page knows that
   * nothing typed waits in it.
   */
  keep = (): void => {
    clearTimeout(this.#timer)
    if (this.#isDue()) this.#box?.form?.requestSubmit()
  }

  /** What is asked with the form; null while an answer is awaited. */
  ask(form: HTMLFormElement): FormData | null {
    if (this.#asked !== null) return null
    this.#asked = this.#text()
    const sent = new FormData(form)
    sent.set('version', String(this.saving.known.version))
    return sent
  }

  /** Receives the answer to the last request; does nothing where none was made. */
  hear(answer: CallAnswer): void {
    const about = this.#asked
    if (about === null) return
    this.#asked = null
    this.#become(after(this.saving, keptIn(answer), about, this.#text()))
    if (this.saving.status === 'changed') this.#keepIn(rest)
    if (this.saving.status === 'unheard') this.#keepIn(retry)
  }

  /** Another user's newer notes replace what is here, if all of this user's are saved. */
  adopt(loaded: Notes): void {
    const { known, status } = this.saving
    if (loaded.version <= known.version || status !== 'kept' || this.#asked !== null) return
    if (this.#box) this.#box.value = loaded.text
    this.#become({ ...this.saving, known: loaded })
  }

  /** Resolves two concurrent edits: this user's text over the other's, or the other's instead. */
  decide(which: 'mine' | 'theirs'): void {
    const { theirs } = this.saving
    if (!theirs) return
    if (which === 'theirs' && this.#box) this.#box.value = theirs.text
    const status = this.#text() === theirs.text ? 'kept' : 'changed'
    this.#become({ status, known: theirs, theirs: null, refused: null })
    this.keep()
  }

  /**
   * What was being sent when the form last closed; if it did not arrive and another user wrote since, there are two.
   */
  #putBack(box: HTMLTextAreaElement) {
    const before = unsaved.get(this.#place)
    unsaved.delete(this.#place)
    const { known } = this.saving
    if (!before || before.text === known.text) return
    box.value = before.text
    if (before.version !== known.version) this.#become({ ...this.saving, status: 'beaten', theirs: known })
  }

  #text = () => this.#box?.value ?? this.saving.known.text
  #isDue = () => ['changed', 'unheard'].includes(this.saving.status) && this.#asked === null

  #become(saving: Saving) {
    this.saving = saving
    latest.set(this.#id, saving.known)
    this.#changed(saving)
  }

  #keepIn(wait: number) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.keep, wait)
  }

  /** The page, or the form, closes: what is not saved yet is sent, and the answer is not read. */
  #sendOff = () => {
    if (!this.#isDue()) return
    const notes = this.#text()
    const { version } = this.saving.known
    unsaved.set(this.#place, { text: notes, version })
    const body = new URLSearchParams({ move: 'notes', notes, version: String(version) })
    const path = appointmentPath('pending', { id: this.#id, service: 'videocall' })
    fetch(path, { method: 'POST', body, keepalive: true }).catch(() => undefined)
  }

  #warn = (event: Event) => {
    if (!['kept', 'changed'].includes(this.saving.status)) event.preventDefault()
  }
}

/** The page's state after an answer about `typed`; `now` is the text of the box by then. */
function after(saving: Saving, kept: Kept, typed: string, now: string): Saving {
  if (kept === 'unheard') return { ...saving, status: 'unheard' }
  if ('theirs' in kept) return { ...saving, status: 'beaten', theirs: kept.theirs }
  if ('refused' in kept) return { ...saving, status: 'refused', refused: kept.refused }
  const known = { text: typed, version: kept.version }
  return { status: now === typed ? 'kept' : 'changed', known, theirs: null, refused: null }
}
