import { createRequestHandler, type RequestHandler, type ServerBuild } from 'react-router'

/**
 * The request handler of an address: one for each beginning of two segments, which knows only the routes that can match it,
 * or the one of all. The build is passed as itself: a function would be called at every request, and all routes computed
 * again.
 */
export function handlersByBeginning(build: ServerBuild): (path: string) => RequestHandler {
  const handlerOf = (ids: ReadonlySet<string>) => {
    const only = <Value>(all: Record<string, Value>) =>
      Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id)))
    const assets = { ...build.assets, routes: only(build.assets.routes) }
    return createRequestHandler({ ...build, routes: only(build.routes), assets }, import.meta.env.MODE)
  }
  const ofAll = createRequestHandler(build, import.meta.env.MODE)
  const { beginningOf, sets } = routesByBeginning(
    Object.values(build.routes).filter((one) => one !== undefined),
  )
  const handlers = new Map([...sets].map(([beginning, ids]) => [beginning, handlerOf(ids)]))
  return (path) => handlers.get(beginningOf(path)) ?? ofAll
}

/** A route as React Router's build lists it: below its parent, without the parent's path. */
type ListedRoute = { id: string; parentId?: string; path?: string; index?: boolean }

/**
 * React Router compares an address with all routes, twice for each request, and converts all of them for each page. For
 * each beginning of two segments these are the ids of the routes that can match an address that begins so, with their
 * parents; an address of any other beginning may match any route.
 */
export function routesByBeginning(routes: readonly ListedRoute[]) {
  const byId = new Map(routes.map((route) => [route.id, route]))
  const lineOf = (route: ListedRoute | undefined): ListedRoute[] =>
    route ? [...lineOf(byId.get(route.parentId ?? '')), route] : []
  const segmentsOf = (route: ListedRoute) =>
    lineOf(route).flatMap(({ path }) => (path ?? '').split('/').filter(Boolean))
  const ends = routes
    .filter(({ path, index }) => path !== undefined || index)
    .map((route) => ({ route, segments: segmentsOf(route) }))
  const sets = new Map<string, ReadonlySet<string>>()
  for (const { segments } of ends) {
    const beginning = firstTwo(segments)
    if (/[:*?]/.test(beginning) || sets.has(beginning)) continue
    const fitting = ends.filter((end) => canBegin(end.segments, beginning.split('/')))
    sets.set(beginning, new Set(fitting.flatMap(({ route }) => lineOf(route).map(({ id }) => id))))
  }
  return { sets, beginningOf }
}

const firstTwo = ([first = '', second = '']: readonly string[]) => `${first}/${second}`

/** The beginning of an address, as `sets` names it; of one with empty segments, none. */
const beginningOf = (path: string) => (path.includes('//') ? '' : firstTwo(segmentsIn(path)))

/** The segments of an address as its routes name them: a script asks for the data of "/a" at "/a.data", of "/" at "/_.data". */
const segmentsIn = (path: string) =>
  path
    .replace(/^\/_\.data$/, '/')
    .replace(/\.data$/, '')
    .replace(/\/$/, '')
    .split('/')
    .slice(1)

/** Whether a route of these segments can match an address that begins so. */
const canBegin = (segments: readonly string[], beginning: readonly string[]) =>
  beginning.every((word, n) => {
    const segment = segments[n] ?? ''
    return (
      segments.slice(0, n + 1).some((one) => /[*?]/.test(one)) || segment.startsWith(':') || segment === word
    )
  })
