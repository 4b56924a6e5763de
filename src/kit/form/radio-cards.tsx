import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { FieldNotes, type FieldProps, Optional, useField } from './field.tsx'

export type CardOption = {
  value: string
  label: ReactNode
  note?: ReactNode
  /** At the right of its label. */
  aside?: ReactNode
  disabled?: boolean
}

type RadioCardsProps = FieldProps & {
  options: readonly CardOption[]
  value: string | null
  onChoose?: (value: string) => void
  /** How many are in a row. */
  columns?: 1 | 2
}

/** One choice of a few, each a card as large as a thumb. */
export function RadioCards({ label, name, help, error, optional, className, ...rest }: RadioCardsProps) {
  const { options, value, onChoose, columns = 1 } = rest
  const { described, ...field } = useField({ name, help, error, optional })
  const group = useRef<HTMLFieldSetElement>(null)
  useFollowed(value, () => {
    for (const radio of group.current?.querySelectorAll('input') ?? []) radio.checked = radio.value === value
  })
  return (
    <fieldset
      ref={group}
      id={field.id}
      className={classNames('grid min-w-0 gap-1.5', className)}
      {...described}
    >
      <legend className="mb-1.5 font-semibold">
        {label}
        {optional === true && <Optional />}
      </legend>
      <div className={classNames('grid gap-2', columns === 2 && 'grid-cols-2')}>
        {options.map((option) => (
          <Card
            key={option.value}
            option={option}
            radio={{
              name,
              required: field.required,
              'aria-invalid': described['aria-invalid'],
              defaultChecked: (field.typed ?? value) === option.value,
              onChange: () => onChoose?.(option.value),
            }}
          />
        ))}
      </div>
      <FieldNotes id={field.id} help={help} error={field.error} />
    </fieldset>
  )
}

type CardProps = { option: CardOption; radio: React.ComponentProps<'input'> }

const Card = ({ option: { value, label, note, aside, disabled = false }, radio }: CardProps) => (
  <label className="flex min-h-12 items-center gap-3 rounded-control border border-edge bg-card px-3.5 py-2 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-disabled:border-line has-disabled:bg-hover has-disabled:text-mute">
    <input
      {...radio}
      type="radio"
      value={value}
      disabled={disabled}
      className="size-6 shrink-0 accent-brand"
    />
    <span className="grid min-w-0 flex-1 wrap-anywhere">
      {aside ? (
        <span className="flex flex-wrap justify-between gap-x-3">
          <span>{label}</span>
          {aside}
        </span>
      ) : (
        label
      )}
      {note && <span className="text-sm text-mute">{note}</span>}
    </span>
  </label>
)

/** Calls back when a value changed after its field was first shown: the content of the browser's own box follows. */
export function useFollowed<Value>(value: Value, follow: () => void) {
  const shown = useRef(value)
  useEffect(() => {
    if (Object.is(shown.current, value)) return
    shown.current = value
    follow()
  })
}
