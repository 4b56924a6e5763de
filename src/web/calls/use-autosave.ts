import { type FormEvent, type RefObject, useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import type { Notes } from '../../server/calls/notes.ts'
import { Autosave } from './autosave.ts'
import type { CallAnswer } from './kept.ts'

type Wish = { id: string; writer: string; notes: Notes; beatenBy: Notes | null }

/**
 * The notes of a call kept as they are typed in a box. `notes` are what the screen was last answered, `beatenBy` is what a
 * form sent without JavaScript heard.
 */
export function useAutosave(box: RefObject<HTMLTextAreaElement | null>, wish: Wish) {
  const { data, state, submit } = useFetcher<CallAnswer>()
  const [autosave] = useState(() => new Autosave({ ...wish, loaded: wish.notes, theirs: wish.beatenBy }))
  const [saving, setSaving] = useState(autosave.saving)
  useEffect(() => {
    if (box.current) return autosave.attach(box.current, setSaving)
  }, [autosave, box])
  useEffect(() => {
    if (state === 'idle') autosave.hear(data)
  }, [autosave, data, state])
  useEffect(() => autosave.adopt(wish.notes), [autosave, wish.notes])
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = autosave.ask(event.currentTarget)
    // Nothing else on the page follows from it, and a refresh that finds no network would take the screen away.
    if (form) void submit(form, { method: 'post', defaultShouldRevalidate: false })
  }
  return { autosave, saving, send }
}
