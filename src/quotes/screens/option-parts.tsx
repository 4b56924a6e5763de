import { Check, Plus } from 'lucide-react'
import { money, thousands, unitPrice } from '../../shared/format.ts'
import { classNames } from '../../ui/class-names.ts'
import type { ChargedLine, QuoteOption } from '../rules/content.ts'
import { isByMetre, metresInWords, metresPromise, wiresIn } from '../rules/metres.ts'
import { addOnField, sumRows, type Totals, totalsOf } from '../rules/totals.ts'

/** "12 m", on one line. */
export const amountOf = ({ quantity, unit }: Pick<ChargedLine, 'quantity' | 'unit'>) =>
  `${thousands(quantity / 1000)}\u00a0${unit}`

/** The metres of route that are included, and what each further one costs. */
export function Metres({ option }: { option: QuoteOption }) {
  const words = metresPromise(option)
  return words && <p className="text-[0.9375rem]">{words}</p>
}

/** "12 m × $68.00", and why a line has more metres than the route: "(2 hilos de 12 m)". */
function measured(line: ChargedLine, { metres }: QuoteOption): string {
  const times = metres && isByMetre(line) ? wiresIn(line.quantity, metres.included) : null
  const wires = times && times > 1 ? ` (${times} hilos de ${metresInWords(metres!.included)})` : ''
  const price = line.quantity === 1000 ? '' : ` × ${unitPrice(line.unitPrice)}`
  return `${amountOf(line)}${wires}${price}`
}

type LineListProps = {
  option: QuoteOption
  totals: Totals
  /** What the option before does not include: it stands out. */
  added?: readonly ChargedLine[]
}

/** What an option is made of, at its prices without IVA: they add up to the subtotal below. */
export const LineList = ({ added = [], option, totals }: LineListProps) => (
  <ul className="grid gap-2 text-[0.9375rem]">
    {totals.lines.map(({ gross, line }) => {
      const isAdded = added.includes(line) || option.addOns.includes(line)
      const Icon = isAdded ? Plus : Check
      return (
        <li key={line.id} className="flex gap-2">
          <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-brand" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            {isAdded && <span className="sr-only">Además: </span>}
            <span className={classNames(isAdded && 'font-semibold')}>{line.description}</span>{' '}
            <span className="text-mute">{measured(line, option)}</span>
          </span>
          <span className="shrink-0">{money(gross)}</span>
        </li>
      )
    })}
  </ul>
)

type AddOnsProps = {
  option: QuoteOption
  /** What is ticked, in a form that asks. */
  picked?: readonly string[] | undefined
}

/** What may be added, each with what it costs. */
export function AddOns({ option, picked }: AddOnsProps) {
  if (option.addOns.length === 0) return null
  return (
    <div className="grid content-start gap-1">
      <h3 className="font-semibold">Puedes agregar</h3>
      <ul className="grid text-[0.9375rem]">
        {option.addOns.map((line) => (
          <li key={line.id}>
            {picked ? (
              <label className="-mx-2 flex min-h-11 items-center gap-3 rounded-control p-2 hover:bg-hover">
                <input
                  type="checkbox"
                  name={addOnField(option.id, line.id)}
                  defaultChecked={picked.includes(line.id)}
                  className="size-5 shrink-0 accent-brand"
                />
                <AddOn line={line} />
              </label>
            ) : (
              <div className="flex gap-2 py-1">
                <Plus aria-hidden className="mt-0.5 size-4.5 shrink-0 text-mute" />
                <AddOn line={line} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm text-mute">Con IVA. No está en el total mientras no lo elijas.</p>
    </div>
  )
}

const AddOn = ({ line }: { line: ChargedLine }) => (
  <>
    <span className="min-w-0 flex-1 wrap-anywhere">
      {line.description} <span className="text-mute">{amountOf(line)}</span>
    </span>
    <span className="shrink-0">+ {money(totalsOf([line]).total)}</span>
  </>
)

/** How the total comes about, each row from those above it. */
export const Sums = ({ option, totals }: { option: QuoteOption; totals: Totals }) => (
  <dl className="grid content-start gap-1 border-t border-line pt-3 text-[0.9375rem]">
    {sumRows(option, totals).map(({ amount, isTotal, label }) => (
      <div key={label} className={classNames('flex justify-between gap-3', isTotal && 'font-semibold')}>
        <dt className={classNames('min-w-0 wrap-anywhere', !isTotal && 'text-mute')}>{label}</dt>
        <dd className="shrink-0">{money(amount)}</dd>
      </div>
    ))}
  </dl>
)
