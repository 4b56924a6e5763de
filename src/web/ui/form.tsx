import { type ComponentProps, createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { Form as RouterForm, useLocation } from 'react-router'
import { Alert } from './alert.tsx'
import { classNames } from './class-names.ts'
import { randomId } from './random-id.ts'
import { useToast } from './toaster.tsx'

/** What a form hears back when it was not accepted: a message per wrong field, what was typed, or why not. */
export type FormResult = {
  errors: Partial<Record<string, string>>
  values: Partial<Record<string, string>>
  refusal: { title: string; description: string } | null
}

const Result = createContext<FormResult | undefined>(undefined)

type FormProps = ComponentProps<typeof RouterForm> & { result?: FormResult | undefined }

/**
 * A form that posts. Its fields find their own error and typed value in `result`, by name; a refusal stands above
 * them, and also comes as a toast. The server judges, in Spanish, so the browser's own bubbles are off.
 */
export function Form({ result, className, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const toast = useToast()
  useEffect(() => {
    if (!result) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (!result.refusal) return
    alert.current?.scrollIntoView({ block: 'nearest' })
    toast({ variant: 'destructive', ...result.refusal })
  }, [result, toast])
  return (
    <Result value={result}>
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
        {children}
      </RouterForm>
    </Result>
  )
}

/** Tells this form, as it is shown now, from every other: sent again because its answer was lost, it is answered the same. */
function FormKey() {
  const { key: shown } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another for each answer that was heard.
  const value = useMemo(randomId, [shown])
  return <input type="hidden" name="formKey" value={value} suppressHydrationWarning />
}

/** What the form heard back about one field; `first` says that it is the one to correct first. */
export function useFieldResult(name: string) {
  const result = useContext(Result)
  const first = result && Object.keys(result.errors).find((field) => result.errors[field])
  return { error: result?.errors[name], typed: result?.values[name], isFirst: first === name }
}

/** Whether the form comes back with an answer: boxes left empty then stay empty, whatever their first value was. */
export const useFormAnswered = () => useContext(Result) !== undefined
