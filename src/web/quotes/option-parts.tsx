import { Check, Plus } from 'lucide-react'
import type { ChargedLine, QuoteOption } from '../../domain/quotes/content.ts'
import { isByMetre, metresInWords, metresPromise, wiresIn } from '../../domain/quotes/metres.ts'
import { addOnField, benefitLineId, discountsOf, type Totals, totalsOf } from '../../domain/quotes/totals.ts'
import { money, thousands } from '../../domain/shared/format.ts'

/** "12 m", on one line. */
export const amountOf = ({ quantity, unit }: Pick<ChargedLine, 'quantity' | 'unit'>) =>
  `${thousands(quantity / 1000)}\u00a0${unit}`

/** The metres of route that are included, and what each further one costs. */
export function Metres({ option }: { option: QuoteOption }) {
  const words = metresPromise(option)
  return words && <p className="text-[0.9375rem]">{words}</p>
}

/** "(2 hilos de 12 m)": why a line has more metres than the route. */
function wiresOf(line: ChargedLine, { metres }: QuoteOption): string {
  const times = metres && isByMetre(line) ? wiresIn(line.quantity, metres.included) : null
  return times && times > 1 ? ` (${times} hilos de ${metresInWords(metres!.included)})` : ''
}

/**
 * What an option is made of; prices carry their IVA and their share of a discount, so that they add up to the total.
 */
export function Included({ option, totals }: { option: QuoteOption; totals: Totals }) {
  const own = totals.lines.slice(0, totals.lines.length - addedTo(option, totals))
  return (
    <div className="grid content-start gap-2">
      <h4 className="font-semibold">Qué incluye</h4>
      <ul className="grid gap-2 text-[0.9375rem]">
        {own.map(({ line, total }) => (
          <li key={line.id} className="flex gap-2">
            <Check aria-hidden className="mt-0.5 size-4.5 shrink-0 text-brand" />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {line.description}{' '}
              <span className="text-mute">
                {amountOf(line)}
                {wiresOf(line, option)}
              </span>
            </span>
            <span className="shrink-0">{money(total)}</span>
          </li>
        ))}
      </ul>
      {totals.discount > 0 && (
        <p className="text-sm text-mute">
          Tu descuento de {money(totals.discount)} más IVA ya está en estos precios.
        </p>
      )}
    </div>
  )
}

/** The lines of add-ons come after the option's own. */
const addedTo = ({ addOns }: QuoteOption, { lines }: Totals) =>
  lines.filter(({ line }) => addOns.includes(line)).length

type AddOnsProps = {
  option: QuoteOption
  /** What is ticked, in a form that asks. */
  picked?: readonly string[] | undefined
}

/** What may be added, each with what it costs. */
export function AddOns({ option, picked }: AddOnsProps) {
  // On a desk it keeps its row.
  if (option.addOns.length === 0) return <div className="max-lg:hidden" />
  return (
    <div className="grid content-start gap-1">
      <h4 className="font-semibold">Puedes agregar</h4>
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

/** How the total comes about. A code's discount shows its name, others say that they are a discount. */
export const Sums = ({ option, totals }: { option: QuoteOption; totals: Totals }) => (
  <dl className="grid content-start gap-1 border-t border-line pt-3 text-[0.9375rem]">
    <Sum term="Subtotal sin IVA" value={totals.subtotal} />
    {discountsOf(option.lines).map(({ amount, line }) => (
      <Sum key={line.id} term={line.id === benefitLineId ? line.description : 'Descuento'} value={-amount} />
    ))}
    <Sum term="IVA" value={totals.iva} />
    <Sum term="Total con IVA" value={totals.total} isTotal />
  </dl>
)

const Sum = ({ term, value, isTotal = false }: { term: string; value: number; isTotal?: boolean }) => (
  <div className={isTotal ? 'flex justify-between gap-3 font-semibold' : 'flex justify-between gap-3'}>
    <dt className={isTotal ? '' : 'text-mute'}>{term}</dt>
    <dd>{money(value)}</dd>
  </div>
)
