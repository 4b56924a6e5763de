import { ArrowDown, ArrowUp, ChevronRight, Copy, GripVertical, type LucideIcon, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { money, quantity, unitPrice } from '../../shared/format.ts'
import { classNames } from '../../ui/class-names.ts'
import { chargedKinds, isCharged, ivaLabels, ivaRates, quoteLimits } from '../rules/content.ts'
import { editValue, isDiscount, type LinePosition, readableLines, type TypedLine } from '../rules/draft.ts'
import { grossOf } from '../rules/totals.ts'
import { BuilderButton, BuilderField } from './builder-field.tsx'
import type { Build, Wrong } from './use-build.ts'

/** How a line looks while one of its list is dragged: taken up, or with the gap before or after it. */
export type DragLook = 'taken' | 'before' | 'after' | null

type LineProps = {
  build: Build
  line: TypedLine
  place: LinePosition
  /** The number of lines in its list. */
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

/** One line: its description and amount, and, opened, its boxes and actions. */
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
          <LineBoxes line={line} nameOf={nameOf} isOpen={isOpen} wrong={(field) => wrong(line.id, field)} />
          <LineButtons build={build} place={place} count={count} what={what} />
        </div>
      </details>
    </li>
  )
}

/** "24 m × $36.00", as far as it can be read. */
function howMuch(line: TypedLine): string {
  const [read] = readableLines([line])
  return read && isCharged(read)
    ? `${quantity(read.quantity)}\u00a0${read.unit} × ${unitPrice(read.unitPrice)}`
    : ''
}

/** Its amount before discounts and IVA, or what it takes off. */
function worth(line: TypedLine): string {
  if (line.kind === 'discount') return line.discount && `−${line.discount}`
  const [read] = readableLines([line])
  return read && isCharged(read) ? money(grossOf(read)) : '–'
}

const acts = [
  { name: 'up', label: 'Subir', icon: ArrowUp },
  { name: 'down', label: 'Bajar', icon: ArrowDown },
  { name: 'duplicate', label: 'Duplicar', icon: Copy },
  { name: 'remove', label: 'Quitar', icon: Trash2 },
] as const satisfies readonly { name: string; label: string; icon: LucideIcon }[]

type LineButtonsProps = { build: Build; place: LinePosition; count: number; what: string }

/** What can be done with a line as a whole. */
function LineButtons({ build, place, count, what }: LineButtonsProps) {
  const cant = { up: place.at === 0, down: place.at === count - 1, duplicate: false, remove: false }
  return (
    <div className="flex gap-2">
      {acts.map(({ icon: Icon, label, name }) => {
        const edit = { name, ...place }
        return (
          <BuilderButton
            key={name}
            value={editValue(edit)}
            data-part={name}
            aria-label={`${label} ${what}`}
            title={label}
            disabled={cant[name]}
            className="flex-1 px-0"
            onPress={() => build.change(edit)}
          >
            <Icon aria-hidden className="size-5" />
          </BuilderButton>
        )
      })}
    </div>
  )
}

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const kinds = options(chargedKinds)
const rates = ivaRates.map((rate) => ({ value: String(rate), label: ivaLabels[rate] }))

type LineBoxesProps = {
  line: TypedLine
  nameOf: (field: string) => string
  wrong: (field: string) => string | undefined
  /** It was just added: without JavaScript the browser scrolls to it. */
  isOpen: boolean
}

/** The boxes of a line; a discount has what it takes off in the place of a price. */
function LineBoxes(props: LineBoxesProps) {
  const { isOpen, line, nameOf, wrong } = props
  return (
    <div className="grid grid-cols-2 gap-3">
      <BuilderField
        label="Descripción"
        className="col-span-2"
        name={nameOf('description')}
        value={line.description}
        error={wrong('description')}
        maxLength={quoteLimits.description}
        data-part="description"
        autoFocus={isOpen}
      />
      {isDiscount(line) ? <DiscountBox {...props} /> : <ChargedBoxes {...props} />}
    </div>
  )
}

const DiscountBox = ({ line, nameOf, wrong }: LineBoxesProps) => (
  <>
    <input type="hidden" name={nameOf('kind')} value="discount" />
    <BuilderField
      label="Cuánto: 10&nbsp;% o $500"
      className="col-span-2"
      name={nameOf('discount')}
      value={line.discount}
      error={wrong('discount')}
    />
  </>
)

function ChargedBoxes({ line, nameOf, wrong }: LineBoxesProps) {
  const box = (field: keyof TypedLine) => ({ name: nameOf(field), value: line[field], error: wrong(field) })
  return (
    <>
      <BuilderField label="Cantidad" {...box('quantity')} inputMode="decimal" />
      <BuilderField label="Unidad" {...box('unit')} maxLength={quoteLimits.unit} />
      <BuilderField label="Precio sin IVA" {...box('unitPrice')} inputMode="decimal" />
      <BuilderField label="IVA" {...box('iva')} options={rates} />
      <BuilderField label="Tipo" {...box('kind')} className="col-span-2" options={kinds} />
      <BuilderField label="Clave del SAT" {...box('satProduct')} inputMode="numeric" maxLength={8} />
      <BuilderField label="Clave de unidad" {...box('satUnit')} maxLength={3} />
    </>
  )
}
