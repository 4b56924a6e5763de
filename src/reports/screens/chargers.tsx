import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field, Select } from '../../kit/form/field.tsx'
import { FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { checked, form, forms } from '../../kit/submit.ts'
import { chargersPath, settingsPages, settingsPath } from '../../settings/rules/pages.ts'
import { configures } from '../../settings/rules/settings.ts'
import { money, shortDate } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { chargerHolders, listChargers, moveCharger, receiveCharger } from '../chargers.ts'
import { chargerStates } from '../rules/charger.ts'
import { chargerMoveInput, receivingInput } from '../rules/schema.ts'
import type { Route } from './+types/chargers.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor } = signedIn(context)
    return { rows: await listChargers(db, actor), holders: await chargerHolders(db) }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  return checked(() => configures(actor) || refuse('permission-denied'), {
    'charger-receive': form(receivingInput(now), async (input) => {
      await receiveCharger(db, actor, input)
      return redirectWithToast(chargersPath, 'Entró el cargador', `Serie ${input.serial}, en bodega.`)
    }),
    'charger-move': form(chargerMoveInput, async (input) => {
      await moveCharger(db, actor, input, now)
      return redirectWithToast(chargersPath, 'Movimos el cargador', 'La lista ya lo dice.')
    }),
  })
})

/** The company's chargers: where each is, and what came without being received. */
export default function Chargers({ loaderData: { holders, rows } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Cargadores"
        subtitle="Cada uno por su serie. Solo los ve la gerencia."
        back={{ to: settingsPath('catalogue'), label: settingsPages.catalogue.title }}
      />
      <OrphanedFormError />
      <FormDetails summary="Registrar una entrada" intent="charger-receive" key={rows.length}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Marca" name="brand" maxLength={40} autoComplete="off" />
          <Field label="Modelo" name="model" maxLength={60} autoComplete="off" />
          <Field label="Número de serie" name="serial" maxLength={40} autoComplete="off" />
          <Field label="Costo, sin IVA" name="cost" inputMode="decimal" autoComplete="off" />
          <Field label="Llegó el" name="receivedOn" type="date" />
        </div>
        <Submit className="sm:justify-self-start">Registrar entrada</Submit>
      </FormDetails>
      {rows.length === 0 ? (
        <EmptyState>Todavía no hay cargadores. Registra el primero.</EmptyState>
      ) : (
        <DataTable
          caption="Cargadores"
          columns={columnsFor(holders)}
          rows={rows}
          rowKey={({ brand, serial }) => `${brand} ${serial}`}
        />
      )}
    </>
  )
}

type Row = Awaited<ReturnType<typeof listChargers>>[number]
type Holders = Awaited<ReturnType<typeof chargerHolders>>

const columnsFor = (holders: Holders): Column<Row>[] => [
  {
    header: 'Cargador',
    main: true,
    cell: ({ brand, model, serial }) => (
      <span className="wrap-anywhere">
        {[brand, model].filter(Boolean).join(' ')}
        <span className="block text-sm font-normal text-mute">{serial}</span>
      </span>
    ),
  },
  { header: 'Dónde está', cell: (row) => <Place row={row} /> },
  { header: 'Llegó', cell: ({ receivedOn }) => receivedOn && shortDate(receivedOn) },
  { header: 'Costo', numeric: true, cell: ({ cost }) => cost !== null && money(cost) },
  {
    header: 'Mover',
    cell: ({ id, serial, state }) =>
      id && state !== 'installed' && <MoveForm id={id} serial={serial} holders={holders} />,
  },
]

const Place = ({ row: { appointmentId: id, folio, holder, state } }: { row: Row }) => (
  <>
    <Badge tone={chargerStates[state].tone}>{chargerStates[state].label}</Badge>
    {state === 'technician' && <span className="block text-sm">{holder}</span>}
    {id && (
      <Link to={appointmentPath('done', { id, service: 'installation' })} className="block text-sm">
        {folio}
      </Link>
    )}
  </>
)

type MoveProps = { id: string; serial: string; holders: Holders }

const MoveForm = ({ holders, id, serial }: MoveProps) => (
  <FormDetails summary="Mover" intent="charger-move" target={{ chargerId: id }}>
    <Select
      label="¿Dónde queda?"
      name="to"
      placeholder="Elige"
      options={[
        { value: 'store', label: 'En bodega' },
        ...holders.map(({ id: value, name: label }) => ({ value, label })),
        { value: 'returned', label: 'Devuelto al proveedor' },
      ]}
    />
    <Submit variant="ghost" aria-label={`Guardar dónde queda ${serial}`}>
      Guardar
    </Submit>
  </FormDetails>
)
