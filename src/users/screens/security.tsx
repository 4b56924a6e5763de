import type { DeskAct } from '../../accounts/rules/security.ts'
import { type DeskRow, securityDesk } from '../../accounts/security-desk.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { currentContext } from '../../platform/telemetry/log.ts'
import { dateTime, dayTimeIn } from '../../shared/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { Route } from './+types/security.ts'
import { personEvents } from './person-events.ts'
import { DeskButton, securityPath } from './security-parts.tsx'
import { deskForms } from './user-forms.ts'

export const shouldRevalidate = revalidateOnConflict
export const handle = { announcesUpdates: true }

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const desk = await securityDesk(db, actor, now)
    return { ...desk, now, own: [actor.id, currentContext().network] }
  })

export const action = forms(({ context }: Route.ActionArgs) => deskForms(context, securityPath))

type Shown = Route.ComponentProps['loaderData']
type List = {
  of: 'networks' | 'sessions' | 'bookings' | 'agencies' | 'held' | 'unsigned' | 'failing'
  title: string
  empty: string
  /** Where a row leads; a network leads nowhere. */
  path?: string
  act?: DeskAct
  /** Which counts a column shows. */
  columns: Record<string, number[]>
}

const lists: List[] = [
  {
    of: 'networks',
    title: 'Entradas por red',
    empty: 'En estos siete días nadie falló al entrar ni abrió una cuenta.',
    act: 'close_network',
    columns: {
      'Entradas rechazadas': [0, 1],
      'Registros y códigos': [2, 3],
      'Cuentas abiertas': [4, 5],
    },
  },
  {
    of: 'sessions',
    title: 'Personas con muchas sesiones',
    empty: 'Nadie tiene más de cinco sesiones abiertas.',
    path: '/admin/users/',
    act: 'end_sessions',
    columns: { 'De hoy · en total': [0, 1] },
  },
  {
    of: 'bookings',
    title: 'Cuentas que agendan y cancelan',
    empty: 'En estos siete días nadie agendó, movió o canceló más de tres veces.',
    path: '/admin/users/',
    act: 'brake',
    columns: { Agendó: [0, 1], Canceló: [2, 3], Movió: [4, 5] },
  },
  {
    of: 'held',
    title: 'Hoy frenamos correos de estas cuentas',
    empty: 'Hoy no frenamos ningún correo.',
    path: '/admin/users/',
    act: 'brake',
    columns: { 'Correos frenados hoy': [0] },
  },
  {
    of: 'agencies',
    title: 'Concesionarias que escriben mucho',
    empty: 'En estos siete días ninguna invitó a nadie.',
    path: '/admin/agency/',
    columns: {
      Invitaciones: [0, 1],
      'Por su API hoy': [2],
      'De su límite del día': [4],
    },
  },
  {
    of: 'unsigned',
    title: 'Webhooks con firma falsa',
    empty: 'En estos siete días todos llegaron bien firmados.',
    columns: { Stripe: [0, 1], WhatsApp: [2, 3] },
  },
  {
    of: 'failing',
    title: 'Webhooks que no llegan',
    empty: 'Los sistemas de las concesionarias responden.',
    path: '/admin/agency/',
    columns: { Fallas: [0, 1] },
  },
]

export default function Security({ loaderData }: Route.ComponentProps) {
  const { done, stopped } = loaderData
  return (
    <>
      <PageHeader
        title="Seguridad"
        subtitle="Lo que nos cuesta, o le cuesta a alguien más, por quién lo causa: hoy · en siete días."
        back={{ to: '/admin/account', label: 'Mi cuenta' }}
      />
      <OrphanedFormError />
      {stopped.length > 0 && <StoppedCard data={loaderData} />}
      {lists.map((list) => (
        <DeskList key={list.of} list={list} data={loaderData} />
      ))}
      <Card title="Lo que se hizo">
        {done.length === 0 ? (
          <p className="text-mute">Todavía nadie frenó ni cerró nada.</p>
        ) : (
          <Timeline
            items={done.map(({ about, at, by, id, name }) => ({
              key: id,
              title: `${personEvents[name]?.({ from: null, to: null, data: null }, [])}: ${about}`,
              note: `${dateTime(at)} · ${by}`,
            }))}
          />
        )}
      </Card>
    </>
  )
}

const StoppedCard = ({ data: { now, stopped } }: { data: Shown }) => (
  <Card title="Vigente">
    <DataTable
      caption="Vigente"
      rows={stopped}
      rowKey={({ id, undo }) => undo + id}
      columns={[
        { header: 'A quién', main: true, cell: ({ name }) => name },
        { header: 'Hasta', cell: ({ until }) => dayTimeIn(until, now) },
        { header: 'Qué hacer', cell: ({ undo, ...of }) => <DeskButton act={undo} {...of} /> },
      ]}
    />
  </Card>
)

function DeskList({ data: { own, stopped, ...data }, list }: { data: Shown; list: List }) {
  const { act, columns, empty, of, path, title } = list
  const rows: readonly DeskRow[] = data[of]
  const acting: Column<DeskRow> = {
    header: 'Qué hacer',
    cell: ({ id, name }) =>
      act && id && !own.includes(id) && <DeskButton act={act} id={id} name={name} stopped={stopped} />,
  }
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="text-mute">{empty}</p>
      ) : (
        <DataTable
          caption={title}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              header: 'Quién',
              main: true,
              cell: ({ id, name }) => (path ? <Link to={path + id}>{name}</Link> : name || 'Otras redes'),
            },
            ...Object.entries(columns).map(([header, shown]) => ({
              header,
              cell: ({ counts }: DeskRow) => shown.map((at) => counts[at]).join('\u00a0·\u00a0'),
            })),
            ...(act ? [acting] : []),
          ]}
        />
      )}
    </Card>
  )
}
