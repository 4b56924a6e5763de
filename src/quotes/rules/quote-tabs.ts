/** The tabs of the list for those who write quotes, by their name in its address, and the states that each holds. */
export const quoteTabs = {
  'por-cotizar': { label: 'Por cotizar' },
  'sin-reporte': { label: 'Sin reporte' },
  borradores: { label: 'Borradores', states: ['draft'] },
  esperan: { label: 'Esperan al cliente', states: ['sent', 'viewed'] },
  cambios: { label: 'Pidieron cambios', states: ['changes_requested'] },
  aceptadas: { label: 'Aceptadas', states: ['accepted'] },
  todas: { label: 'Todas' },
  meses: { label: 'Por mes' },
} as const satisfies Record<string, { label: string; states?: readonly string[] }>
export type QuoteTab = keyof typeof quoteTabs

/** The states that a tab holds; undefined where it holds all of them. */
export const statesOfTab = (tab: QuoteTab | undefined): readonly string[] | undefined =>
  tab && (quoteTabs[tab] as { states?: readonly string[] }).states

export const quoteTabPath = (tab: QuoteTab) => `/admin/cotizations?view=${tab}`

/** Stands for the author where there is no draft. */
export const notTaken = 'nadie'
