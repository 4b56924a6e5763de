import { ChevronRight, GripVertical } from 'lucide-react'
import type { ComponentProps } from 'react'
import { isCharged } from '../../domain/quotes/content.ts'
import { type Place, readableLines, type TypedLine } from '../../domain/quotes/draft.ts'
import { grossOf } from '../../domain/quotes/totals.ts'
import { money, quantity, unitPrice } from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import type { DragLook } from './build-option.tsx'
import { LineBoxes } from './line-boxes.tsx'
import { LineButtons } from './line-buttons.tsx'
import type { Wrong } from './typed-answer.ts'
import type { Build } from './use-build.ts'

type LineProps = {
  build: Build
  line: TypedLine
  place: Place
  /** How many stand in its list. */
  count: number
  nameOf: (field: string) => string
  wrong: Wrong
  grip: ComponentProps<'span'>
  look: DragLook
}

const looks: Record<Exclude<DragLook, null>, string> = {
  taken: 'opacity-40',
  before: 'shadow-[0_-2px_0_var(--color-brand)]',
  after: 'shadow-[0_2px_0_var(--color-brand)]',
}

/** One line: what it is and comes to, and, opened, its boxes and what can be done with it. */
export function BuildLine({ build, line, place, count, nameOf, wrong, grip, look }: LineProps) {
  const fields = [
    'description',
    'unit',
    'quantity',
    'unitPrice',
    'kind',
    'iva',
    'satProduct',
    'satUnit',
    'discount',
  ]
  const isWrong = fields.some((field) => wrong(line.id, field))
  const isOpen = build.open === line.id
  const what = line.description || 'Sin descripción'
  return (
    <li
      data-line={line.id}
      className={classNames(
        'group/line flex items-start rounded-control has-[summary:hover]:bg-hover',
        look && looks[look],
      )}
    >
      <input type="hidden" name={nameOf('id')} value={line.id} />
      <input type="hidden" name={nameOf('code')} value={line.code} />
      <span
        {...grip}
        aria-hidden
        title="Arrastra para mover"
        className="grid min-h-11 w-7 shrink-0 cursor-grab touch-none place-items-center text-mute noscript:invisible"
      >
        <GripVertical className="size-4.5" />
      </span>
      <details open={isWrong || isOpen} className="min-w-0 flex-1">
        <summary
          data-part="summary"
          className="flex min-h-11 items-start gap-2 rounded-control py-2.5 pr-2 text-[0.9375rem] select-none [&::-webkit-details-marker]:hidden"
        >
          <span className="min-w-0 flex-1 wrap-anywhere">
            {what}
            <span className="block text-sm text-mute">{howMuch(line)}</span>
          </span>
          <span className="shrink-0 text-right">{worth(line)}</span>
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4.5 shrink-0 text-mute transition-transform [details[open]>summary>&]:rotate-90"
          />
        </summary>
        <div className="grid gap-3 pt-1 pr-2 pb-4">
          <LineBoxes {...{ line, nameOf, isOpen }} wrong={(field) => wrong(line.id, field)} />
          <LineButtons {...{ build, place, count, what }} />
        </div>
      </details>
    </li>
  )
}

/** "24 m × $36.00", as far as it can be read. */
function howMuch(line: TypedLine): string {
  const [read] = readableLines([line])
  return read && isCharged(read)
    ? `${quantity(read.quantity)} ${read.unit} × ${unitPrice(read.unitPrice)}`
    : ''
}

/** What it comes to before discounts and IVA, or what it takes off. */
function worth(line: TypedLine): string {
  if (line.kind === 'discount') return line.discount && `−${line.discount}`
  const [read] = readableLines([line])
  return read && isCharged(read) ? money(grossOf(read)) : '–'
}
