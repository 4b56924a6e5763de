/**
 * The most projects that one customer has under way at once. Each holds one of as many places, which a constraint keeps
 * apart (`projects_open_place`).
 */
export const mostOpenProjects = 5

/** The parameter of an address that names the project that its page is about. */
export const projectParam = 'proyecto'

/** The parameter of an address whose form opens a project with this id for another home, once it is saved. */
export const otherHomeParam = 'otro'

/** The id that an address names so, or null. */
export function otherHomeIn({ searchParams }: URL): string | null {
  const id = searchParams.get(otherHomeParam) ?? ''
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null
}

/** Why a customer with so many open projects may not begin one for another home; null where they may. */
export function againstOtherHome(isVerified: boolean, open: number): string | null {
  if (open > 0 && !isVerified) return 'Confirma tu correo para agregar otro domicilio.'
  return open < mostOpenProjects ? null : tooMany
}

/** The first place that none of a customer's open projects holds. */
export const firstFree = (taken: readonly number[]): number => {
  let place = 1
  while (taken.includes(place)) place++
  return place
}

/** Why no further project is opened, or reopened, for a customer. */
export const tooMany = `Hay ${mostOpenProjects} proyectos en curso, y es lo más que lleva una persona a la vez. Termina uno antes.`

/**
 * The open project that a customer's request is about: the one that it names, or else the only one. `unsaid`: there
 * are several, and it names none; `over`: the one that it names is not among them. `open` are their ids.
 */
export function meantProject(
  open: readonly string[],
  named: string | null,
): { id: string | null } | 'unsaid' | 'over' {
  if (named !== null) return open.includes(named) ? { id: named } : 'over'
  return open.length > 1 ? 'unsaid' : { id: open[0] ?? null }
}

/** Said where several projects are open and a request does not say which one is meant. */
export const whichHome =
  'Hay más de un domicilio en curso y no sabemos de cuál se trata. Abre de nuevo la página y envíalo otra vez.'

/** Said where the project that was meant has ended. */
export const homeIsOver = 'Ese proyecto ya terminó. Abre de nuevo la página para ver los que siguen en curso.'

/** The first segments of a customer's screens: the addresses that say which project they are about. */
const screens = new Set([
  '',
  'address',
  'agenda-installation',
  'agenda-technics-visit',
  'agenda-videocall',
  'cuenta',
  'fiscal',
  'installation',
  'payments',
  'quote',
  'technics-visit',
  'videocall',
])

/** The address of a customer's screen with the project that it is about; others stay as they are, and one that names it. */
export function withProject(to: string, projectId: string | null): string {
  const [whole, ...fragment] = to.split('#')
  const [path = '', ...queries] = whole!.split('?')
  const query = queries.join('?')
  const hash = fragment.length > 0 ? `#${fragment.join('#')}` : ''
  const isScreen = path === '' || (/^\/(?!\/)/.test(path) && screens.has(path.split('/')[1]!))
  if (projectId === null || !isScreen || (path === '' && query === '')) return to
  if (new URLSearchParams(query).has(projectParam)) return to
  return `${path}?${query}${query && '&'}${projectParam}=${projectId}${hash}`
}

type NamedHome = { id: string; street: string | null; outerNumber: string | null }

/** How a customer's homes are told apart, by project: street and number, and which charger where two are for the same. */
export function homeNames(homes: readonly NamedHome[]): Map<string, string> {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  for (const { id, outerNumber, street } of homes) {
    const name = street ? `${street} ${outerNumber ?? ''}`.trim() : 'Domicilio nuevo'
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    names.set(id, nth > 1 ? `${name}, cargador ${nth}` : name)
  }
  return names
}
