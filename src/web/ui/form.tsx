import { type ComponentProps, createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { Form as RouterForm, useActionData, useFormAction, useLocation, useNavigation } from 'react-router'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Details } from './card.tsx'
import { classNames } from './class-names.ts'
import { useHydrated } from './hydrated.ts'
import { useToast } from './toaster.tsx'

/** A random UUID. `crypto.randomUUID` is missing over plain HTTP, where at least the chat has to work. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  // Version 4 and variant 10, as RFC 9562 requires.
  const variant = '89ab'[bytes[8]! % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** What comes back to a form that was not accepted: a message per wrong field, what was typed, or why not. */
export type FormResult = {
  errors: Partial<Record<string, string>>
  values: Partial<Record<string, string>>
  refusal: { title: string; description: string; code?: string; details?: unknown } | null
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

type Shown = Which & { result: FormResult | undefined }

const ShownForm = createContext<Shown>({ result: undefined })

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
  Which & { result?: FormResult | undefined }

/**
 * A form that posts. With an intent or a target it finds its own answer; `result` gives it one. Its fields find
 * their error and typed value by name; a refusal is shown above them, and also as a toast. The server validates, in
 * Spanish, so the browser's own bubbles are off.
 */
export function Form({ intent, by, target, result: given, className, children, ...rest }: FormProps) {
  const own = useFormResult(intent, target)
  const result = given ?? (intent === undefined && target === undefined ? undefined : own)
  const form = useRef<HTMLFormElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const toast = useToast()
  useEffect(() => {
    if (!result) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (!result.refusal) return
    alert.current?.scrollIntoView({ block: 'nearest' })
    const { title, description } = result.refusal
    toast({ variant: 'destructive', title, description })
  }, [result, toast])
  return (
    <ShownForm value={{ intent, target, result }}>
      <RouterForm
        method="post"
        noValidate
        data-answered={result ? '' : undefined}
        {...rest}
        ref={form}
        className={classNames('grid grid-cols-1 gap-5', className)}
      >
        {result?.refusal && (
          <div ref={alert}>
            <Alert tone="bad" title={result.refusal.title}>
              {result.refusal.description}
            </Alert>
          </div>
        )}
        {rest.method !== 'get' && <FormKey />}
        {typeof intent === 'string' && <input type="hidden" name={by ?? 'intent'} value={intent} />}
        {Object.entries(target ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
      </RouterForm>
    </ShownForm>
  )
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
}

/** A form that opens in place, and is open when it comes back to be corrected. */
export function FormDetails({ summary, intro, className, ...form }: FormDetailsProps) {
  const result = useFormResult(form.intent, form.target)
  return (
    <Details summary={summary} open={result !== undefined} className={className}>
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
      ref={bringIntoView}
      data-orphaned={isHydrated ? undefined : ''}
      className="[:root:has(form[data-answered])_&]:hidden"
    >
      <Alert tone="bad" title={refusal?.title ?? 'Revisa los datos'}>
        {isOwn ? description : 'Lo que enviaste ya no está en esta página.'}
      </Alert>
    </div>
  )
}

const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** The refusal of the surrounding form. */
export const useOwnResult = () => useContext(ShownForm).result

/** The refusal of one field; `first` says that it is the one to correct first. */
export function useFieldResult(name: string) {
  const result = useOwnResult()
  const first = result && Object.keys(result.errors).find((field) => result.errors[field])
  return { error: result?.errors[name], typed: result?.values[name], isFirst: first === name }
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

/** The button that sends its form; while that form is being sent, the pressed button shows it. */
export function Submit({ formAction, name, value, ...rest }: SubmitProps) {
  const navigation = useNavigation()
  const own = useFormAction(typeof formAction === 'string' ? formAction : undefined)
  const sent = navigation.state !== 'idle' && navigation.formAction === own ? navigation.formData : undefined
  const isSentHere = useIsSentHere(sent)
  const pressed = isSentHere && (name === undefined || sent?.get(name) === value)
  return (
    <Button {...rest} type="submit" formAction={formAction} name={name} value={value} pending={pressed} />
  )
}
