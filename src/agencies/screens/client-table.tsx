import type { ReactNode } from 'react'
import { type AppointmentState, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import type { ClientOptions } from '../../customers/clients.ts'
import { choicesOf, FilterBar } from '../../kit/list/lists.tsx'
import { dayIn, dayTimeIn, relative } from '../../shared/format.ts'
import { type Column, DataTable, rowLinkClass } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ClientAppointment, ListedClient } from '../client-rows.ts'
import { type ClientFilters, clientStageLabels, turnLabels, withCar } from '../rules/clients.ts'
import { StageBadge, StageIcons } from './badges.tsx'

type ClientTableProps = {
  rows: readonly ListedClient[]
  now: Date
  /** Where a client has a page; null where they have none. */
  pathOf: (row: ListedClient) => string | null
}

/** Clients as a table on a desk and as cards on a phone. */
export function ClientTable({ rows, now, pathOf }: ClientTableProps) {
  const columns: Column<ListedClient>[] = [
    { header: 'Cliente', main: true, cell: (row) => <Named row={row} path={pathOf(row)} /> },
    { header: 'Etapa', width: 10.5, cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
    {
      header: 'Le toca a',
      width: 8.5,
      cell: (row) => <Two first={turnText(row) || turnLabels.none} second={sinceOf(row, now)} />,
    },
    {
      header: 'Próxima cita',
      width: 10.5,
      from: 'medium',
      cell: ({ next }) => next && <Appointment {...next} when={dayTimeIn(next.startsAt, now)} />,
    },
    {
      header: 'Última cita',
      width: 10,
      from: 'wide',
      cell: ({ last }) => last && <Appointment {...last} when={dayIn(last.startsAt, now)} />,
    },
    {
      header: 'Código y aliado',
      width: 8,
      from: 'medium',
      cell: ({ ally, code }) => (
        <Two first={code && <span className="font-mono">{code}</span>} second={ally} />
      ),
    },
  ]
  return (
    <>
      <StageIcons />
      <DataTable dense caption="Clientes" columns={columns} rows={rows} rowKey={({ id }) => id} />
    </>
  )
}

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

type ClientFilterBarProps = {
  filters: ClientFilters
  options: ClientOptions
  /** The list without any of them. */
  path: string
}

/** What narrows a list of clients. */
export const ClientFilterBar = ({ options, ...where }: ClientFilterBarProps) => (
  <FilterBar
    {...where}
    placeholder="Nombre o referencia"
    fields={[
      { name: 'stage', label: 'Etapa', choices: choicesOf(clientStageLabels), all: 'Todas' },
      { name: 'code', label: 'Código', choices: options.codes },
      { name: 'ally', label: 'Aliado', choices: options.allies },
    ]}
  />
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
