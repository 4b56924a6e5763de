import { CircleAlert } from 'lucide-react'
import {
  type ComponentProps,
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Form as RouterForm, useActionData, useFormAction, useLocation, useNavigation } from 'react-router'
import { projectParam } from '../../projects/rules/homes.ts'
import { lowerFirst } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { BarLine, Button } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { useLinkAddress } from '../../ui/link.tsx'
import { randomId } from '../../ui/random-id.ts'
import { fieldId, fieldPlace, goTo, useJudged, wrongFields } from './judged-fields.ts'
import { Overtaken, TheirChanges, useMine, Versioned } from './overtaken.tsx'
import { isAnyWaiting, watchUnsent } from './unsent.ts'
import { UnsentBar, useRefusedHere } from './unsent-bar.tsx'

/** What comes back to a form that was not accepted: a message per wrong field, what was typed, or why not. */
export type FormResult = {
  errors: Partial<Record<string, string>>
  values: Partial<Record<string, string>>
  /** `atFields`: it says nothing that `errors` don't say. */
  refusal: { title: string; description: string; code?: string; details?: unknown; atFields?: boolean } | null
}

/** Which form of its screen it is, and its target where several of one kind are on it. */
type Which = {
  /** As the route's `forms` names it; several where each button sends its own. */
  intent?: string | readonly string[] | undefined
  /** The field that names the form, where that is not `intent`. */
  by?: 'move' | undefined
  /** Hidden fields that distinguish it from the others of its kind. */
  target?: Readonly<Record<string, string>> | undefined
}

type Shown = Which & {
  result: FormResult | undefined
  /** The beginning of the ids of its wrong fields. */
  id: string
  /** The wrong fields that were corrected since. */
  cured: readonly string[]
}

const ShownForm = createContext<Shown>({ result: undefined, id: '', cured: [] })

/** The refusal of one form of the screen, found by its intent and target; undefined where it was not refused. */
export function useFormResult(intent?: Which['intent'], target?: Which['target']): FormResult | undefined {
  const result = useScreenResult()
  return result && isOf({ intent, target }, result.values) ? result : undefined
}

/** The refusal of any form of the screen. */
function useScreenResult(): FormResult | undefined {
  const answer: unknown = useActionData()
  const isResult = typeof answer === 'object' && answer !== null && 'errors' in answer && 'values' in answer
  return isResult ? (answer as FormResult) : undefined
}

/** Whether these fields were sent by that form. */
const isOf = ({ intent, target = {} }: Which, sent: Readonly<Record<string, unknown>>) =>
  [intent].flat().includes((sent.intent ?? sent.move) as string | undefined) &&
  Object.entries(target).every(([name, value]) => sent[name] === value)

type FormProps = Omit<ComponentProps<typeof RouterForm>, 'target'> &
  Which & {
    result?: FormResult | undefined
    /**
     * The version that its fields are read with, where they show what is stored. It and its fields follow when another
     * person saves, and both values are shown of what both changed.
     */
    version?: number | undefined
  }

/**
 * A form that posts. With an intent or a target it finds its own answer; `result` gives it one. Its fields find
 * their error and typed value by name. An error is said once: at its field, whose first one gets the focus, and a
 * refusal of the whole form above its fields (docs/decisions/0098-forms-by-intent.md). The server
 * validates, in Spanish, so the browser's own bubbles are off.
 */
export function Form(props: FormProps) {
  const { intent, by, target, result: given, className, children, action, version, ...rest } = props
  const to = useFormAddress(action)
  const own = useFormResult(intent, target)
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const here = useRefusedHere<FormResult>(form)
  const result = given ?? here ?? (intent === undefined && target === undefined ? undefined : own)
  const { cured, standing, lost, judge } = useJudged(id, result, (names) => unsaid(result, names))
  const mine = useMine(form, version, result)
  return (
    <ShownForm value={{ intent, target, result, id, cured }}>
      <BarLine value={<WrongLine standing={standing} />}>
        <Versioned value={mine}>
          <RouterForm
            method="post"
            noValidate
            data-answered={result ? '' : undefined}
            data-follows={version === undefined ? undefined : ''}
            data-form={intent || target ? JSON.stringify([intent, target]) : undefined}
            {...rest}
            {...(to && { action: to })}
            ref={form}
            onInput={(event) => {
              judge(event)
              rest.onInput?.(event)
            }}
            onBlur={judge}
            className={classNames('grid grid-cols-1 gap-5', className)}
          >
            <FormHead form={form} lost={lost} mine={mine} result={result} version={version} />
            <FormName intent={intent} by={by} target={target} isKeyed={rest.method !== 'get'} />
            {children}
            {rest.method !== 'get' && <UnsentBar form={form} />}
          </RouterForm>
        </Versioned>
      </BarLine>
    </ShownForm>
  )
}

const FormName = ({ by, intent, isKeyed, target = {} }: Which & { isKeyed: boolean }) => (
  <>
    {isKeyed && <FormKey />}
    {typeof intent === 'string' && <input type="hidden" name={by ?? 'intent'} value={intent} />}
    {Object.entries(target).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
)

type HeadProps = Pick<FormProps, 'result' | 'version'> &
  Pick<RefusedProps, 'form' | 'lost'> & { mine: ReturnType<typeof useMine> }

/** What stands above the fields of a form, and the version that they were read with. */
const FormHead = ({ form, lost, mine, result, version }: HeadProps) => (
  <>
    {result && <Refused result={result} lost={lost} form={form} />}
    {mine && !result && <Overtaken form={form} of={mine} />}
    {version !== undefined && <input type="hidden" name="version" value={version} />}
  </>
)

type RefusedProps = {
  result: FormResult
  lost: readonly string[]
  form: RefObject<HTMLFormElement | null>
}

/** What is said above the fields: the refusal of the whole form, and errors that no field of it shows. */
function Refused({ form, lost, result }: RefusedProps) {
  const whole = [wholeOf(result), ...unsaid(result, lost).map((name) => result.errors[name])]
    .filter(Boolean)
    .join(' ')
  const links = useWrongLinks(result)
  const said = useRef<HTMLDivElement>(null)
  const isOvertaken = result.refusal?.code === 'aborted' && wrongFields(result).length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each answer that says it.
  useEffect(() => {
    bringIntoView(said.current)
    if (isOvertaken) said.current?.focus()
  }, [result])
  if (!whole && !links) return null
  return (
    <div
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript the page was loaded anew to say this.
      autoFocus
      ref={said}
      className={classNames('outline-none', !whole && 'hidden noscript:block')}
    >
      <Alert tone="bad" title={(whole && result.refusal?.title) || reviewTitle}>
        {whole}
        {isOvertaken && <TheirChanges form={form} of={result} />}
        {links}
      </Alert>
    </div>
  )
}

const reviewTitle = 'Revisa los datos'

const wholeOf = ({ refusal }: FormResult) => (refusal && !refusal.atFields ? refusal.description : null)

/** The wrong fields whose words are not those above the form. */
const unsaid = (result: FormResult | undefined, names: readonly string[]) =>
  result ? names.filter((name) => result.errors[name] !== wholeOf(result)) : []

/** Without JavaScript: every error of the form in one list, each a link to its field. */
function useWrongLinks(result: FormResult) {
  const { id } = useContext(ShownForm)
  const isHydrated = useHydrated()
  const names = unsaid(result, wrongFields(result))
  if (isHydrated || names.length === 0) return null
  return (
    <ul className="hidden noscript:grid">
      {names.map((name) => (
        <li key={name}>
          <a href={`#${fieldId(id, name)}`} className="inline-flex min-h-11 items-center underline">
            {result.errors[name]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The line of an action bar that names the first field to correct, and leads to it. */
function WrongLine({ standing }: { standing: readonly string[] }) {
  const { id, result } = useContext(ShownForm)
  const [name] = standing
  const error = name === undefined ? undefined : result?.errors[name]
  if (name === undefined || !error) return null
  const isLeftOut = !(result?.values[name] ?? result?.values[`${name}.sent`])
  return (
    <p data-wrong className="col-span-full text-[0.9375rem] font-medium text-bad lg:basis-full">
      <a
        href={`#${fieldId(id, name)}`}
        className="flex gap-1.5"
        onClick={(event) => {
          event.preventDefault()
          goTo(fieldPlace(id, name))
        }}
      >
        <CircleAlert aria-hidden className="mt-px size-4.5 shrink-0" />
        {isLeftOut ? `Falta: ${lowerFirst(error)}` : error}
      </a>
    </p>
  )
}

/** Where a form posts to: for a customer with several projects to the one of its page, also where its address names none. */
function useFormAddress(action: string | undefined): string | undefined {
  const here = useLinkAddress()
  const { pathname, search } = useLocation()
  if (action) return here(action)
  const own = pathname === '/' ? '/?index' : pathname + search
  const named = here(own)
  return named === own || new URLSearchParams(search).has(projectParam) ? undefined : named
}

/** Identifies this form as it is shown now: sent again because its answer was lost, it gets the same answer. */
function FormKey() {
  const { key: shown } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another for each answer that came.
  const value = useMemo(randomId, [shown])
  return <input type="hidden" name="formKey" value={value} suppressHydrationWarning />
}

type FormDetailsProps = FormProps & {
  summary: string
  /** Above the form. */
  intro?: React.ReactNode
  /** Open from the beginning. */
  open?: boolean
}

/** A form that opens in place, and is open when it comes back to be corrected. */
export function FormDetails({ summary, intro, open = false, className, ...form }: FormDetailsProps) {
  const result = useFormResult(form.intent, form.target)
  return (
    <Details summary={summary} open={open || result !== undefined} className={className}>
      {intro}
      <Form {...form} />
    </Details>
  )
}

/**
 * Shows, above a screen, the refusal of a form that is not on it any more, since another user was faster: otherwise
 * it would be shown nowhere. Until the page's script has checked, the style sheet hides it where a form shows its
 * own.
 */
export function OrphanedFormError() {
  const result = useScreenResult()
  const isHydrated = useHydrated()
  const [orphan, setOrphan] = useState<FormResult>()
  // Checked for each answer: a page without one has no answered form either.
  useEffect(() => setOrphan(document.querySelector('form[data-answered]') ? undefined : result))
  if (!result || (isHydrated && orphan !== result)) return null
  const { errors, refusal } = result
  // Until the script has checked, a form may say the same: the words would be on the page twice.
  const isOwn = isHydrated || (refusal && refusal.code !== 'invalid-argument')
  const description = refusal?.description ?? Object.values(errors)[0]
  return (
    <div
      role="alert"
      ref={bringIntoView}
      data-orphaned={isHydrated ? undefined : ''}
      className="[:root:has(form[data-answered])_&]:hidden"
    >
      <Alert tone="bad" title={refusal?.title ?? reviewTitle}>
        {isOwn ? description : 'Lo que enviaste ya no está en esta página.'}
      </Alert>
    </div>
  )
}

function bringIntoView(element: HTMLElement | null): void {
  // Newer browsers answer a promise, which React would take for what undoes an effect.
  element?.scrollIntoView({ block: 'nearest' })
}

/** The refusal of the surrounding form. */
export const useOwnResult = () => useContext(ShownForm).result

/** What was wrong with one field and is not corrected yet, what was typed, and the id by which its form finds it. */
export function useFieldResult(name: string) {
  const { cured, id, result } = useContext(ShownForm)
  const refused = result?.errors[name]
  return {
    error: cured.includes(name) ? undefined : refused,
    typed: result?.values[name],
    id: refused ? fieldId(id, name) : undefined,
  }
}

/** Whether the form comes back with an answer: boxes left empty then stay empty, whatever their first value was. */
export const useFormAnswered = () => useOwnResult() !== undefined

/** Whether the surrounding form is being sent; where it has no intent, any form of its action. */
function useIsSentHere(sent: FormData | undefined): boolean {
  const { intent, target } = useContext(ShownForm)
  return sent !== undefined && (intent === undefined || isOf({ intent, target }, Object.fromEntries(sent)))
}

type SubmitProps = Omit<Parameters<typeof Button>[0], 'type' | 'pending' | 'name' | 'value'> & {
  name?: string
  value?: string
}

/** An address whose query is spelled in one way: "?a" is "?a=". */
function plain(to: string): string {
  const [path, ...query] = to.split('?')
  return `${path}?${new URLSearchParams(query.join('?'))}`
}

/** The button that sends its form; while that form is being sent, the pressed button shows it. */
export function Submit({ formAction, name, value, ...rest }: SubmitProps) {
  const navigation = useNavigation()
  const given = typeof formAction === 'string' ? formAction : undefined
  const own = useFormAction(given)
  const named = useFormAddress(given)
  const isHere = plain(navigation.formAction ?? '') === plain(named ?? own)
  const sent = navigation.state !== 'idle' && isHere ? navigation.formData : undefined
  const isSentHere = useIsSentHere(sent)
  // What waits for the network can be pressed again.
  const waits = useSyncExternalStore(watchUnsent, isAnyWaiting, () => false)
  const pressed = isSentHere && !waits && (name === undefined || sent?.get(name) === value)
  return (
    <Button {...rest} type="submit" formAction={formAction} name={name} value={value} pending={pressed} />
  )
}
