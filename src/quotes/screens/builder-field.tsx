import { type ComponentProps, useId, useState } from 'react'
import { controlClass, FieldNotes, type Option, OptionList } from '../../kit/form/field.tsx'
import { useFieldResult } from '../../kit/form/form.tsx'
import { BothValues, SavedByAnother } from '../../kit/form/merge-notes.tsx'
import { shortDate } from '../../shared/format.ts'
import { readName } from '../../shared/merging.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { chargedKinds } from '../rules/content.ts'
import { type Edit, editValue } from '../rules/draft-edits.ts'
import type { DraftChange } from '../rules/merge-draft.ts'
import { type Build, write } from './use-build.ts'

type BoxProps = {
  label: string
  name: string
  value: string
  /** The error, where the name does not find it: a line may have been moved since. */
  error?: string | undefined
  options?: readonly Option[]
  /** Grows with its text, where the browser can. */
  isLong?: boolean
  /** Row and column say what it is: its label is for screen readers. */
  isCell?: boolean
} & Pick<
  ComponentProps<'input'>,
  'inputMode' | 'maxLength' | 'className' | 'autoFocus' | 'onBlur' | 'type' | 'list' | 'placeholder'
> & {
    'data-part'?: string
    'data-column'?: string | number
  }

/** A small box of the builder. It holds its own typed text: its line may be moved under another name. */
export function BuilderField({
  label,
  name,
  value,
  error: own,
  options,
  isLong,
  isCell,
  className,
  ...rest
}: BoxProps) {
  const fallback = useId()
  const { error: heard, id = fallback } = useFieldResult(name)
  const [isChanged, change] = useState(false)
  const error = (isChanged ? undefined : own) ?? (name.split('.').length > 3 ? undefined : heard)
  const told = {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
  }
  const common = { ...told, id, name, defaultValue: value, autoFocus: rest.autoFocus }
  const text = { ...common, autoComplete: 'off' }
  return (
    <div
      className={classNames('grid min-w-0 content-start gap-1', className)}
      onInput={({ target }) => change((target as HTMLInputElement).value !== value)}
    >
      <label htmlFor={id} className={isCell ? 'sr-only' : 'text-sm text-mute'}>
        {label}
      </label>
      {options ? (
        <OptionList {...common}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </OptionList>
      ) : isLong ? (
        <textarea
          {...text}
          rows={2}
          maxLength={rest.maxLength}
          className={classNames(controlClass, 'field-sizing-content lg:max-h-16 lg:text-sm')}
        />
      ) : (
        <input {...rest} {...text} enterKeyHint="next" className={controlClass} />
      )}
      <FieldNotes id={id} help={undefined} error={error} />
    </div>
  )
}

type PressProps = Omit<ComponentProps<typeof Button>, 'type' | 'name' | 'value' | 'onClick'> & {
  build: Build
  edit: Edit
}

/** A button of the builder: it changes what is on the page, or, without JavaScript, sends it to be changed. */
export const BuilderButton = ({ build, edit, ...rest }: PressProps) => (
  <Button
    variant="ghost"
    {...rest}
    type="submit"
    name="edit"
    value={editValue(edit)}
    onClick={(event) => {
      event.preventDefault()
      build.change(edit)
    }}
  />
)

/** A value of the draft as one reads it. */
const words = (value: string) =>
  chargedKinds[value as keyof typeof chargedKinds] ??
  (/^\d{4}-\d\d-\d\d$/.test(value) ? shortDate(value) : value || 'vacío')

/** What another person saved in the draft that one is writing; of what both changed one value is chosen. */
export const DraftChanges = ({ changes }: { changes: readonly DraftChange[] }) => (
  <SavedByAnother>
    <ul className="mt-1 grid gap-2">
      {changes.map((change) => (
        <li key={`${change.name} ${change.label}`}>
          {change.change === 'both' && change.name ? (
            <>
              <input type="hidden" name={readName(change.name)} value={change.theirs} />
              <BothValues
                name={change.name}
                legend={change.label}
                values={change}
                words={words}
                choose={(form, value) => write(form, { [change.name]: value })}
              />
            </>
          ) : (
            `${change.label}: ${words(change.theirs)}`
          )}
        </li>
      ))}
    </ul>
  </SavedByAnother>
)
