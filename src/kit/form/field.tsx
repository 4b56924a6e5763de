import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { useFieldResult, useFormAnswered } from './form.tsx'
import { useMerged } from './overtaken.tsx'

type InputProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'required'>

/** A box for one line of text. What was typed comes back after a refusal, passwords excepted. */
export function Field({ defaultValue, stored = defaultValue, ...props }: InputProps) {
  const isKept = props.type !== 'password' && props.type !== 'file'
  const [frame, control, shown] = useFramed({ ...props, stored: isKept ? (stored ?? '') : undefined })
  return (
    <FieldFrame {...frame}>
      <input
        {...control}
        defaultValue={shown ?? defaultValue}
        className={classNames(
          controlClass,
          '[&:read-only:not([type=file])]:bg-hover file:mr-3 file:font-semibold',
        )}
      />
    </FieldFrame>
  )
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps | 'id' | 'required'>

/** A box for several lines; it grows with its text where the browser can. */
export function TextArea({ defaultValue = '', ...props }: TextAreaProps) {
  const [frame, control, shown] = useFramed({ ...props, stored: defaultValue })
  return (
    <FieldFrame {...frame}>
      <textarea
        rows={3}
        {...control}
        defaultValue={shown ?? defaultValue}
        className={classNames(controlClass, 'field-sizing-content min-h-24 lg:min-h-24 read-only:bg-hover')}
      />
    </FieldFrame>
  )
}

/** What every kind of field takes. `error` replaces the form's own message. */
export type FieldProps = {
  label: ReactNode
  name: string
  help?: ReactNode | undefined
  error?: string | undefined
  /** May be left blank; 'unsaid' where that is plain, as in filters. */
  optional?: boolean | 'unsaid' | undefined
  className?: string | undefined
  /** Its error takes the place of its help: nothing below it moves. */
  steady?: boolean | undefined
  /** What is stored, where its first value follows what is typed. */
  stored?: ComponentProps<'input'>['defaultValue'] | boolean
}

/** The look of a box to type in or choose from. */
export const controlClass =
  'block min-h-12 w-full rounded-control border border-edge bg-card px-3.5 py-2.5 text-base text-ink placeholder:text-mute lg:min-h-11 aria-invalid:border-bad aria-invalid:ring-1 aria-invalid:ring-bad disabled:bg-hover disabled:text-mute'

type UseFieldProps = Omit<FieldProps, 'label'> & {
  /** A stored value as a user reads it. */
  words?: ((value: string) => string) | undefined
}

/**
 * Ids, error and typed value of a field, and the attributes that tie its control to its words. Where it shows what is
 * `stored`, its control starts with `shown`, and `merging` stands beside it.
 */
export function useField({ name, help, error: own, optional, stored, words }: UseFieldProps) {
  const fallback = useId()
  const { error: heard, typed, id = fallback } = useFieldResult(name)
  const { note, read, shown } = useMerged(name, stored === undefined ? undefined : `${stored}`, typed, words)
  const error = own ?? heard
  const describedBy = classNames(
    help ? `${id}-help` : null,
    error ? `${id}-error` : null,
    note && `${id}-merge`,
  )
  return {
    id,
    error,
    typed,
    shown,
    merging: read && (
      <div id={`${id}-merge`} className={note ? undefined : 'hidden'}>
        {read}
        {note}
      </div>
    ),
    described: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined },
    required: !optional,
  }
}

/** A field with its label above: what its frame takes, what its control takes, and what it shows at first. */
function useFramed<Props extends FieldProps & UseFieldProps>({
  label,
  help,
  error: own,
  optional,
  className,
  steady,
  stored,
  words,
  ...rest
}: Props) {
  const { described, error, id, merging, required, shown } = useField({
    name: rest.name,
    help,
    error: own,
    optional,
    stored,
    words,
  })
  const frame = { id, label, help, error, optional, className, steady, merging }
  return [frame, { ...rest, ...described, id, required }, shown] as const
}

type FrameProps = Pick<FieldProps, 'label' | 'help' | 'optional' | 'className' | 'steady'> & {
  id: string
  error: ReactNode
  merging?: ReactNode
  children: ReactNode
}

/** Label above, help and error below its control. */
export function FieldFrame(props: FrameProps) {
  const { id, label, help, error, optional, className, steady, merging, children } = props
  return (
    <div className={classNames('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
        {optional === true && <Optional />}
      </label>
      {children}
      {merging}
      <FieldNotes id={id} help={help} error={error} steady={steady} />
    </div>
  )
}

export const Optional = () => <span className="font-normal text-mute"> (opcional)</span>

type ReasonNoteProps = Pick<TextAreaProps, 'name' | 'help' | 'maxLength'> & { label: string }

/** A note that one reason alone needs: the last of the list, "Otro motivo". */
export const ReasonNote = ({ label, ...props }: ReasonNoteProps) => (
  <TextArea
    {...props}
    label={
      <>
        {label}
        <span className="font-normal text-mute"> (hace falta si eliges «Otro»)</span>
      </>
    }
    optional="unsaid"
  />
)

type NotesProps = Pick<FrameProps, 'id' | 'help' | 'error' | 'steady'>

/** Of two notes the second takes the place of the first, which keeps its room. */
export const steadyClass = 'grid *:[grid-area:1/1] [&>:not(:last-child)]:invisible'

/** The lines under a control: how to fill it in, and what is wrong with it. */
export function FieldNotes({ id, help, error, steady }: NotesProps) {
  return (
    <div className={steady ? steadyClass : 'contents'}>
      {help && (
        <p id={`${id}-help`} className="text-sm text-mute">
          {help}
        </p>
      )}
      {error && <FieldError id={id} error={error} />}
    </div>
  )
}

/** What is wrong with a field. */
export const FieldError = ({ id, error }: Pick<FrameProps, 'id' | 'error'>) => (
  <p id={`${id}-error`} className="flex gap-1.5 text-sm font-medium text-bad">
    <CircleAlert aria-hidden className="mt-px size-4.5 shrink-0" />
    <span className="wrap-anywhere">{error}</span>
  </p>
)

export type Option = { value: string; label: string; disabled?: boolean }

/** Options under a heading of their own. */
export type OptionGroup = { label: string; options: readonly Option[] }

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, keyof FieldProps | 'id' | 'required' | 'children' | 'defaultValue'> & {
    options: readonly (Option | OptionGroup)[]
    /** The first, empty option, for a choice not made yet. */
    placeholder?: string
    defaultValue?: string | null | undefined
  }

/** The browser's own list of choices: it works without JavaScript, and phones show theirs. */
export function Select({ options, placeholder, defaultValue, ...props }: SelectProps) {
  const all = options.flatMap((entry) => ('options' in entry ? entry.options : entry))
  const words = (value: string) => all.find((one) => one.value === value)?.label ?? value
  const [frame, control, shown] = useFramed({ ...props, stored: defaultValue ?? '', words })
  return (
    <FieldFrame {...frame}>
      <OptionList {...control} defaultValue={shown ?? defaultValue ?? ''}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(option)}
      </OptionList>
    </FieldFrame>
  )
}

/** The list itself, for what is no field of a form. */
export const OptionList = (attributes: Omit<ComponentProps<'select'>, 'className'>) => (
  <span className="relative grid">
    <select {...attributes} className={classNames(controlClass, 'appearance-none truncate pr-10')} />
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-mute"
    />
  </span>
)

function option(entry: Option | OptionGroup) {
  if ('options' in entry)
    return (
      <optgroup key={entry.label} label={entry.label}>
        {entry.options.map(option)}
      </optgroup>
    )
  const { value, label, disabled } = entry
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  )
}

type CheckboxProps = Omit<FieldProps, 'optional'> &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'type'>

/** A box to tick. The whole line is the target. */
export function Checkbox(props: CheckboxProps) {
  const {
    label,
    name,
    help,
    error,
    className,
    defaultChecked = false,
    stored = defaultChecked,
    ...rest
  } = props
  const read = stored ? `${rest.value ?? 'on'}` : ''
  const field = useField({ name, help, error, stored: read, words: (value) => (value ? 'sí' : 'no') })
  const answered = useFormAnswered()
  return (
    <div className={classNames('grid gap-1', className)}>
      <label className="flex min-h-11 items-center gap-3">
        <input
          {...rest}
          {...field.described}
          id={field.id}
          name={name}
          type="checkbox"
          defaultChecked={answered || field.shown ? Boolean(field.shown) : defaultChecked}
          className="size-5 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      {field.merging}
      <FieldNotes id={field.id} help={help} error={field.error} />
    </div>
  )
}
