/** The parts of a quote's screen for those who write quotes, by their name in its address. */
export const quoteParts = {
  contenido: 'Contenido',
  cuenta: 'Cuenta y pagos',
  fiscal: 'Fiscal y facturas',
  historial: 'Historial',
} as const
export type QuotePart = keyof typeof quoteParts

/** The part that an address names, the content by default. */
export const quotePartIn = (named: string | null): QuotePart =>
  named !== null && Object.hasOwn(quoteParts, named) ? (named as QuotePart) : 'contenido'

/** The office's address of a part of a quote's screen. */
export const quotePartPath = (id: string, part: QuotePart = 'contenido') =>
  `/admin/cotizations/detail-quote/${id}${part === 'contenido' ? '' : `?parte=${part}`}`
