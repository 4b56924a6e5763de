import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { type Control, fill, isBox, isChanged, isFormDirty, setTick } from '../../kit/form/dirty-forms.ts'
import {
  isAnyWaiting,
  isReloading,
  noteKept,
  reloadPage,
  resumeKeys,
  sentKeysOf,
  waitingForms,
  watchAnswers,
  watchUnsent,
} from '../../kit/form/unsent.ts'
import { isLost } from '../../kit/network.ts'
import {
  forgetKeptWords,
  type KeptField,
  type KeptForm,
  keepPageWords,
  keptPage,
  placeOfWords,
} from '../../offline/kept-words.ts'
import { useToast } from '../../ui/toaster.tsx'

type Who = {
  /** A hash of the person; empty for nobody. */
  owner: string
  /** That of their session. */
  marker: string
}
type Toast = ReturnType<typeof useToast>

/**
 * Keeps on the device what is typed in forms, until the server has accepted it: a reload, a closed tab or a session
 * that ends finds it, and the page is filled in again. Another user never gets it. It is deleted once its form was
 * accepted, its page was left with a network, the user signed out by the button, or after two weeks.
 */
export default function Drafts({ owner, marker }: Who): null {
  const { pathname, search } = useLocation()
  const place = placeOfWords(pathname + search)
  const toast = useToast()
  useEffect(() => forgetKeptWords(owner), [owner])
  useReturn({ owner, marker }, place)
  useLeft(owner, place, toast)
  useEffect(() => followPage({ owner, marker }, place, toast), [owner, marker, place, toast])
  return null
}

/** Keeps and puts back the words of one page; returns the function that stops it. */
function followPage({ owner, marker }: Who, place: string, toast: Toast): () => void {
  const typed = new Set(forms().filter(isFormDirty))
  const over = new AbortController()
  const on = (target: EventTarget, type: string, hear: (event: Event) => void, capture = false) =>
    target.addEventListener(type, hear, { signal: over.signal, capture })
  const write = (over?: HTMLFormElement) => keepTyped({ owner, marker }, place, typed, over)
  const keep = (event: Event) => {
    const form = event.isTrusted ? formAt(event.target) : undefined
    if (!form) return
    typed.add(form)
    write()
  }
  const keepWaiting = () => {
    const waiting = waitingForms().filter((form) => controlsOf(form).length > 0)
    if (waiting.length === 0) return
    for (const form of waiting) typed.add(form)
    if (write()) for (const form of waiting) noteKept(form)
  }
  // Some browsers fire only `change` for a list or a checkbox.
  for (const type of ['input', 'change']) on(document, type, keep)
  on(document, 'submit', ({ target }) => isSignOut(target) && forgetKeptWords(owner, true), true)
  const hasWords = () => forms().some((form) => typed.has(form) || isFormDirty(form))
  keepFromReloading(hasWords, over.signal)
  const hereFor = keepsHere(hasWords, toast)
  for (const type of ['click', 'mouseover', 'focusin', 'touchstart']) on(window, type, hereFor, true)
  const stops = [
    putBackOnce(() => keptPage(owner, place)?.forms ?? [], typed, write, toast),
    watchUnsent(keepWaiting),
    watchAnswers((form, isAccepted, session) => {
      if (!typed.has(form)) return
      // The cookie may be gone already when a form goes out: an answer to another session than the page's accepts nothing.
      const isOver = isAccepted && session === marker
      if (isOver) typed.delete(form)
      write(isOver ? form : undefined)
      if (isReloadDue && !isOfThisScreen(form)) reloadPage()
    }),
  ]
  // Typed before hydration, when no listener was here.
  if (typed.size > 0) write()
  keepWaiting()
  return () => {
    over.abort()
    for (const stop of stops) stop()
  }
}

/**
 * Keeps what is typed in these forms, with what is kept of forms that are not open now, except for one that is over;
 * answers whether there is room.
 */
function keepTyped(
  { owner, marker }: Who,
  place: string,
  typed: ReadonlySet<HTMLFormElement>,
  over?: HTMLFormElement,
): boolean {
  const before = keptPage(owner, place)
  const here = new Set(forms().map(nameOf))
  const now = [...typed].filter(({ isConnected }) => isConnected).map(wordsOf)
  if (over) here.add(namesOnPage.get(over) ?? '')
  const elsewhere = before?.forms.filter((one) => !here.has(`${one.which} ${one.nth}`)) ?? []
  const kept = [...now, ...elsewhere]
  // The address as it is now, with the day and hour; unless the screen is closing, and the next address is there already.
  const address = location.pathname + location.search
  const path = placeOfWords(address) === place ? address : place
  const stays = waitingForms().length > 0
  if (owner !== '') keepTab({ owner, marker, path })
  const page = kept.length > 0 ? { owner, path, at: Date.now(), stays, forms: kept } : null
  return keepPageWords(owner, place, page)
}

/**
 * Fills the page in again, once for each of its forms: those of a dialog when it opens, and again those that were
 * closed while they had no answer yet. Fields that were written in since, as before hydration, or that the browser filled
 * in again by itself, are left alone.
 */
function putBackOnce(
  kept: () => readonly KeptForm[],
  typed: Set<HTMLFormElement>,
  write: () => unknown,
  toast: Toast,
): () => void {
  const left = new Set(kept())
  const look = () => {
    let changed = 0
    let isNewer = false
    for (const one of [...left, ...kept().filter(({ keys }) => keys !== null)]) {
      const form = forms().find((form) => nameOf(form) === `${one.which} ${one.nth}`)
      if (!form) continue
      const isWritten = typed.has(form) || isFormDirty(form)
      if (!left.delete(one) && isWritten) continue
      const before = putBack(form, one, isWritten)
      if (before === 0) continue
      const isUnderWay = one.keys !== null && resumeKeys(form, [...one.keys])
      // Its own bar says that it waits.
      if (!isUnderWay) changed += before
      isNewer ||= one.version !== versionOf(form)
      typed.add(form)
      openAround(form)
      // Fields that depend on the first ones appear a frame later. A box that is ticked is kept at once, with the rest
      // of its form as it was then.
      requestAnimationFrame(() => {
        putBack(form, one, isWritten)
        write()
      })
    }
    if (changed === 0) return
    toast({ title: 'Recuperamos lo que escribiste', description: isNewer ? newer : 'Revísalo y envíalo.' })
  }
  look()
  document.addEventListener('focusin', look)
  return () => document.removeEventListener('focusin', look)
}

const newer = 'Esta página cambió desde entonces: revísalo con cuidado antes de enviarlo.'

/**
 * Without a network, or while a form waits for its server, a link would take the page away: the router loads the page
 * anew where it can't fetch the next one, already as a pointer comes near a link. Where a service worker has the pages,
 * links work.
 */
function keepsHere(hasWords: () => boolean, toast: Toast) {
  let pressed: HTMLAnchorElement | null = null
  return (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    const isOurs =
      link?.origin === location.origin && !link.target && !link.getAttribute('href')?.startsWith('#')
    const isCutOff = isLost() || isAnyWaiting()
    if (!isOurs || !isCutOff || navigator.serviceWorker?.controller) return
    if (event.type !== 'click') return event.stopPropagation()
    // A server that only this form can't reach keeps nobody here.
    if (navigator.onLine && pressed === link) return
    pressed = link
    event.preventDefault()
    event.stopPropagation()
    toast({
      variant: 'destructive',
      title: navigator.onLine ? 'No pudimos llegar al servidor' : 'Sin señal',
      description: `Esa página necesita señal.${hasWords() ? ' Lo que escribiste sigue aquí.' : ''}${navigator.onLine ? ' Tócala otra vez para salir de todos modos.' : ''}`,
    })
  }
}

/** The router wanted to load the page anew, and was kept from it. */
let isReloadDue = false

/**
 * Keeps the page where the router would load it anew: it does so where it can't fetch the script of another screen,
 * already as a pointer comes near a link, and without a server that is the end of the page. `isNeeded` says whether
 * there is anything on it. Browsers without this event lose the page; what was typed comes back.
 */
function keepFromReloading(isNeeded: () => boolean, signal: AbortSignal): void {
  const { navigation } = window as { navigation?: EventTarget }
  navigation?.addEventListener(
    'navigate',
    (event) => {
      const { navigationType, userInitiated } = event as Event & Record<string, unknown>
      if (navigationType !== 'reload' || userInitiated || isReloading || !isNeeded()) return
      event.preventDefault()
      isReloadDue = true
    },
    { signal },
  )
}

/** For another screen, whose script could not be loaded, the router waits for ever: then the reload is made after all. */
const isOfThisScreen = (form: HTMLFormElement) =>
  new URL(form.getAttribute('action') ?? '', location.href).pathname === location.pathname

/** The page that was left: without a network, or with a form that has no answer yet, its words stay. */
function useLeft(owner: string, place: string, toast: Toast): void {
  const last = useRef(place)
  useEffect(() => {
    const left = last.current
    last.current = place
    const page = left === place ? null : keptPage(owner, left)
    if (!page) return
    if (!page.stays && !isLost()) return void keepPageWords(owner, left, null)
    keepPageWords(owner, left, { ...page, stays: true })
    toast({
      title: 'Guardamos lo que escribiste',
      description: 'No se ha enviado: vuelve a esa página para enviarlo.',
    })
  }, [owner, place, toast])
}

/** After the same person signed in again in this tab: returns to the interrupted screen. */
function useReturn({ owner, marker }: Who, place: string): void {
  const idle = useNavigation().state === 'idle'
  const navigate = useNavigate()
  useEffect(() => {
    const tab = idle && owner !== '' ? keptTab() : null
    if (!tab || tab.owner !== owner || tab.marker === marker) return
    keepTab({ ...tab, marker })
    const there = placeOfWords(tab.path)
    if (there !== place && keptPage(owner, there)) void navigate(tab.path, { replace: true })
  }, [idle, owner, marker, place, navigate])
}

/** Where something was typed last in this tab, by whom, in which session. */
type Tab = Who & { path: string }

const tabItem = 'carga.typing'

function keptTab(): Tab | null {
  try {
    return JSON.parse(sessionStorage.getItem(tabItem) ?? 'null')
  } catch {
    return null
  }
}

function keepTab(tab: Tab): void {
  try {
    sessionStorage.setItem(tabItem, JSON.stringify(tab))
  } catch {
    // Full, or not allowed: then nobody is led back.
  }
}

const unkept = new Set(['password', 'hidden', 'file', 'submit', 'button', 'reset', 'image'])

/** The forms of the page that send something, but for those that keep what is typed by themselves. */
const forms = () => [
  ...document.querySelectorAll<HTMLFormElement>('form[method="post"]:not([data-kept-apart])'),
]

const formAt = (target: EventTarget | null) => forms().find((form) => form.contains(target as Node))
const isSignOut = (target: EventTarget | null) =>
  target instanceof HTMLFormElement && target.getAttribute('action') === '/signout'

const whichOf = ({ dataset }: HTMLFormElement) => dataset.form ?? ''
const nthOf = (form: HTMLFormElement) =>
  forms()
    .filter((other) => whichOf(other) === whichOf(form))
    .indexOf(form)
const nameOf = (form: HTMLFormElement) => `${whichOf(form)} ${nthOf(form)}`
/** As they were named when their words were kept: one that was closed since has no place on the page. */
const namesOnPage = new WeakMap<HTMLFormElement, string>()
const versionOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('input[type=hidden][name=version]')?.value ?? ''

/** Everything typed in a form, passwords, codes and files excepted. */
function wordsOf(form: HTMLFormElement): KeptForm {
  namesOnPage.set(form, nameOf(form))
  return {
    which: whichOf(form),
    nth: nthOf(form),
    version: versionOf(form),
    fields: controlsOf(form).map((control): KeptField => [control.name, control.value, tick(control)]),
    keys: sentKeysOf(form),
  }
}

/**
 * Puts back what was typed, in a form that was written in since only where nothing is written; answers how many fields
 * it changed. Fields that are no longer there are passed over.
 */
function putBack(form: HTMLFormElement, { fields }: KeptForm, isWritten: boolean): number {
  const controls = controlsOf(form)
  return fields.filter(([name, value, checked]) => {
    const named = controls.filter((control) => control.name === name)
    if (isWritten && named.some(isChanged)) return false
    const control = checked === null ? named[0] : named.find((box) => box.value === value)
    return control !== undefined && (checked === null ? fill(control, value) : setTick(control, checked))
  }).length
}

/** What folds a form away is opened: the words in it are to be seen. */
function openAround(form: HTMLFormElement): void {
  for (let fold = form.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
}

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter((element): element is Control => {
    const { autocomplete, name, type } = element as HTMLInputElement
    const isSecret = /password|contrase/i.test(name) || /^(one-time-code|cc-)/.test(autocomplete)
    return Boolean(name) && type !== undefined && !unkept.has(type) && !isSecret
  })

const tick = (control: Control) => (isBox(control) ? control.checked : null)
