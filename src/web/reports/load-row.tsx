import { Trash2 } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClass } from '../ui/field-frame.tsx'
import { type LoadRowData, loadBoxes, type TypedLoad } from './typed-loads.ts'

type LoadRowProps = {
  row: LoadRowData
  nth: number
  question: string
  onRemove?: () => void
  className?: string
}

/** One kind of appliance: what it is, what it draws, how many there are. */
export function LoadRow({ row, nth, question, onRemove, className }: LoadRowProps) {
  const names = loadBoxes(question, nth)
  const what = row.name || `aparato ${nth + 1}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read out twice.
    <div
      role="group"
      aria-label={what}
      data-row={row.key}
      className={classNames(
        'grid grid-cols-[1fr_1fr_auto] gap-x-2 gap-y-3 border-t border-line pt-4',
        className,
      )}
    >
      <LoadBox label="Aparato" part="name" name={names.name} value={row.name} />
      <LoadBox label="Watts" part="watts" name={names.watts} value={row.watts} />
      <LoadBox label="Cuántos" part="quantity" name={names.quantity} value={row.quantity} />
      {onRemove && (
        <Button
          variant="ghost"
          aria-label={`Quitar ${what}`}
          className="self-end px-3 noscript:hidden"
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-5" />
        </Button>
      )}
    </div>
  )
}

type LoadBoxProps = { label: string; part: keyof TypedLoad; name: string; value: string }

const LoadBox = ({ label, part, name, value }: LoadBoxProps) => (
  <label className={classNames('grid min-w-0 gap-1 text-sm text-mute', part === 'name' && 'col-span-3')}>
    {label}
    <input
      name={name}
      data-part={part}
      defaultValue={value}
      inputMode={part === 'name' ? 'text' : 'numeric'}
      enterKeyHint="next"
      autoComplete="off"
      className={controlClass}
    />
  </label>
)
