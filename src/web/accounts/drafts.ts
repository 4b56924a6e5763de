import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { isFormDirty } from '../lib/dirty-forms.ts'
import { useToast } from '../ui/toaster.tsx'

type Who = {
  /** A hash of the person. */
  owner: string
  /** That of their session. */
  marker: string
}

/**
 * Keeps typed text in case the session ends. When the same person signs in again in this tab, the page returns to
 * that screen and restores it. Another user never gets it. It is deleted once the form was accepted, the user left
 * the screen, or the user signed out by the button.
 */
export default function Drafts(who: Who): null {
  useReturn(who)
  useAccepted()
  useKeeping(who)
  return null
}

/** Keeps the forms of this screen as they are typed in. */
function useKeeping({ owner, marker }: Who) {
  const { pathname, search } = useLocation()
  useEffect(() => {
    const typed = new Set(forms().filter(isFormDirty))
    // With the address of this screen: a field that loses the focus because the screen closes fires under the next
    // address.
    const write = () =>
      writeDraft({ owner, marker, path: pathname + search, returning: false, fields: typedIn(typed) })
    const keep = (event: Event) => {
      const form = event.isTrusted ? formOf(event) : undefined
      if (!form) return
      typed.add(form)
      write()
    }
    // Typed before hydration, when no listener was here.
    if (typed.size > 0 && !readDraft()) write()
    const leave = ({ target }: Event) => {
      if (target instanceof HTMLFormElement && target.getAttribute('action') === '/signout') writeDraft(null)
    }
    // Some browsers fire only `change` for a list or a checkbox.
    for (const type of ['input', 'change']) document.addEventListener(type, keep)
    document.addEventListener('submit', leave, true)
    return () => {
      for (const type of ['input', 'change']) document.removeEventListener(type, keep)
      document.removeEventListener('submit', leave, true)
    }
  }, [owner, marker, pathname, search])
}

/** A form that was sent and shows no answer was accepted. */
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

/** After the same person signed in again: returns to the interrupted screen, and restores what was typed in it. */
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
    // Fields that depend on the first ones appear a frame later.
    const rest = requestAnimationFrame(() => putBack(draft.fields))
    if (changed > 0) toast({ title: 'Recuperamos lo que escribiste', description: 'Revísalo y envíalo.' })
    return () => cancelAnimationFrame(rest)
  }, [idle, pathname, owner, marker, navigate, toast])
}

/** A field as it was typed: its form's place in the page, its name, its value, and whether a box was ticked. */
type DraftField = readonly [form: number, name: string, value: string, checked: boolean | null]

/** Text typed on one screen and not sent yet. `owner` and `marker` are hashes of the person and the session. */
type Draft = { owner: string; marker: string; path: string; returning: boolean; fields: DraftField[] }

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const key = 'carga.draft'
const unkept = new Set(['password', 'hidden', 'file', 'submit', 'button', 'reset', 'image'])

/** What was typed is kept for this tab only, and nowhere but in it. */
function readDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function writeDraft(draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Full, or not allowed: then there are no drafts.
  }
}

/** The forms of the screen that send something. */
const forms = () => [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]')]

/** Whether a sent form shows an answer: its values were not accepted. */
const isAnswered = () => forms().some((form) => form.dataset.answered !== undefined)

/** The form of a screen that an event happened in. */
const formOf = ({ target }: Event): HTMLFormElement | undefined =>
  target instanceof Element ? forms().find((form) => form.contains(target)) : undefined

/** Everything typed in these forms, passwords and codes excepted. */
const typedIn = (typed: ReadonlySet<HTMLFormElement>): DraftField[] =>
  forms().flatMap((form, at) =>
    typed.has(form)
      ? controlsOf(form).map((control): DraftField => [at, control.name, control.value, tick(control)])
      : [],
  )

/** Puts back what was typed; answers how many fields it changed. Fields that are no longer there are passed over. */
function putBack(fields: readonly DraftField[]): number {
  const controls = forms().map(controlsOf)
  return fields.filter(([at, name, value, checked]) => {
    const named = controls[at]?.filter((control) => control.name === name) ?? []
    const control = checked === null ? named[0] : named.find((box) => box.value === value)
    return control !== undefined && (checked === null ? write(control, value) : setTick(control, checked))
  }).length
}

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter((element): element is Control => {
    const { name, type, autocomplete } = element as HTMLInputElement
    const isSecret = /password|contrase/i.test(name) || autocomplete === 'one-time-code'
    return Boolean(name) && type !== undefined && !unkept.has(type) && !isSecret
  })

const isBox = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'
const tick = (control: Control) => (isBox(control) ? control.checked : null)

function setTick(control: Control, checked: boolean): boolean {
  if (!isBox(control) || control.checked === checked || (control.type === 'radio' && !checked)) return false
  control.click()
  return true
}

/** Writes as a person would: it fires the events that a screen which follows its fields listens to. */
function write(control: Control, value: string): boolean {
  if (control.value === value) return false
  const prototype = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
  return true
}
