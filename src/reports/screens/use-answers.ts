import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { isFormDirty } from '../../kit/form/dirty-forms.ts'
import type { Draft } from '../../offline/draft.ts'
import { judgeAnswer } from '../rules/answers.ts'
import { tooLongLoadTest } from '../rules/limits.ts'
import {
  askedAgain,
  countAsked,
  isAsked,
  missingAs,
  missingIn,
  progressOf,
  questionOf,
  sectionsOf,
  stillAsked,
} from '../rules/progress.ts'
import type { HouseLoad, Missing, Question, Section, Sheet, SheetKind } from '../rules/report.ts'
import { fieldsIn, type TypedLoad, typedFor } from './loads/typed-loads.ts'
import { reportSectionPath, sendValue } from './sheet-path.ts'

/** The form of a section, by which elements outside it refer to it. */
export const sectionFormId = 'preguntas'
const formOf = () => document.querySelector<HTMLFormElement>(`form#${sectionFormId}`)

type Problems = Readonly<Record<string, string>>
type HearQuestion = (question: Question, typed: unknown, left: boolean) => void

/** Keeps each valid answer as it is typed. Errors appear when a field loses the focus, never while the user types. */
export function useAnswers(draft: Draft, section: Section) {
  const [shown, setShown] = useState<Problems>({})
  const [heard, setHeard] = useState<ReadonlySet<string>>(new Set())
  const hear: HearQuestion = (question, typed, left) => {
    const { name } = question
    const judged = judgeAnswer(question, typed)
    setHeard((before) => (before.has(name) ? before : new Set(before).add(name)))
    if ('message' in judged) {
      const { message } = judged
      const show = () =>
        setShown((before) => (left || name in before ? { ...before, [name]: message } : before))
      if (left) afterTap(show)
      else show()
      return keepUnfinished(draft, question, typed)
    }
    setShown(({ [name]: _, ...others }) => others)
    // Each value of a measurement stays: it is one once its field is left.
    if (question.measured && !left && judged.value !== null) return draft.keep(name, typed as string)
    if (!isSame(judged.value, draft.answers[name])) draft.write(name, judged.value)
    else if (name in draft.typed) draft.keep(name, null)
  }
  useEarlyAnswers(section, hear)
  const settle = useMeasured(draft, section, hear)
  // What was left unfinished another time shows its error at once.
  const unfinished = unfinishedIn(section.questions, draft)
  const messages = (some: typeof unfinished) =>
    Object.fromEntries(some.map(({ message, name }) => [name, message]))
  const left = unfinished.filter(({ name }) => !heard.has(name))
  // What was finished since, as by the tap that took the focus away, is no problem any more.
  const standing = Object.entries(shown).filter(([name]) => unfinished.some((one) => one.name === name))
  return {
    problems: { ...messages(left), ...Object.fromEntries(standing) },
    unfinished,
    reveal: () => setShown(messages(unfinished)),
    settle,
    hear,
  }
}

/** Writes measurements that were typed and left: before the page went, by a link, or by the function it returns. */
function useMeasured(draft: Draft, section: Section, hear: HearQuestion) {
  const settle = (isLeft = (_: string) => true) => {
    for (const question of section.questions) {
      const typed = draft.typed[question.name]
      if (!question.measured || typed === undefined || !isLeft(question.name)) continue
      if ('value' in judgeAnswer(question, typed)) hear(question, typed, true)
    }
  }
  useEffect(() => settle((name) => document.activeElement?.getAttribute('name') !== name))
  return settle
}

/** Runs once no finger is down: what moved between a press and its release would be missed. */
function afterTap(run: () => void) {
  setTimeout(() => (document.querySelector(':active') ? afterTap(run) : run()), 50)
}

/** Typed text that is no answer stays on this phone; of a list, the complete rows are an answer already. */
function keepUnfinished(draft: Draft, question: Question, typed: unknown): void {
  const { kind, name } = question
  if (kind !== 'loads') {
    draft.keep(name, typeof typed === 'string' ? typed : null)
    return
  }
  const rows = typed as readonly TypedLoad[]
  const boxes = rows.map(({ name, quantity, watts }) => ({ name, quantity, watts }))
  const complete = rows.flatMap((row) => {
    const judged = judgeAnswer(question, [row])
    return 'value' in judged && Array.isArray(judged.value) ? (judged.value as readonly HouseLoad[]) : []
  })
  const value = complete.length > 0 ? complete : null
  if (isSame(value, draft.answers[name])) draft.keep(name, boxes)
  else draft.write(name, value, boxes)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** What was answered before hydration, when no listener was here. */
function useEarlyAnswers(section: Section, hear: HearQuestion) {
  const early = useRef(true)
  useEffect(() => {
    const form = formOf()
    if (!early.current || !form) return
    early.current = false
    if (!isFormDirty(form)) return
    const sent = fieldsIn(form)
    const at = document.activeElement?.getAttribute('name')?.split('.')[0]
    for (const question of section.questions) hear(question, typedFor(question, sent), question.name !== at)
  })
}

type GoOn = Pick<ReturnType<typeof useAnswers>, 'unfinished' | 'reveal' | 'settle'> & {
  kind: SheetKind
  send: () => void
  /** Says in the bar what has to be done first; null once nothing has. */
  say: (words: string | null) => void
}

/** Opens another section without asking the server; errors here, or a pending decision, are said and shown first. */
export function useGoOn({ kind, reveal, say, send, settle, unfinished }: GoOn) {
  const navigate = useNavigate()
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    settle()
    const { submitter } = event.nativeEvent as SubmitEvent
    const [wrong] = unfinished
    if (wrong) {
      // Its message is there before it is scrolled to.
      flushSync(() => {
        reveal()
        say(`Primero corrige «${questionOf(kind, wrong.name)?.label ?? wrong.name}».`)
      })
      return focusOn(wrong.name)
    }
    // A photo that is neither kept nor taken again would be lost.
    const undecided = document.querySelector<HTMLElement>('[data-undecided]')
    if (undecided) {
      say(`Primero decide la foto «${undecided.dataset.undecided}»: toma otra, o di por qué usas esta.`)
      return focusIn(undecided)
    }
    say(null)
    if (!(submitter instanceof HTMLButtonElement)) return
    if (submitter.value === sendValue) return send()
    void navigate(reportSectionPath(submitter.value))
  }
}

/** Puts the focus on the field, the photo or the list of this name, and scrolls its notes into view. */
export const focusOn = (name: string) => focusIn(document.getElementById(name))

function focusIn(place: HTMLElement | null) {
  for (const folded of place?.querySelectorAll('details') ?? []) folded.open = true
  place?.querySelector<HTMLElement>('a, input:not([type=hidden]), select, textarea, button')?.focus()
  place?.scrollIntoView({ block: 'nearest' })
}

/** Enter moves to the next field, as a phone's key for it says; only a button leaves the section. */
export function goOnByEnter(event: React.KeyboardEvent<HTMLFormElement>) {
  const { currentTarget: form, key, target } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const boxes = [...form.querySelectorAll<HTMLElement>('input:not([type=hidden]), select, textarea')]
  boxes
    .slice(boxes.indexOf(target) + 1)
    .find((box) => box.checkVisibility())
    ?.focus()
}

/** A report as far as it is filled in; `moves`: the steps made on this phone. */
type Filling = Pick<Draft, 'answers' | 'files' | 'typed'> & Partial<Pick<Draft, 'moves'>>

/** Why the minutes of a load test can't be true, by when the work began, here or by the server; else null. */
export function tooLongIn({ startedAt }: Sheet, { answers, moves = [] }: Filling): string | null {
  const started = startedAt ?? moves.find(({ move }) => move === 'start')?.at
  return tooLongLoadTest(answers, started ? new Date(started) : null, new Date())
}

/** Everything that keeps a report from being sent: what is missing, and what was asked for again and not given again. */
export function stillMissing(sheet: Sheet, draft: Filling): Missing[] {
  const { kind, redo } = sheet
  const tooLong = tooLongIn(sheet, draft)
  const missing = missingIn(kind, draft.answers, filledSlots(draft))
  const isNew = ({ name }: { name: string }) => !missing.some((one) => one.name === name)
  const unfinished = unfinishedIn(
    sectionsOf[kind].flatMap(({ questions }) => questions),
    draft,
  ).filter(isNew)
  const again = stillAsked(kind, redo, draft.answers).filter((name) => isNew({ name }))
  return [
    ...missing,
    ...unfinished.map(({ message, name }) => missingAs(kind, name, message)),
    ...askedAgain(kind, again),
    ...(tooLong ? [missingAs(kind, 'loadTestMinutes', tooLong)] : []),
  ]
}

/** How much of a report is done, from 0 to 100; below 100 while something was asked for again. */
export function progressIn({ kind, redo }: Sheet, draft: Pick<Draft, 'answers' | 'files'>): number {
  const progress = progressOf(kind, draft.answers, filledSlots(draft))
  return stillAsked(kind, redo, draft.answers).length > 0 ? Math.min(progress, 99) : progress
}

/** How much of a report is missing, in words: "Faltan 43 de 45"; null once nothing is. */
export function leftWords(sheet: Sheet, draft: Filling): string | null {
  const missing = stillMissing(sheet, draft).length
  const wanted = Math.max(countAsked(sheet.kind, draft.answers), missing)
  return missing === 0 ? null : `${missing === 1 ? 'Falta' : 'Faltan'} ${missing} de ${wanted}`
}

/** The slots that have a picture, here or on the server; a refused one does not count. */
export const filledSlots = ({ files }: Pick<Draft, 'files'>): ReadonlySet<string> =>
  new Set(files.filter(({ status }) => status !== 'refused').map(({ slot }) => slot))

/** The questions whose boxes hold text that is no answer yet, each with the reason. */
const unfinishedIn = (
  questions: readonly Question[],
  { answers, typed }: Pick<Draft, 'answers' | 'typed'>,
): { name: string; message: string }[] =>
  questions.flatMap((question) => {
    const { name } = question
    if (!(name in typed) || !isAsked(question, answers)) return []
    const judged = judgeAnswer(question, typed[name])
    return 'message' in judged ? [{ name, message: judged.message }] : []
  })
