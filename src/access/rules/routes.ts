import { type Actor, hasName, type StaffKind, staffKinds, type Viewer } from './actor.ts'

/** Parts of the product that stay switched off, and their menu items disabled, unless MODULES names them. */
export const modules = ['gesties', 'clients', 'payments'] as const
export type Module = (typeof modules)[number]
export type Modules = ReadonlySet<Module>

/** The specification's default: every module off. */
export const noModules: Modules = new Set()

type Access =
  /** For signed-out people only. */
  | { kind: 'public' }
  /** /completion: for signed-in users without a name. */
  | { kind: 'anyone-signed-in' }
  | { kind: 'customer' }
  | { kind: 'staff'; kinds: readonly StaffKind[] }

/**
 * One route of the specification (§2). `root` is the root of the menu item that it highlights. The route of a module is
 * not found until the module is switched on; then only some kinds may open it.
 */
type Screen = {
  path: string
  root: string
  layout: 'clean' | 'internal'
  access: Access
  module?: Module
}

const publicPaths = ['/signin', '/signup', '/approach', '/recover-password']

const customerPaths: readonly [path: string, root?: string][] = [
  ['/'],
  ['/technics-visit'],
  ['/agenda-technics-visit', '/technics-visit'],
  ['/installation'],
  ['/agenda-installation', '/installation'],
  ['/videocall'],
  ['/agenda-videocall', '/videocall'],
  ['/address'],
  ['/quote'],
  ['/payments'],
  ['/fiscal', '/payments'],
]

const pending: readonly StaffKind[] = ['analyst', 'manager', 'tecnician', 'alliate']
const videocall: readonly StaffKind[] = ['analyst', 'manager']

/** Whether a kind of staff may read the content of calls, and so has call screens of its own. */
export const readsCalls = (kind: StaffKind) => videocall.includes(kind)

const staffPaths: readonly [path: string, kinds: readonly StaffKind[], root?: string][] = [
  ['/admin', staffKinds],
  ['/admin/assignations', ['manager']],
  ['/admin/assignations/{id}', ['manager'], '/admin/assignations'],
  ['/admin/appointments-pending', pending],
  ['/admin/appointments-pending/{id}', pending, '/admin/appointments-pending'],
  ['/admin/appointments-done', staffKinds],
  ['/admin/appointments-done/{id}', staffKinds, '/admin/appointments-done'],
  ['/admin/appointment-pending-videocall/{id}', videocall, '/admin/appointments-pending'],
  ['/admin/appointment-done-videocall/{id}', videocall, '/admin/appointments-done'],
  ['/admin/users', staffKinds],
  ['/admin/users/{id}', staffKinds, '/admin/users'],
  ['/admin/agencies', staffKinds],
  ['/admin/agencies/add', staffKinds, '/admin/agencies'],
  ['/admin/agency/{id}', staffKinds, '/admin/agencies'],
  ['/admin/cotizations', staffKinds],
  ['/admin/cotizations/add-quote/{id}', staffKinds, '/admin/cotizations'],
  ['/admin/cotizations/detail-quote/{id}', staffKinds, '/admin/cotizations'],
  ['/admin/alliate/clients', ['alliate']],
  ['/admin/alliate/codes', ['alliate']],
  ['/admin/account', staffKinds],
]

const ofClients: readonly StaffKind[] = ['manager', 'analyst', 'gester']
const ofGesties: readonly StaffKind[] = ['gester', 'manager']
const modulePaths: readonly [path: string, kinds: readonly StaffKind[], module: Module][] = [
  ['/admin/clients', ofClients, 'clients'],
  ['/admin/clients/{id}', ofClients, 'clients'],
  ['/admin/gesties', ofGesties, 'gesties'],
  ['/admin/gesties/{id}', ofGesties, 'gesties'],
  ['/admin/payments', ['manager', 'analyst'], 'payments'],
]

/** Every route and who may enter it. Any other path is the public not-found page. */
export const screens: readonly Screen[] = [
  ...publicPaths.map((path): Screen => ({ path, root: path, layout: 'clean', access: { kind: 'public' } })),
  { path: '/completion', root: '/completion', layout: 'clean', access: { kind: 'anyone-signed-in' } },
  ...customerPaths.map(
    ([path, root = path]): Screen => ({ path, root, layout: 'internal', access: { kind: 'customer' } }),
  ),
  ...staffPaths.map(
    ([path, kinds, root = path]): Screen => ({
      path,
      root,
      layout: 'internal',
      access: { kind: 'staff', kinds },
    }),
  ),
  ...modulePaths.map(
    ([path, kinds, module]): Screen => ({
      path,
      root: path.replace('/{id}', ''),
      layout: 'internal',
      access: { kind: 'staff', kinds },
      module,
    }),
  ),
]

/**
 * Parts of a screen with an address of their own that no path of the specification covers: guarded like their screen.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  '/': ['cuenta', 'ayuda'],
  '/payments': ['tarjeta/{id}'],
  '/admin': ['buscar', 'deshacer', 'vistas', 'cifras', 'ayuda'],
  '/admin/assignations/{id}': ['mover'],
  '/admin/account': ['seguridad', 'configuracion', 'configuracion/{id}', 'configuracion/catalogo/{id}'],
  '/admin/users/{id}': ['cliente', 'cliente/domicilio', 'cliente/unir'],
  '/admin/agency/{id}': ['codigos', 'clientes', 'comisiones', 'integracion', 'datos'],
  '/admin/alliate/clients': ['registrar', '{id}'],
  '/admin/cotizations': ['cobros/{id}'],
  '/admin/payments': ['cobrar', 'libro', 'banco'],
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

// A part has its screen's guard and its own path. An exception for the screen's own address does not apply to its parts.
const patterns = screens
  .flatMap((screen) => [
    screen,
    ...(parts[screen.path] ?? []).map(
      (part): Screen => ({ ...screen, path: `/${segmentsOf(`${screen.path}/${part}`).join('/')}` }),
    ),
  ])
  .map((screen) => ({ screen, segments: segmentsOf(screen.path) }))

/**
 * The screen of a path. It forgives at least what the router forgives (case, encoded letters, extra slashes):
 * a path that the router opened and the guard did not know would be public.
 */
export function screenAt(pathname: string): Screen | undefined {
  const typed = segmentsOf(pathname).map(decoded)
  const fits = (segment: string, at: number) => segment === '{id}' || segment === typed[at]
  return patterns.find(({ segments }) => segments.length === typed.length && segments.every(fits))?.screen
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase()
  } catch {
    return segment.toLowerCase()
  }
}

/** Where a viewer who opens this path is redirected, or null to continue (specification §4 and §5). */
export function guard(pathname: string, viewer: Viewer, on: Modules = noModules): string | null {
  const screen = screenAt(pathname)
  if (!screen) return null
  if (!viewer) return screen.access.kind === 'public' ? null : '/signin'
  if (!hasName(viewer)) return screen.path === '/completion' ? null : '/completion'
  // As §4 literally says: the guard of / redirects staff to /admin.
  if (screen.access.kind === 'anyone-signed-in') return '/'
  return admits(accessOf(screen, on), viewer) ? null : homeOf(viewer)
}

/** Whether a user may open the screen of a path, and it is switched on. */
export function mayOpen(pathname: string, viewer: Pick<Actor, 'role' | 'kind'>, on: Modules): boolean {
  const screen = screenAt(pathname)
  return screen !== undefined && !isSwitchedOff(pathname, on) && admits(accessOf(screen, on), viewer)
}

/** Whether a path belongs to a module that is switched off: guarded like the others, then answered as not found. */
export function isSwitchedOff(pathname: string, on: Modules): boolean {
  const module = screenAt(pathname)?.module
  return module !== undefined && !on.has(module)
}

/**
 * Whether an address is that of an e-mail's link, which also opens for signed-in users: a mailbox can be verified under
 * any session, and setting a new password first ends the session. Its screen handles both.
 */
export const isLetterLink = ({ pathname, searchParams }: URL) =>
  screenAt(pathname)?.path === '/recover-password' &&
  ['verifyEmail', 'resetPassword', 'verifyAndChangeEmail', 'recoverEmail'].includes(
    searchParams.get('mode') ?? '',
  )

/**
 * Whether a change sent to this path is outside the viewer's rights. A viewer on the wrong page (signed out, without a
 * name, or already signed in) is redirected instead, as a reader would be.
 */
export function forbids(pathname: string, viewer: Viewer, on: Modules = noModules): boolean {
  const screen = screenAt(pathname)
  if (!viewer || !hasName(viewer) || !screen) return false
  const access = accessOf(screen, on)
  return (access.kind === 'customer' || access.kind === 'staff') && !admits(access, viewer)
}

/** Where the user turns the second factor on. */
export const secondFactorPath = '/admin/account'

/** Whether a user lacks the second factor required of those who read all customers' data and payments. */
export const needsSecondFactor = ({ kind, twoFactor }: NonNullable<Viewer>): boolean =>
  (kind === 'manager' || kind === 'analyst') && !twoFactor

/** Sign-in operations, the pages that lead through sign-in, and the router's manifest request. */
const ofSignIn =
  /^\/(signout|v1\/(projects|session(\/[\w-]+)?)|api\/v1|session\/(provider|callback)\/\w+|__manifest)$/

/** The paths that stay open to a user who must first turn the second factor on: that screen and the public ones. */
export function opensWithoutSecondFactor(pathname: string): boolean {
  const screen = screenAt(pathname)
  if (!screen) return ofSignIn.test(pathname)
  return [secondFactorPath, '/completion'].includes(screen.path) || screen.access.kind === 'public'
}

const homeOf = ({ role }: NonNullable<Viewer>) => (role === 'staff' ? '/admin' : '/')

/** A module that is switched off is listed for all staff, as the specification says. */
const accessOf = ({ access, module }: Screen, on: Modules): Access =>
  module && !on.has(module) ? { kind: 'staff', kinds: staffKinds } : access

const admits = (access: Access, { role, kind }: Pick<Actor, 'role' | 'kind'>) =>
  access.kind === 'staff' ? kind !== null && access.kinds.includes(kind) : access.kind === role
