import type { Actor, StaffKind } from './actor.ts'
import { isSwitchedOff, type Modules, noModules, screenAt } from './routes.ts'

/** Names of lucide icons that the menu uses. */
export type MenuIcon =
  | 'calendar-check'
  | 'calendar-clock'
  | 'calendar-plus'
  | 'clipboard-check'
  | 'contact'
  | 'file-text'
  | 'house'
  | 'landmark'
  | 'map-pin'
  | 'plug-zap'
  | 'receipt'
  | 'store'
  | 'ticket-percent'
  | 'users'
  | 'video'
  | 'wallet'

/** `dir` is the link's target, `root` the path that highlights the item; `missing` items are listed but not built. */
export type MenuItem = {
  id: string
  label: string
  dir: string
  root: string
  icon: MenuIcon
  missing?: boolean
}

export type MenuSection = { title?: string; items: readonly MenuItem[] }

const item = (id: string, label: string, dir: string, icon: MenuIcon): MenuItem => ({
  id,
  label,
  dir,
  root: dir,
  icon,
})

const home = item('home', 'Inicio', '/admin', 'house')
const pending = item(
  'appointments-pending',
  'Próximas citas',
  '/admin/appointments-pending',
  'calendar-clock',
)
const done = item('appointments-done', 'Citas realizadas', '/admin/appointments-done', 'calendar-check')
const cotizations = item('cotizations', 'Cotizaciones', '/admin/cotizations', 'file-text')
const clients = item('clients', 'Clientes', '/admin/clients', 'contact')
const gesties = item('gesties', 'Gestorías', '/admin/gesties', 'landmark')

const managerMenu: readonly MenuSection[] = [
  {
    items: [
      home,
      item('assignations', 'Asignaciones de citas', '/admin/assignations', 'calendar-plus'),
      clients,
    ],
  },
  { title: 'En proceso', items: [pending, done, cotizations, gesties] },
  {
    title: 'Admin',
    items: [
      item('payments', 'Pagos', '/admin/payments', 'wallet'),
      item('agencies', 'Consecionarias', '/admin/agencies', 'store'),
      item('users', 'Usuarios', '/admin/users', 'users'),
    ],
  },
]

const allyItems: readonly MenuItem[] = [
  home,
  item('alliate-clients', 'Clientes', '/admin/alliate/clients', 'contact'),
  item('alliate-codes', 'Códigos', '/admin/alliate/codes', 'ticket-percent'),
]

const staffMenus: Record<StaffKind, readonly MenuSection[]> = {
  manager: managerMenu,
  analyst: [{ items: [home, pending, done, cotizations, clients] }],
  tecnician: [{ items: [home, pending, done] }],
  gester: [{ items: [home, gesties, clients] }],
  alliate: [{ items: allyItems }],
}

const customerMenu: readonly MenuSection[] = [
  {
    items: [
      item('home', 'Inicio', '/', 'house'),
      item('address', 'Mi domicilio', '/address', 'map-pin'),
      item('videocall', 'Asesoría virtual', '/videocall', 'video'),
      item('technics-visit', 'Visita técnica', '/technics-visit', 'clipboard-check'),
      item('quote', 'Cotización', '/quote', 'file-text'),
      item('installation', 'Instalación', '/installation', 'plug-zap'),
      item('payments', 'Pagos realizados', '/payments', 'receipt'),
    ],
  },
]

/**
 * The sidebar of a user: sections of items, with the specification's labels and order (§2). The items of a module that
 * is switched off are left out.
 */
export const menuFor = ({ kind }: Pick<Actor, 'kind'>, on: Modules = noModules): readonly MenuSection[] =>
  (kind ? staffMenus[kind] : customerMenu).map((section) => ({
    ...section,
    items: section.items.map((one) => (isSwitchedOff(one.dir, on) ? { ...one, missing: true } : one)),
  }))

const customerPage = /^\/admin\/users\/[^/]+\/cliente(\/|$)/

/** The active menu item for a path: the one whose root is the root of the path's screen; of a customer's page the list of customers. */
export function activeItem(
  pathname: string,
  { kind }: Pick<Actor, 'kind'>,
  on: Modules = noModules,
): MenuItem | undefined {
  const isCustomer = on.has('clients') && customerPage.test(pathname)
  const root = isCustomer ? clients.root : screenAt(pathname)?.root
  return (kind ? staffMenus[kind] : customerMenu)
    .flatMap(({ items }) => items)
    .find((candidate) => candidate.root === root)
}
