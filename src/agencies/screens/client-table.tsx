import { Contact } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AppointmentState, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { anId, choiceFilter, searched } from '../../kit/list/filters.ts'
import type { List, ListColumn } from '../../kit/list/list-body.tsx'
import { briefTime } from '../../shared/columns.ts'
import { dayIn, relative } from '../../shared/format.ts'
import { rowLinkClass } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ClientAppointment, ListedClient } from '../client-rows.ts'
import { clientStageLabels, turnLabels, withCar } from '../rules/clients.ts'
import { clientsPath } from './agency-paths.ts'
import { StageBadge } from './badges.tsx'

export const clientList = {
  path: clientsPath,
  title: 'Clientes',
  words: ['cliente', 'clientes'],
  icon: Contact,
  empty:
    'Todavía no hay clientes. Registra a quien esté en tu mostrador, o comparte el enlace de tu código: aquí verás en qué va cada uno.',
  narrowed: 'No hay clientes con estos filtros.',
  all: 'Ver todos',
  filters: {
    stage: choiceFilter('Etapa', clientStageLabels, 'Todas'),
    code: { ...anId, label: 'Código' },
    ally: { ...anId, label: 'Aliado' },
    text: searched('Nombre o referencia'),
  },
} satisfies List

/** `pathOf` is where a client has a page; null where they have none. */
export const clientColumns = (
  pathOf: (row: ListedClient) => string | null,
): readonly ListColumn<ListedClient, { now: Date }>[] => [
  { header: 'Cliente', main: true, cell: (row) => <Named row={row} path={pathOf(row)} /> },
  { header: 'Etapa', whole: true, cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
  {
    header: 'Le toca a',
    whole: true,
    cell: (row, { now }) => <Two first={turnText(row) || turnLabels.none} second={sinceOf(row, now)} />,
  },
  {
    header: 'Próxima cita',
    whole: true,
    cell: ({ next }, { now }) => next && <Appointment {...next} when={briefTime(next.startsAt, now)} />,
  },
  {
    header: 'Última cita',
    whole: true,
    from: 'wide',
    cell: ({ last }, { now }) => last && <Appointment {...last} when={dayIn(last.startsAt, now)} />,
  },
  {
    header: 'Código y aliado',
    from: 'medium',
    cell: ({ ally, code }) => <Two first={code && <span className="font-mono">{code}</span>} second={ally} />,
  },
]

function Named({ row, path }: { row: ListedClient; path: string | null }) {
  const name = calledIn({ ...row, name: [row.name, row.lastname].filter(Boolean).join(' ') })
  const first = path ? (
    <Link to={path} prefetch="intent" discover="none" className={rowLinkClass}>
      {name}
    </Link>
  ) : (
    <span className="font-semibold">{name}</span>
  )
  return <Two first={first} second={row.reference} />
}

/** A cancelled one says so: otherwise it would pass for one that took place. */
const Appointment = ({ service, state, when }: ClientAppointment & { when: string }) => (
  <Two first={serviceFacts[service].label} second={[when, failureOf(state)].filter(Boolean).join(' · ')} />
)

const Two = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    {first}
    {second && <span className="block text-[0.8125rem]/4 font-normal text-mute">{second}</span>}
  </>
)

type Turn = Pick<ListedClient, 'stage' | 'waitingOn' | 'since'>

/** Whose turn it is: "Cliente"; empty for none. */
export const turnText = ({ waitingOn }: Turn) => (waitingOn === 'none' ? '' : turnLabels[waitingOn])

/** "hace 3 días", since when it is in this state; null when that is unknown. */
export const sinceOf = ({ since }: Turn, now: Date) => since && relative(since, now)

/** "Cancelada", of an appointment that did not take place; null of any other. */
export const failureOf = (state: AppointmentState) =>
  state === 'cancelled' || state === 'no_show' ? stateFacts[state].label : null

/** The name and car in a list, also of a client who has no name yet. */
export const calledIn = ({ name, vehicle }: Pick<ListedClient, 'name' | 'vehicle'>) =>
  withCar(name || 'Sin nombre todavía', vehicle)
