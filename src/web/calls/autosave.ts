import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { appointmentPath } from '../../domain/appointment-path.ts'
import type { Notes } from '../../server/calls/notes.ts'
import { type CallAnswer, type Kept, keptIn } from './kept.ts'

/** How long after the last key notes are kept, and how long after a failure it is tried again, in milliseconds. */
const rest = 1_000
const retry = 5_000

export type Saving = {
  /** `unheard`: no answer came, and it is tried again. `beaten`: somebody else wrote, and one's own wait for a decision. */
  status: 'kept' | 'changed' | 'unheard' | 'beaten' | 'refused'
  /** What the server has, as far as this page knows. */
  known: Notes
  theirs: Notes | null
  refused: string | null
}

/** What this page last kept of each call: its screen is not read anew for that, and its form comes and goes with the room. */
const latest = new Map<string, Notes>()
const newer = (one: Notes, other: Notes | undefined) => (other && other.version > one.version ? other : one)

/** Sends what is not kept yet on its way while the page, or its form, goes: nobody is left to hear the answer. */
function sendOff(id: string, { known }: Saving, notes: string): void {
  const body = new URLSearchParams({ move: 'notes', notes, version: String(known.version) })
  void fetch(appointmentPath('pending', { id, service: 'videocall' }), {
    method: 'POST',
    body,
    keepalive: true,
  })
}

/** What the page knows after an answer about `typed`; `now` is what stands in the box by then. */
function after(saving: Saving, kept: Kept, typed: string, now: string): Saving {
  if (kept === 'unheard') return { ...saving, status: 'unheard' }
  if ('theirs' in kept) return { ...saving, status: 'beaten', theirs: kept.theirs }
  if ('refused' in kept) return { ...saving, status: 'refused', refused: kept.refused }
  const known = { text: typed, version: kept.version }
  return { status: now === typed ? 'kept' : 'changed', known, theirs: null, refused: null }
}

/**
 * Keeps the text of a box as it is typed: a second after typing stops, and at once when it loses the focus; one question at
 * a time. `loaded` is what the screen was last answered; `beatenBy` what a form sent without JavaScript heard.
 */
export function useAutosave(
  box: RefObject<HTMLTextAreaElement | null>,
  { id, beatenBy, notes: loaded }: { id: string; notes: Notes; beatenBy: Notes | null },
) {
  const fetcher = useFetcher<CallAnswer>()
  const [saving, setSaving] = useState<Saving>(() => ({
    ...{ status: beatenBy ? 'beaten' : 'kept', known: newer(loaded, latest.get(id)) },
    ...{ theirs: beatenBy, refused: null },
  }))
  const now = useRef(saving)
  const asked = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const become = useCallback(
    (next: Saving) => {
      now.current = next
      latest.set(id, next.known)
      setSaving(next)
    },
    [id],
  )
  const text = useCallback(() => box.current?.value ?? now.current.known.text, [box])

  const keep = useCallback(() => {
    clearTimeout(timer.current)
    const isDue = ['changed', 'unheard'].includes(now.current.status)
    // Through its form's own `submit`, by which the page knows that nothing typed waits in it.
    if (isDue && asked.current === null) box.current?.form?.requestSubmit()
  }, [box])
  const keepIn = useCallback(
    (wait: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(keep, wait)
    },
    [keep],
  )

  const typed = useCallback(() => {
    if (['kept', 'refused'].includes(now.current.status)) become({ ...now.current, status: 'changed' })
    keepIn(rest)
  }, [become, keepIn])

  const { submit } = fetcher
  const send = useCallback(
    (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (asked.current !== null) return
      const form = new FormData(event.currentTarget)
      form.set('version', String(now.current.known.version))
      asked.current = text()
      // Nothing else on the page follows from it, and a refresh that finds no network would take the screen away.
      void submit(form, { method: 'post', defaultShouldRevalidate: false })
    },
    [submit, text],
  )

  const { data, state } = fetcher
  useEffect(() => {
    if (state !== 'idle' || asked.current === null) return
    const about = asked.current
    asked.current = null
    become(after(now.current, keptIn(data), about, text()))
    if (now.current.status === 'changed') keepIn(rest)
    if (now.current.status === 'unheard') keepIn(retry)
  }, [data, state, become, keepIn, text])

  // Somebody else's newer notes take the place of what was here, if nothing of one's own is missing in them.
  useEffect(() => {
    const { known, status } = now.current
    if (loaded.version <= known.version || status !== 'kept' || asked.current !== null) return
    if (box.current) box.current.value = loaded.text
    become({ ...now.current, known: loaded })
  }, [loaded, box, become])

  useEffect(() => {
    // Written before this page was taken over.
    if (now.current.status === 'kept' && text() !== now.current.known.text) typed()
    const warn = (event: Event) => {
      if (!['kept', 'changed'].includes(now.current.status)) event.preventDefault()
    }
    const written = box.current
    const flush = () => {
      const isDue = ['changed', 'unheard'].includes(now.current.status) && asked.current === null
      if (isDue && written) sendOff(id, now.current, written.value)
    }
    window.addEventListener('online', keep)
    window.addEventListener('pagehide', flush)
    window.addEventListener('beforeunload', warn)
    return () => {
      clearTimeout(timer.current)
      flush()
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('online', keep)
      window.removeEventListener('beforeunload', warn)
    }
  }, [box, id, keep, text, typed])

  /** Ends what two wrote at once: one's own words over theirs, or theirs instead. */
  const decide = (which: 'mine' | 'theirs') => {
    const { theirs } = now.current
    if (!theirs) return
    if (which === 'theirs' && box.current) box.current.value = theirs.text
    const status = text() === theirs.text ? 'kept' : 'changed'
    become({ status, known: theirs, theirs: null, refused: null })
    keep()
  }

  return { saving, typed, keep, send, decide }
}
