/** The lists whose filters a person may keep under a name, as they are stored, and where each is. */
export const savedLists = {
  pending: { label: 'Próximas citas', path: '/admin/appointments-pending' },
  done: { label: 'Citas realizadas', path: '/admin/appointments-done' },
  clients: { label: 'Clientes', path: '/admin/clients' },
  quotes: { label: 'Cotizaciones', path: '/admin/cotizations' },
  receivables: { label: 'Por cobrar', path: '/admin/payments/cobrar' },
  payments: { label: 'Libro de pagos', path: '/admin/payments/libro' },
  cases: { label: 'Gestorías', path: '/admin/gesties' },
  users: { label: 'Usuarios', path: '/admin/users' },
  agencies: { label: 'Consecionarias', path: '/admin/agencies' },
} as const
export type SavedList = keyof typeof savedLists
export const savedListNames = Object.keys(savedLists) as SavedList[]

/** Of each list at most so many: more would be a list of their own. */
export const mostViews = 12

/** In characters. */
export const viewLimits = { name: 40, query: 500 } as const

/** Where a person renames and removes their views. */
export const viewsPath = '/admin/vistas'

/** What is no filter, and the words looked for: they are often a customer's name, which is not kept. */
const left = new Set(['text', 'after', 'page', 'trail'])

/** The filters and the order that an address holds, as a view keeps them: equal ones are equal texts; empty for none. */
export function viewQuery(address: string | Readonly<Record<string, string | undefined>>): string {
  const sent = new URLSearchParams(address as Record<string, string>)
  const kept = [...new Map(sent)].filter(
    ([name, value]) => /^[a-z]{1,20}$/.test(name) && !left.has(name) && value !== '',
  )
  return new URLSearchParams(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()
}

/** The address of a list under a view. */
export const viewPath = ({ list, query }: { list: SavedList; query: string }) =>
  `${savedLists[list].path}?${query}`
