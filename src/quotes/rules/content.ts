/** The kinds of a quote's lines. */
const lineKinds = {
  material: 'Material',
  labor: 'Mano de obra',
  equipment: 'Equipo',
  paperwork: 'Trámite',
  permit: 'Permiso',
  travel: 'Traslado',
  discount: 'Descuento',
} as const
export type LineKind = keyof typeof lineKinds

export const ivaRates = [16, 0] as const

/** In percent. */
export type IvaRate = (typeof ivaRates)[number]

/** A charged line: `quantity` in thousandths of its unit, `unitPrice` in ten-thousandths of a peso without IVA. */
export type ChargedLine = {
  /** Unique within its quote, and kept in the next version: versions are compared by it. */
  id: string
  kind: Exclude<LineKind, 'discount'>
  description: string
  unit: string
  quantity: number
  unitPrice: number
  iva: IvaRate
  /** The code of its catalogue item: its reference price, whatever its text and price became. */
  code?: string
  /** ClaveProdServ and ClaveUnidad of the SAT. */
  satProduct: string
  satUnit: string
}

/** A discount on an option's lines, without IVA: an amount in centavos, or hundredths of a percent. */
export type DiscountLine = { id: string; kind: 'discount'; description: string } & (
  | { amount: number; percent: null }
  | { amount: null; percent: number }
)
export type QuoteLine = ChargedLine | DiscountLine

export const optionNames = {
  essential: 'Esencial',
  recommended: 'Recomendada',
  complete: 'Completa',
} as const
export type OptionId = keyof typeof optionNames
export const optionIds = Object.keys(optionNames) as readonly OptionId[]

/** One way to do the work, with optional add-ons. */
export type QuoteOption = {
  id: OptionId
  /** Its purpose, in a sentence. */
  summary: string
  lines: readonly QuoteLine[]
  addOns: readonly ChargedLine[]
  /**
   * Metres of cable included, in tenths, and the price of each further metre, in ten-thousandths of a peso without IVA;
   * null where the price does not depend on metres.
   */
  metres: { included: number; furtherPrice: number } | null
}

/** The whole offer to a customer, frozen when it is sent. */
export type QuoteContent = {
  options: readonly QuoteOption[]
  /** Percent of the total. */
  depositPercent: number
  /** The last day of acceptance, in Mexico City, as 2026-12-07. */
  validUntil: string
  warrantyMonths: number
  exclusions: string
  /** The refund terms. */
  refundTerms: string
  notes: string
}

/** The limits of each number and text of a quote, inclusive; texts in characters. */
export const quoteLimits = {
  options: [1, 3],
  lines: [1, 60],
  addOns: [0, 12],
  /** Thousandths. */
  quantity: [1, 9_999_999],
  /** Ten-thousandths of a peso. */
  unitPrice: [0, 9_999_999_999],
  /** Centavos. */
  discountAmount: [1, 99_999_999_99],
  /** Hundredths of a percent. */
  discountPercent: [1, 100_00],
  depositPercent: [0, 100],
  validDays: [1, 90],
  warrantyMonths: [0, 120],
  description: 200,
  unit: 20,
  summary: 300,
  exclusions: 2000,
  notes: 2000,
} as const

export const isCharged = (line: QuoteLine): line is ChargedLine => line.kind !== 'discount'

/** An option of a quote by its id; undefined when it has none such. */
export const optionOf = ({ options }: Pick<QuoteContent, 'options'>, id: string) =>
  options.find((option) => option.id === id)

/**
 * An item of the catalogue; `unitPrice` in ten-thousandths of a peso without IVA. The proposal rules refer to its code.
 */
export type CatalogueItem = Omit<ChargedLine, 'id' | 'quantity' | 'code'> & { code: string }

/** The kinds of charged lines; a discount has no catalogue item. */
export const chargedKinds: Record<ChargedLine['kind'], string> = (({ discount: _, ...kinds }) => kinds)(
  lineKinds,
)

export const ivaLabels: Record<IvaRate, string> = { 16: '16\u00a0%', 0: '0\u00a0%' }

/** A quote line from a catalogue item at today's price; `quantity` in thousandths. */
export const lineFrom = (item: CatalogueItem, id: string, quantity = 1000): ChargedLine => {
  const { code, description, iva, kind, satProduct, satUnit, unit, unitPrice } = item
  return { code, description, kind, unit, unitPrice, iva, satProduct, satUnit, id, quantity }
}

/** The form of an item's code. */
export const codeShape = /^[A-Z0-9][A-Z0-9-]{1,19}$/

/** Patterns of ClaveProdServ and ClaveUnidad, with their error messages. */
export const satShapes = {
  satProduct: [/^\d{8}$/, 'Escribe los 8 dígitos de la clave del SAT.'],
  satUnit: [/^[A-Z0-9]{2,3}$/, 'Escribe la clave de unidad, como H87 o E48.'],
} as const satisfies Record<string, readonly [RegExp, string]>

/** The change of a price, in percent, from which it must be confirmed: a missing decimal point is a common error. */
const mostChange = 50

/** Whether a price changes so much that it may be mistyped. */
export const isLeap = (from: number, to: number) => from > 0 && Math.abs(to - from) * 100 > from * mostChange
