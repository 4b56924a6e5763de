import type { Actor, StaffKind } from '../access/actor.ts'
import type { ListFilters, ListName } from './appointment-list.ts'

/** A figure of the home page: how many rows a list shows under these filters, and the way there. */
export type Figure = { label: string; path: string; list: ListName; filters: ListFilters; urgent?: true }

const pending = (label: string, filters: ListFilters): Figure => ({
  label,
  path: '/admin/appointments-pending',
  list: 'pending',
  filters,
})
const done: Figure = {
  label: 'Citas realizadas',
  path: '/admin/appointments-done',
  list: 'done',
  filters: {},
}
const upcoming = pending('Próximas citas', {})
const today = pending('Hoy', { view: 'hoy' })
const week = pending('Esta semana', { view: 'semana' })

/** What each kind starts its day with; the gester's own work comes with the cases. */
const byKind: Record<StaffKind, (actor: Actor) => readonly Figure[]> = {
  manager: () => [
    {
      label: 'Por asignar',
      path: '/admin/assignations',
      list: 'pending',
      filters: { state: 'requested' },
    },
    { ...pending('Sin persona', { view: 'sin-persona' }), urgent: true },
    { ...pending('Tarde', { view: 'tarde' }), urgent: true },
    pending('En ruta', { view: 'en-ruta' }),
    today,
    upcoming,
  ],
  analyst: ({ id }) => [
    pending('Tus llamadas de hoy', { view: 'hoy', service: 'videocall', person: id }),
    pending('Llamadas de hoy', { view: 'hoy', service: 'videocall' }),
    upcoming,
    done,
  ],
  tecnician: () => [today, week, done],
  gester: () => [],
  alliate: () => [week, upcoming, done],
}

export const figuresFor = (actor: Actor): readonly Figure[] => (actor.kind ? byKind[actor.kind](actor) : [])

/** The address of the list that a figure counts. */
export function addressOf({ path, filters }: Figure): string {
  // The list of what waits for the manager narrows by itself.
  const query = path === '/admin/assignations' ? '' : new URLSearchParams(filters as Record<string, string>)
  return `${path}${query && `?${query}`}`
}
