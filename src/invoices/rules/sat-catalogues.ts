import type { PaymentMethod } from '../../payments/rules/payment.ts'

/** The parts of the SAT's catalogues of CFDI 4.0 (Anexo 20) in use here. Régimenes and usos are in taxpayer.ts. */

/** c_FormaPago */
export const paymentForms = {
  '01': 'Efectivo',
  '03': 'Transferencia electrónica de fondos',
  '04': 'Tarjeta de crédito',
  '28': 'Tarjeta de débito',
  '99': 'Por definir',
} as const
export type PaymentForm = keyof typeof paymentForms

/** c_MetodoPago */
export const paymentTerms = {
  PUE: 'Pago en una sola exhibición',
  PPD: 'Pago en parcialidades o diferido',
} as const

/** c_TipoRelacion, of a credit note to its invoice. */
export const relations = {
  '01': 'Nota de crédito de los documentos relacionados',
  '03': 'Devolución de mercancía sobre facturas o traslados previos',
} as const
export type Relation = keyof typeof relations

/** c_ClaveProdServ of our catalogue's items. */
export const productKeys: Readonly<Record<string, string>> = {
  '26111704': 'Cargadores de baterías',
  '26121600': 'Cables eléctricos y accesorios',
  '39121000': 'Equipamiento para distribución y conversión de alimentación',
  '39121600': 'Dispositivos de protección de circuitos y accesorios',
  '39131700': 'Conductos eléctricos, electroductos y cables aéreos',
  '72151500': 'Servicios de sistemas eléctricos',
  '78101800': 'Transporte de carga por carretera',
  '80161500': 'Servicios de apoyo gerencial',
  '81101500': 'Ingeniería civil y arquitectura',
  '84111506': 'Servicios de facturación',
}

/** c_ClaveUnidad of our catalogue's items. */
export const unitKeys: Readonly<Record<string, string>> = {
  ACT: 'Actividad',
  E48: 'Unidad de servicio',
  H87: 'Pieza',
  HUR: 'Hora',
  KMT: 'Kilómetro',
  MTR: 'Metro',
}

/** Keys of a request that are not in these lists: they may be valid, but were not checked. */
export const unknownKeys = (lines: readonly { ClaveProdServ: string; ClaveUnidad: string }[]): string[] => [
  ...new Set(
    lines
      .flatMap(({ ClaveProdServ, ClaveUnidad }) => [
        productKeys[ClaveProdServ] ? '' : ClaveProdServ,
        unitKeys[ClaveUnidad] ? '' : ClaveUnidad,
      ])
      .filter(Boolean),
  ),
]

/** c_Impuesto of IVA. */
export const ivaKey = '002'
/** c_ClaveProdServ and c_ClaveUnidad that the SAT requires in payment complements and credit notes. */
export const billingProduct = '84111506'
export const activityUnit = 'ACT'

/** c_FormaPago of a payment method. */
const formOfMethod: Record<Exclude<PaymentMethod, 'card' | 'terminal'>, PaymentForm> = {
  spei: '03',
  cash: '01',
  // A customer who pays at OXXO pays in cash. That the cashier's company then transfers the money does not change how
  // the debt was paid; called a transfer, it would let a customer deduct what the law forbids to deduct in cash.
  oxxo: '01',
}

/** c_FormaPago of a payment, by its method and, for a card, its funding; unknown funding counts as a credit card. */
export function formOfPayment(method: PaymentMethod, funding: string | null): PaymentForm {
  if (method !== 'card' && method !== 'terminal') return formOfMethod[method]
  // A prepaid card holds money paid in before, as a debit card does.
  return funding === 'debit' || funding === 'prepaid' ? '28' : '04'
}
