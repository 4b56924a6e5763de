import { type ChargedLine, type IvaRate, lineKinds } from './quote-content.ts'

/** What quotes are made of; `unitPrice` in ten-thousandths of a peso without IVA. The rules propose it by its code. */
export type CatalogueItem = Omit<ChargedLine, 'id' | 'quantity' | 'code'> & { code: string }

/** The kinds of what is charged; a discount is typed where it is given. */
export const chargedKinds: Record<ChargedLine['kind'], string> = (({ discount: _, ...kinds }) => kinds)(
  lineKinds,
)

export const ivaLabels: Record<IvaRate, string> = { 16: '16 %', 0: '0 %' }

/** A line of a quote as the catalogue has it today; `quantity` in thousandths. */
export const lineFrom = (item: CatalogueItem, id: string, quantity = 1000): ChargedLine => {
  const { code, description, iva, kind, satProduct, satUnit, unit, unitPrice } = item
  return { code, description, kind, unit, unitPrice, iva, satProduct, satUnit, id, quantity }
}

/** What an item is called by. */
export const codeShape = /^[A-Z0-9][A-Z0-9-]{1,19}$/

/** Patterns of ClaveProdServ and ClaveUnidad, with their error messages. */
export const satShapes = {
  satProduct: [/^\d{8}$/, 'Escribe los 8 dígitos de la clave del SAT.'],
  satUnit: [/^[A-Z0-9]{2,3}$/, 'Escribe la clave de unidad, como H87 o E48.'],
} as const satisfies Record<string, readonly [RegExp, string]>

/** More than double, or less than half, is asked about: a decimal point is soon forgotten. */
const mostTimes = 2

/** Whether a price changes so much that it may be mistyped. */
export const isLeap = (from: number, to: number) =>
  from > 0 && (to > from * mostTimes || to * mostTimes < from)
