import { chargedKinds, ivaLabels, ivaRates, quoteLimits } from '../../domain/quotes/content.ts'
import { isDiscount, type TypedLine } from '../../domain/quotes/draft.ts'
import { Box } from './box.tsx'

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const kinds = options(chargedKinds)
const rates = ivaRates.map((rate) => ({ value: String(rate), label: ivaLabels[rate] }))

type LineBoxesProps = {
  line: TypedLine
  nameOf: (field: string) => string
  wrong: (field: string) => string | undefined
  /** It was just added: without JavaScript the browser leads there. */
  isOpen: boolean
}

/** The boxes of a line; a discount has what it takes off in the place of a price. */
export function LineBoxes(props: LineBoxesProps) {
  const { isOpen, line, nameOf, wrong } = props
  return (
    <div className="grid grid-cols-2 gap-3">
      <Box
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
    <Box
      label="Cuánto: 10 % o $500"
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
      <Box label="Cantidad" {...box('quantity')} inputMode="decimal" />
      <Box label="Unidad" {...box('unit')} maxLength={quoteLimits.unit} />
      <Box label="Precio sin IVA" {...box('unitPrice')} inputMode="decimal" />
      <Box label="IVA" {...box('iva')} options={rates} />
      <Box label="Tipo" {...box('kind')} className="col-span-2" options={kinds} />
      <Box label="Clave del SAT" {...box('satProduct')} inputMode="numeric" maxLength={8} />
      <Box label="Clave de unidad" {...box('satUnit')} maxLength={3} />
    </>
  )
}
