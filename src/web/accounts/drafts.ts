import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { isTouched } from '../lib/touched.ts'
import { useToast } from '../ui/toaster.tsx'
import { formOf, forms, isAnswered, putBack, readDraft, typedIn, writeDraft } from './draft.ts'

type Who = {
  /** A hash of the person. */
  owner: string
  /** That of their session. */
  marker: string
}

/**
 * Keeps what is being typed, in case the session ends meanwhile: when the same person signs in again in this tab, they
 * come back to that screen and find it. For anybody else it is thrown away, and so it is once the form was accepted,
 * the screen left, or the session ended by its own button.
 */
export function useDrafts(who: Who): void {
  useReturn(who)
  useAccepted()
  useKeeping(who)
}

/** Keeps the forms of this screen as they are typed in. */
function useKeeping({ owner, marker }: Who) {
  const { pathname, search } = useLocation()
  useEffect(() => {
    const typed = new Set(forms().filter(isTouched))
    // As this screen has it: a field that loses the focus because the screen goes away says so under the next address.
    const write = () =>
      writeDraft({ owner, marker, path: pathname + search, returning: false, fields: typedIn(typed) })
    const keep = (event: Event) => {
      const form = event.isTrusted ? formOf(event) : undefined
      if (!form) return
      typed.add(form)
      write()
    }
    // Written before this page was taken over, when nothing was listening here.
    if (typed.size > 0 && !readDraft()) write()
    const leave = ({ target }: Event) => {
      if (target instanceof HTMLFormElement && target.getAttribute('action') === '/signout') writeDraft(null)
    }
    // A choice in a list or a box is told by `change` only, in some browsers.
    for (const type of ['input', 'change']) document.addEventListener(type, keep)
    document.addEventListener('submit', leave, true)
    return () => {
      for (const type of ['input', 'change']) document.removeEventListener(type, keep)
      document.removeEventListener('submit', leave, true)
    }
  }, [owner, marker, pathname, search])
}

/** A form that was sent and does not stand there with an answer was accepted. */
function useAccepted() {
  const { state, formMethod } = useNavigation()
  const sent = useRef(false)
  useEffect(() => {
    if (formMethod === 'POST') sent.current = true
    if (state !== 'idle' || !sent.current) return
    sent.current = false
    if (!isAnswered()) writeDraft(null)
  }, [state, formMethod])
}

/** After the same person signed in again: back to the screen that was interrupted, and what was typed into its fields. */
function useReturn({ owner, marker }: Who) {
  const { pathname } = useLocation()
  const idle = useNavigation().state === 'idle'
  const navigate = useNavigate()
  const toast = useToast()
  const first = useRef(true)
  useEffect(() => {
    if (!idle) return
    const isFirst = first.current
    first.current = false
    const draft = readDraft()
    if (!draft) return
    const isHere = new URL(draft.path, location.href).pathname === pathname
    const isInterrupted = draft.marker !== marker || draft.returning
    if (draft.owner !== owner) return writeDraft(null)
    if (!isInterrupted) return isFirst || !isHere ? writeDraft(null) : undefined
    if (!isHere && draft.returning) return writeDraft(null)
    writeDraft({ ...draft, marker, returning: !isHere })
    if (!isHere) return void navigate(draft.path, { replace: true })
    const changed = putBack(draft.fields)
    // What the first fields bring with them is there a moment later.
    const rest = requestAnimationFrame(() => putBack(draft.fields))
    if (changed > 0) toast({ title: 'Recuperamos lo que escribiste', description: 'Revísalo y envíalo.' })
    return () => cancelAnimationFrame(rest)
  }, [idle, pathname, owner, marker, navigate, toast])
}
