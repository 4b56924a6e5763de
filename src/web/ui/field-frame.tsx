import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { useFieldResult } from './form.tsx'

/** What every kind of field takes. `error` replaces the form's own message. */
export type FieldProps = {
  label: ReactNode
  name: string
  help?: ReactNode | undefined
  error?: string | undefined
  /** May be left blank; 'unsaid' where that is plain, as in filters. */
  optional?: boolean | 'unsaid' | undefined
  className?: string | undefined
}

/** The look of a box to type in or choose from. */
export const controlClass =
  'block min-h-12 w-full rounded-control border border-edge bg-card px-3.5 py-2.5 text-base text-ink placeholder:text-mute lg:min-h-11 aria-invalid:border-bad aria-invalid:ring-1 aria-invalid:ring-bad disabled:bg-hover disabled:text-mute'

/** Ids, error and typed value of a field, and the attributes that tie its control to its words. */
export function useField({ name, help, error: own, optional }: Omit<FieldProps, 'label'>) {
  const id = useId()
  const { error: heard, typed, isFirst } = useFieldResult(name)
  const error = own ?? heard
  const describedBy = classNames(help ? `${id}-help` : null, error ? `${id}-error` : null)
  return {
    id,
    error,
    typed,
    /** Without JavaScript it is the browser that puts the focus on the first wrong field. */
    focus: isFirst ? { autoFocus: true } : {},
    described: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined },
    required: !optional,
  }
}

type FrameProps = Pick<FieldProps, 'label' | 'help' | 'optional' | 'className'> & {
  id: string
  error: string | undefined
  children: ReactNode
}

/** Label above, help and error below its control. */
export function FieldFrame({ id, label, help, error, optional, className, children }: FrameProps) {
  return (
    <div className={classNames('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
        {optional === true && <Optional />}
      </label>
      {children}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

export const Optional = () => <span className="font-normal text-mute"> (opcional)</span>

/** The lines under a control: how to fill it in, and what is wrong with it. */
export function FieldNotes({ id, help, error }: Pick<FrameProps, 'id' | 'help' | 'error'>) {
  return (
    <>
      {help && (
        <p id={`${id}-help`} className="text-sm text-mute">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm font-medium text-bad">
          <CircleAlert aria-hidden className="mt-px size-4.5 shrink-0" />
          {error}
        </p>
      )}
    </>
  )
}
