/**
 * The most projects that one customer has under way at once. Each holds one of as many places, which a constraint keeps
 * apart (`projects_open_place`).
 */
export const mostOpenProjects = 5

/** The parameter of an address that names the project that its page is about. */
export const projectParam = 'proyecto'

/** What "Otro domicilio" leads to: an open project without a home, a new one, or why there is none. */
type OtherHome = { use: string } | { refused: string } | 'new'

type Asking = { isVerified: boolean; open: readonly { id: string; hasHome: boolean }[] }

/** Whether a customer may begin a project for another home beside those that are open. */
export function otherHome({ isVerified, open }: Asking): OtherHome {
  const empty = open.find(({ hasHome }) => !hasHome)
  if (empty) return { use: empty.id }
  if (open.length === 0) return 'new'
  if (!isVerified) return { refused: 'Confirma tu correo para agregar otro domicilio.' }
  return open.length < mostOpenProjects ? 'new' : { refused: tooMany }
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
  const [query, hash] = [queries.join('?'), fragment.length > 0 ? `#${fragment.join('#')}` : '']
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
    const name = street === null ? 'Domicilio nuevo' : `${street} ${outerNumber ?? ''}`.trim()
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    names.set(id, nth > 1 ? `${name}, cargador ${nth}` : name)
  }
  return names
}
