import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import { mergeField, pickName, readName } from '../../shared/merging.ts'
import { later } from '../later.tsx'
import { fill, setTick } from './dirty-forms.ts'

/** What was sent, or stood in the boxes, when another person's save came: by name, with what the form had read. */
type Mine = Readonly<Partial<Record<string, string>>>

/** Undefined in a form without a version; null while no other save came. */
export const MineContext = createContext<Mine | null | undefined>(undefined)
export const Versioned = MineContext.Provider

const MergeNote = later(() => import('./merge-notes.tsx').then((part) => part.FieldNote))
export const TheirChanges = later(() => import('./merge-notes.tsx').then((part) => part.ChangesList))
/** Above a form that is being filled in: another person saved. */
export const Overtaken = later(() => import('./merge-notes.tsx').then((part) => part.OvertakenBar))

type Box = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
const boxIn = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as Box | null
const isTick = (box: Box): box is HTMLInputElement => box.type === 'checkbox'
const textIn = (box: Box) => (isTick(box) && !box.checked ? '' : box.value)
let isPutting = false
function put(box: Box, value: string, isLast = false): void {
  // What a list offers may depend on another box: it does once that one's change is drawn.
  if (box instanceof HTMLSelectElement && ![...box.options].some((one) => one.value === value)) {
    if (!isLast) queueMicrotask(() => put(box, value, true))
    return
  }
  isPutting = true
  if (isTick(box)) setTick(box, value !== '')
  else fill(box, value)
  isPutting = false
}

/** What the boxes of a form were drawn with, by name. */
const readIn = (form: HTMLFormElement) =>
  new Map(
    [...form.querySelectorAll<HTMLInputElement>('input[name$=".read"]')].map(({ name, value }) => [
      name.slice(0, -'.read'.length),
      value,
    ]),
  )

const textsIn = (form: HTMLFormElement) =>
  new Map(([...form.elements] as Box[]).map((box) => [box.name, textIn(box)]))

/** What a form read when it was sent, once its answer is there: it is answered once. */
export function useSent<Sent>(inside: RefObject<Element | null>, read: () => Sent): () => Sent | null {
  const { key } = useLocation()
  const sent = useRef<{ key: string; what: Sent } | null>(null)
  useEffect(() => {
    const form = inside.current?.closest('form')
    const note = () => {
      sent.current = { key, what: read() }
    }
    form?.addEventListener('submit', note)
    return () => form?.removeEventListener('submit', note)
  })
  return () => {
    const { current } = sent
    if (!current || current.key === key) return null
    sent.current = null
    return current.what
  }
}

type Answered = { values: Mine } | undefined

/**
 * Follows another person's saves in a form with a version: boxes that its user did not touch follow, the others keep
 * their text, and the form learns what it has to show both values of. After its own save the boxes show what is stored,
 * but for those that were written in meanwhile.
 */
export function useMine(
  form: RefObject<HTMLFormElement | null>,
  version: number | undefined,
  answer: Answered,
) {
  const { key } = useLocation()
  const read = useRef(new Map<string, string>())
  const takeSent = useSent(form, () => ({ version, texts: textsIn(form.current!) }))
  const [live, setLive] = useState<Mine | null>(null)
  useEffect(() => {
    const element = form.current
    element?.addEventListener('input', chooseOwn)
    return () => element?.removeEventListener('input', chooseOwn)
  }, [form])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each answer and version.
  useLayoutEffect(() => {
    if (!form.current || version === undefined) return
    const before = read.current
    read.current = readIn(form.current)
    const answered = takeSent()
    // Neither refused nor saved: another form of the page was answered.
    const sent = answered && (answer || answered.version !== version) ? answered.texts : null
    const mine = followed(form.current, before, read.current, answer ? null : sent)
    if (sent || mine) setLive((known) => mine && since(sent ? null : known, mine))
  }, [form, key, version, answer])
  if (version === undefined) return undefined
  return live ?? (answer && answer.values.version !== String(version) ? answer.values : null)
}

/** A save after another one: what was read before the first of them counts, and what was not touched since. */
function since(known: Mine | null, mine: Mine): Mine {
  if (!known) return mine
  const names = Object.keys(mine).filter((name) => !name.endsWith('.read'))
  const kept = names.map((name) => {
    const read = readName(name)
    const isUntouched = mine[name] === mine[read] && known[name] !== undefined
    return { [name]: isUntouched ? known[name] : mine[name], [read]: known[read] ?? mine[read] }
  })
  return Object.assign({}, ...kept) as Mine
}

/** What is typed after a choice is one's own. */
function chooseOwn({ target }: Event): void {
  const { form, name } = target as Box
  const pick = form?.elements.namedItem(pickName(name))
  if (pick instanceof RadioNodeList && !isPutting) pick.value = 'mine'
}

/**
 * Lets boxes follow what is stored; returns what stood in the form where another person changed some of it. `sent` are
 * the texts of its own save.
 */
function followed(
  form: HTMLFormElement,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  sent: ReadonlyMap<string, string> | null,
): Mine | null {
  const mine: Record<string, string> = {}
  let isTheirs = false
  for (const [name, stored] of now) {
    const box = boxIn(form, name)
    const was = before.get(name)
    if (!box || was === undefined) continue
    const text = textIn(box)
    // React has let a box follow that nobody ever wrote in.
    mine[name] = text === stored ? was : text
    mine[readName(name)] = was
    if (sent ? text === sent.get(name) : stored !== was && mine[name] === was) put(box, stored)
    isTheirs ||= !sent && stored !== was
  }
  return isTheirs ? mine : null
}

/** A field in a form with a version: what it shows, what it was read with, and what another person did to it. */
export function useMerged(
  name: string,
  stored: string | undefined,
  typed: string | undefined,
  words = (value: string) => value,
) {
  const mine = useContext(MineContext)
  if (mine === undefined || stored === undefined) return { shown: typed, read: null, note: null }
  const read = <input type="hidden" name={readName(name)} value={stored} />
  if (mine === null) return { shown: typed, read, note: null }
  const { change, shown, was } = mergeField(mine, name, stored)
  const choose = (form: HTMLFormElement, value: string) => {
    const box = boxIn(form, name)
    if (box) put(box, value)
  }
  const note = change !== 'none' && (
    <MergeNote
      name={name}
      isBoth={change === 'both'}
      values={{ was, stored, shown }}
      words={words}
      choose={choose}
    />
  )
  return { shown, read, note }
}
